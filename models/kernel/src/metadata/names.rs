//! Names of authors out of what pages write where an author should stand.

use std::sync::LazyLock;

use regex::Regex;

use super::lines::{folded, is_longer, line};
use super::months::month_of;
use super::patterns::pattern;

const MAX_CHARS: usize = 100;
const MAX_NAME_WORDS: usize = 6;
/// A longer line that begins with `by` and a small letter is a sentence.
const MAX_ACCOUNT_LINE: usize = 60;
/// What stands before a name, in the languages whose bylines are read.
static LEAD: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"(?i)^\W*(?:(?:(?:article|blog|post|story|words?|text|recipe|guest post)\s+)?",
        r"(?:(?:medically |fact )?(?:written|posted|published|authored|created|contributed|submitted",
        r"|compiled|asked|started|updated)\s+)?(?P<by>by\b:?)",
        r"|(?:about the )?authors?(?:\(s\))?:|author name:|byline:?|writer:",
        r"|(?:ein (?:artikel|beitrag|kommentar|gastbeitrag) )?von\b:?|autore?n?(?:in)?:",
        r"|verfasst von\b:?|(?:écrit |publié |rédigé )?par\b:?|auteure?:",
        r"|(?:escrito |publicado )?por\b:?|autora?:|(?:scritto |pubblicato )?d[ai]\b:?",
        r"|tekst:|автор:?|(?:文|著者|筆者|執筆者?|ライター|作者|記者)\s*[:：／/])\s*",
    ))
});
/// Where a byline goes on to something else.
static END: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"(?i)\s*[|•·●∙⋅▪—–／*<>@(\[]|\s+-\s|,?\s\(?\d|\s(?:on|in|at|for|published|posted|updated|last",
        r"|min|minutes?|am|le|il|el|em)\s|\s?,\s?(?:senior|staff|chief|contributing|contributor",
        r"|editor|writer|reporter|correspondent|director|founder|co-founder|ceo|head|the)\b",
    ))
});
static ADDRESS: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"https?:|//|www\.|@|\S\.(?:com|net|org|html?|php)\b"));
const NONE: [&str; 68] = [
    "topic author",
    "thread starter",
    "topic starter",
    "original poster",
    "site admin",
    "editorial",
    "editorial staff",
    "editorial team",
    "the editorial team",
    "the editors",
    "redaktion",
    "die redaktion",
    "redakcja",
    "redaktor",
    "rédaction",
    "la rédaction",
    "redacción",
    "redazione",
    "la redazione",
    "redação",
    "da redação",
    "редакция",
    "администратор",
    "админ",
    "σύνταξη",
    "συντακτική ομάδα",
    "编辑",
    "编辑部",
    "管理员",
    "佚名",
    "編集部",
    "admin",
    "administrator",
    "author",
    "authors",
    "editor",
    "editors",
    "root",
    "user",
    "webmaster",
    "anonymous",
    "guest",
    "unknown",
    "none",
    "null",
    "undefined",
    "n/a",
    "staff",
    "default",
    "name",
    "contributor",
    "member",
    "moderator",
    "owner",
    "username",
    "view all posts",
    "read more",
    "about",
    "posts",
    "share",
    "follow",
    "see all",
    "more",
    "about the author",
    "about author",
    "meet the author",
    "byline",
    "contact",
];
/// What ends the name of a company, which writes nothing by itself.
const LEGAL_FORMS: [&str; 8] = [
    "inc",
    "llc",
    "ltd",
    "limited",
    "corp",
    "corporation",
    "gmbh",
    "plc",
];
const SMALL: [&str; 29] = [
    "de", "da", "do", "dos", "das", "del", "della", "di", "du", "la", "le", "van", "von", "der",
    "den", "ter", "ten", "zu", "zum", "y", "e", "and", "und", "et", "i", "&", "the", "of", "al",
];
const SMALL_TOO: [&str; 4] = ["bin", "ibn", "el", "ap"];
const ROLES: [&str; 17] = [
    "writer",
    "editor",
    "reporter",
    "correspondent",
    "director",
    "founder",
    "consultant",
    "former",
    "senior",
    "staff",
    "contributor",
    "contributing",
    "specialist",
    "manager",
    "updated",
    "published",
    "posted",
];
const ROLES_TOO: [&str; 2] = ["last", "sign"];
/// Months that people are called by.
const NAMES_TOO: [&str; 10] = [
    "may", "april", "june", "august", "jun", "jan", "mar", "augusto", "mai", "maj",
];
const DAYS: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
const EDGES: &str = " \t,;:|-–—·•»«›‹";

/// The names that a field for authors holds; empty if it leads to one instead.
///
/// Addresses, handles and numbers lead to an author; so do the names that software gives by itself,
/// `admin` and the like.
#[must_use]
pub fn declared_author(text: &str) -> String {
    if text.is_empty() {
        return String::new(); // what most pages have in most fields
    }
    let text = line(text, 4 * MAX_CHARS);
    let name = text[lead(&text)..].trim_matches(is_edge);
    if is_no_name(name) {
        String::new()
    } else {
        name.to_owned()
    }
}

/// The names in a byline, `By Ann Bee | 3 May 2025`; empty if it is none.
#[must_use]
pub fn seen_author(text: &str) -> String {
    let byline = line(text, 2 * MAX_CHARS);
    let name = match lead(&byline) {
        0 => return String::new(),
        end => named(&byline[end..]),
    };
    // `By knowing where bees fly, ...` names no account
    let is_prose = is_longer(&byline, MAX_ACCOUNT_LINE) && is_login(&name);
    if is_prose { String::new() } else { name }
}

/// The names in an element whose markup says that it names an author.
#[must_use]
pub fn marked_author(text: &str) -> String {
    let byline = line(text, 2 * MAX_CHARS);
    let rest = &byline[lead(&byline)..];
    named(&rest[lead(rest)..])
}

/// Whether a name is what an account is called: one word in small letters and digits.
#[must_use]
pub fn is_login(name: &str) -> bool {
    let is_sign = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let bytes = name.as_bytes();
    let ends_well = bytes.first().is_some_and(is_sign) && bytes.last().is_some_and(is_sign);
    let is_joint = |pair: &[u8]| is_sign(&pair[0]) || is_sign(&pair[1]);
    ends_well
        && bytes
            .iter()
            .all(|byte| is_sign(byte) || b"._-".contains(byte))
        && bytes.windows(2).all(is_joint)
}

/// Where what stands before a name ends, 0 if nothing does.
fn lead(text: &str) -> usize {
    let Some(found) = LEAD.captures(text) else {
        return 0;
    };
    // `by-line` and `by-product` begin no byline
    let by = found.name("by").map_or("", |by| &text[by.end()..]);
    if by.starts_with('-') {
        0
    } else {
        found.get_match().end()
    }
}

fn named(text: &str) -> String {
    let end = END.find(text).map_or(text.len(), |end| end.start());
    let shown = text[..end].trim_matches(is_edge);
    let mut words: Vec<&str> = shown.split_whitespace().collect();
    if let Some(at) = words.iter().skip(1).position(|word| ends_name(word)) {
        words.truncate(at + 1);
    }
    if matches!(words[..], [name, letter] if is_initial(name, letter)) {
        words.truncate(1); // the picture of a member without one
    }
    let joined = words.join(" ");
    let name = joined.trim_matches(|sign| is_edge(sign) || sign == '.');
    if is_no_name(name) || words.len() > 2 * MAX_NAME_WORDS || ends_name(words[0]) {
        return String::new();
    }
    let is_written_as_name = words.iter().all(|word| {
        !word.starts_with(char::is_lowercase)
            || is_one_of(word, &SMALL)
            || is_one_of(word, &SMALL_TOO)
    });
    if is_written_as_name || words.len() == 1 {
        name.to_owned()
    } else {
        String::new()
    }
}

fn ends_name(word: &str) -> bool {
    let plain = word.trim_matches([',', '.', ':', ';']);
    let is_month = || {
        word.starts_with(char::is_uppercase)
            && !is_one_of(plain, &NAMES_TOO)
            && month_of(plain, "").is_some()
    };
    is_one_of(plain, &ROLES)
        || is_one_of(plain, &ROLES_TOO)
        || is_one_of(plain, &DAYS)
        || is_month()
}

fn is_no_name(name: &str) -> bool {
    name.chars().nth(1).is_none()
        || is_longer(name, MAX_CHARS)
        || !name.contains(char::is_alphabetic)
        || is_one_of(name, &NONE)
        || ends_company(name)
        || ADDRESS.is_match(name)
}

fn ends_company(name: &str) -> bool {
    let last = name.rsplit([' ', ',']).next().unwrap_or_default();
    last.len() < name.len() && is_one_of(last.trim_end_matches('.'), &LEGAL_FORMS)
}

/// Whether a word is the first letter of the one before, as a capital.
fn is_initial(name: &str, letter: &str) -> bool {
    let mut first = name.chars().flat_map(char::to_uppercase);
    letter.chars().nth(1).is_none() && first.next() == letter.chars().next()
}

fn is_edge(sign: char) -> bool {
    EDGES.contains(sign)
}

fn is_one_of(text: &str, words: &[&str]) -> bool {
    words.iter().any(|word| folded(text).eq(word.chars()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_in_what_pages_write() {
        for (text, expected) in [
            ("By Ann Bee | 3 May 2025", "Ann Bee"),
            (
                "Written by Ann van der Bee, Senior Editor",
                "Ann van der Bee",
            ),
            ("Von Ännchen Biene", "Ännchen Biene"),
            ("著者：蜂花子", "蜂花子"),
            ("By Ann Bee March 3", "Ann Bee"),
            ("By June May", "June May"),
            ("By participating you agree to our terms", ""),
            ("By-product of bees", ""),
            ("By admin", ""),
            ("By annbee7 on 3 May 2025", "annbee7"),
            (
                "By knowing where the bees of your garden fly in summer, you can help",
                "",
            ),
            ("By", ""),
            ("Ann Bee", ""),
        ] {
            assert_eq!(seen_author(text), expected, "{text}");
        }
        assert_eq!(marked_author("Article by: By Ann Bee"), "Ann Bee");
        assert_eq!(marked_author("Ann Bee (editor)"), "Ann Bee");
        assert_eq!(marked_author(" - "), "");
        assert_eq!(marked_author("annbee7 »"), "annbee7");
        assert_eq!(marked_author("Topic Author"), "");
        assert_eq!(declared_author("Редакция"), "");
        assert_eq!(marked_author("annbee7 A"), "annbee7");
        assert_eq!(marked_author("Ann A."), "Ann A");
        assert_eq!(marked_author("Ann B"), "Ann B");
        assert_eq!(declared_author("Hives & Co, Ltd."), "");
        assert_eq!(declared_author("Ann Limited Bee"), "Ann Limited Bee");
        assert_eq!(
            declared_author("By Ann Bee, Bob Wasp;"),
            "Ann Bee, Bob Wasp"
        );
        assert_eq!(declared_author("https://a.invalid/ann"), "");
        assert_eq!(declared_author("262588213843476"), "");
    }

    #[test]
    fn accounts_have_names_of_their_own() {
        for name in ["ann", "ann-bee7", "a.b_c"] {
            assert!(is_login(name), "{name}");
        }
        for name in ["Ann", "ann bee", "ann-", "ann--bee", ""] {
            assert!(!is_login(name), "{name}");
        }
    }
}
