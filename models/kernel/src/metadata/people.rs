//! Names of several authors -> one line: each person once, the given name first.

use std::collections::HashSet;
use std::sync::LazyLock;

use regex::Regex;

use super::lines::folded;
use super::linked_data::MAX_NAMES;
use super::patterns::pattern;

/// Separators of names in one text.
static PARTS: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)\s*[,;|&]\s*|\s+/\s+|\s+(?:and|und|et|y)\s+"));
/// Letters after a name that are not part of it.
const DEGREES: [&str; 18] = [
    "phd", "md", "ma", "msc", "bsc", "mba", "mph", "dds", "dvm", "rn", "cpa", "esq", "jd", "edd",
    "ba", "mphil", "dphil", "frcp",
];
/// Parts of names that come last.
const SUFFIXES: [&str; 6] = ["jr", "sr", "ii", "iii", "iv", "junior"];

/// The names joined by commas, each person once.
///
/// `Lang, Ada`, `Ada Lang` and `ADA LÁNG` are one person.
#[must_use]
pub fn joined(names: impl Iterator<Item = String>) -> String {
    let mut known = HashSet::new();
    let found: Vec<String> = names
        .map(|name| once_each(&name).unwrap_or(name))
        .filter(|name| !name.is_empty() && known.insert(person(name)))
        .take(MAX_NAMES)
        .collect();
    found.join(", ")
}

/// The people of one text, if it has one of them twice.
fn once_each(text: &str) -> Option<String> {
    let parts: Vec<&str> = PARTS.splitn(text, MAX_NAMES).collect();
    let mut known = HashSet::new();
    let is_new = |part: &&&str| !part.is_empty() && known.insert(person(part));
    let people: Vec<&str> = parts.iter().filter(is_new).copied().collect();
    // a repeated word may be the family of two people: `Lang, Ada; Lang, Bob`
    let is_whole = people.len() == 1 || parts.iter().all(|part| part.contains(' '));
    (people.len() < parts.len() && is_whole).then(|| people.join(", "))
}

/// A name with the given name first: `Lang, Ada` and `Lang, Ada, PhD` are `Ada Lang`.
#[must_use]
pub fn given_first(name: &str) -> String {
    let parts: Vec<&str> = name.split(',').map(str::trim).collect();
    let mut suffix = "";
    let mut names: Vec<&str> = Vec::new();
    for (place, part) in parts.iter().enumerate() {
        let plain: String = folded(part).filter(|sign| sign.is_alphanumeric()).collect();
        if place > 0 && SUFFIXES.contains(&plain.as_str()) {
            suffix = part;
        } else if !part.is_empty() && (place == 0 || !DEGREES.contains(&plain.as_str())) {
            names.push(part);
        }
    }
    let whole = match names[..] {
        [family, given] => format!("{given} {family}"),
        _ => names.join(", "),
    };
    [whole.as_str(), suffix].join(" ").trim().to_owned()
}

/// Whether a text with one comma is a family name and a given name, and not two people.
#[must_use]
pub fn is_family_first(text: &str) -> bool {
    text.split_once(',').is_some_and(|(family, given)| {
        let words = |part: &str| part.split_whitespace().count();
        !given.contains(',') && words(given) > 0 && (words(family) == 1 || words(given) == 1)
    })
}

/// The key of a person: the words of the name in alphabetical order.
fn person(name: &str) -> Vec<String> {
    let plain: String = folded(name).filter_map(without_accent).collect();
    let parts = plain.split(|sign: char| !sign.is_alphanumeric());
    let mut words: Vec<String> = parts
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect();
    words.sort_unstable();
    words
}

/// A lower-case Latin letter without its accent; `None` for a combining accent.
fn without_accent(sign: char) -> Option<char> {
    let plain = match sign {
        '\u{300}'..='\u{36f}' => return None,
        'à'..='å' | 'ā' | 'ă' | 'ą' | 'ǎ' => 'a',
        'ç' | 'ć' | 'ĉ' | 'ċ' | 'č' => 'c',
        'ď' | 'đ' => 'd',
        'è'..='ë' | 'ē' | 'ĕ' | 'ė' | 'ę' | 'ě' => 'e',
        'ĝ' | 'ğ' | 'ġ' | 'ģ' => 'g',
        'ì'..='ï' | 'ĩ' | 'ī' | 'ĭ' | 'į' | 'ı' => 'i',
        'ķ' => 'k',
        'ĺ' | 'ļ' | 'ľ' | 'ł' => 'l',
        'ñ' | 'ń' | 'ņ' | 'ň' => 'n',
        'ò'..='ö' | 'ø' | 'ō' | 'ŏ' | 'ő' => 'o',
        'ŕ' | 'ŗ' | 'ř' => 'r',
        'ś' | 'ŝ' | 'ş' | 'š' | 'ș' => 's',
        'ţ' | 'ť' | 'ț' => 't',
        'ù'..='ü' | 'ũ' | 'ū' | 'ŭ' | 'ů' | 'ű' | 'ų' => 'u',
        'ý' | 'ÿ' => 'y',
        'ź' | 'ż' | 'ž' => 'z',
        other => other,
    };
    Some(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_person_is_named_once() {
        for (names, expected) in [
            (
                &["Ada Lang", "Ada Lang", "Bob Orr"][..],
                "Ada Lang, Bob Orr",
            ),
            (&["Ada Lang", "LANG, ADA"], "Ada Lang"),
            (
                &["Zoë Müller", "Zoe Muller", "Zoe\u{308} Müller"],
                "Zoë Müller",
            ),
            (&["Ada Lang, Ada Lang"], "Ada Lang"),
            (&["Ada Lang and Bob Orr & ada lang"], "Ada Lang, Bob Orr"),
            (&["Ada Lang and Bob Orr"], "Ada Lang and Bob Orr"),
            (&["Lang, Ada; Lang, Bob"], "Lang, Ada; Lang, Bob"),
            (&["annbee7 | annbee7"], "annbee7"),
            (&["", "Ada Lang"], "Ada Lang"),
            (&[], ""),
        ] {
            assert_eq!(joined(names.iter().map(|&name| name.to_owned())), expected);
        }
    }

    #[test]
    fn the_given_name_comes_first() {
        for (name, expected) in [
            ("Lang, Ada", "Ada Lang"),
            ("van der Bee, Ann M.", "Ann M. van der Bee"),
            ("Lang, Ada, Ph.D.", "Ada Lang"),
            ("Ada Lang, MD", "Ada Lang"),
            ("King, Martin Luther, Jr.", "Martin Luther King Jr."),
            ("Ada Lang", "Ada Lang"),
            ("Lang,", "Lang"),
            ("a, b, c, d", "a, b, c, d"),
        ] {
            assert_eq!(given_first(name), expected);
        }
        assert!(is_family_first("Lang, Ada B."));
        assert!(!is_family_first("Ada Lang, Bob Orr"));
        assert!(!is_family_first("Lang,"));
    }
}
