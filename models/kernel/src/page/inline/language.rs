//! The language of code, from the classes used by highlighters.

use crate::page::attributes::Name;
use crate::page::tags;
use crate::page::tree::{Node, NodeKind};

/// Prefixes of a class with the name of the language.
const PREFIXES: [&str; 4] = ["language-", "lang-", "highlight-source-", "highlight-"];
/// Words that are followed by the name as the next word.
const BEFORE: [&str; 3] = ["brush:", "sourcecode", "hljs"];
/// Highlighters' names for code without a language.
const NONE: [&str; 7] = [
    "default",
    "none",
    "text",
    "plain",
    "plaintext",
    "nohighlight",
    "auto",
];
/// Language names that count without a prefix, in classes of the code itself.
const BARE: [&str; 28] = [
    "bash",
    "clojure",
    "cpp",
    "csharp",
    "css",
    "dart",
    "elixir",
    "go",
    "haskell",
    "html",
    "java",
    "javascript",
    "json",
    "kotlin",
    "lua",
    "perl",
    "php",
    "powershell",
    "python",
    "ruby",
    "rust",
    "scala",
    "sql",
    "swift",
    "toml",
    "typescript",
    "xml",
    "yaml",
];
/// Shorter names that are not tags of human languages.
const SHORT: [&str; 8] = ["js", "py", "rb", "sh", "jsx", "tsx", "console", "diff"];
const MAX_NAME: usize = 24;
const MAX_CLASS_BYTES: usize = 512;
/// Elements around code whose classes are checked; the elements of a table of its lines do not count.
const AROUND: usize = 2;
const MAX_LEVELS: usize = 12;

/// The language of preformatted text: from the code in it, its own classes, or an element around
/// it.
pub fn of_code(node: Node<'_>) -> String {
    let children = std::iter::successors(node.first_child(), |child| child.next());
    let inside = children
        .take(4)
        .find(|child| child.kind() == NodeKind::Element && child.tag() == tags::CODE);
    let levels = std::iter::successors(Some(node), |node| node.parent()).take(MAX_LEVELS);
    let mut in_table = false;
    let outside = levels.filter(|level| {
        in_table |= level.tag() == tags::TD && classes(*level).is_some_and(is_of_code);
        let is_table = matches!(level.tag(), tags::TD | tags::TR | tags::TBODY | tags::TABLE);
        let is_code = matches!(level.tag(), tags::PRE | tags::CODE) && *level != node;
        !(in_table && (is_table || is_code))
    });
    let outside = outside.take(1 + AROUND);
    let around = inside.into_iter().chain(outside).find_map(|node| {
        let own = node.value(&[Name::DataLanguage]).and_then(name);
        own.or_else(|| classes(node).and_then(by_class))
            .or_else(|| by_lang(node))
    });
    let named = around.or_else(|| {
        let mut own = inside.into_iter().chain([node]);
        own.find_map(|node| classes(node).and_then(by_bare_class))
    });
    named.unwrap_or_default()
}

/// The `lang` of `pre`, which some converters use for the language of code.
fn by_lang(node: Node<'_>) -> Option<String> {
    let lang = node
        .value(&[Name::Lang])
        .filter(|_| node.tag() == tags::PRE)?;
    name(lang).filter(|name| BARE.contains(&name.as_str()) || SHORT.contains(&name.as_str()))
}

/// The classes of an element, up to a limit, because those around code are read again for each
/// piece.
fn classes<'tree>(node: Node<'tree>) -> Option<&'tree [u8]> {
    let all = node.value(&[Name::Class])?;
    let Some(first) = all.get(..MAX_CLASS_BYTES) else {
        return Some(all);
    };
    let end = first.iter().rposition(u8::is_ascii_whitespace);
    Some(&first[..end.unwrap_or(0)])
}

/// Whether a class of a cell is of lines of code, next to their numbers.
fn is_of_code(class: &[u8]) -> bool {
    memchr::memmem::find(class, b"code").is_some()
}

fn by_bare_class(class: &[u8]) -> Option<String> {
    let class = String::from_utf8_lossy(class).to_ascii_lowercase();
    let mut words = class.split_ascii_whitespace();
    words.find(|word| BARE.contains(word)).map(str::to_owned)
}

fn by_class(class: &[u8]) -> Option<String> {
    let class = String::from_utf8_lossy(class).to_ascii_lowercase();
    let words: Vec<&str> = class.split_ascii_whitespace().collect();
    let by_prefix = words.iter().find_map(|word| {
        let rest = PREFIXES.iter().find_map(|prefix| word.strip_prefix(prefix));
        rest.and_then(|rest| name(rest.as_bytes()))
    });
    by_prefix.or_else(|| {
        let mut pairs = words.iter().zip(words.iter().skip(1));
        let next = pairs.find(|(word, _)| BEFORE.contains(word));
        next.and_then(|(_, next)| name(next.trim_end_matches(';').as_bytes()))
    })
}

/// A name in the form for a fence.
fn name(word: &[u8]) -> Option<String> {
    let word = std::str::from_utf8(word.trim_ascii())
        .ok()?
        .to_ascii_lowercase();
    let is_name = word.starts_with(|first: char| first.is_ascii_alphabetic())
        && word.len() <= MAX_NAME
        && word
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"+#.-_".contains(&byte))
        && !NONE.contains(&word.as_str());
    is_name.then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn highlighters_name_the_language_in_many_ways() {
        for (class, expected) in [
            ("language-python", "python"),
            ("lang-C++ prettyprint", "c++"),
            ("highlight highlight-source-shell", "shell"),
            ("highlight-python3 notranslate", "python3"),
            ("brush: js; toolbar: false", "js"),
            ("sourceCode haskell", "haskell"),
            ("hljs rust", "rust"),
        ] {
            assert_eq!(
                by_class(class.as_bytes()).as_deref(),
                Some(expected),
                "{class}"
            );
        }
        for class in [
            "",
            "highlight",
            "language-",
            "language-none",
            "lang-<x>",
            "hljs",
        ] {
            assert_eq!(by_class(class.as_bytes()), None, "{class}");
        }
    }

    #[test]
    fn a_class_of_code_may_be_the_bare_name() {
        assert_eq!(
            by_bare_class(b"Rust rust-example-rendered").as_deref(),
            Some("rust")
        );
        assert_eq!(by_bare_class(b"example code"), None);
    }
}
