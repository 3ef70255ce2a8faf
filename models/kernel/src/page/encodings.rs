//! Bytes of a known charset to text, and the runs beyond ASCII.

use std::borrow::Cow;

use encoding_rs::Encoding;

/// The position of the first byte beyond ASCII; 32 bytes per step, because most of a page is ASCII.
pub fn first_beyond_ascii(bytes: &[u8]) -> Option<usize> {
    const STEP: usize = 32;
    let plain = bytes
        .chunks_exact(STEP)
        .take_while(|step| step.iter().fold(0, |all, byte| all | byte) < 0x80)
        .count()
        * STEP;
    let rest = &bytes[plain..];
    let found = rest.iter().position(|byte| !byte.is_ascii())?;
    Some(plain + found)
}

/// The text of a body in an encoding, and whether some of it is damaged.
pub fn read_as<'body>(encoding: &'static Encoding, body: &'body [u8]) -> (Cow<'body, str>, bool) {
    if encoding.is_single_byte() {
        let (text, is_damaged) = read_by_bytes(encoding, body);
        (Cow::Owned(text), is_damaged)
    } else {
        encoding.decode_without_bom_handling(body)
    }
}

/// The characters of the bytes from 128 on in a single-byte encoding.
pub fn characters(encoding: &'static Encoding) -> [char; 128] {
    let bytes: [u8; 128] = std::array::from_fn(|at| 0x80 | at as u8);
    let (text, _) = encoding.decode_without_bom_handling(&bytes);
    let mut characters = [char::REPLACEMENT_CHARACTER; 128];
    for (place, character) in characters.iter_mut().zip(text.chars()) {
        *place = character;
    }
    characters
}

/// The text in a single-byte encoding. ASCII, most of a page, is copied in one piece.
fn read_by_bytes(encoding: &'static Encoding, body: &[u8]) -> (String, bool) {
    let characters = characters(encoding);
    let mut text = String::with_capacity(body.len() + body.len() / 16);
    let mut is_damaged = false;
    let mut rest = body;
    while let Some(found) = first_beyond_ascii(rest) {
        let (plain, others) = rest.split_at(found);
        text.push_str(std::str::from_utf8(plain).unwrap_or_default());
        rest = others;
        while let Some((&byte @ 0x80.., behind)) = rest.split_first() {
            let character = characters[usize::from(byte & 0x7F)];
            is_damaged |= character == char::REPLACEMENT_CHARACTER;
            text.push(character);
            rest = behind;
        }
    }
    text.push_str(std::str::from_utf8(rest).unwrap_or_default());
    (text, is_damaged)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::charset::NAMES;

    #[test]
    fn charsets_of_single_bytes_are_read_as_encoding_rs_reads_them() {
        let all: Vec<u8> = (0..=u8::MAX).collect();
        let word =
            b"a plain text of some length: na\xefve \xd0\xd1\xd2 \x81\xa5\xdb\xff".as_slice();
        let labels = NAMES
            .iter()
            .map(|name| Encoding::for_label(name.as_bytes()));
        let single = labels
            .flatten()
            .filter(|encoding| encoding.is_single_byte());
        let mut number = 0;
        for encoding in single {
            number += 1;
            for body in [
                &[],
                all.as_slice(),
                word,
                &word[..20],
                &[word, &all].concat(),
            ] {
                let expected = encoding.decode_without_bom_handling(body);

                assert_eq!(read_as(encoding, body), expected, "{}", encoding.name());
            }
        }
        assert_eq!(number, 29);
    }
}
