//! Properties of characters that are needed for every letter of a text.
//!
//! The results equal the standard library's, which searches long lists beyond Latin letters; common
//! letters and signs are decided without them.

/// As [`char::is_alphanumeric`].
#[inline]
#[must_use]
pub fn is_alphanumeric(sign: char) -> bool {
    if sign.is_ascii() {
        return sign.is_ascii_alphanumeric();
    }
    is_common_letter(sign) || !is_common_sign(sign) && sign.is_alphanumeric()
}

/// A letter in Unicode's general category; numerals and circled letters are not.
#[inline]
#[must_use]
pub fn is_letter(sign: char) -> bool {
    if sign.is_ascii() {
        return sign.is_ascii_alphabetic();
    }
    is_common_letter(sign)
        || !is_common_sign(sign)
            && sign.is_alphabetic()
            && !sign.is_numeric()
            && !matches!(sign, '\u{24b6}'..='\u{24e9}' | '\u{1f130}'..='\u{1f189}')
}

/// Letters of Latin, Greek, Cyrillic, Hebrew, Arabic, Devanagari, Thai, Georgian, kana, Han, Hangul.
fn is_common_letter(sign: char) -> bool {
    matches!(
        sign,
        'À'..='Ö' | 'Ø'..='ö' | 'ø'..='\u{2c1}' | '\u{388}'..='\u{38a}' | '\u{38e}'..='\u{3a1}'
            | '\u{3a3}'..='\u{3f5}' | '\u{400}'..='\u{481}' | '\u{48a}'..='\u{52f}'
            | '\u{5d0}'..='\u{5ea}' | '\u{620}'..='\u{64a}' | '\u{671}'..='\u{6d3}'
            | '\u{904}'..='\u{939}' | '\u{e01}'..='\u{e30}' | '\u{10d0}'..='\u{10fa}'
            | '\u{1e00}'..='\u{1eff}' | '\u{3041}'..='\u{3096}' | '\u{30a1}'..='\u{30fa}'
            | '\u{30fc}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}'
            | '\u{ac00}'..='\u{d7a3}'
    )
}

/// Signs that are neither letters nor numbers.
fn is_common_sign(sign: char) -> bool {
    matches!(
        sign,
        '\u{80}'..='\u{a9}' | '«' | '»' | '·' | '\u{2000}'..='\u{206f}' | '\u{3000}'..='\u{3004}'
            | '\u{3008}'..='\u{3020}' | '\u{ff01}'..='\u{ff0f}' | '\u{ff1a}'..='\u{ff20}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_character_is_what_the_standard_library_says() {
        for sign in '\0'..=char::MAX {
            assert_eq!(is_alphanumeric(sign), sign.is_alphanumeric(), "{sign:?}");
            let is_circled = matches!(sign, 'Ⓐ'..='ⓩ' | '🄰'..='🆉');
            let is_one = sign.is_alphabetic() && !sign.is_numeric() && !is_circled;
            assert_eq!(is_letter(sign), is_one, "{sign:?}");
        }
    }
}
