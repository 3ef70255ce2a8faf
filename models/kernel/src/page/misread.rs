//! Does a text read in a charset look like text, or like letters of another charset?

use encoding_rs::Encoding;

use super::encodings::{first_beyond_ascii, read_as};

/// Strange places for each hundred characters beyond ASCII that a right reading stays below.
const STRANGE_PERCENT: usize = 5;
/// Fewer strange places say nothing: a typing error, a name of a product.
const LEAST_STRANGE: usize = 3;
/// Fewer capitals say nothing: a headline, an abbreviation.
const LEAST_CAPITALS: usize = 16;
/// Bytes of a text that are looked at.
const MAX_READ: usize = 1 << 16;

/// Whether signs are inside words, as in `pó³nocn¹`, or most letters beyond ASCII are capitals, as
/// in `оПХБЕР`.
#[must_use]
pub fn is_misread(encoding: &'static Encoding, text: &[u8]) -> bool {
    let start = first_beyond_ascii(text).unwrap_or(text.len());
    let start = start.saturating_sub(1);
    let (read, _) = read_as(encoding, &text[start..text.len().min(start + MAX_READ)]);
    let (mut strange, mut foreign) = (0, 0);
    let (mut capitals, mut small) = (0, 0);
    let (mut before, mut sign) = (' ', ' ');
    for after in read.chars().chain([' ']) {
        if !sign.is_ascii() {
            foreign += 1;
            strange += usize::from(is_strange(before, sign, after));
            capitals += usize::from(sign.is_uppercase());
            small += usize::from(sign.is_lowercase());
        }
        (before, sign) = (sign, after);
    }
    let has_signs = strange >= LEAST_STRANGE && strange * 100 > foreign * STRANGE_PERCENT;
    has_signs || capitals > LEAST_CAPITALS.max(small)
}

fn is_strange(before: char, sign: char, after: char) -> bool {
    if matches!(sign, '\u{80}'..='\u{9f}' | char::REPLACEMENT_CHARACTER) {
        return true;
    }
    // as in `póĽne`
    if sign.is_uppercase() {
        return before.is_lowercase() && after.is_lowercase();
    }
    is_inner(sign) && before.is_alphabetic() && after.is_alphabetic()
}

/// Whether a sign has no place inside a word; apostrophes, hyphens, points and dashes have.
fn is_inner(sign: char) -> bool {
    matches!(
        sign,
        '\u{a1}'..='\u{ac}' | '\u{ae}'..='\u{b3}' | '\u{b5}' | '\u{b6}' | '\u{b8}'..='\u{bf}' | '×' | '÷'
    ) || matches!(
        sign,
        '\u{2c6}'..='\u{2dd}' | '\u{2020}' | '\u{2021}' | '\u{2030}' | '\u{20ac}'
    ) || matches!(sign, '\u{2116}' | '\u{2500}'..='\u{25ff}' | '\u{2200}'..='\u{23ff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_charset(text: &str, label: &str) -> Vec<u8> {
        let encoding = Encoding::for_label(label.as_bytes()).unwrap();
        encoding.encode(text).0.into_owned()
    }

    fn is_misread_as(bytes: &[u8], label: &str) -> bool {
        is_misread(Encoding::for_label(label.as_bytes()).unwrap(), bytes)
    }

    const POLISH: &str = "Późną jesienią światło gaśnie wcześniej, a łodzie leżą w błocie.";
    const RUSSIAN: &str = "Дважды в день море уходит, и лодки лежат в иле у самого берега.";

    #[test]
    fn signs_inside_words_tell_a_wrong_charset() {
        for (label, wrong) in [
            ("iso-8859-2", "windows-1252"),
            ("windows-1250", "windows-1252"),
            ("windows-1250", "iso-8859-2"),
        ] {
            let bytes = in_charset(&POLISH.repeat(4), label);

            assert!(is_misread_as(&bytes, wrong), "{label} as {wrong}");
            assert!(!is_misread_as(&bytes, label));
        }
    }

    #[test]
    fn capitals_tell_a_wrong_charset() {
        for (label, wrong) in [("koi8-r", "windows-1251"), ("windows-1251", "koi8-r")] {
            let bytes = in_charset(&RUSSIAN.repeat(4), label);

            assert!(is_misread_as(&bytes, wrong), "{label} as {wrong}");
            assert!(!is_misread_as(&bytes, label));
        }
    }

    #[test]
    fn signs_of_plain_texts_are_no_misreading() {
        let text = "L’été «à Paris» coûte 5 €; le n° 3 – 20 °C… O´Brien, l·l, 1×2, µm, ½ tasse, S³";

        assert!(!is_misread_as(
            &in_charset(text, "windows-1252"),
            "windows-1252"
        ));
        assert!(!is_misread_as(b"plain", "windows-1252"));
    }
}
