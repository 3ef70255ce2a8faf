//! Detection of an undeclared or wrongly declared charset.

use std::borrow::Cow;

use super::counts::count;
use super::encodings::first_beyond_ascii;
use super::misread::{is_misread, usual_percent};
use super::prescan::RAW_TEXT;
use super::western::{is_hungarian, is_of_no_language};
use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, WINDOWS_1250, WINDOWS_1252, WINDOWS_1257};
use winnow_html::attributes::attributes;
use winnow_html::tag;
use winnow_html::tokenizer::{Token, Tokenizer};

/// The evidence for the charset of a body.
pub struct Clues<'body> {
    /// The text between its tags, because letters of scripts and styles say nothing.
    pub text: Cow<'body, [u8]>,
    pub evidence: Evidence,
    /// Top-level domain of the page, or of a country with its language.
    domain: Option<Vec<u8>>,
}

impl<'body> Clues<'body> {
    #[must_use]
    pub fn of(body: &'body [u8], url: &str) -> Self {
        let text = text_of(body);
        let domain = top_level_domain(url);
        let country = || Some(country_of(&declared_language(body)?)?.as_bytes().to_vec());
        let is_generic = domain.as_ref().is_none_or(|domain| domain.len() != 2);
        Self {
            evidence: Evidence::of(&text),
            text,
            domain: if is_generic {
                country().or(domain)
            } else {
                domain
            },
        }
    }

    /// Whether the label of a text is wrong.
    #[must_use]
    pub fn speak_against(&self, encoding: &'static Encoding) -> bool {
        if !encoding.is_single_byte() {
            return self.is_of_rare_characters(encoding);
        }
        if encoding == WINDOWS_1252 {
            // servers and templates declare Latin-1 for everything
            if self.evidence.has_words_beyond_ascii() {
                return true;
            }
            if self.evidence.is_slight() {
                return false;
            }
        }
        let is_foreign = || {
            encoding == WINDOWS_1252
                && (self.is_of_other_letters() || is_of_no_language(&self.text))
                && guessed(self, None) != WINDOWS_1252
        };
        if !is_misread(encoding, &self.text) && !is_foreign() {
            return false;
        }
        let guess = detected(self);
        guess != encoding && !is_misread(guess, &self.text)
    }

    /// Whether a text has hardly any usual characters in an East Asian charset, and more of them in
    /// the one that is detected.
    fn is_of_rare_characters(&self, encoding: &'static Encoding) -> bool {
        let (usual, is_text) = usual_percent(encoding, &self.text);
        if is_text && usual >= USUAL_PERCENT || !self.evidence.has_words_beyond_ascii() {
            return false;
        }
        let guess = detected(self);
        if guess.is_single_byte() || guess == encoding {
            return false;
        }
        let (other, is_text) = usual_percent(guess, &self.text);
        is_text && other >= USUAL_PERCENT.max(2 * usual)
    }

    /// Whether a text that reads well as windows-1252 is in windows-1257: of its Estonian letters two
    /// differ, and are Icelandic there.
    fn is_estonian(&self) -> bool {
        let is_other = |byte: &u8| matches!(byte, 0xD0 | 0xDE | 0xF0 | 0xFE);
        self.domain.as_deref() == Some(b"ee") && self.text.iter().any(is_other)
    }

    /// Whether the page is from a region where windows-1252 lacks letters.
    fn is_of_other_letters(&self) -> bool {
        let domain = self.domain.as_deref().unwrap_or_default();
        COUNTRIES
            .iter()
            .any(|(_, country)| country.as_bytes() == domain)
    }
}

/// The text between the tags of a body, or the whole body if that text is ASCII.
fn text_of(body: &[u8]) -> Cow<'_, [u8]> {
    let mut text = Vec::new();
    let mut tokens = Tokenizer::new(body, None);
    loop {
        match tokens.next(false) {
            Token::Eof => break,
            Token::Text(piece) => text.extend_from_slice(piece.of(body)),
            Token::Start(found) if RAW_TEXT.contains(&found.tag) => {
                text.push(b' ');
                let raw = tokens.raw_text(found.tag);
                if matches!(found.tag, tag::TITLE | tag::TEXTAREA) {
                    text.extend_from_slice(raw.of(body));
                }
            }
            _ => text.push(b' '),
        }
    }
    if first_beyond_ascii(&text).is_some() {
        Cow::Owned(text)
    } else {
        Cow::Borrowed(body)
    }
}

/// Percent of usual characters in an East Asian text: in running text one of ten at least, in the
/// same bytes read in another charset one of a hundred.
const USUAL_PERCENT: usize = 4;

/// Farthest position of the tag `html`.
const HTML_TAG: usize = 4096;

/// The primary subtag of the language in the tag `html`, in lower case.
fn declared_language(body: &[u8]) -> Option<String> {
    let head = &body[..body.len().min(HTML_TAG)];
    let mut tokens = Tokenizer::new(head, None);
    let html = loop {
        match tokens.next(false) {
            Token::Eof => return None,
            Token::Start(found) if found.tag == tag::HTML => break found.attributes.of(head),
            _ => {}
        }
    };
    let is_lang =
        |name: &[u8]| name.eq_ignore_ascii_case(b"lang") || name.eq_ignore_ascii_case(b"xml:lang");
    let (_, value) = attributes(html).find(|(name, _)| is_lang(name))?;
    let tag = std::str::from_utf8(value).ok()?.trim();
    let subtag = tag.split(['-', '_']).next()?;
    Some(subtag.to_ascii_lowercase())
}

fn country_of(language: &str) -> Option<&'static str> {
    let found = COUNTRIES.iter().find(|(name, _)| *name == language);
    found.map(|(_, country)| *country)
}

/// Languages with letters that windows-1252 lacks, and a domain for each.
const COUNTRIES: [(&str, &str); 29] = [
    ("pl", "pl"),
    ("cs", "cz"),
    ("sk", "sk"),
    ("hu", "hu"),
    ("sl", "si"),
    ("hr", "hr"),
    ("bs", "ba"),
    ("ro", "ro"),
    ("sq", "al"),
    ("lt", "lt"),
    ("lv", "lv"),
    ("et", "ee"),
    ("tr", "tr"),
    ("az", "az"),
    ("el", "gr"),
    ("he", "il"),
    ("ru", "ru"),
    ("uk", "ua"),
    ("bg", "bg"),
    ("be", "by"),
    ("sr", "rs"),
    ("mk", "mk"),
    ("kk", "kz"),
    ("ar", "eg"),
    ("fa", "ir"),
    ("th", "th"),
    ("vi", "vn"),
    ("ja", "jp"),
    ("ko", "kr"),
];

/// Statistics of the bytes beyond ASCII in a text, independent of its charset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    /// Bytes beyond ASCII, and how many of them follow another one.
    high: usize,
    adjacent: usize,
    /// The number of different ones.
    distinct: usize,
    ascii_letters: usize,
    /// Characters of UTF-8 beyond ASCII, and places that are not UTF-8.
    whole: usize,
    damaged: usize,
}

impl Evidence {
    #[must_use]
    pub fn of(body: &[u8]) -> Self {
        let mut evidence = Self::default();
        let mut seen = [false; 256];
        for run in runs_beyond_ascii(body) {
            evidence.high += run.len();
            evidence.adjacent += run.len() - 1;
            for &byte in run {
                seen[byte as usize] = true;
            }
            // the ASCII runs in between are valid, and end the bytes before them
            for chunk in run.utf8_chunks() {
                let leads = chunk.valid().bytes().filter(|&byte| byte >= 0xC0);
                evidence.whole += leads.count();
                evidence.damaged += usize::from(!chunk.invalid().is_empty());
            }
        }
        evidence.distinct = seen.iter().filter(|&&seen| seen).count();
        evidence.ascii_letters = count(body, |byte| byte.is_ascii_alphabetic());
        evidence
    }

    /// Whether there are at least `ratio` valid UTF-8 characters for each damaged place.
    #[must_use]
    pub fn is_damaged_utf8(&self, ratio: usize) -> bool {
        self.whole > 0 && self.whole >= self.damaged * ratio
    }

    /// Whether bytes beyond ASCII are adjacent, as in words of another script; in words of Latin
    /// letters they are single.
    #[must_use]
    pub fn has_words_beyond_ascii(&self) -> bool {
        self.distinct > 2 && self.adjacent * 2 > self.high
    }

    /// Whether there are too few bytes beyond ASCII for statistics: a currency sign, a copyright
    /// sign, a name. Languages that need other Latin charsets have ten times as many.
    fn is_slight(&self) -> bool {
        self.high * 100 < self.ascii_letters && !self.has_words_beyond_ascii()
    }
}

/// The longest runs of bytes beyond ASCII.
fn runs_beyond_ascii(body: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = body;
    std::iter::from_fn(move || {
        let start = first_beyond_ascii(rest)?;
        let run = &rest[start..];
        let length = run.iter().position(u8::is_ascii).unwrap_or(run.len());
        let (run, behind) = run.split_at(length);
        rest = behind;
        Some(run)
    })
}

/// Text before and after each byte beyond ASCII that the detector reads.
const CONTEXT: usize = 32;
/// Most bytes that it reads: its guess is stable long before.
const MAX_SHOWN: usize = 1 << 16;

/// The charset according to chardetng, which browsers use for pages without a label.
#[must_use]
pub fn detected(clues: &Clues<'_>) -> &'static Encoding {
    guessed(clues, clues.domain.as_deref())
}

fn guessed(clues: &Clues<'_>, domain: Option<&[u8]>) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(&without_plain_words(&shown(&clues.text)), false);
    detector.feed(b"\n", true);
    let guess = detector.guess(domain, Utf8Detection::Deny);
    if guess.is_single_byte() && clues.evidence.is_slight() {
        WINDOWS_1252
    } else if guess == WINDOWS_1252 && clues.is_estonian() {
        WINDOWS_1257
    } else if guess == WINDOWS_1252 && is_hungarian(&clues.text) {
        WINDOWS_1250
    } else {
        guess
    }
}

/// The bytes beyond ASCII with their surroundings, joined.
fn shown(body: &[u8]) -> Vec<u8> {
    let mut shown = Vec::new();
    let mut from = 0;
    while let Some(found) = first_beyond_ascii(&body[from..]) {
        let first = from + found;
        let until = (first + CONTEXT).min(body.len());
        shown.extend_from_slice(&body[first.saturating_sub(CONTEXT).max(from)..until]);
        from = until;
        if shown.len() > MAX_SHOWN {
            break;
        }
    }
    shown
}

/// A text in which each run of ASCII is cut between its first and its last border.
///
/// The detector reads each byte 25 times. It gives no points to pairs of ASCII, and keeps no state
/// across a border, so its guess is the same.
fn without_plain_words(text: &[u8]) -> Vec<u8> {
    let mut kept = Vec::with_capacity(text.len());
    for stretch in text.chunk_by(|one, next| one.is_ascii() == next.is_ascii()) {
        let (head, tail) = match stretch.iter().position(is_border) {
            Some(first) => {
                let (head, rest) = stretch.split_at(first + 1);
                let last = rest.iter().rposition(is_border);
                (head, &rest[last.map_or(0, |last| last + 1)..])
            }
            None => (stretch, &[][..]),
        };
        kept.extend_from_slice(head);
        kept.extend_from_slice(tail);
    }
    kept
}

/// Whether a byte is ASCII that is not a letter, digit or punctuation to the detector, and never
/// the second byte of a character.
fn is_border(byte: &u8) -> bool {
    matches!(
        byte,
        b' ' | b'\t'
            | b'\n'
            | b'\r'
            | b'"'
            | b'\''
            | b'('
            | b')'
            | b'-'
            | b'/'
            | b'<'
            | b'='
            | b'>'
    )
}

/// The last label of the host in lower case, which indicates the country of a page.
fn top_level_domain(url: &str) -> Option<Vec<u8>> {
    let (_, rest) = url.split_once("://")?;
    let authority = rest.split(['/', '?', '#']).next()?;
    let host = authority.rsplit('@').next()?.split(':').next()?;
    let label = host.trim_end_matches('.').rsplit('.').next()?;
    let is_name = label
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    (is_name && !label.is_empty()).then(|| label.to_ascii_lowercase().into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_top_level_domain_is_the_last_label_of_the_host() {
        for (url, expected) in [
            ("http://www.example.PL/a.cz?b=c.ru", Some("pl")),
            ("https://user:word@example.gr:8080", Some("gr")),
            ("http://example.com.", Some("com")),
            ("http://[::1]/", None),
            ("http://пример.рф/", None),
            ("example.pl", None),
            ("", None),
        ] {
            let found = top_level_domain(url);

            assert_eq!(found.as_deref(), expected.map(str::as_bytes), "{url}");
        }
    }

    #[test]
    fn runs_are_what_stands_between_ascii_wherever_it_starts() {
        for before in 0..80 {
            for length in 1..20 {
                let body = [
                    "a".repeat(before),
                    "é".repeat(length),
                    "b".into(),
                    "ü".into(),
                ]
                .concat();
                let runs: Vec<usize> = runs_beyond_ascii(body.as_bytes())
                    .map(<[u8]>::len)
                    .collect();

                assert_eq!(runs, [2 * length, 2]);
            }
        }
        assert_eq!(runs_beyond_ascii(b"plain").count(), 0);
    }

    #[test]
    fn evidence_counts_whole_and_damaged_characters_at_every_border() {
        let body = b"\xC3\xA9 \xE2\x82 x\xC3\xC3\xA9\xFF\xFE \xE9tude \xF0\x9F\x98\x80";
        let evidence = Evidence::of(body);
        let chunks: Vec<_> = body.utf8_chunks().collect();
        let damaged = chunks.iter().filter(|chunk| !chunk.invalid().is_empty());
        let valid: String = chunks.iter().map(std::str::Utf8Chunk::valid).collect();

        assert_eq!(evidence.damaged, damaged.count());
        assert_eq!(
            evidence.whole,
            valid.chars().filter(|c| !c.is_ascii()).count()
        );
        assert_eq!((evidence.high, evidence.adjacent), (14, 9));
    }

    #[test]
    fn the_guess_is_the_same_without_plain_words() {
        let guess = |text: &[u8], domain: &str| {
            let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
            detector.feed(text, false);
            detector.feed(b"\n", true);
            detector.guess(Some(domain.as_bytes()), Utf8Detection::Deny)
        };
        let words = "naïve cafés, Straße — „Übung“; n.º 3ª © (Ann’s) Привет МИР мир, Καλημέρα \
            λόγος. שלום עולם! مرحبا بالعالم, 汉字和字母 繁體中文 カタカナ ひらがな ｶﾀｶﾅ 한글 글자 ไทย \
            žluťoučký kůň İstanbul ığüş ąčęėįšųūž a.b,c <p class=\"x-y\"> III MA dB\x1b Nº1";
        let words: Vec<&str> = words.split(' ').collect();
        let labels = [
            "windows-1252",
            "windows-1250",
            "windows-1251",
            "windows-1253",
            "windows-1254",
            "windows-1255",
            "windows-1256",
            "windows-1257",
            "windows-1258",
            "windows-874",
            "iso-8859-2",
            "iso-8859-4",
            "iso-8859-7",
            "iso-8859-8",
            "koi8-u",
            "ibm866",
            "gb18030",
            "big5",
            "shift_jis",
            "euc-jp",
            "euc-kr",
            "utf-8",
        ];
        let mut state = 1_u64;
        let mut next = |bound: usize| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) as usize % bound
        };
        for round in 0..1_000 {
            let label = labels[round % labels.len()];
            let encoding = Encoding::for_label(label.as_bytes()).unwrap();
            let mut text = Vec::new();
            for _ in 0..next(24) {
                let word = words[next(words.len())];
                // characters outside the charset become references, which are ASCII
                text.extend_from_slice(&encoding.encode(word).0);
                text.push(b" \t\n-.,;ab7"[next(10)]);
                if next(8) == 0 {
                    text.push(next(256) as u8);
                }
            }
            let kept = without_plain_words(&text);
            let domain = ["com", "jp", "kr", "cn", "tw", "ru", "gr", "il", "pl", "tr"][next(10)];

            assert_eq!(guess(&kept, domain), guess(&text, domain), "{text:?}");
        }
    }

    #[test]
    fn a_few_signs_are_slight_evidence_and_a_word_is_not() {
        let letters = "plain letters ".repeat(50);
        let price = [letters.as_bytes(), b"\xA3 5"].concat();
        let word = [letters.as_bytes(), b"\xD0\xE5\xE9\xF2\xE8\xED\xE3"].concat();

        assert!(Evidence::of(&price).is_slight());
        assert!(!Evidence::of(&word).is_slight());
    }
}
