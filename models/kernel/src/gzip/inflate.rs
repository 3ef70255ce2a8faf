//! Deflate: compressed bytes -> bytes, in pieces of any size, at a cost that grows with both.

use super::codes::{DISTANCE_BITS, END, FURTHER, LITERAL, LITERAL_BITS, Tables, WRONG};

/// The largest distance: the caller keeps this many bytes of the output.
pub(super) const WINDOW_BYTES: usize = 1 << 15;
/// A length is at most this.
pub(super) const LONGEST: usize = 258;
const COPIED: usize = 16; // bytes that a copy writes at once, of which the last may be too many
// what one round of the quick loop reads and writes at most
const ROUND_INPUT: usize = 24;
const ROUND_OUTPUT: usize = LONGEST + COPIED + 4;
const ORDER: [usize; 19] = [
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
];

/// Why inflating stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// All bytes of the input were used.
    Input,
    /// There is no place for what comes next.
    Output,
    /// The last block has ended.
    End,
    Damaged(&'static str),
}

#[derive(Clone, Copy)]
enum State {
    Block,
    Stored(usize),
    Codes,
    End,
}

/// The state between two calls.
pub(super) struct Inflate {
    tables: Tables,
    state: State,
    is_last: bool,
    bits: Bits,
}

/// Bits that were taken from the input; those above `count` may be the next ones, or zero.
#[derive(Clone, Copy)]
struct Bits {
    value: u64,
    count: u32,
}

impl Bits {
    fn refill(&mut self, input: &[u8], at: &mut usize) {
        if let Some(next) = input.get(*at..).and_then(|rest| rest.first_chunk::<8>()) {
            self.value |= u64::from_le_bytes(*next) << self.count;
            *at += ((63 - self.count) >> 3) as usize;
            self.count |= 56;
            return;
        }
        self.value &= (1 << self.count) - 1;
        while self.count < 56 && *at < input.len() {
            self.value |= u64::from(input[*at]) << self.count;
            self.count += 8;
            *at += 1;
        }
    }

    /// Refill where the input has eight bytes more.
    #[inline(always)]
    fn refill_from(&mut self, input: &[u8], at: &mut usize) {
        if let Some(next) = input.get(*at..).and_then(|rest| rest.first_chunk::<8>()) {
            self.value |= u64::from_le_bytes(*next) << self.count;
            *at += ((63 - self.count) >> 3) as usize;
            self.count |= 56;
        }
    }

    #[inline(always)]
    fn peek(self, count: u32) -> usize {
        (self.value & ((1 << count) - 1)) as usize
    }

    fn skip(&mut self, count: u32) {
        self.value >>= count;
        self.count -= count;
    }

    /// Take bits if there are enough.
    fn take(&mut self, count: u32) -> Result<usize, Stop> {
        if self.count < count {
            return Err(Stop::Input);
        }
        let taken = self.peek(count);
        self.skip(count);
        Ok(taken)
    }

    /// Give whole bytes back to the input.
    fn give_back(&mut self, at: &mut usize) {
        *at -= (self.count / 8) as usize;
        self.count %= 8;
        self.value &= (1 << self.count) - 1;
    }
}

/// The place in input and output.
struct Place {
    at: usize,
    end: usize,
}

impl Inflate {
    pub(super) fn new() -> Self {
        Self {
            tables: Tables::new(),
            state: State::Block,
            is_last: false,
            bits: Bits { value: 0, count: 0 },
        }
    }

    /// Begin another stream.
    pub(super) fn restart(&mut self) {
        self.state = State::Block;
        self.is_last = false;
        self.bits = Bits { value: 0, count: 0 };
    }

    /// Inflate from `input[*at..]` to `out[*end..]`, and move both on. The caller gives unused bytes
    /// of the input again.
    pub(super) fn run(
        &mut self,
        input: &[u8],
        at: &mut usize,
        out: &mut [u8],
        end: &mut usize,
    ) -> Stop {
        let mut place = Place { at: *at, end: *end };
        let stop = loop {
            let done = match self.state {
                State::Block => self.block(input, &mut place),
                State::Stored(left) => self.stored(left, input, &mut place, out),
                State::Codes => self.codes(input, &mut place, out),
                State::End => Err(Stop::End),
            };
            if let Err(stop) = done {
                break stop;
            }
        };
        self.bits.give_back(&mut place.at);
        (*at, *end) = (place.at, place.end);
        stop
    }

    fn next_block(&mut self) {
        self.state = if self.is_last {
            State::End
        } else {
            State::Block
        };
    }

    /// Read the header of a block; nothing of it is used until all of it is there.
    fn block(&mut self, input: &[u8], place: &mut Place) -> Result<(), Stop> {
        let (bits, at) = (self.bits, place.at);
        let read = self.header(input, place);
        if read == Err(Stop::Input) {
            self.bits = bits;
            place.at = at;
        }
        read
    }

    fn header(&mut self, input: &[u8], place: &mut Place) -> Result<(), Stop> {
        self.bits.refill(input, &mut place.at);
        let header = self.bits.take(3)?;
        self.state = match header >> 1 {
            0 => State::Stored(self.stored_bytes(input, place)?),
            1 => {
                self.tables.set_fixed();
                State::Codes
            }
            2 => {
                self.read_codes(input, place)?;
                State::Codes
            }
            _ => return Err(Stop::Damaged("a block of an unknown type")),
        };
        self.is_last = header & 1 == 1;
        Ok(())
    }

    fn stored_bytes(&mut self, input: &[u8], place: &mut Place) -> Result<usize, Stop> {
        self.bits.skip(self.bits.count % 8);
        self.bits.refill(input, &mut place.at);
        let (size, complement) = (self.bits.take(16)?, self.bits.take(16)?);
        if size ^ complement != 0xFFFF {
            return Err(Stop::Damaged("a stored block with a wrong length"));
        }
        Ok(size)
    }

    fn stored(
        &mut self,
        left: usize,
        input: &[u8],
        place: &mut Place,
        out: &mut [u8],
    ) -> Result<(), Stop> {
        self.bits.give_back(&mut place.at);
        let size = left.min(input.len() - place.at).min(out.len() - place.end);
        out[place.end..place.end + size].copy_from_slice(&input[place.at..place.at + size]);
        place.at += size;
        place.end += size;
        self.state = State::Stored(left - size);
        if size == left {
            self.next_block();
            Ok(())
        } else if place.at == input.len() {
            Err(Stop::Input)
        } else {
            Err(Stop::Output)
        }
    }

    /// Read the codes at the start of a block.
    fn read_codes(&mut self, input: &[u8], place: &mut Place) -> Result<(), Stop> {
        self.bits.refill(input, &mut place.at);
        let literals = 257 + self.bits.take(5)?;
        let distances = 1 + self.bits.take(5)?;
        let named = 4 + self.bits.take(4)?;
        if literals > 286 || distances > 30 {
            return Err(Stop::Damaged("too many codes"));
        }
        let mut lengths = [0u8; 19];
        for &symbol in &ORDER[..named] {
            self.bits.refill(input, &mut place.at);
            lengths[symbol] = self.bits.take(3)? as u8;
        }
        if !self.tables.set_lengths(&lengths) {
            return Err(Stop::Damaged("wrong lengths of codes"));
        }
        let mut lengths = [0u8; 286 + 30];
        self.read_lengths(input, place, &mut lengths[..literals + distances])?;
        let (of_literals, of_distances) = lengths[..literals + distances].split_at(literals);
        if of_literals[256] == 0 || !self.tables.set(of_literals, of_distances) {
            return Err(Stop::Damaged("wrong codes"));
        }
        Ok(())
    }

    fn read_lengths(
        &mut self,
        input: &[u8],
        place: &mut Place,
        lengths: &mut [u8],
    ) -> Result<(), Stop> {
        let mut known = 0;
        while known < lengths.len() {
            self.bits.refill(input, &mut place.at);
            let entry = self.tables.lengths[self.bits.peek(7)];
            self.bits.take(entry & 0xFF)?;
            let symbol = (entry >> 16) as u8;
            let (value, count) = match symbol {
                0..16 => (symbol, 1),
                16 if known == 0 => return Err(Stop::Damaged("a repeated length without a first")),
                16 => (lengths[known - 1], 3 + self.bits.take(2)?),
                17 => (0, 3 + self.bits.take(3)?),
                _ => (0, 11 + self.bits.take(7)?),
            };
            let Some(repeated) = lengths.get_mut(known..known + count) else {
                return Err(Stop::Damaged("too many lengths of codes"));
            };
            repeated.fill(value);
            known += count;
        }
        Ok(())
    }

    fn codes(&mut self, input: &[u8], place: &mut Place, out: &mut [u8]) -> Result<(), Stop> {
        let is_at_end = self.quick(input, place, out)?;
        if is_at_end || self.one_by_one(input, place, out)? {
            self.next_block();
        }
        Ok(())
    }

    /// Inflate while there is so much input and place that no read or write needs a check.
    /// Returns whether the block has ended.
    #[inline(never)]
    fn quick(&mut self, input: &[u8], place: &mut Place, out: &mut [u8]) -> Result<bool, Stop> {
        let Tables {
            literals,
            distances,
            ..
        } = &self.tables;
        let mut bits = self.bits;
        let (mut at, mut end) = (place.at, place.end);
        let mut done = Ok(false);
        let (Some(last_at), Some(last_end)) = (
            input.len().checked_sub(ROUND_INPUT),
            out.len().checked_sub(ROUND_OUTPUT),
        ) else {
            return Ok(false);
        };
        bits.refill(input, &mut at);
        let mut entry = literals[bits.peek(LITERAL_BITS)];
        // an entry is looked up before the bytes of the one before it are copied, so that neither waits
        while at <= last_at && end <= last_end {
            bits.refill_from(input, &mut at);
            if entry & LITERAL != 0 {
                bits.skip(entry & 0xFF);
                out[end] = (entry >> 16) as u8;
                end += 1;
                entry = literals[bits.peek(LITERAL_BITS)];
                if entry & LITERAL != 0 {
                    bits.skip(entry & 0xFF);
                    out[end] = (entry >> 16) as u8;
                    end += 1;
                    entry = literals[bits.peek(LITERAL_BITS)];
                    if entry & LITERAL != 0 {
                        bits.skip(entry & 0xFF);
                        out[end] = (entry >> 16) as u8;
                        end += 1;
                        entry = literals[bits.peek(LITERAL_BITS)];
                        continue;
                    }
                }
            }
            if entry & (FURTHER | END | WRONG) != 0 {
                if entry & FURTHER != 0 {
                    bits.skip(LITERAL_BITS);
                    entry = literals[(entry >> 16) as usize + bits.peek(entry >> 8 & 15)];
                    if entry & LITERAL != 0 {
                        bits.skip(entry & 0xFF);
                        out[end] = (entry >> 16) as u8;
                        end += 1;
                        entry = literals[bits.peek(LITERAL_BITS)];
                        continue;
                    }
                }
                if entry & END != 0 {
                    bits.skip(entry & 0xFF);
                    done = Ok(true);
                    break;
                }
                if entry & WRONG != 0 {
                    done = Err(Stop::Damaged("a wrong code"));
                    break;
                }
            }
            let length = with_extra(entry, &mut bits);
            bits.refill_from(input, &mut at);
            let mut further = distances[bits.peek(DISTANCE_BITS)];
            if further & (FURTHER | WRONG) != 0 {
                if further & FURTHER != 0 {
                    bits.skip(DISTANCE_BITS);
                    further = distances[(further >> 16) as usize + bits.peek(further >> 8 & 15)];
                }
                if further & WRONG != 0 {
                    done = Err(Stop::Damaged("a wrong code"));
                    break;
                }
            }
            let distance = with_extra(further, &mut bits);
            entry = literals[bits.peek(LITERAL_BITS)];
            if !copy(out, end, distance, length) {
                done = Err(Stop::Damaged("a distance to before the beginning"));
                break;
            }
            end += length;
        }
        self.bits = bits;
        *place = Place { at, end };
        done
    }

    /// The same with all checks, for the ends of input and output; nothing of a symbol is used
    /// until all of it is there.
    fn one_by_one(
        &mut self,
        input: &[u8],
        place: &mut Place,
        out: &mut [u8],
    ) -> Result<bool, Stop> {
        loop {
            self.bits.refill(input, &mut place.at);
            if input.len() - place.at >= ROUND_INPUT && out.len() - place.end >= ROUND_OUTPUT {
                return Ok(false);
            }
            let mut bits = self.bits;
            let entry = symbol(&self.tables.literals, LITERAL_BITS, &mut bits)?;
            if entry & END != 0 {
                self.bits = bits;
                return Ok(true);
            }
            if entry & LITERAL != 0 {
                *out.get_mut(place.end).ok_or(Stop::Output)? = (entry >> 16) as u8;
                place.end += 1;
                self.bits = bits;
                continue;
            }
            let length = (entry >> 16) as usize + bits.take((entry & 0xFF) - (entry >> 8 & 15))?;
            let entry = symbol(&self.tables.distances, DISTANCE_BITS, &mut bits)?;
            let distance =
                (entry >> 16) as usize + bits.take((entry & 0xFF) - (entry >> 8 & 15))?;
            if distance > place.end {
                return Err(Stop::Damaged("a distance to before the beginning"));
            }
            if out.len() - place.end < length {
                return Err(Stop::Output);
            }
            for to in place.end..place.end + length {
                out[to] = out[to - distance];
            }
            place.end += length;
            self.bits = bits;
        }
    }
}

/// Take the bits of a code and those that belong to it, and return its base with their number.
fn with_extra(entry: u32, bits: &mut Bits) -> usize {
    let all = bits.peek(entry & 0xFF);
    bits.skip(entry & 0xFF);
    (entry >> 16) as usize + (all >> (entry >> 8 & 15))
}

/// Take the bits of a code, without those that belong to it.
fn symbol(table: &[u32], table_bits: u32, bits: &mut Bits) -> Result<u32, Stop> {
    let mut entry = table[bits.peek(table_bits)];
    if entry & FURTHER != 0 {
        bits.take(table_bits)?;
        entry = table[(entry >> 16) as usize + bits.peek(entry >> 8 & 15)];
    }
    if entry & WRONG != 0 {
        // with fewer bits than the longest code the missing ones decide
        let is_known = bits.count >= 15;
        return Err(if is_known {
            Stop::Damaged("a wrong code")
        } else {
            Stop::Input
        });
    }
    bits.take(entry >> 8 & 15)?;
    Ok(entry)
}

/// Copy bytes to `end`, and up to `COPIED` more. False if the distance reaches before the
/// beginning.
#[inline(always)]
fn copy(out: &mut [u8], end: usize, distance: usize, length: usize) -> bool {
    let Some(window) = end
        .checked_sub(distance)
        .and_then(|from| out.get_mut(from..))
    else {
        return false;
    };
    let (source, target) = window.split_at_mut(distance);
    if distance >= length + COPIED {
        let pieces = source
            .chunks_exact(COPIED)
            .zip(target.chunks_exact_mut(COPIED));
        let mut left = length;
        for (from, to) in pieces {
            to.copy_from_slice(from);
            if left <= COPIED {
                break;
            }
            left -= COPIED;
        }
    } else if distance == 1 {
        target[..length].fill(source[0]);
    } else {
        for at in distance..distance + length {
            window[at] = window[at - distance];
        }
    }
    true
}
