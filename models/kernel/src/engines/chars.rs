//! Character classes, for both engines that count characters.

/// Kana and Han: scripts without spaces between words.
#[inline]
#[must_use]
pub fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}')
}

#[inline]
#[must_use]
pub fn is_comma(c: char) -> bool {
    matches!(c, ',' | '，' | '、')
}

/// Whether a text with this last character ends a sentence or closes a quotation.
#[must_use]
pub fn ends_sentence(last: char) -> bool {
    matches!(last, '.' | '!' | '?' | '。' | '！' | '？' | '"' | '”' | '»')
}
