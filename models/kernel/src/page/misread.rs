//! Recognise text that was decoded with the wrong charset.

use encoding_rs::{EUC_JP, EUC_KR, Encoding, SHIFT_JIS};

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

/// The characters that are one of ten in a text of a charset, at least: kana, syllables, or the most
/// frequent Han characters of both ways to write Chinese, with their punctuation.
fn is_usual(encoding: &'static Encoding, sign: char) -> bool {
    const HAN: &str = "的一是不了在人有我他这這中大来來上个個国國到们們为為和你地出道也时時年";
    if matches!(sign, '\u{3001}' | '\u{3002}') {
        return true;
    }
    if encoding == SHIFT_JIS || encoding == EUC_JP {
        matches!(sign, '\u{3041}'..='\u{3096}' | '\u{30a1}'..='\u{30fc}')
    } else if encoding == EUC_KR {
        matches!(sign, '\u{ac00}'..='\u{d7a3}')
    } else {
        sign == '\u{ff0c}' || HAN.contains(sign)
    }
}

/// Percent of the usual characters among all beyond ASCII of a text in an East Asian charset, and
/// whether hardly any byte is damaged.
#[must_use]
pub fn usual_percent(encoding: &'static Encoding, text: &[u8]) -> (usize, bool) {
    let start = first_beyond_ascii(text).unwrap_or(text.len());
    let text = &text[start..text.len().min(start + MAX_READ)];
    let (read, _) = encoding.decode_without_bom_handling(text);
    let (mut beyond, mut usual, mut damaged) = (0, 0, 0);
    for sign in read.chars().filter(|sign| !sign.is_ascii()) {
        beyond += 1;
        usual += usize::from(is_usual(encoding, sign));
        damaged += usize::from(sign == char::REPLACEMENT_CHARACTER);
    }
    (usual * 100 / beyond.max(1), damaged * 50 <= beyond)
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
    fn usual_characters_are_rare_in_a_wrong_charset() {
        const JAPANESE: &str = "北の島へ行く船は、毎日二回、古い桟橋から出ます。";
        const SIMPLIFIED: &str = "开往北岛的渡船每天两次从旧码头出发，早晨甲板上多半空着。";
        const TRADITIONAL: &str = "開往北島的渡船每天兩次從舊碼頭出發，早晨甲板上多半空著。";
        const KOREAN: &str = "북쪽 섬으로 가는 배는 하루에 두 번 부두에서 떠난다.";
        for (text, label, wrong) in [
            (JAPANESE, "euc-jp", "shift_jis"),
            (JAPANESE, "shift_jis", "gbk"),
            (SIMPLIFIED, "gbk", "big5"),
            (TRADITIONAL, "big5", "gbk"),
            (KOREAN, "euc-kr", "big5"),
        ] {
            let bytes = in_charset(&text.repeat(4), label);
            let percent = |label: &str| {
                let encoding = Encoding::for_label(label.as_bytes()).unwrap();
                usual_percent(encoding, &bytes)
            };

            assert!(percent(label).0 >= 8 && percent(label).1, "{label}");
            assert!(percent(wrong).0 < 4 || !percent(wrong).1, "{label} {wrong}");
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
