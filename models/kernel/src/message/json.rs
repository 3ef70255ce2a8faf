//! The members of an object, written as JSON when they are added.

use std::ops::Range;

use serde_json::Value;

/// Members in any order, each name once.
#[derive(Clone, Default)]
pub struct Members<'m> {
    values: Vec<u8>,
    places: Vec<(&'m str, Range<usize>)>,
}

impl<'m> Members<'m> {
    pub fn put(&mut self, name: &'m str, value: &Value) {
        self.add(name, |json| {
            // keys are strings, and writing to a vector cannot fail
            let _ = serde_json::to_writer(json, value);
        });
    }

    pub fn put_text(&mut self, name: &'m str, value: &str) {
        self.add(name, |json| push_text(json, value));
    }

    fn add(&mut self, name: &'m str, write: impl FnOnce(&mut Vec<u8>)) {
        let start = self.values.len();
        write(&mut self.values);
        self.places.push((name, start..self.values.len()));
    }

    /// The object with its members sorted by name, and where the first one after a name begins.
    #[must_use]
    pub fn object(mut self, name: &str) -> (Vec<u8>, usize) {
        // quotes, colon and comma of a member
        const MARKS: usize = 4;
        self.places.sort_unstable_by_key(|(name, _)| *name);
        let names = self.places.iter().map(|(name, _)| name.len() + MARKS);
        let mut json = Vec::with_capacity(self.values.len() + names.sum::<usize>() + 2);
        let mut after = None;
        json.push(b'{');
        for (number, (own, place)) in self.places.into_iter().enumerate() {
            if number > 0 {
                json.push(b',');
            }
            if own > name {
                after.get_or_insert(json.len());
            }
            json.push(b'"');
            json.extend_from_slice(own.as_bytes());
            json.extend_from_slice(b"\":");
            json.extend_from_slice(&self.values[place]);
        }
        json.push(b'}');
        let after = after.unwrap_or(json.len());
        (json, after)
    }
}

/// Bytes that are looked at together for one that needs an escape.
const AT_ONCE: usize = 32;

/// Adds a string as `serde_json` does.
fn push_text(json: &mut Vec<u8>, text: &str) {
    const DIGITS: [u8; 16] = *b"0123456789abcdef";
    json.reserve(text.len() + 2);
    json.push(b'"');
    let mut rest = text.as_bytes();
    while let Some(plain) = first_escaped(rest) {
        json.extend_from_slice(&rest[..plain]);
        let byte = rest[plain];
        match byte {
            b'"' | b'\\' => json.extend([b'\\', byte]),
            b'\n' => json.extend(b"\\n"),
            b'\t' => json.extend(b"\\t"),
            b'\r' => json.extend(b"\\r"),
            b'\x08' => json.extend(b"\\b"),
            b'\x0c' => json.extend(b"\\f"),
            _ => {
                json.extend(b"\\u00");
                json.extend([byte >> 4, byte & 15].map(|digit| DIGITS[usize::from(digit)]));
            }
        }
        rest = &rest[plain + 1..];
    }
    json.extend_from_slice(rest);
    json.push(b'"');
}

/// The place of the first byte that needs an escape.
fn first_escaped(text: &[u8]) -> Option<usize> {
    let is_escaped = |byte: &u8| *byte < b' ' || matches!(byte, b'"' | b'\\');
    let has_none = |bytes: &&[u8]| {
        // no early end: all bytes are compared at once
        let found = bytes
            .iter()
            .fold(false, |found, byte| found | is_escaped(byte));
        bytes.len() == AT_ONCE && !found
    };
    let skipped = AT_ONCE * text.chunks(AT_ONCE).take_while(has_none).count();
    let found = text[skipped..].iter().position(is_escaped)?;
    Some(skipped + found)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn texts_are_written_as_by_serde_json() {
        let controls: String = (0..0x80_u8).map(char::from).collect();
        let long = "plain text, ".repeat(20);
        let mut texts = vec![
            String::new(),
            controls,
            format!("{long}\"\u{2028}é\n{long}"),
        ];
        texts.extend((0..2 * AT_ONCE).map(|at| format!("{}\\{}", &long[..at], &long[..at / 2])));
        for text in texts {
            let mut json = Vec::new();

            push_text(&mut json, &text);

            assert_eq!(json, serde_json::to_vec(&text).unwrap(), "{text}");
        }
    }

    #[test]
    fn members_are_sorted_and_the_place_after_a_name_is_known() {
        let mut members = Members::default();
        members.put("words", &json!(3));
        members.put_text("a", "b");
        members.put("null", &json!(f64::INFINITY));

        let (json, after) = members.clone().object("o");

        assert_eq!(json, br#"{"a":"b","null":null,"words":3}"#);
        assert_eq!(&json[after..], br#""words":3}"#);
        assert_eq!(members.object("x").1, json.len());
    }
}
