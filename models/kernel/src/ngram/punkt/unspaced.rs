//! Sentence ends of scripts without a space after a full stop.

use crate::ngram::chars::is_stripped;

/// Sentence ends that are never part of an abbreviation or a number.
const WIDE_ENDS: [char; 8] = ['。', '｡', '！', '？', '؟', '۔', '।', '॥'];
/// Closing characters that belong to the previous sentence.
const WIDE_CLOSERS: [char; 18] = [
    '」', '』', '）', '】', '》', '〉', '〕', '］', '｝', '”', '’', '»', ')', ']', '}', '｣', '〗',
    '〙',
];

/// Whether a byte may begin a wide sentence end; it also begins other characters, but no Latin,
/// Greek or Cyrillic letters, and no typographic marks.
pub fn may_hold_wide_end(text: &str) -> bool {
    let begins = |byte: u8| matches!(byte, 0xD8 | 0xDB | 0xE0 | 0xE3 | 0xEF);
    // branch-free, so that a vector register holds sixteen bytes
    text.bytes().fold(false, |found, byte| found | begins(byte))
}

/// End of the first piece from `start` that a wide sentence end closes, and start of the next.
pub fn wide_cut(text: &str, start: usize) -> Option<(usize, usize)> {
    let rest = &text[start..];
    let found = rest.find(WIDE_ENDS)?;
    let behind = rest[found..].trim_start_matches(WIDE_ENDS);
    let behind = behind.trim_start_matches(|c| WIDE_CLOSERS.contains(&c) || WIDE_ENDS.contains(&c));
    let end = text.len() - behind.len();
    Some((
        end,
        text.len() - behind.trim_start_matches(is_stripped).len(),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_wide_end_is_noticed_by_its_first_byte() {
        for end in WIDE_ENDS {
            assert!(may_hold_wide_end(&format!(
                "caf\u{e9} \u{201c}a\u{201d}{end}"
            )));
        }
        assert!(!may_hold_wide_end(
            "caf\u{e9} \u{201c}\u{3b1}\u{201d} \u{434}!"
        ));
    }
}
