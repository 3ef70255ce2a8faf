//! The stream from which Next.js renders pages since version 13 -> its values.
//!
//! Scripts push pieces of text, `self.__next_f.push([1,"..."])`. Joined, they are rows of React's
//! Flight format: a hexadecimal number, a colon, and JSON up to the end of the line, or `T`, a
//! length in bytes and a text. Rows of code, hints and bytes begin with other letters. In JSON,
//! `"$5"`, `"$L5"` and `"$@5"` refer to row 5, `"$$"` is a dollar, and `["$", tag, key,
//! properties]` is an element.

use std::collections::HashMap;

use serde_json::{Deserializer, Map, Value};

const PUSH: &str = "self.__next_f.push(";
/// Kinds of rows with a length in bytes: text and binary data.
const WITH_LENGTH: &str = "TAOoUSsLlGgMmVb";
/// Elements that never hold sentences of the article.
const NO_TEXT: [&str; 16] = [
    "aside", "button", "footer", "form", "head", "iframe", "label", "link", "meta", "nav",
    "noscript", "script", "select", "style", "svg", "title",
];

/// The text that a script pushes; empty if there is none.
#[must_use]
pub fn pushed(script: &str) -> String {
    let mut all = String::new();
    let mut rest = script;
    while let Some(at) = rest.find(PUSH) {
        rest = &rest[at + PUSH.len()..];
        let mut values = Deserializer::from_str(rest).into_iter::<(u8, String)>();
        if let Some(Ok((1, text))) = values.next() {
            all.push_str(&text);
            rest = &rest[values.byte_offset()..];
        }
    }
    all
}

/// The values of the rows of a stream, by number; invalid rows are left out.
#[must_use]
pub fn rows(stream: &str) -> HashMap<u64, Value> {
    let mut rows = HashMap::new();
    let mut rest = stream;
    while let Some((number, row)) = rest.split_once(':') {
        let number = u64::from_str_radix(number.trim(), 16);
        let kind = row.chars().next().unwrap_or_default();
        let value = if WITH_LENGTH.contains(kind) {
            let Some((text, behind)) = with_length(&row[1..]) else {
                break;
            };
            rest = behind;
            (kind == 'T').then(|| Value::String(text.to_owned()))
        } else {
            let (line, behind) = row.split_once('\n').unwrap_or((row, ""));
            rest = behind;
            serde_json::from_str(line).ok()
        };
        if let (Ok(number), Some(value)) = (number, value) {
            rows.entry(number).or_insert(value);
        }
    }
    rows
}

/// A text preceded by its length, and the rest after it.
fn with_length(row: &str) -> Option<(&str, &str)> {
    let (length, rest) = row.split_once(',')?;
    rest.split_at_checked(usize::from_str_radix(length, 16).ok()?)
}

/// The meaning of a JSON string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning<'a> {
    Text(&'a str),
    /// The value of a row.
    Row(u64),
    /// Code, or a value without text.
    Else,
}

impl<'a> Meaning<'a> {
    /// Empty for any other string.
    #[must_use]
    pub fn text(self) -> &'a str {
        if let Self::Text(text) = self {
            text
        } else {
            ""
        }
    }
}

#[must_use]
pub fn meaning(text: &str) -> Meaning<'_> {
    match text.strip_prefix('$') {
        None => Meaning::Text(text),
        Some(dollar) if dollar.starts_with('$') => Meaning::Text(dollar),
        Some(name) => {
            let number = name.strip_prefix(['L', '@']).unwrap_or(name);
            u64::from_str_radix(number, 16).map_or(Meaning::Else, Meaning::Row)
        }
    }
}

/// An element of a page, or a component that a script renders.
#[derive(Clone, Copy, Debug)]
pub struct Element<'a> {
    tag: &'a str,
    pub properties: &'a Map<String, Value>,
}

impl<'a> Element<'a> {
    /// The element that a value encodes, if it is one.
    #[must_use]
    pub fn of(value: &'a [Value]) -> Option<Self> {
        match value {
            [
                Value::String(sign),
                Value::String(tag),
                _,
                Value::Object(properties),
                ..,
            ] if sign == "$" => Some(Self { tag, properties }),
            _ => None,
        }
    }

    #[must_use]
    pub fn is_without_text(&self) -> bool {
        NO_TEXT.contains(&self.tag)
    }

    #[must_use]
    pub fn breaks_line(&self) -> bool {
        self.tag == "br"
    }

    /// Whether a property may hold text: any one of a component, else only the children.
    #[must_use]
    pub fn shows(&self, property: &str) -> bool {
        self.tag.starts_with('$') || matches!(property, "children" | "dangerouslySetInnerHTML")
    }

    /// The children, unless the element is never part of an article.
    #[must_use]
    pub fn children(&self) -> Option<&'a Value> {
        let children = self.properties.get("children");
        children.filter(|_| !self.is_without_text())
    }

    /// The children, if there is text next to other elements.
    #[must_use]
    pub fn mixed(&self) -> Option<&'a [Value]> {
        let children = self.children()?.as_array()?;
        let is_text = |value: &Value| {
            let text = value.as_str().map_or("", |text| meaning(text).text());
            !text.trim().is_empty()
        };
        (Self::of(children).is_none() && children.iter().any(is_text)).then_some(children)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_scripts_push_is_read() {
        for (script, expected) in [
            (r#"self.__next_f.push([1,"1:\"a\"\n"])"#, "1:\"a\"\n"),
            (
                r#"self.__next_f.push([1,"self.__next_f.push([1,2])"]);self.__next_f.push([1,"b"])"#,
                "self.__next_f.push([1,2])b",
            ),
            ("(self.__next_f=self.__next_f||[]).push([0])", ""),
            ("self.__next_f.push([2,null]);self.__next_f.push([1,", ""),
            ("self.__next_f.push(", ""),
            ("", ""),
        ] {
            assert_eq!(pushed(script), expected, "{script}");
        }
    }

    #[test]
    fn rows_have_values_and_texts() {
        let stream = "0:{\"a\":\"$1\"}\n1:T6,a\nb:éc:I[\"code\"]\n2:HL[1]\nd:[1]\n1:2\ne:\"open";
        let found = rows(stream);

        assert_eq!(found.len(), 3);
        assert_eq!(found[&1], "a\nb:é");
        assert_eq!(found[&13], serde_json::json!([1]));
    }

    #[test]
    fn broken_streams_end() {
        for stream in [
            "",
            ":",
            "::::",
            "1:T",
            "1:T5",
            "1:Tffffffffffffffff,a",
            "1:T1,é",
            "x:1\ny:2",
        ] {
            assert_eq!(rows(stream).len(), 0, "{stream}");
        }
    }

    #[test]
    fn texts_stand_for_themselves_or_for_rows() {
        for (text, expected) in [
            ("a $5", Meaning::Text("a $5")),
            ("$$5", Meaning::Text("$5")),
            ("$L1f", Meaning::Row(31)),
            ("$@a", Meaning::Row(10)),
            ("$undefined", Meaning::Else),
            ("$", Meaning::Else),
            ("$5:props:children", Meaning::Else),
        ] {
            assert_eq!(meaning(text), expected, "{text}");
        }
    }
}
