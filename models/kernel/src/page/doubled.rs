//! Text that was encoded in UTF-8 twice -> as it was before the second time.
//!
//! A program that takes UTF-8 for windows-1252 or ISO 8859-1 and writes UTF-8 makes several
//! characters of one: `’` becomes `â€™`, `é` becomes `Ã©`. Such a sequence is valid UTF-8 once its
//! characters are bytes again. Some occur in real text too, as `Ã»` in `«AMANHÃ»`; these count only
//! where the page has others.

use std::sync::LazyLock;

use encoding_rs::WINDOWS_1252;
use memchr::{memchr_iter, memmem};

use super::encodings::characters;

/// Fewer sequences do not make the doubtful ones of the page sure.
const LEAST: usize = 3;
/// Percent of the characters beyond ASCII that are in sequences, on a page that was encoded twice.
const LEAST_PERCENT: usize = 75;
/// Programs that encode a text again.
const MOST_TIMES: usize = 3;
/// Words of pages that explain such sequences, which must stay there.
const SUBJECTS: [&str; 6] = [
    "mojibake",
    "ftfy",
    "cp1252",
    "latin1",
    "latin-1",
    "haracter encoding",
];

const HARD_SPACES: [&str; 3] = ["&nbsp;", "&#160;", "&#xa0;"];

/// The characters that windows-1252 has where ISO 8859-1 has controls, from byte 0x80 on.
static OWN: LazyLock<[char; 128]> = LazyLock::new(|| characters(WINDOWS_1252));

/// How much a sequence says.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Sign {
    /// A text may have it.
    Doubtful,
    /// A text has it only to explain it.
    Sure,
    /// It has a control character, which no text has.
    Control,
}

struct Sequence {
    start: usize,
    end: usize,
    character: char,
    sign: Sign,
}

/// The text of a page before it was encoded again; `None` if nothing says that it was.
#[must_use]
pub fn encoded_once(page: &str) -> Option<String> {
    let earlier = |page: &str| earlier(page, true, || is_about_it(page));
    let mut once = earlier(page)?;
    for _ in 1..MOST_TIMES {
        let Some(text) = earlier(&once) else { break };
        once = text;
    }
    Some(once)
}

/// The same for a text of the page whose references are decoded: `It&acirc;&#128;&#153;s`.
pub fn text_encoded_once(text: &str, is_about_it: impl FnOnce() -> bool) -> Option<String> {
    // a single text has too few characters to tell that all of it was encoded twice
    earlier(text, false, is_about_it)
}

fn earlier(text: &str, is_page: bool, is_about_it: impl FnOnce() -> bool) -> Option<String> {
    let mut found = sequences(text);
    let number = |least| found.iter().filter(|each| each.sign >= least).count();
    let (sure, controls) = (number(Sign::Sure), number(Sign::Control));
    if found.is_empty() || controls == 0 && is_about_it() {
        return None;
    }
    let is_whole = is_page && found.len() >= LEAST && is_most(&found, text);
    found.retain(|each| {
        let is_western = each.character <= '\u{ff}';
        is_whole || each.sign >= Sign::Sure || sure >= LEAST && is_western
    });
    if found.is_empty() {
        return None;
    }
    let mut once = String::with_capacity(text.len());
    let mut from = 0;
    for sequence in found {
        once.push_str(text.get(from..sequence.start)?);
        once.push(sequence.character);
        from = sequence.end;
    }
    once.push_str(text.get(from..)?);
    Some(once)
}

/// All sequences in their order.
fn sequences(text: &str) -> Vec<Sequence> {
    let mut found: Vec<Sequence> = Vec::new();
    // U+00C0 to U+00FF, which stand for first bytes, begin with 0xC3
    for start in memchr_iter(0xC3, text.as_bytes()) {
        found.extend(sequence(text, start));
    }
    found
}

fn sequence(text: &str, start: usize) -> Option<Sequence> {
    match text.as_bytes().get(start + 2)? {
        b'&' => return with_reference(text, start),
        // what stands for a byte from 0x80 to 0xBF begins with these
        0xC2 | 0xC5 | 0xC6 | 0xCB | 0xE2 => {}
        _ => return None,
    }
    let mut signs = text.get(start..)?.char_indices();
    let first = u8::try_from(signs.next()?.1).ok()?;
    let length = match first {
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF4 => 4,
        _ => return None,
    };
    let (mut bytes, mut end) = ([first; 4], start);
    let (mut has_control, mut last) = (false, ' ');
    for byte in bytes.get_mut(1..length)? {
        let (at, sign) = signs.next()?;
        *byte = byte_of(sign)?;
        has_control |= sign.is_control();
        (end, last) = (start + at + sign.len_utf8(), sign);
    }
    let character = std::str::from_utf8(&bytes[..length]).ok()?.chars().next()?;
    let is_sure = match first {
        0xC2 | 0xC3 => !matches!(
            last,
            '\u{a0}'
                | '\u{ad}'
                | '«'
                | '»'
                | '‘'
                | '’'
                | '“'
                | '”'
                | '–'
                | '—'
                | '…'
                | '‹'
                | '›'
        ),
        // signs and punctuation, whose second byte is below 0xA0
        0xE2 => bytes[1] < 0xA0,
        _ => length == 4,
    };
    let sign = match (has_control, is_sure) {
        (true, _) => Sign::Control,
        (_, true) => Sign::Sure,
        _ => Sign::Doubtful,
    };
    Some(Sequence {
        start,
        end,
        character,
        sign,
    })
}

/// `Â` or `Ã` and a reference to the no-break space, which editors write for the character.
fn with_reference(text: &str, start: usize) -> Option<Sequence> {
    let (sign, rest) = text.get(start..)?.split_at_checked(2)?;
    let character = match sign {
        "Â" => '\u{a0}',
        "Ã" => 'à',
        _ => return None,
    };
    let reference = HARD_SPACES.iter().find(|space| rest.starts_with(**space))?;
    Some(Sequence {
        start,
        end: start + sign.len() + reference.len(),
        character,
        sign: Sign::Doubtful,
    })
}

/// The byte from 0x80 to 0xBF that a character stands for.
fn byte_of(sign: char) -> Option<u8> {
    match sign {
        '\u{80}'..='\u{bf}' => u8::try_from(sign).ok(),
        _ => {
            let at = OWN[..32].iter().position(|own| *own == sign)?;
            Some(0x80 | at as u8)
        }
    }
}

/// Whether most of what is beyond ASCII is in sequences.
fn is_most(found: &[Sequence], text: &str) -> bool {
    let beyond = |text: &str| text.chars().filter(|sign| !sign.is_ascii()).count();
    let inside = found.iter().map(|each| each.character.len_utf8());
    inside.sum::<usize>() * 100 >= beyond(text) * LEAST_PERCENT
}

/// Whether a page explains such sequences.
#[must_use]
pub fn is_about_it(text: &str) -> bool {
    let mut subjects = SUBJECTS.iter();
    subjects.any(|subject| memmem::find(text.as_bytes(), subject.as_bytes()).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Encode again, as a program that takes UTF-8 for windows-1252, or for ISO 8859-1.
    fn doubled(text: &str, own: &[char; 128]) -> String {
        let sign = |byte: u8| match byte {
            0x80.. => own[usize::from(byte & 0x7F)],
            _ => char::from(byte),
        };
        text.bytes().map(sign).collect()
    }

    fn both(text: &str) -> [String; 2] {
        let latin = std::array::from_fn(|at| char::from(0x80 | at as u8));
        [doubled(text, &OWN), doubled(text, &latin)]
    }

    const TEXTS: [&str; 7] = [
        "It’s a café — “naïve”, 20 °C, £5…",
        "Późną jesienią światło gaśnie wcześniej, a łodzie leżą w błocie.",
        "Дважды в день море уходит, и лодки лежат в иле у самого берега.",
        "灯台は岬の端に立っていて、夜になると沖の船を照らします。",
        "Η θάλασσα φεύγει δύο φορές την ημέρα.",
        "À l’été, «déjà vu»; où est l’île? Ça va 😀.",
        "Die Fähre fährt früh; größere Gruppen müssen warten – mañana también.",
    ];

    #[test]
    fn a_text_that_was_encoded_again_is_as_before() {
        for text in TEXTS {
            for again in both(text) {
                assert_eq!(encoded_once(&again).as_deref(), Some(text));
                let [third, _] = both(&again);
                assert_eq!(encoded_once(&third).as_deref(), Some(text));
            }
        }
    }

    #[test]
    fn parts_of_a_page_may_be_encoded_again() {
        for text in TEXTS {
            for part in ["It’s", "“so”", "café!", "20 °C", "£5", "😀", "1 → 2"] {
                let [own, latin] = both(part);
                let expected = format!("{text} {part} {text}");
                assert_eq!(
                    encoded_once(&format!("{text} {own} {text}")).as_deref(),
                    Some(&*expected)
                );
                if part != "café!" && part != "£5" && part != "20 °C" {
                    assert_eq!(
                        encoded_once(&format!("{text} {latin} {text}")).as_deref(),
                        Some(&*expected)
                    );
                }
            }
        }
    }

    #[test]
    fn the_space_of_a_sequence_may_be_a_reference() {
        let text = "Â&nbsp;The worldâ€™s Ã&#160; la carteÂ&#xa0;";

        assert_eq!(
            encoded_once(text).as_deref(),
            Some("\u{a0}The world’s à la carte\u{a0}")
        );
        assert_eq!(encoded_once("Ă, Â&nbsp;et Ê; “MANHÃ&nbsp;"), None);
    }

    #[test]
    fn a_text_may_have_been_written_in_references() {
        let once = |text: &str| text_encoded_once(&htmlize::unescape(text), || false);
        for (text, expected) in [
            ("It&acirc;&#128;&#153;s", "It\u{2019}s"),
            (
                "&acirc;&euro;&oelig;Go&acirc;&euro;&#157;",
                "\u{201c}Go\u{201d}",
            ),
            (
                "caf&Atilde;&copy;, na&#195;&#175;ve",
                "caf\u{e9}, na\u{ef}ve",
            ),
            ("\u{e2}&#128;&#147; and \u{c3}&#169;", "\u{2013} and \u{e9}"),
            (
                "&Atilde;&copy; &Atilde;&copy; &Atilde;&copy;&Acirc;&nbsp;a",
                "\u{e9} \u{e9} \u{e9}\u{a0}a",
            ),
        ] {
            assert_eq!(once(text).as_deref(), Some(expected), "{text}");
        }
        for text in [
            "cit&eacute;&nbsp;&raquo; &Uuml;&laquo; ".repeat(4),
            "pl&acirc;t&nbsp;&hellip; &acirc;&nbsp;&raquo; &Acirc;&nbsp;".repeat(2),
            "h&#226;t &#194; &#195;".to_owned(),
        ] {
            assert_eq!(once(&text), None, "{text}");
        }
        assert_eq!(
            text_encoded_once("It\u{e2}\u{20ac}\u{2122}s", || true),
            None
        );
        // no text explains controls
        assert!(text_encoded_once("It\u{e2}\u{80}\u{99}s", || true).is_some());
    }

    #[test]
    fn other_text_stays() {
        for text in TEXTS {
            assert_eq!(encoded_once(text), None, "{text}");
        }
        for text in [
            "«AMANHû, disse; “A MANHÔ – A MANHÖ e ‘IRMÒ…",
            "né»\u{a0}: déjà…\u{a0}», à –\u{a0}»",
            "É» É»",
            "A tutorial on character encodings: latin1 shows â€™ and Ã© and â€œ.",
            "What is mojibake? Ã© for é",
            "plain",
            "Ã",
            "â€",
        ] {
            assert_eq!(encoded_once(text), None, "{text}");
        }
    }
}
