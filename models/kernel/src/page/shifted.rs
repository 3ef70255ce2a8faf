//! Superscript and subscript, for which Markdown has no markup: in Unicode's own characters if they
//! exist for all of it, else in TeX's notation. Plain text has numbers in these characters where they
//! would be read with what is before them.

const RAISED: &str =
    "0⁰1¹2²3³4⁴5⁵6⁶7⁷8⁸9⁹+⁺-⁻−⁻=⁼(⁽)⁾aᵃbᵇcᶜdᵈeᵉfᶠgᵍhʰiⁱjʲkᵏlˡmᵐnⁿoᵒpᵖrʳsˢtᵗuᵘvᵛwʷxˣyʸzᶻ";
const LOWERED: &str = "0₀1₁2₂3₃4₄5₅6₆7₇8₈9₉+₊-₋−₋=₌(₍)₎aₐeₑhₕiᵢjⱼkₖlₗmₘnₙoₒpₚrᵣsₛtₜuᵤvᵥxₓ";
/// Between the numbers of a fraction.
const SLASHES: [&str; 3] = ["/", "⁄", "∕"];
/// Letters of the longest unit or formula.
const MOST_OF_FORMULA: usize = 3;
/// Units and functions with names of this length, which are not words of a text.
const OF_FORMULAS: [&str; 16] = [
    "bar", "cos", "cot", "deg", "exp", "gal", "hrs", "log", "lux", "mil", "min", "mol", "rad",
    "sec", "sin", "tan",
];
/// Signs at the end of words, after which numbers of notes come.
const AFTER_WORDS: [char; 19] = [
    '.', ',', ';', ':', '!', '?', ')', ']', '"', '\'', '”', '’', '»', '…', '®', '™', '。', '，',
    '）',
];

/// The output for superscript.
#[must_use]
pub fn raised(text: &str) -> String {
    let is_word = text.chars().count() > 1 && text.chars().all(char::is_alphabetic);
    // 1st, Mme, TM: an abbreviation, not an exponent; and [1] is distinct from the text as it is
    if is_word || text.starts_with('[') || !text.contains(char::is_alphanumeric) {
        return text.to_owned();
    }
    by_signs(text, RAISED).unwrap_or_else(|| format!("^{}", bracketed(text)))
}

/// The output for subscript.
#[must_use]
pub fn lowered(text: &str) -> String {
    if !text.contains(char::is_alphanumeric) {
        return text.to_owned();
    }
    let is_number = !text.contains(char::is_alphabetic);
    let signs = by_signs(text, LOWERED).filter(|_| is_number || text.chars().count() == 1);
    signs.unwrap_or_else(|| format!("_{}", bracketed(text)))
}

/// Write a raised or lowered number so that it is not read with the text before it: 10⁶ in place of
/// 106, 1 1/2 in place of 11/2, `word¹` in place of `word1`. `None` for all else, which stays as it
/// is: m2, CO2, 1st.
#[must_use]
pub fn apart(before: &str, text: &str, after: &[u8], is_raised: bool) -> Option<String> {
    let digits = text.strip_prefix(['+', '-', '−']).unwrap_or(text);
    let is_number = digits.starts_with(|first: char| first.is_ascii_digit());
    let is_signed = digits.len() < text.len();
    let is_after_word = || is_raised && ends_in_word(before, is_signed);
    if !is_number || !(before.ends_with(char::is_numeric) || is_after_word()) {
        return None;
    }
    let after = after.trim_ascii_start();
    let is_fraction = SLASHES
        .iter()
        .any(|slash| after.starts_with(slash.as_bytes()));
    let (number, space) = text.split_at(text.trim_end().len());
    let signs = by_signs(number, if is_raised { RAISED } else { LOWERED });
    let signs = signs.filter(|_| !is_fraction).map(|signs| signs + space);
    Some(signs.unwrap_or_else(|| format!(" {text}")))
}

/// Whether a text ends in a word, or a sign after one. A short word may be a unit or a formula, before a
/// sign also one of three small letters.
fn ends_in_word(text: &str, is_signed: bool) -> bool {
    let letters = text.chars().rev().take_while(|sign| sign.is_alphabetic());
    let letters = letters
        .take(MOST_OF_FORMULA + 1)
        .map(|sign| sign.len_utf8());
    let (count, bytes) = letters.fold((0, 0), |(count, bytes), length| (count + 1, bytes + length));
    let word = &text[text.len() - bytes..];
    let is_plain = || {
        !is_signed
            && word.bytes().all(|byte| byte.is_ascii_lowercase())
            && !OF_FORMULAS.contains(&word)
    };
    count > MOST_OF_FORMULA || count == MOST_OF_FORMULA && is_plain() || text.ends_with(AFTER_WORDS)
}

fn by_signs(text: &str, signs: &str) -> Option<String> {
    text.chars()
        .map(|character| {
            let mut pairs = signs.chars();
            while let (Some(plain), Some(shifted)) = (pairs.next(), pairs.next()) {
                if plain == character || shifted == character {
                    return Some(shifted);
                }
            }
            None
        })
        .collect()
}

fn bracketed(text: &str) -> String {
    if text.chars().all(char::is_alphanumeric) {
        text.to_owned()
    } else {
        format!("({text})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_letters_are_shifted() {
        for (text, expected) in [
            ("2", "²"),
            ("-1", "⁻¹"),
            ("n", "ⁿ"),
            ("st", "st"),
            ("®", "®"),
            ("2n", "²ⁿ"),
            ("²ⁿ", "²ⁿ"),
            ("3/2", "^(3/2)"),
            ("[1]", "[1]"),
            ("1Q", "^1Q"),
        ] {
            assert_eq!(raised(text), expected, "{text}");
        }
        for (text, expected) in [("2", "₂"), ("i", "ᵢ"), ("max", "_max"), ("a, b", "_(a, b)")] {
            assert_eq!(lowered(text), expected, "{text}");
        }
    }

    #[test]
    fn numbers_are_apart_from_what_is_before_them() {
        for (before, text, after, expected) in [
            ("10", "6", " stars", Some("⁶")),
            ("10", "−6", "", Some("⁻⁶")),
            ("10", "3n", "", Some("³ⁿ")),
            ("10¹", "7 ", "cm", Some("⁷ ")),
            ("in 1999", "3,4", "", Some(" 3,4")),
            ("1", "1", "/", Some(" 1")),
            ("1", "1/2", " cup", Some(" 1/2")),
            ("the report", "4", "", Some("⁴")),
            ("in 2016.", "4", "", Some("⁴")),
            ("he is old", "1", " and", Some("¹")),
            ("the sea", "12", "", Some("¹²")),
            ("5 km", "2", "", None),
            ("5 mol", "2", "", None),
            ("a mol", "-1", "", None),
            ("an ohm", "-1", "", None),
            ("the NaO", "2", "", None),
            ("CO", "2", "", None),
            ("", "2", "", None),
            ("[", "2", "]", None),
            ("1", "st", "", None),
            ("1", "a", "", None),
            ("1", "[4]", "", None),
            ("1", "-", "", None),
            ("1", " 2", "", None),
        ] {
            let found = apart(before, text, after.as_bytes(), true);
            assert_eq!(found.as_deref(), expected, "{before} {text}");
        }
        assert_eq!(apart("101", "2", b"", false).as_deref(), Some("₂"));
        assert_eq!(apart("base", "2", b"", false), None);
    }
}
