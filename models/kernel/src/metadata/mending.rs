//! Broken JSON of pages -> JSON.
//!
//! Linked data is in scripts, and templates write it like scripts: inside of CDATA or comments,
//! with comments, ended by `;`, several objects in a row, with names without quotes, strings in
//! single quotes, commas before brackets, raw line breaks and quotes inside of strings. Each script
//! is read once from start to end.

use std::borrow::Cow;

/// Values read per script.
const MAX_VALUES: usize = 1000;

/// The objects and lists of a script, each as JSON; irreparable parts are left unchanged.
#[must_use]
pub fn mended(script: &str) -> Vec<String> {
    let script = unescaped(script);
    let mut mender = Mender {
        rest: &script,
        ..Mender::default()
    };
    while mender.values.len() < MAX_VALUES && mender.step() {}
    mender.finish()
}

/// A script with HTML-escaped quotes, which browsers do not decode inside of scripts.
fn unescaped(script: &str) -> Cow<'_, str> {
    let is_escaped = match (script.find("&quot;"), script.find('"')) {
        (Some(escaped), Some(plain)) => escaped < plain,
        (escaped, None) => escaped.is_some(),
        _ => false,
    };
    if is_escaped {
        htmlize::unescape(script)
    } else {
        Cow::Borrowed(script)
    }
}

#[derive(Default)]
struct Mender<'a> {
    rest: &'a str,
    depth: usize,
    /// The brackets that end the open objects and lists.
    ends: Vec<char>,
    /// The script ends inside of a string.
    is_cut: bool,
    /// The current value.
    made: String,
    values: Vec<String>,
}

impl<'a> Mender<'a> {
    /// Read one token; false at the end of the script.
    fn step(&mut self) -> bool {
        let Some(sign) = self.rest.chars().next() else {
            return false;
        };
        match sign {
            '"' => self.string('"'),
            '\'' if self.made.ends_with(['{', '[', ',', ':', '"', '}', ']']) => self.string('\''),
            '{' if self.rest.starts_with("{{") => self.skip_past("}}"),
            '{' if self.rest.starts_with("{%") => self.skip_past("%}"),
            '{' | '[' => self.open(sign),
            '}' | ']' => self.close(sign),
            ',' | ':' => self.part(sign),
            '/' | '<' | '-' if self.is_border() => {}
            '<' => self.skip_past(">"), // a tag
            _ if is_of_word(sign) => self.word(),
            _ => self.skip(sign.len_utf8()),
        }
        true
    }

    /// The values, the last one with the brackets that a template forgot at its end.
    fn finish(mut self) -> Vec<String> {
        if self.depth > 0 && !self.is_cut && self.made.ends_with(['}', ']', '"']) {
            self.made.extend(self.ends.iter().rev());
            self.values.push(self.made);
        }
        self.values
    }

    fn skip(&mut self, bytes: usize) {
        self.rest = self.rest.get(bytes..).unwrap_or_default();
    }

    /// Skip until after some text, or to the end.
    fn skip_past(&mut self, text: &str) {
        let end = self.rest.find(text);
        self.skip(end.map_or(self.rest.len(), |at| at + text.len()));
    }

    fn open(&mut self, sign: char) {
        self.made.push(sign);
        self.ends.push(if sign == '{' { '}' } else { ']' });
        self.depth += 1;
        self.skip(1);
    }

    fn close(&mut self, sign: char) {
        if sign == ']' && self.rest.starts_with("]]>") {
            return self.skip(3);
        }
        self.skip(1);
        if self.depth == 0 {
            return;
        }
        self.end_member();
        self.made.push(sign);
        self.ends.pop();
        self.depth -= 1;
        if self.depth == 0 {
            self.values.push(std::mem::take(&mut self.made));
        }
    }

    /// A comma or a colon; superfluous commas are left out.
    fn part(&mut self, sign: char) {
        self.skip(1);
        if self.depth == 0 {
            return;
        }
        if sign == ',' {
            self.end_member();
            if self.made.ends_with(['{', '[']) {
                return;
            }
        }
        self.made.push(sign);
    }

    /// End a member before a comma or a bracket: a name without a value gets `null`.
    fn end_member(&mut self) {
        if self.made.ends_with(':') {
            self.made.push_str("null");
        } else if self.made.ends_with(',') {
            self.made.pop();
        }
    }

    /// Skip a comment, or the beginning or end of CDATA or a comment.
    fn is_border(&mut self) -> bool {
        let lead = match self.rest.strip_prefix("//") {
            Some(rest) => rest.len() - rest.trim_start_matches([' ', '\t']).len() + 2,
            None => 0,
        };
        let after = &self.rest[lead..];
        let border = ["<![CDATA[", "]]>", "-->", "<!--"]
            .into_iter()
            .find(|border| after.starts_with(border));
        if let Some(border) = border {
            self.skip(lead + border.len());
            if border == "<!--" && !self.rest.trim_start().starts_with(['{', '[', '<', '/']) {
                self.skip_past("-->");
            }
        } else if lead > 0 {
            self.skip_past("\n");
        } else if self.rest.starts_with("/*") {
            self.skip_past("*/");
        } else {
            return false;
        }
        true
    }

    /// A number, or a name: a member's name gets quotes, others unknown to JSON become `null`.
    fn word(&mut self) {
        let end = self.rest.find(|sign| !is_of_word(sign));
        let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        if self.depth == 0 {
            return;
        }
        let is_number = || word.starts_with(|sign: char| sign.is_ascii_digit());
        if self.made.ends_with(is_of_word) {
            self.made.push(' '); // two words without a comma are not a value
        }
        let is_json = serde_json::from_str::<serde_json::Value>(word).is_ok();
        if self.made.ends_with(['{', ',']) && starts_value(rest) {
            self.made.extend(["\"", word, "\""]);
        } else if is_json {
            self.made.push_str(word);
        } else if is_number() {
            self.made.extend(["\"", word, "\""]); // a date, or a number that begins with zeros
        } else {
            self.made.push_str("null");
        }
    }

    /// A string: raw controls become spaces, and quotes that do not end it are escaped.
    fn string(&mut self, quote: char) {
        self.skip(1);
        let is_kept = self.depth > 0;
        if self.made.ends_with(['}', ']', '"']) {
            self.made.push(','); // the comma is missing
        }
        let from = self.made.len();
        self.made.push('"');
        self.is_cut = true;
        while let Some(sign) = self.rest.chars().next() {
            match sign {
                sign if sign == quote && self.ends_string(quote) => {
                    self.skip(1);
                    self.is_cut = false;
                    break;
                }
                '"' => self.made.push_str("\\\""),
                '\\' => {
                    self.escape();
                    continue;
                }
                sign if sign < ' ' => self.made.push(' '),
                sign => self.made.push(sign),
            }
            self.skip(sign.len_utf8());
        }
        self.made.push('"');
        if !is_kept {
            self.made.truncate(from);
        }
    }

    /// Whether a quote ends a string: the text after it continues the object or the list.
    fn ends_string(&self, quote: char) -> bool {
        let rest = &self.rest[1..];
        let after = rest.trim_start();
        if let (Some(next), '\'') = (after.strip_prefix(','), quote) {
            return starts_member(next.trim_start()); // `the bees', she said`
        }
        let is_next_line = || rest[..rest.len() - after.len()].contains('\n');
        after.is_empty()
            || self.depth == 0
            || after.starts_with([',', ':', '}', ']', '/', '<'])
            || after.starts_with(quote) && is_next_line()
    }

    /// An escape; one unknown to JSON, or half a character, is replaced by a valid one.
    fn escape(&mut self) {
        let (kept, bytes) = escape(self.rest);
        self.made.push_str(kept);
        self.skip(bytes);
    }
}

/// The replacement of the escape at the start of a text, and the length of the escape.
fn escape(text: &str) -> (&str, usize) {
    let sign = text[1..].chars().next();
    match sign {
        Some('"' | '\\' | '/' | 'b' | 'f' | 'n' | 'r' | 't') => (&text[..2], 2),
        Some('\'') => ("'", 2),
        Some('u') => match (unit(text), text.get(6..).and_then(unit)) {
            (None, _) => ("\\\\", 1),
            (Some(0xd800..0xdc00), Some(0xdc00..0xe000)) => (&text[..12], 12),
            (Some(0xd800..0xe000), _) => (r"\ufffd", 6),
            (Some(_), _) => (&text[..6], 6),
        },
        _ => ("\\\\", 1),
    }
}

/// The number in `\u` with four digits.
fn unit(text: &str) -> Option<u32> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    let is_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hex.then(|| u32::from_str_radix(digits, 16).ok())?
}

/// Whether a text after a comma is the next member or value.
fn starts_member(text: &str) -> bool {
    let rest = text.trim_start_matches(is_of_word);
    let is_number = || text.starts_with(|sign: char| sign.is_ascii_digit());
    text.is_empty()
        || text.starts_with(['\'', '"', '{', '[', '}', ']', '/'])
        || is_number()
        || rest.len() < text.len() && starts_value(rest)
}

/// Whether a text after a name begins its value.
fn starts_value(text: &str) -> bool {
    text.trim_start().starts_with(':')
}

fn is_of_word(sign: char) -> bool {
    sign.is_ascii_alphanumeric() || matches!(sign, '-' | '+' | '.' | '_' | '$')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_are_mended_as_they_stand_in_the_wild() {
        for (script, expected) in [
            (r#"{"a": 1};"#, r#"{"a":1}"#),
            ("\u{feff}{\"a\": 1}", r#"{"a":1}"#),
            ("//<![CDATA[\n{\"a\": 1}\n//]]>", r#"{"a":1}"#),
            ("// <![CDATA[ {\"a\": [1]} // ]]>", r#"{"a":[1]}"#),
            ("/*<![CDATA[*/{\"a\": [[1]]}/*]]>*/", r#"{"a":[[1]]}"#),
            ("<![CDATA[{\"a\": 1}]]>", r#"{"a":1}"#),
            ("<!--\n{\"a\": 1}\n-->", r#"{"a":1}"#),
            ("<!-- a note {} -->{\"a\": 1}", r#"{"a":1}"#),
            ("// a note\n{\"a\": 1, // \"b\": 2\n}", r#"{"a":1}"#),
            (
                "{/* \"b\": 2, */\"a\": \"/* kept */\"}",
                r#"{"a":"/* kept */"}"#,
            ),
            (r#"var data = {"a": -1.5e3, "b": "#, ""),
            (r#"data = {"a": -1.5e3}; send(data)"#, r#"{"a":-1.5e3}"#),
            (r#"{"a": [1, 2,], }"#, r#"{"a":[1,2]}"#),
            (
                r#"{"a": [,1,, 2], "b": , "c": undefined}"#,
                r#"{"a":[1,2],"b":null,"c":null}"#,
            ),
            ("{\"a\": \"b\n\tc\"}", r#"{"a":"b  c"}"#),
            (
                r#"{"a": "the "best" bees", "b": 1}"#,
                r#"{"a":"the \"best\" bees","b":1}"#,
            ),
            (
                r#"{"a": "it\'s \x \u12 \\"}"#,
                r#"{"a":"it's \\x \\u12 \\"}"#,
            ),
            (
                r#"{"a": "\ud83d\uDC1D \ud83d b"}"#,
                r#"{"a":"\ud83d\uDC1D \ufffd b"}"#,
            ),
            (
                "{&quot;a&quot;: &quot;b &amp;amp; c&quot;}",
                r#"{"a":"b &amp; c"}"#,
            ),
            (r#"{"a": "http://b//c"}"#, r#"{"a":"http://b//c"}"#),
            (
                "{\"a\": {\"b\": 1} \"c\": [2]\n\"d\": \"e\"\n \"f\": 3}",
                r#"{"a":{"b":1},"c":[2],"d":"e","f":3}"#,
            ),
            (
                r#"{"a": 0123, "b": 2025-05-03, "c": 0.5, "d": -.5}"#,
                r#"{"a":"0123","b":"2025-05-03","c":0.5,"d":null}"#,
            ),
            (
                r#"{"a": {{ page.image }}, {% if b %}"b": 1{% endif %}}"#,
                r#"{"a":null,"b":1}"#,
            ),
            ("{\"a\": 1,<br>\"b\": 2}</p>", r#"{"a":1,"b":2}"#),
            (r#"[{"a": {"b": [1]}"#, r#"[{"a":{"b":[1]}}]"#),
            (r#"{"a": "b", "c": "d"#, ""),
            (r#"{"a": "b", "c": "#, ""),
            (
                r#"{'a': {'b': 'c'}, 'd': ['e', 1], 'f': "g"}"#,
                r#"{"a":{"b":"c"},"d":["e",1],"f":"g"}"#,
            ),
            (
                r#"{'a': 'Ada's "hive"', 'b': 'it\'s', c: 'the bees', 'd': 'they', she said'}"#,
                r#"{"a":"Ada's \"hive\"","b":"it's","c":"the bees","d":"they', she said"}"#,
            ),
            (
                r#"{a: 1, b : {c: "d"}, "e": f, g: true}"#,
                r#"{"a":1,"b":{"c":"d"},"e":null,"g":true}"#,
            ),
            ("{'a': 'b'\n'c': 'd'}", r#"{"a":"b","c":"d"}"#),
            ("it's {\"a\": 1, 'b", ""),
            ("]]}} 7 \"{}\"", ""),
            ("", ""),
        ] {
            assert_eq!(mended(script).concat(), expected, "{script}");
        }
        assert_eq!(
            mended("{\"a\": 1}\n{\"b\": 2},[3]"),
            [r#"{"a":1}"#, r#"{"b":2}"#, "[3]"]
        );
    }
}
