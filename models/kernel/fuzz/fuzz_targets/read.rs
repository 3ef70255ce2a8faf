//! Any bytes are refused, or read, judged and written without a panic.

#![no_main]

use std::sync::LazyLock;

use _kernel::engines::hybrid::model::{Model, Policy};
use _kernel::engines::web2text::labels::leaves_of;
use _kernel::page::blocks::BlockTable;
use _kernel::page::media::Form;
use _kernel::page::render::{Format, Markup, render_blocks};
use _kernel::page::source::Source;
use _kernel::page::tree::{Options, Tree};
use _kernel::read::{Cut, Headers, Reader, Reading};
use libfuzzer_sys::fuzz_target;
use winnow_kernel_fuzz::pages::{LIMITS, page_of};

static HYBRID: LazyLock<Model> = LazyLock::new(|| {
    Model::read(include_bytes!("../../../data/hybrid.bin")).expect("the shipped file is whole")
});

fuzz_target!(|input: &[u8]| {
    let (url, content_type, body) = page_of(input);
    let headers = Headers {
        url,
        content_type,
        robots_tag: url,
    };
    let Ok(shown) = read(Cut::Shown, body, headers) else {
        return;
    };
    let uncovered = read(Cut::Uncovered, body, headers).expect("it was read before");
    let every = read(Cut::Every, body, headers).expect("it was read before");
    for reading in [&shown, &uncovered, &every] {
        check_blocks(&reading.blocks.table);
    }
    let table = &every.blocks.table;
    let verdicts = HYBRID.judge(table, Policy::default()).verdicts;
    let codes: Vec<u8> = verdicts.iter().map(|&verdict| verdict as u8).collect();
    assert_eq!(verdicts.len(), table.blocks.len());
    let markup = Markup {
        inline: every.blocks.inline.as_ref(),
        url,
        keeps_links: true,
        keeps_images: true,
    };
    for (format, markup) in [
        (Format::Text, Markup::default()),
        (Format::Markdown, Markup::default()),
        (Format::Markdown, markup),
    ] {
        let rendered = render_blocks(table, &codes, format, markup);
        assert!(rendered.blocks_kept <= table.blocks.len());
    }
    if every.form == Form::Html {
        check_tree(body, headers);
    }
});

fn read(cut: Cut<'_>, body: &[u8], headers: Headers<'_>) -> Result<Reading, ()> {
    let reader = Reader {
        cut,
        limits: LIMITS,
        with_inline: true,
        with_data_text: true,
        skips_noindex: false,
    };
    reader.read(body, headers).map_err(drop)
}

/// Other results from a tree: leaves of the collapsed DOM, rows and a view.
fn check_tree(body: &[u8], headers: Headers<'_>) {
    let source = Source::of(body, headers.content_type, headers.url, &LIMITS);
    let source = source.expect("it was read before");
    let options = Options {
        is_xml: source.is_xml,
        is_repaired: true,
    };
    let tree = Tree::of(source.text, options, &LIMITS).expect("it was parsed before");
    let (texts, columns) = leaves_of(tree.root());
    assert_eq!(texts.len(), columns.class_paths.len());
    assert!(tree.rows().len() <= tree.len());
    assert!(!tree.view().is_empty());
}

/// Blocks follow each other in the text, each followed by a line feed.
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
