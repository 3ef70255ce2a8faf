//! Characters that are copied, are white space, or are dropped, by their bytes.

/// The treatment of one character.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Act {
    Keep,
    Space,
    Drop,
}

/// The class of a first byte.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Class {
    Plain,
    Space,
    Drop,
    /// First byte of a character of which some are spaces or invisible.
    Lead,
}

/// The class of each byte.
pub static CLASSES: [Class; 256] = classes();

const fn classes() -> [Class; 256] {
    let mut table = [Class::Plain; 256];
    let mut byte = 0;
    while byte < 0x20 {
        table[byte] = Class::Drop;
        byte += 1;
    }
    table[b'\t' as usize] = Class::Space;
    table[b'\n' as usize] = Class::Space;
    table[0x0C] = Class::Space;
    table[b'\r' as usize] = Class::Space;
    table[b' ' as usize] = Class::Space;
    table[0x7F] = Class::Drop;
    table[0xC2] = Class::Lead;
    table[0xE1] = Class::Lead;
    table[0xE2] = Class::Lead;
    table[0xE3] = Class::Lead;
    table[0xEF] = Class::Lead;
    table[0xF3] = Class::Lead;
    table
}

/// The treatment of a character whose first byte is a [`Class::Lead`], and its length in bytes.
pub fn lead_act(rest: &[u8]) -> (Act, usize) {
    match *rest {
        [0xC2, 0x85 | 0xA0, ..] => (Act::Space, 2),
        [0xC2, 0x80..=0x9F | 0xAD, ..] => (Act::Drop, 2),
        [0xC2, _, ..] => (Act::Keep, 2),
        [0xE1, 0x9A, 0x80, ..]
        | [0xE2, 0x80, 0x80..=0x8A | 0xA8 | 0xA9 | 0xAF, ..]
        | [0xE2, 0x81, 0x9F, ..]
        | [0xE3, 0x80, 0x80, ..] => (Act::Space, 3),
        // U+200B; embeddings and overrides of direction; U+2060 to U+206F: word joiner, invisible
        // operators, isolates of direction, deprecated ones; marks of annotations; U+FEFF
        [0xE2, 0x80, 0x8B | 0xAA..=0xAE, ..]
        | [0xE2, 0x81, 0xA0..=0xAF, ..]
        | [0xEF, 0xBF, 0xB9..=0xBB, ..]
        | [0xEF, 0xBB, 0xBF, ..] => (Act::Drop, 3),
        // tags: text that is invisible
        [0xF3, 0xA0, 0x80 | 0x81, _, ..] => (Act::Drop, 4),
        [0xF3, _, _, _, ..] => (Act::Keep, 4),
        [_, _, _, ..] => (Act::Keep, 3),
        _ => (Act::Keep, rest.len()),
    }
}

/// Whether a character is always dropped.
#[must_use]
pub fn is_invisible(character: char) -> bool {
    let mut bytes = [0; 4];
    let bytes = character.encode_utf8(&mut bytes).as_bytes();
    match CLASSES[bytes[0] as usize] {
        Class::Drop => true,
        Class::Lead => lead_act(bytes).0 == Act::Drop,
        Class::Plain | Class::Space => false,
    }
}
