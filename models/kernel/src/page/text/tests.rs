//! Texts of one block.

use super::*;

#[test]
fn a_gap_is_of_the_link_in_which_it_begins() {
    let mut writer = TextWriter::default();
    for (is_first, link_chars) in [(true, 2), (false, 1)] {
        let close = |writer: &mut TextWriter| {
            writer.push(b"b", false);
            writer.finish(false).map(|block| block.link_chars)
        };
        writer.push(b"a", true);
        writer.push(b" ", is_first);
        writer.push(b" ", !is_first);
        assert_eq!(close(&mut writer), Some(link_chars));

        writer.push(b"a", true);
        writer.line_break(!is_first);
        assert_eq!(close(&mut writer), Some(3 - link_chars));

        writer.push(b"a", true);
        writer.push(b" ", is_first);
        writer.line_break(!is_first);
        assert_eq!(close(&mut writer), Some(link_chars));
    }
}

#[test]
fn white_space_cut_from_the_end_of_a_block_is_none_of_a_link() {
    let mut writer = TextWriter::default();
    writer.push_preformatted(b"a \n", false);
    writer.push_preformatted(b"b ", true);
    writer.push_preformatted(b"c \n", true);
    writer.push_preformatted(b" ", false);

    let block = writer.finish(true);

    assert_eq!(block.map(|block| block.link_chars), Some(3));
    assert_eq!(writer.into_text(), "a \nb c\n");
}

#[test]
fn bytes_that_are_no_utf8_keep_their_length() {
    let mut writer = TextWriter::default();
    writer.push_preformatted(b"a\xE2\x82b\xFF", false);
    writer.finish(false);

    assert_eq!(writer.into_text(), "a??b?\n");
}
