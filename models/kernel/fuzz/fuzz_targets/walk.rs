//! Any page that passes the guard, parsed by lexbor: walked, judged and written without a panic.

#![no_main]

use std::sync::LazyLock;

use _kernel::engines::hybrid::model::{Model, Policy};
use _kernel::engines::web2text::labels::leaves_of;
use _kernel::page::blocks::BlockTable;
use _kernel::page::guard::Census;
use _kernel::page::lexbor::{Node, NodeKind};
use _kernel::page::media::Form;
use _kernel::page::prepare::prepare;
use _kernel::page::render::{Format, Markup, render_blocks};
use _kernel::page::walk::{walk, walk_inline, walk_with_elements};
use libfuzzer_sys::fuzz_target;
use winnow_kernel_fuzz::lexbor::Document;
use winnow_kernel_fuzz::pages::{LIMITS, page_of};

static HYBRID: LazyLock<Model> = LazyLock::new(|| {
    Model::read(include_bytes!("../../../data/hybrid.bin")).expect("the shipped file is whole")
});

fuzz_target!(|input: &[u8]| {
    let (url, content_type, body) = page_of(input);
    let Ok(prepared) = prepare(body, content_type, url, &LIMITS) else {
        return;
    };
    if prepared.form != Form::Html {
        return;
    }
    let markup = prepared.markup.as_bytes();
    let document = Document::parse(markup).expect("lexbor has memory");
    let Some(root) = document.root() else { return };
    if !has_frames(markup) {
        check_census(root, &prepared.census);
    }
    let shown = walk(root);
    check_blocks(&shown);
    let parsed = Document::parse(&prepared.pieces().collect::<Vec<_>>().concat());
    let parsed = parsed.expect("lexbor has memory");
    let read = parsed.root().map(walk).unwrap_or_default();
    assert_eq!(read.text, shown.text);
    assert_eq!(
        format!("{:?}", read.declared),
        format!("{:?}", shown.declared)
    );
    let table = BlockTable {
        markup_bytes: markup.len(),
        ..walk_with_elements(root)
    };
    check_blocks(&table);
    let verdicts = HYBRID.judge(&table, Policy::default()).verdicts;
    let codes: Vec<u8> = verdicts.iter().map(|&verdict| verdict as u8).collect();
    assert_eq!(verdicts.len(), table.blocks.len());
    let (text, inline) = walk_inline(root, true);
    assert_eq!(text, table.text);
    let markup = Markup {
        inline: Some(&inline),
        url,
        keeps_links: true,
        keeps_images: true,
    };
    for (format, markup) in [
        (Format::Text, Markup::default()),
        (Format::Markdown, Markup::default()),
        (Format::Markdown, markup),
    ] {
        let rendered = render_blocks(&table, &codes, format, markup);
        assert!(rendered.blocks_kept <= table.blocks.len());
    }
    let (texts, columns) = leaves_of(root);
    assert_eq!(texts.len(), columns.class_paths.len());
});

/// Between frames lexbor ignores elements of raw text, and reads as markup what the guard skips:
/// no deeper than the page has bytes, without a block, and linear in time.
fn has_frames(markup: &[u8]) -> bool {
    let name = b"<frameset";
    let mut windows = markup.windows(name.len());
    windows.any(|window| window.eq_ignore_ascii_case(name))
}

/// `html`, `head` and `body`, which lexbor adds at the end where no tag names them.
const IMPLIED: usize = 3;

/// The guard bounds the tree from above: of copies that formatting elements make in blocks it misses
/// a few, so nodes are held to twice its figure.
fn check_census(root: Node<'_>, census: &Census) {
    let (mut nodes, mut deepest) = (0, 0);
    let mut waiting = vec![(root, 1)];
    while let Some((node, depth)) = waiting.pop() {
        nodes += 1;
        if node.kind() == NodeKind::Element {
            deepest = deepest.max(depth);
        }
        let mut child = node.first_child();
        while let Some(node) = child {
            waiting.push((node, depth + 1));
            child = node.next();
        }
    }
    assert!(
        deepest <= census.depth + IMPLIED,
        "{deepest} levels, {census:?}"
    );
    assert!(
        nodes <= 2 * census.nodes + IMPLIED,
        "{nodes} nodes, {census:?}"
    );
}

/// Blocks stand one behind the other in the text, each followed by a line feed.
fn check_blocks(table: &BlockTable) {
    let mut end = 0;
    for block in &table.blocks {
        assert_eq!(block.start as usize, end);
        end = block.end as usize;
        assert!(table.text.get(block.start as usize..end).is_some());
        assert_eq!(table.text.as_bytes().get(end), Some(&b'\n'));
        end += 1;
    }
    assert_eq!(end, table.text.len());
}
