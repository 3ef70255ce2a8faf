//! Ranges of text without white space to normalise, many bytes per step.

/// Bytes that are checked together.
pub const STRIDE: usize = 16;

/// How many bytes at the start of a text need no change, in whole strides: plain characters and
/// single spaces between them.
#[inline]
#[must_use]
pub fn strides(text: &[u8]) -> usize {
    let mut at = 0;
    while text
        .get(at..)
        .and_then(<[u8]>::first_chunk)
        .is_some_and(needs_no_change)
    {
        at += STRIDE;
    }
    at
}

/// Branch-free, because a vector register holds the whole stride. The byte after the stride is
/// checked as well: a space at the end of the stride must not be the first of two.
#[inline]
fn needs_no_change(window: &[u8; STRIDE + 1]) -> bool {
    let mut changes = false;
    for (&byte, &next) in window.iter().zip(&window[1..]) {
        changes |= may_change(byte) | ((byte == b' ') & (next == b' '));
    }
    changes |= (window[STRIDE - 1] == b' ') & may_change(window[STRIDE]);
    !changes
}

/// Controls, and first bytes of characters of which some are spaces or invisible.
#[inline]
fn may_change(byte: u8) -> bool {
    let is_control = (byte < b' ') | (byte == 0x7F);
    let is_lead = (byte == 0xC2) | (byte.wrapping_sub(0xE1) <= 2) | (byte == 0xEF) | (byte == 0xF3);
    is_control | is_lead
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_with_single_spaces_pass_in_whole_strides() {
        let text = "one two caf\u{e9} привет three four five six";

        assert_eq!(strides(text.as_bytes()), (text.len() - 1) / STRIDE * STRIDE);
    }

    #[test]
    fn a_stride_ends_before_whatever_may_need_a_change() {
        for change in [
            " ", "\n", "\u{7f}", "\u{a0}", "\u{200b}", "\u{3000}", "\u{feff}",
        ] {
            for at in 0..STRIDE {
                let text = format!("{} {change}{}", "a".repeat(at), "b".repeat(2 * STRIDE));

                assert_eq!(strides(text.as_bytes()), 0, "{change:?} at {at}");
            }
        }
    }

    #[test]
    fn a_text_shorter_than_a_stride_has_none() {
        assert_eq!(strides(&b"sixteen letters."[..]), 0);
        assert_eq!(strides(b""), 0);
    }
}
