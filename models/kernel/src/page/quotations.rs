//! The quotation marks that browsers draw around `q`, by language.

use super::attributes::Name;
use super::tree::Node;

/// Elements around a quotation that are checked for a language, before the page is.
const MAX_LEVELS: usize = 8;

/// Outer marks, and the marks of nested quotations.
type Pair = (&'static str, &'static str);

const ENGLISH: [Pair; 2] = [("“", "”"), ("‘", "’")];
/// From CLDR, which the HTML standard proposes for the style sheets of browsers.
const BY_LANGUAGE: [(&[&str], [Pair; 2]); 15] = [
    (
        &["de", "cs", "sk", "sl", "hr", "is", "bg", "sq"],
        [("„", "“"), ("‚", "‘")],
    ),
    (&["pl", "ro"], [("„", "”"), ("«", "»")]),
    (&["hu"], [("„", "”"), ("»", "«")]),
    (&["et"], [("„", "“"), ("«", "»")]),
    (&["lt"], [("„", "“"), ("„", "“")]),
    (&["sr", "bs"], [("„", "”"), ("’", "’")]),
    (&["fr"], [("«", "»"), ("«", "»")]),
    (&["fa"], [("«", "»"), ("‹", "›")]),
    (&["es", "it", "ca", "el"], [("«", "»"), ("“", "”")]),
    (&["no", "nb", "nn"], [("«", "»"), ("‘", "’")]),
    (&["ru", "uk", "be"], [("«", "»"), ("„", "“")]),
    (&["sv", "fi", "he"], [("”", "”"), ("’", "’")]),
    (
        &["ja", "zh-tw", "zh-hk", "zh-hant"],
        [("「", "」"), ("『", "』")],
    ),
    (&["nl"], [("‘", "’"), ("“", "”")]),
    (&["ar"], [("”", "“"), ("’", "‘")]),
];
/// Marks that authors write around a quotation or at its start.
const OWN: [char; 13] = [
    '"', '“', '”', '„', '«', '»', '‘', '‚', '‹', '›', '「', '『', '‟',
];

/// The closing marks of the open quotations.
#[derive(Default)]
pub struct Quotations {
    open: Vec<&'static str>,
    of_page: String,
    /// End of the text after the last written mark.
    after_mark: u32,
}

impl Quotations {
    /// The language of the root element.
    pub fn root(&mut self, root: Node<'_>) {
        self.of_page = language(root).unwrap_or_default();
    }

    /// Start a quotation; returns the mark to write.
    ///
    /// `before` is the text right before it, which ends at byte `at` of all text.
    pub fn enter(&mut self, node: Node<'_>, before: &[u8], at: u32) -> &'static str {
        let is_after_own = at != self.after_mark || self.open.is_empty();
        let is_marked = is_after_own && last_of(before).is_some_and(|last| OWN.contains(&last))
            || first_text(node).is_some_and(|text| {
                let text = String::from_utf8_lossy(text.get(..8).unwrap_or(text)).into_owned();
                text.trim_start().starts_with(OWN)
            });
        if is_marked {
            self.open.push("");
            return "";
        }
        let around = std::iter::successors(Some(node), |node| node.parent()).take(MAX_LEVELS);
        let stated = around.into_iter().find_map(|node| language(node));
        let marks = marks_of(stated.as_deref().unwrap_or(&self.of_page));
        let depth = self.open.iter().filter(|mark| !mark.is_empty()).count();
        let (opening, closing) = marks[depth % 2];
        self.open.push(closing);
        opening
    }

    /// Note that the mark of [`enter`](Self::enter) is written and the text ends at byte `at`.
    pub fn written(&mut self, at: u32) {
        self.after_mark = at;
    }

    /// End the quotation; returns the mark to write.
    pub fn leave(&mut self) -> &'static str {
        self.open.pop().unwrap_or_default()
    }
}

fn language(node: Node<'_>) -> Option<String> {
    let stated = node.value(&[Name::Lang]);
    let stated = stated.or_else(|| node.value(&[Name::XmlLang]))?;
    Some(String::from_utf8_lossy(stated).trim().to_ascii_lowercase())
}

fn marks_of(language: &str) -> [Pair; 2] {
    let primary = language.split('-').next().unwrap_or_default();
    let by = |wanted: &str| {
        let found = BY_LANGUAGE
            .iter()
            .find(|(names, _)| names.contains(&wanted));
        found.map(|(_, marks)| *marks)
    };
    let region = language.get(..5).and_then(by);
    let script = language.get(..7).and_then(by);
    script.or(region).or_else(|| by(primary)).unwrap_or(ENGLISH)
}

fn first_text(node: Node<'_>) -> Option<&[u8]> {
    let mut inside = std::iter::successors(node.first_child(), |node| node.first_child()).take(4);
    inside.find_map(|node| Some(node.text()).filter(|text| !text.trim_ascii().is_empty()))
}

fn last_of(text: &[u8]) -> Option<char> {
    let start = text.iter().rposition(|byte| byte & 0xC0 != 0x80)?;
    std::str::from_utf8(text.get(start..)?).ok()?.chars().next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_has_marks_of_its_own() {
        for (language, mark) in [
            ("en-GB", "“"),
            ("", "“"),
            ("de-AT", "„"),
            ("pt-br", "“"),
            ("zh-hant-hk", "「"),
            ("zh-cn", "“"),
        ] {
            assert_eq!(marks_of(language)[0].0, mark, "{language}");
        }
    }
}
