//! What a byte of a text begins: a word, a mark, white space, or a character beyond ASCII.

/// What a byte begins.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Byte {
    Space,
    Word,
    Mark,
    Wide,
}

const BYTES: [Byte; 256] = {
    let mut table = [Byte::Mark; 256];
    let mut value = 0;
    while value < 256 {
        let byte = value as u8;
        table[value] = if byte >= 0x80 {
            Byte::Wide
        } else if byte.is_ascii_alphanumeric() {
            Byte::Word
        } else if byte <= b' ' || byte == 0x7f {
            Byte::Space
        } else {
            Byte::Mark
        };
        value += 1;
    }
    table
};

/// What begins at `at`; behind the end there is white space.
#[inline]
pub fn kind(bytes: &[u8], at: usize) -> Byte {
    bytes
        .get(at)
        .map_or(Byte::Space, |&byte| BYTES[usize::from(byte)])
}
