//! Classes of the first byte of a token: a word, a mark, white space, or a character beyond ASCII.

/// The class of a first byte.
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

/// The class of the byte at `at`; after the end there is white space.
#[inline]
pub fn kind(bytes: &[u8], at: usize) -> Byte {
    bytes
        .get(at)
        .map_or(Byte::Space, |&byte| BYTES[usize::from(byte)])
}
