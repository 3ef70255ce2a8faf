//! Recognise text that was decoded with the wrong charset.

use encoding_rs::Encoding;

use super::encodings::{characters, first_beyond_ascii};

/// Strange places per hundred characters beyond ASCII; a correct reading stays below.
const STRANGE_PERCENT: usize = 5;
/// Fewer strange places have no meaning: a typing error, a product name.
const LEAST_STRANGE: usize = 3;
/// Fewer capitals have no meaning: a headline, an abbreviation.
const LEAST_CAPITALS: usize = 16;
/// Bytes of a text that are checked.
const MAX_READ: usize = 1 << 16;

/// Whether symbols are inside words, as in `pó³nocn¹`, or most letters beyond ASCII are capitals,
/// as in `оПХБЕР`.
#[must_use]
pub fn is_misread(encoding: &'static Encoding, text: &[u8]) -> bool {
    let start = first_beyond_ascii(text).unwrap_or(text.len());
    let start = start.saturating_sub(1);
    let text = &text[start..text.len().min(start + MAX_READ)];
    if encoding.is_single_byte() {
        let characters = characters(encoding);
        let mut known = [0; 256];
        is_strange(text.iter().map(|byte| {
            let traits = &mut known[usize::from(*byte)];
            if *traits == 0 {
                let beyond = byte.checked_sub(128).map(usize::from);
                *traits = traits_of(beyond.map_or(char::from(*byte), |at| characters[at]));
            }
            *traits
        }))
    } else {
        let (read, _) = encoding.decode_without_bom_handling(text);
        is_strange(read.chars().map(traits_of))
    }
}

/// The traits of a character that matter for recognising a charset. No character has none.
mod traits {
    pub const ASCII: u8 = 1;
    pub const BEYOND: u8 = 1 << 1;
    pub const CAPITAL: u8 = 1 << 2;
    pub const SMALL: u8 = 1 << 3;
    pub const LETTER: u8 = 1 << 4;
    /// It never occurs inside a word.
    pub const OUTER: u8 = 1 << 5;
    /// It never occurs in a text.
    pub const CONTROL: u8 = 1 << 6;
}

fn traits_of(sign: char) -> u8 {
    let is_control = matches!(sign, '\u{80}'..='\u{9f}' | char::REPLACEMENT_CHARACTER);
    let given = [
        (traits::ASCII, sign.is_ascii()),
        (traits::BEYOND, !sign.is_ascii()),
        (traits::CAPITAL, sign.is_uppercase()),
        (traits::SMALL, sign.is_lowercase()),
        (traits::LETTER, sign.is_alphabetic()),
        (traits::OUTER, is_outer(sign)),
        (traits::CONTROL, is_control),
    ];
    let own = given.into_iter().filter(|(_, is_one)| *is_one);
    own.fold(0, |all, (one, _)| all | one)
}

/// Whether characters, by their traits, are in strange places.
fn is_strange(signs: impl Iterator<Item = u8>) -> bool {
    let (mut strange, mut foreign) = (0, 0);
    let (mut capitals, mut small) = (0, 0);
    let (mut before, mut sign) = (traits::ASCII, traits::ASCII);
    for after in signs.chain([traits::ASCII]) {
        if sign & traits::BEYOND != 0 {
            foreign += 1;
            strange += usize::from(is_misplaced(before, sign, after));
            capitals += usize::from(sign & traits::CAPITAL != 0);
            small += usize::from(sign & traits::SMALL != 0);
        }
        (before, sign) = (sign, after);
    }
    let has_signs = strange >= LEAST_STRANGE && strange * 100 > foreign * STRANGE_PERCENT;
    has_signs || capitals > LEAST_CAPITALS.max(small)
}

fn is_misplaced(before: u8, sign: u8, after: u8) -> bool {
    let both = before & after;
    if sign & traits::CONTROL != 0 {
        return true;
    }
    // as in `póĽne`
    if sign & traits::CAPITAL != 0 {
        return both & traits::SMALL != 0;
    }
    sign & traits::OUTER != 0 && both & traits::LETTER != 0
}

/// Whether a sign never occurs inside a word; apostrophes, hyphens, points and dashes do.
fn is_outer(sign: char) -> bool {
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
