//! Markdown of hand-made blocks; `tests/unit/models/page/test_markdown.py` starts from markup.

use super::*;
use crate::page::blocks::Kind;

fn table(blocks: &[(&str, Block)]) -> BlockTable {
    let mut table = BlockTable::default();
    for &(text, block) in blocks {
        let start = table.text.len() as u32;
        table.text.push_str(text);
        let end = table.text.len() as u32;
        table.text.push('\n');
        table.blocks.push(Block {
            start,
            end,
            ..block
        });
    }
    table
}

fn item(level: u8, group: u32, ordinal: impl Into<Option<u32>>) -> Block {
    Block {
        kind: Kind::ListItem,
        level,
        lists: level,
        group,
        ordinal: ordinal.into(),
        ..Block::default()
    }
}

fn code(group: u32) -> Block {
    Block {
        kind: Kind::Code,
        group,
        ..Block::default()
    }
}

fn markdown(blocks: &[(&str, Block)]) -> String {
    let verdicts = vec![Verdict::KEPT; blocks.len()];
    render_blocks(
        &table(blocks),
        &verdicts,
        Format::Markdown,
        Markup::default(),
    )
    .text
}

#[test]
fn an_item_that_goes_on_after_a_list_in_it_has_one_marker() {
    let blocks = [
        ("a", item(1, 1, 7)),
        ("b", item(2, 2, None)),
        ("c", item(1, 1, 7)),
        ("d", item(1, 3, 8)),
    ];
    assert_eq!(markdown(&blocks), "7. a\n   - b\n\n   c\n\n8. d");
}

#[test]
fn a_nested_list_that_does_not_start_at_one_stands_apart() {
    let blocks = [("a", item(1, 1, None)), ("b", item(2, 2, 3))];
    assert_eq!(markdown(&blocks), "- a\n\n  3. b");
}

#[test]
fn a_number_too_long_for_commonmark_is_left_out() {
    assert_eq!(markdown(&[("a", item(1, 1, 1_000_000_000))]), "- a");
}

#[test]
fn a_fence_is_longer_than_any_inside() {
    assert_eq!(
        markdown(&[("a", code(1)), ("````\n\nb", code(1)), ("c", code(2))]),
        "`````\na\n````\n\nb\n`````\n\n```\nc\n```"
    );
}

#[test]
fn nesting_without_end_does_not_lengthen_lines_without_end() {
    let deep = Block {
        quotes: 255,
        ..item(255, 1, None)
    };
    let lines = markdown(&[("a", deep), ("b", deep)]);
    assert!(lines.lines().all(|line| line.len() <= 32), "{lines}");
}

#[test]
fn dropped_sentences_stay_with_a_mark_when_asked_for() {
    let table = table(&[("# a. *b*", Block::default())]);
    let sentence = |start, end| Sentence {
        start,
        end,
        tokens: 1,
        log2_prob: -3.0,
        ..Sentence::default()
    };
    let sentences = [sentence(0, 4), sentence(5, 8)];
    let marked = |verdicts: &[u8], dropped| {
        render(
            &table,
            &sentences,
            verdicts,
            Format::Markdown,
            dropped,
            Markup::default(),
        )
        .text
    };
    assert_eq!(
        marked(&[1, Verdict::KEPT], Dropped::Marked),
        r"<ppl 8.0>\# a.</ppl> \*b\*"
    );
    assert_eq!(
        marked(&[Verdict::KEPT, 1], Dropped::Marked),
        r"\# a. <ppl 8.0>\*b\*</ppl>"
    );
    assert_eq!(marked(&[1, Verdict::KEPT], Dropped::Vanish), r"\*b\*");
}
