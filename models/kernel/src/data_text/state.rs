//! Script state of a page -> the texts of its article.
//!
//! A state holds everything: the article, menus, button labels, other articles. Only texts with
//! sentences count, each once even if it is repeated. The search starts at the top and follows the
//! member with most of the text, until no member has most of it.

use std::collections::HashMap;

use serde_json::Value;

use super::markup::Piece;
use super::stream::{Element, Meaning, meaning, rows};
use crate::signals::signs::is_terminal;

/// Deepest nesting of values; `serde_json` rejects deeper JSON, and references count too.
const MAX_DEPTH: usize = 128;
const MAX_PIECES: usize = 20_000;
/// The share of characters needed to enter a member of an object, and a member of a list, because
/// one paragraph may hold most of an article. From .3 to .45 and from .5 to .9 the mean F of 80
/// emptied development pages (`python -m winnow.lab.measure.data_text`) stays within .015.
const OF_OBJECT: f64 = 0.4;
const OF_LIST: f64 = 0.7;
/// Share of letters, digits and white space in a sentence; code and lists of classes have less.
const SPELLED: f64 = 0.85;
/// Texts are equal if their first letters and digits, up to this number, are equal.
const KEY_CHARS: usize = 48;
/// Members with words of the program or of its design.
const NO_TEXT: [&str; 23] = [
    "class",
    "className",
    "css",
    "dictionary",
    "i18n",
    "icon",
    "intl",
    "locale",
    "locales",
    "meta",
    "metaDescription",
    "messages",
    "query",
    "_nextI18Next",
    "seo",
    "script",
    "scripts",
    "style",
    "styles",
    "svg",
    "theme",
    "translations",
    "translation",
];
/// Members whose short texts belong to an article: headings and parts of paragraphs.
const LINES: [&str; 11] = [
    "__html", "caption", "children", "content", "heading", "headline", "html", "subtitle", "text",
    "title", "value",
];

/// Read a plain JSON state, and pass its texts to `choose`; `None` if it is invalid.
pub fn read<T>(script: &str, choose: impl FnOnce(&[Piece<'_>]) -> Option<T>) -> Option<T> {
    let state: Value = serde_json::from_str(script).ok()?;
    choose(&texts(&state, References::None))
}

/// The same for a Nuxt 3 state: a list of values whose members are referenced by position.
pub fn read_nuxt<T>(script: &str, choose: impl FnOnce(&[Piece<'_>]) -> Option<T>) -> Option<T> {
    let state: Value = serde_json::from_str(script).ok()?;
    let values = state.as_array()?;
    let numbered = (0..).zip(values).collect();
    choose(&texts(values.first()?, References::Numbers(numbered)))
}

/// The same for a [stream](super::stream) of Next.js.
pub fn read_stream<T>(stream: &str, choose: impl FnOnce(&[Piece<'_>]) -> Option<T>) -> Option<T> {
    let rows = rows(stream);
    let by_number = rows.iter().map(|(&number, value)| (number, value));
    let references = References::Rows(by_number.collect());
    choose(&texts(rows.get(&0)?, references))
}

fn texts<'a>(state: &'a Value, references: References<'a>) -> Vec<Piece<'a>> {
    let mut reader = Reader {
        references,
        pieces: Vec::new(),
        chars: Vec::new(),
        known: HashMap::new(),
    };
    let top = reader.read("", state, 0);
    reader.article(&top)
}

/// A value with its texts: a range of [`Reader::pieces`].
struct Part {
    start: usize,
    end: usize,
    is_list: bool,
    parts: Vec<Part>,
}

/// Values referenced from other places, each returned once.
enum References<'a> {
    None,
    /// Every number is a reference.
    Numbers(HashMap<u64, &'a Value>),
    /// Texts may be references.
    Rows(HashMap<u64, &'a Value>),
}

impl<'a> References<'a> {
    /// The value of a reference; `None` if it has none, or was returned before.
    fn resolve(&mut self, value: &'a Value) -> Option<&'a Value> {
        match (self, value) {
            (Self::Numbers(values), Value::Number(number)) => values.remove(&number.as_u64()?),
            (Self::Rows(values), Value::String(text)) => match meaning(text) {
                Meaning::Text(_) => Some(value),
                Meaning::Row(number) => values.remove(&number),
                Meaning::Else => None,
            },
            _ => Some(value),
        }
    }
}

struct Reader<'a> {
    references: References<'a>,
    pieces: Vec<Piece<'a>>,
    /// The weight of each text: its characters if it has sentences; 0 if it is a repeat.
    chars: Vec<Option<usize>>,
    known: HashMap<String, usize>,
}

impl<'a> Reader<'a> {
    fn read(&mut self, name: &str, value: &'a Value, depth: usize) -> Part {
        let element = self.element(value);
        let mut part = Part {
            start: self.pieces.len(),
            end: self.pieces.len(),
            is_list: value.is_array() && element.is_none(),
            parts: Vec::new(),
        };
        if depth < MAX_DEPTH && self.pieces.len() < MAX_PIECES {
            match (value, element) {
                (_, Some(element)) => self.inside(&mut part, element, depth),
                (Value::String(text), _) => self.text(name, Piece::of(text)),
                (Value::Array(list), _) => {
                    for member in list {
                        self.member(&mut part, name, member, depth);
                    }
                }
                (Value::Object(members), _) => {
                    let members = members.iter();
                    for (name, member) in members.filter(|(name, _)| !is_no_text(name)) {
                        self.member(&mut part, name, member, depth);
                    }
                }
                _ => {}
            }
        }
        part.end = self.pieces.len();
        part
    }

    fn member(&mut self, whole: &mut Part, name: &str, member: &'a Value, depth: usize) {
        let Some(member) = self.references.resolve(member) else {
            return;
        };
        let part = self.read(name, member, depth + 1);
        if part.start < part.end {
            whole.parts.push(part);
        }
    }

    /// Only streams have elements.
    fn element(&self, value: &'a Value) -> Option<Element<'a>> {
        let is_stream = matches!(self.references, References::Rows(_));
        Element::of(value.as_array().filter(|_| is_stream)?)
    }

    fn inside(&mut self, part: &mut Part, element: Element<'a>, depth: usize) {
        if element.is_without_text() {
            return;
        }
        if let Some(children) = element.mixed() {
            let mut text = String::new();
            self.flatten(children, depth, &mut text);
            self.text("children", Piece::of_shown(text));
            return;
        }
        let properties = element.properties.iter();
        for (name, value) in properties.filter(|(name, _)| element.shows(name) && !is_no_text(name))
        {
            self.member(part, name, value, depth);
        }
    }

    /// The text of a paragraph with everything inside.
    fn flatten(&mut self, children: &'a [Value], depth: usize, out: &mut String) {
        if depth >= MAX_DEPTH {
            return;
        }
        for child in children {
            let Some(child) = self.references.resolve(child) else {
                continue;
            };
            match (child, self.element(child)) {
                (_, Some(element)) if element.breaks_line() => out.push('\n'),
                (_, Some(element)) => {
                    if let Some(inside) = element.children() {
                        self.flatten(std::slice::from_ref(inside), depth + 1, out);
                    }
                }
                (Value::Array(list), _) => self.flatten(list, depth + 1, out),
                (Value::String(text), _) => out.push_str(meaning(text).text()),
                _ => {}
            }
        }
    }

    fn text(&mut self, name: &str, piece: Piece<'a>) {
        let kind = kind_of(&piece.plain());
        if kind == Kind::Else || kind == Kind::Line && !LINES.contains(&name) {
            return;
        }
        let chars = piece.chars();
        let is_sentences = kind == Kind::Sentences;
        if is_sentences {
            let key = key_of(&piece.plain());
            if let Some(&other) = self.known.get(&key) {
                if self.chars[other] >= Some(chars) {
                    return;
                }
                self.chars[other] = None;
            }
            self.known.insert(key, self.pieces.len());
        }
        self.pieces.push(piece);
        self.chars.push(Some(if is_sentences { chars } else { 0 }));
    }

    fn weight(&self, part: &Part) -> usize {
        let counted = self.chars[part.start..part.end].iter().flatten();
        counted.sum()
    }

    /// The texts of the member with most of the text.
    fn article(&self, top: &Part) -> Vec<Piece<'a>> {
        let (mut part, mut weight) = (top, self.weight(top));
        loop {
            let share = if part.is_list { OF_LIST } else { OF_OBJECT };
            // a list member with a single text is one paragraph of several
            let several = |inner: &&Part| !part.is_list || inner.end - inner.start > 1;
            let inner = part.parts.iter().filter(several);
            let weights = inner.map(|inner| (inner, self.weight(inner)));
            let most = weights.max_by_key(|(_, own)| *own);
            let inner = most.filter(|(_, own)| *own as f64 >= share * weight as f64);
            match inner {
                Some(found) if weight > 0 => (part, weight) = found,
                _ => break,
            }
        }
        let stretch = part.start..part.end;
        let texts = self.pieces[stretch.clone()]
            .iter()
            .zip(&self.chars[stretch]);
        texts
            .filter(|(_, chars)| chars.is_some())
            .map(|(piece, _)| piece.clone())
            .collect()
    }
}

fn is_no_text(name: &str) -> bool {
    NO_TEXT.contains(&name)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Several words with a sentence end.
    Sentences,
    /// Words without a sentence end.
    Line,
    /// Code, addresses, identifiers.
    Else,
}

fn kind_of(text: &str) -> Kind {
    let text = text.trim();
    let (mut signs, mut spelled, mut spaces, mut wide) = (0_usize, 0_usize, 0_usize, 0_usize);
    for sign in text.chars() {
        signs += 1;
        let is_space = sign.is_whitespace();
        spelled += usize::from(is_space || sign.is_alphanumeric());
        spaces += usize::from(is_space);
        wide += usize::from(sign >= '\u{2e80}');
    }
    // scripts without spaces have about two characters per word
    let words = spaces + wide / 2 + 1;
    let is_code = text.starts_with(['{', '[', '<']) || text.contains("://") && spaces < 4;
    if is_code || (spelled as f64) < SPELLED * signs as f64 || words < 2 {
        return Kind::Else;
    }
    if words >= 5 && text.contains(is_terminal) {
        Kind::Sentences
    } else {
        Kind::Line
    }
}

fn key_of(text: &str) -> String {
    text.chars()
        .filter(|sign| sign.is_alphanumeric())
        .take(KEY_CHARS)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: &str = "The bees of the city find more flowers than those of the fields.";
    const SECOND: &str = "Nobody knows why they do, but they like parks and balconies.";

    fn trimmed(pieces: &[Piece<'_>]) -> Option<Vec<String>> {
        let texts = pieces.iter().map(|piece| piece.plain().trim().to_owned());
        Some(texts.collect())
    }

    fn read_texts(script: &str) -> Vec<String> {
        read(script, trimmed).unwrap_or_default()
    }

    #[test]
    fn the_texts_of_the_article_are_taken_and_no_others() {
        let script = format!(
            r#"{{"props": {{"menu": [{{"title": "All of our news"}}],
                "translations": {{"long": "{FIRST} {FIRST} {FIRST} Please enter your name."}},
                "article": {{"teaser": "The bees of the city find more.",
                    "body": [{{"text": "{FIRST}"}}, {{"heading": "And why"}}, {{"text": "{SECOND}"}},
                             {{"className": "flex p-4 items. center px-2 more"}},
                             {{"text": "{FIRST}"}}]}}}}}}"#
        );

        assert_eq!(read_texts(&script), [FIRST, "And why", SECOND]);
    }

    #[test]
    fn one_long_paragraph_does_not_hide_the_others() {
        let script =
            format!(r#"{{"body": ["{FIRST} {SECOND} {FIRST}", "{SECOND}", "One bee is a bee."]}}"#);

        assert_eq!(read_texts(&script).len(), 3);
    }

    #[test]
    fn what_is_no_state_gives_nothing() {
        let deep = ["[".repeat(1000), "]".repeat(1000)].concat();
        for script in ["", "{", "7", "(function(a){return a}(1))", &deep] {
            assert_eq!(read_texts(script), [""; 0], "{script}");
        }
    }

    #[test]
    fn values_named_by_position_are_read_once() {
        let script = format!(
            r#"[["Reactive", 1], {{"data": 2, "again": 2, "self": 1}}, [3, 4, 99, -1], "{FIRST}", "{SECOND}"]"#
        );
        let count = read_nuxt(&script, |pieces| Some(pieces.len()));

        assert_eq!(count, Some(2));
    }

    fn stream_texts(stream: &str) -> Vec<String> {
        read_stream(stream, trimmed).unwrap_or_default()
    }

    #[test]
    fn elements_of_a_stream_are_read_with_all_that_is_inside() {
        let inline =
            r#"["The bees of the ",["$","b",null,{"children":"city"}]," find",["$","br",null,{}],
            ["$","i",null,{"children":["$","u",null,{"children":"more. "}]}],"$3","$undefined"]"#
                .replace('\n', "");
        let stream = format!(
            "0:{{\"tree\":[[\"$\",\"nav\",null,{{\"children\":\"{FIRST} {FIRST}\"}}],\"$L1\"]}}\n\
             1:[\"$\",\"div\",null,{{\"title\":\"{FIRST}\",\"children\":[\
             [\"$\",\"p\",null,{{\"children\":{inline}}}],\"$2\",\"$2\",\"$L9\",\
             [\"$\",\"$L8\",null,{{\"body\":{{\"text\":\"{SECOND}\"}}}}]]}}]\n\
             2:[\"$\",\"h2\",null,{{\"children\":\"And why\"}}]\n\
             3:T5,$$ no8:I[\"code\"]\n"
        );

        assert_eq!(
            stream_texts(&stream),
            ["The bees of the city find\nmore. $ no", "And why", SECOND]
        );
    }

    #[test]
    fn rows_that_hold_each_other_end() {
        let stream = "0:[\"$1\",\"$0\"]\n1:[\"$0\",\"$1\",[\"$\",\"p\",null,{\"children\":[\"a\",\"$1\"]}]]\n";

        assert_eq!(stream_texts(stream), [""; 0]);
        assert_eq!(stream_texts("1:[]"), [""; 0]);
    }

    #[test]
    fn a_chain_of_references_ends() {
        let links: Vec<String> = (1..5000).map(|at| format!("[{at}]")).collect();
        let script = format!("[{}]", links.join(","));

        assert_eq!(read_nuxt(&script, |pieces| Some(pieces.len())), Some(0));
    }
}
