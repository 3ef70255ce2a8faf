//! The tokenizer tests of html5lib-tests whose states are reachable from a document.
//!
//! Left out are inputs with lone surrogates, which are not strings; a state after the start tag of
//! another one; and the coercion to XML. References are decoded here as readers of the tree do,
//! after line ends are normalized.

mod support;

use serde_json::{Map, Value, json};
use support::{files, html5lib};
use winnow_html::attributes::{attributes, decoded};
use winnow_html::tag::{self, Tag};
use winnow_html::tokenizer::{Span, TagToken, Token, Tokenizer};

/// May only rise.
const PASSED: usize = 7023;
/// May only fall.
const LEFT_OUT: usize = 9;

/// The start tag that leads to a state, and whether references are decoded in it.
fn entry(state: &str, last_start_tag: &str) -> Option<(String, bool)> {
    let tag = |default: &str| {
        let name = if last_start_tag.is_empty() {
            default
        } else {
            last_start_tag
        };
        format!("<{name}>")
    };
    Some(match state {
        "Data state" => (String::new(), true),
        "PLAINTEXT state" => ("<plaintext>".to_owned(), false),
        "RCDATA state" => (tag("title"), true),
        "RAWTEXT state" => (tag("xmp"), false),
        "Script data state" if matches!(last_start_tag, "" | "script") => {
            ("<script>".to_owned(), false)
        }
        "CDATA section state" => ("<![CDATA[".to_owned(), false),
        _ => return None,
    })
}

struct Reader<'i> {
    input: &'i str,
    tokens: Tokenizer<'i>,
    found: Vec<Value>,
}

impl Reader<'_> {
    fn span(&self, span: Span) -> &str {
        &self.input[span.start as usize..span.end as usize]
    }

    fn text(&mut self, span: Span, is_decoded: bool, nul: &str) {
        let text = self.span(span).replace("\r\n", "\n").replace('\r', "\n");
        let text = text.replace('\0', nul);
        let text = if is_decoded {
            htmlize::unescape(&text).into_owned()
        } else {
            text
        };
        if text.is_empty() {
            return;
        }
        match self.found.last_mut() {
            Some(Value::Array(last)) if last[0] == "Character" => {
                let before = last[1].as_str().unwrap_or_default();
                last[1] = json!(format!("{before}{text}"));
            }
            _ => self.found.push(json!(["Character", text])),
        }
    }

    fn name(&self, span: Span) -> String {
        let name = self.span(span).to_ascii_lowercase();
        name.replace('\0', "\u{FFFD}")
    }

    fn start_tag(&mut self, token: &TagToken) {
        let mut found = Map::new();
        for (name, value) in attributes(token.attributes.of(self.input.as_bytes())) {
            let name = String::from_utf8_lossy(name).to_ascii_lowercase();
            let name = name.replace('\0', "\u{FFFD}");
            found.entry(name).or_insert_with(|| json!(decoded(value)));
        }
        let mut tag = vec![
            json!("StartTag"),
            json!(self.name(token.name)),
            found.into(),
        ];
        if token.is_self_closing {
            tag.push(json!(true));
        }
        self.found.push(tag.into());
    }

    /// The token; false at the end.
    fn token(&mut self, token: Token) -> bool {
        match token {
            Token::Text(span) => self.text(span, true, "\0"),
            Token::CData(span) => self.text(span, false, "\0"),
            Token::Start(tag) => self.start_tag(&tag),
            Token::End(tag) => {
                let name = self.name(tag.name);
                self.found.push(json!(["EndTag", name]));
            }
            Token::Comment(span) => {
                let text = self.span(span).replace("\r\n", "\n").replace('\r', "\n");
                let text = text.replace('\0', "\u{FFFD}");
                self.found.push(json!(["Comment", text]));
            }
            Token::Doctype(span) => self.doctype(span),
            Token::Eof => return false,
        }
        true
    }

    fn doctype(&mut self, span: Span) {
        let is_closed = self.input.as_bytes().get(span.end as usize) == Some(&b'>');
        let doctype = winnow_html::doctype::read(self.span(span).as_bytes(), is_closed);
        let spelled = |bytes: &[u8]| {
            let text = String::from_utf8_lossy(bytes).replace("\r\n", "\n");
            text.replace('\r', "\n").replace('\0', "\u{FFFD}")
        };
        let name = Some(spelled(doctype.name).to_ascii_lowercase());
        let name = name.filter(|name| !name.is_empty());
        self.found.push(json!([
            "DOCTYPE",
            name,
            doctype.public.map(spelled),
            doctype.system.map(spelled),
            !doctype.forces_quirks
        ]));
    }

    /// The text of an element of raw text, and its end tag.
    fn raw_text(&mut self, tag: Tag, is_decoded: bool) {
        let span = self.tokens.raw_text(tag);
        self.text(span, is_decoded, "\u{FFFD}");
        let rest = &self.input[span.end as usize..];
        let end_tag = Tokenizer::new(rest.as_bytes(), None).next(false);
        if let Token::End(end_tag) = end_tag {
            let name = end_tag.name.of(rest.as_bytes()).to_ascii_lowercase();
            let name = String::from_utf8_lossy(&name).into_owned();
            self.found.push(json!(["EndTag", name]));
        }
    }
}

/// The tokens of an input in a state; none if the state is not reachable.
fn tokens(input: &str, state: &str, last_start_tag: &str) -> Option<Vec<Value>> {
    let (before, is_decoded) = entry(state, last_start_tag)?;
    let input = before.clone() + input;
    let mut reader = Reader {
        input: &input,
        tokens: Tokenizer::new(input.as_bytes(), None),
        found: Vec::new(),
    };
    if state == "CDATA section state" {
        let section = reader.tokens.next(true);
        reader.token(section);
    } else if !before.is_empty() {
        let Token::Start(start) = reader.tokens.next(false) else {
            return None;
        };
        if start.tag == tag::UNKNOWN {
            return None;
        }
        reader.raw_text(start.tag, is_decoded);
    }
    loop {
        let token = reader.tokens.next(false);
        if !reader.token(token) {
            return Some(reader.found);
        }
    }
}

/// A string of a test in which characters are written as `\uXXXX`; none if it is invalid.
fn unescaped(text: &str) -> Option<String> {
    serde_json::from_str(&format!("\"{}\"", text.replace('"', "\\\""))).ok()
}

struct Tally {
    passed: usize,
    left_out: usize,
    differences: String,
}

impl Tally {
    fn test(&mut self, test: &Value) {
        let is_escaped = test["doubleEscaped"] == true;
        let text = |value: &Value| {
            let text = value.as_str().unwrap_or_default().to_owned();
            if is_escaped {
                unescaped(&text)
            } else {
                Some(text)
            }
        };
        let mut wanted = test["output"].clone();
        let is_string = !is_escaped || unescape_all(&mut wanted);
        let states = test["initialStates"].as_array().cloned();
        for state in states.unwrap_or_else(|| vec![json!("Data state")]) {
            let state = state.as_str().unwrap_or_default();
            let last = test["lastStartTag"].as_str().unwrap_or_default();
            let input = text(&test["input"]).filter(|_| is_string);
            match input.and_then(|input| tokens(&input, state, last)) {
                None => self.left_out += 1,
                Some(found) if wanted.as_array() == Some(&found) => self.passed += 1,
                Some(found) => {
                    let found = Value::from(found);
                    let shown = format!("{state} {}\n  {wanted}\n  {found}\n", test["input"]);
                    self.differences += &shown;
                }
            }
        }
    }
}

/// False if a string is invalid.
fn unescape_all(value: &mut Value) -> bool {
    match value {
        Value::String(text) => unescaped(text).is_some_and(|plain| {
            *text = plain;
            true
        }),
        Value::Array(values) => values.iter_mut().all(unescape_all),
        Value::Object(values) => values.values_mut().all(unescape_all),
        _ => true,
    }
}

#[test]
fn tokens_are_those_of_html5lib_tests() {
    let Some(folder) = html5lib("tokenizer") else {
        return;
    };
    let mut tally = Tally {
        passed: 0,
        left_out: 0,
        differences: String::new(),
    };
    for (_, text) in files(&folder, "test") {
        let tests: Value = serde_json::from_str(&text).unwrap_or_default();
        for test in tests["tests"].as_array().into_iter().flatten() {
            tally.test(test);
        }
    }

    assert_eq!(tally.differences, "");
    assert!(tally.passed >= PASSED, "{} pass", tally.passed);
    assert!(tally.left_out <= LEFT_OUT, "{} left out", tally.left_out);
}
