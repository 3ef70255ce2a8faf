//! Move closing punctuation to the sentence that it closes.

use crate::ngram::chars::is_space;

/// Moves closing punctuation to the sentence that it closes (`_realign_boundaries`).
pub fn realigned(text: &str, slices: &[(usize, usize)], mut emit: impl FnMut(usize, usize)) {
    let mut moved = 0;
    for (index, &(start, end)) in slices.iter().enumerate() {
        let start = start + moved;
        moved = 0;
        if let Some(&(next_start, next_end)) = slices.get(index + 1) {
            let next = text.get(next_start..next_end).unwrap_or_default();
            if let Some((closers, matched)) = closing(next) {
                emit(start, next_start + closers);
                moved = matched;
                continue;
            }
        }
        if start < end {
            emit(start, end);
        }
    }
}

/// Bytes of the closing punctuation at the start of `text`, and with the white space after it; it
/// must be followed by white space, `--` or the end (`re_boundary_realignment`).
fn closing(text: &str) -> Option<(usize, usize)> {
    let is_closer = |c| {
        matches!(
            c,
            '"' | '\'' | ')' | ']' | '}' | '‘' | '’' | '“' | '”' | '«' | '»'
        )
    };
    let mut at = 0;
    for c in text.chars().take_while(|&c| is_closer(c)) {
        at += c.len_utf8();
        let rest = &text[at..];
        let behind = rest.trim_start_matches(is_space);
        if behind.len() < rest.len() || rest.is_empty() || rest.starts_with("--") {
            return Some((at, text.len() - behind.len()));
        }
    }
    None
}
