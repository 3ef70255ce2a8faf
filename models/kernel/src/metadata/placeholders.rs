//! Texts in place of an absent value, and texts in author fields that do not name a person.

use super::lines::folded;

/// Default names of software, and names of roles.
const NONE: [&str; 137] = [
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
    // of software and forms
    "super user",
    "superuser",
    "sysadmin",
    "system",
    "system administrator",
    "site administrator",
    "web admin",
    "website admin",
    "wordpress",
    "wpadmin",
    "wp-admin",
    "wp admin",
    "siteadmin",
    "web editor",
    "object object",
    "nobody",
    "uncategorized",
    "untitled",
    "no name",
    "noname",
    "author name",
    "your name",
    "full name",
    "first name",
    "last name",
    "first last",
    "firstname lastname",
    "no author",
    "not available",
    "not specified",
    "n.a",
    "nil",
    "true",
    "false",
    "test",
    "blogger",
    "publisher",
    // of roles
    "staff writer",
    "staff reporter",
    "staff reports",
    "staff report",
    "news staff",
    "web staff",
    "our correspondent",
    "our reporter",
    "special correspondent",
    "guest author",
    "guest writer",
    "guest contributor",
    "guest blogger",
    "guest post",
    "contributors",
    "press release",
    "sponsored",
    "advertisement",
    // of other languages
    "administrateur",
    "administrador",
    "amministratore",
    "anonyme",
    "anónimo",
    "anonimo",
    "anonym",
    "unbekannt",
    "inconnu",
    "gast",
    "редактор",
    "гость",
    "匿名",
    "관리자",
];
/// Words that are not part of names: `In the`.
const SMALL: [&str; 44] = [
    "a", "an", "the", "in", "on", "at", "for", "by", "with", "from", "to", "of", "and", "or",
    "but", "this", "that", "these", "it", "its", "is", "are", "was", "we", "you", "our", "your",
    "my", "how", "why", "what", "when", "where", "who", "if", "as", "here", "there", "about",
    "all", "not", "new", "be", "so",
];
/// Words at the beginning of a sentence or heading that are not part of names.
const FIRST: [&str; 26] = [
    "in", "on", "at", "for", "with", "from", "to", "of", "how", "why", "what", "when", "where",
    "if", "this", "that", "these", "it", "we", "you", "our", "your", "here", "there", "click",
    "about",
];
/// What scripts and templates write for an absent value.
const NO_VALUES: [&str; 7] = [
    "undefined",
    "null",
    "None",
    "false",
    "true",
    "NaN",
    "[object Object]",
];
/// The start and the end of template code.
const CODE: [(&str, &str); 6] = [
    ("{{", "}}"),
    ("{%", "%}"),
    ("${", "}"),
    ("<%", "%>"),
    ("[[", "]]"),
    ("%%", "%%"),
];
/// Template remains where a value is missing.
const OF_TEMPLATES: [&str; 8] = ["{{", "}}", "${", "<%", "%>", "[[", "%%", "{%"];

/// Whether a value is what software writes for an absent one, or template code that nobody filled.
#[must_use]
pub fn is_missing(text: &str) -> bool {
    let text = text.trim();
    let is_code = |(start, end): &(&str, &str)| {
        let rest = text.strip_prefix(start);
        rest.is_some_and(|rest| rest.ends_with(end))
    };
    NO_VALUES.contains(&text) || CODE.iter().any(is_code)
}

/// Whether a name cannot be a person's.
#[must_use]
pub fn is_placeholder(name: &str) -> bool {
    let plain = name.trim_matches(|sign: char| !sign.is_alphanumeric());
    let is_template = OF_TEMPLATES.iter().any(|sign| name.contains(sign));
    is_template || is_one_of(plain, &NONE) || {
        let mut words = plain.split_whitespace();
        words.all(|word| is_one_of(word, &SMALL))
    }
}

/// Whether a text on the page begins like a sentence, not like a name.
#[must_use]
pub fn begins_sentence(name: &str) -> bool {
    let mut words = name.split_whitespace();
    let first = words.next().unwrap_or_default();
    words.next().is_some() && is_one_of(first, &FIRST)
}

fn is_one_of(text: &str, words: &[&str]) -> bool {
    words.iter().any(|word| folded(text).eq(word.chars()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn software_writes_values_that_are_missing() {
        for text in [
            "null",
            " undefined ",
            "[object Object]",
            "{{ page.title }}",
            "%%title%%",
        ] {
            assert!(is_missing(text), "{text}");
        }
        for text in ["", "Null", "null and void", "True", "{{ bees", "%%", "{a}"] {
            assert!(!is_missing(text), "{text}");
        }
    }

    #[test]
    fn a_placeholder_names_nobody() {
        for name in [
            "In the",
            "Super User",
            "[Admin]",
            "{{ author }}",
            "N.A.",
            "- Staff -",
            "The",
        ] {
            assert!(is_placeholder(name), "{name}");
        }
        for name in [
            "Ann Bee",
            "The Hive",
            "An Nguyen",
            "Will Guest",
            "Ada",
            "蜂花子",
        ] {
            assert!(!is_placeholder(name), "{name}");
        }
        assert!(begins_sentence("In the city"));
        assert!(!begins_sentence("The Hive"));
        assert!(!begins_sentence("You"));
    }
}
