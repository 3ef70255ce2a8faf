//! The tables of a deflate block: Huffman codes -> entries of 32 bits.

/// Bits that index the table of literals and lengths, and the table of distances.
pub(super) const LITERAL_BITS: u32 = 11;
pub(super) const DISTANCE_BITS: u32 = 8;

// the largest tables that complete codes of 15 bits need (zlib's `enough 288 11 15`, `enough 32 8 15`)
const LITERAL_ENTRIES: usize = 2342;
const DISTANCE_ENTRIES: usize = 402;
const LENGTH_ENTRIES: usize = 128;

// An entry: bits 0 to 7 are the bits to take from the stream, code and extra bits together; bits 8
// to 11 the length of the code; bits 16 to 31 a literal, a base, or the place of a further table,
// whose index has the bits 8 to 11.
pub(super) const LITERAL: u32 = 1 << 12;
pub(super) const FURTHER: u32 = 1 << 13;
pub(super) const END: u32 = 1 << 14;
/// No code has these bits.
pub(super) const WRONG: u32 = 1 << 15;

const LENGTH_BASES: [u16; 29] = [
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131,
    163, 195, 227, 258,
];
const LENGTH_EXTRA: [u8; 29] = [
    0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
];
const DISTANCE_BASES: [u16; 30] = [
    1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537,
    2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577,
];

/// The codes of a block.
pub(super) struct Tables {
    pub literals: [u32; LITERAL_ENTRIES],
    pub distances: [u32; DISTANCE_ENTRIES],
    /// Lengths of codes, while the header of a block is read.
    pub lengths: [u32; LENGTH_ENTRIES],
}

impl Tables {
    pub(super) fn new() -> Self {
        Self {
            literals: [WRONG; LITERAL_ENTRIES],
            distances: [WRONG; DISTANCE_ENTRIES],
            lengths: [WRONG; LENGTH_ENTRIES],
        }
    }

    /// The codes of a block without codes of its own.
    pub(super) fn set_fixed(&mut self) -> bool {
        let mut lengths = [8u8; 288];
        lengths[144..256].fill(9);
        lengths[256..280].fill(7);
        self.set(&lengths, &[5; 32])
    }

    /// Whether the lengths of codes are valid.
    pub(super) fn set(&mut self, literals: &[u8], distances: &[u8]) -> bool {
        fill(&mut self.literals, LITERAL_BITS, literals, literal_entry)
            && fill(
                &mut self.distances,
                DISTANCE_BITS,
                distances,
                distance_entry,
            )
    }

    pub(super) fn set_lengths(&mut self, lengths: &[u8; 19]) -> bool {
        lengths.iter().filter(|&&length| length > 0).count() > 1
            && fill(&mut self.lengths, 7, lengths, |symbol| {
                LITERAL | (symbol as u32) << 16
            })
    }
}

fn literal_entry(symbol: usize) -> u32 {
    match symbol {
        0..256 => LITERAL | (symbol as u32) << 16,
        256 => END,
        _ => match (
            LENGTH_BASES.get(symbol - 257),
            LENGTH_EXTRA.get(symbol - 257),
        ) {
            (Some(&base), Some(&extra)) => u32::from(base) << 16 | u32::from(extra),
            _ => WRONG,
        },
    }
}

fn distance_entry(symbol: usize) -> u32 {
    let extra = (symbol as u32 / 2).saturating_sub(1);
    DISTANCE_BASES
        .get(symbol)
        .map_or(WRONG, |&base| u32::from(base) << 16 | extra)
}

/// Fill a table for codes of these lengths; false if they are not a prefix code. As in zlib, a
/// single code of one bit and no code at all are accepted too.
fn fill(table: &mut [u32], bits: u32, lengths: &[u8], entry: impl Fn(usize) -> u32) -> bool {
    let mut counts = [0u16; 16];
    for &length in lengths {
        counts[usize::from(length & 15)] += 1;
    }
    counts[0] = 0;
    let mut starts = [0u16; 16]; // of the symbols of a length
    let mut left = 1i32;
    for length in 1..16 {
        left = 2 * left - i32::from(counts[length]);
        if left < 0 {
            return false;
        }
        starts[length] = starts[length - 1] + counts[length - 1];
    }
    let used = starts[15] + counts[15];
    if left > 0 && (used > 1 || used == 1 && counts[1] == 0) {
        return false;
    }
    if left > 0 {
        table[..1 << bits].fill(WRONG);
    }
    let mut sorted = [0u16; 288];
    for (symbol, &length) in lengths
        .iter()
        .enumerate()
        .filter(|(_, length)| **length > 0)
    {
        let start = &mut starts[usize::from(length & 15)];
        sorted[usize::from(*start)] = symbol as u16;
        *start += 1;
    }
    write(table, bits, &counts, &sorted[..usize::from(used)], entry);
    true
}

fn write(
    table: &mut [u32],
    bits: u32,
    counts: &[u16; 16],
    sorted: &[u16],
    entry: impl Fn(usize) -> u32,
) {
    let main = 1usize << bits;
    let mut code = 0u32; // its first bit is the highest
    let mut next = main; // of the further tables
    let (mut prefix, mut at, mut width) = (usize::MAX, 0usize, 0u32);
    let mut left = *counts;
    let mut length = 1u32;
    for &symbol in sorted {
        while left[length as usize] == 0 {
            length += 1;
            code <<= 1;
        }
        let made = entry(usize::from(symbol));
        let reversed = (code.reverse_bits() >> (32 - length)) as usize;
        if length <= bits {
            let value = made + (length << 8) + length;
            for place in (reversed..main).step_by(1 << length) {
                table[place] = value;
            }
        } else {
            let low = reversed & (main - 1);
            if low != prefix {
                prefix = low;
                at = next;
                width = further_bits(&left, length, bits);
                next += 1 << width;
                table[low] = FURTHER | (at as u32) << 16 | width << 8 | bits;
            }
            let rest = length - bits;
            let value = made + (rest << 8) + rest;
            for place in ((reversed >> bits)..1 << width).step_by(1 << rest) {
                table[at + place] = value;
            }
        }
        left[length as usize] -= 1;
        code += 1;
    }
}

/// Bits that index the further table whose first code has a length.
fn further_bits(left: &[u16; 16], length: u32, bits: u32) -> u32 {
    let mut width = length - bits;
    let mut filled = i32::from(left[length as usize]);
    while filled < 1 << width && bits + width < 15 {
        width += 1;
        filled = 2 * filled + i32::from(left[(bits + width) as usize]);
    }
    width
}
