//! A file of gzip members -> their bytes, in pieces of limited size.

mod codes;
mod inflate;

use crc32fast::Hasher;

use inflate::{Inflate, LONGEST, Stop, WINDOW_BYTES};

const MAGIC: [u8; 2] = [0x1F, 0x8B];
const DEFLATE: u8 = 8;
const HEADER_BYTES: usize = 10;
const TRAILER_BYTES: usize = 8;
const FIRST_BYTES: usize = 1 << 16; // of the output, which grows as far as it must

// flags in a header
const HAS_CHECKSUM: u8 = 2;
const HAS_EXTRA: u8 = 4;
const HAS_NAME: u8 = 8;
const HAS_COMMENT: u8 = 16;
const UNKNOWN: u8 = 0xE0;

/// Why a file cannot be read on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Damage {
    pub why: &'static str,
    /// The bytes after the end of a member begin no other.
    pub is_behind: bool,
}

/// Where in a member the next byte of the input is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Between,
    Header,
    /// Parts of the header that only some have, by the flags that are left.
    Optional(u8),
    Extra(usize, u8),
    Data,
    Trailer,
}

/// What a step needs or has reached.
enum Step {
    Next,
    Input,
    /// A piece is full, or a member has ended.
    Piece,
}

/// Members of a gzip file.
pub struct Members {
    input: Vec<u8>,
    at: usize,   // the next byte of the input
    offset: u64, // of the input in the file
    first: u64,
    begin: u64, // of the member
    part: Part,
    inflate: Inflate,
    checksum: Hasher, // of the header, then of the data
    size: u32,
    out: Vec<u8>,
    given: usize,
    end: usize,
    piece_bytes: usize,
    damage: Option<Damage>,
}

impl Members {
    /// Read from a place in a file; a piece has about `piece_bytes` or the end of a member.
    pub fn new(offset: u64, piece_bytes: usize) -> Self {
        Self {
            input: Vec::new(),
            at: 0,
            offset,
            first: offset,
            begin: offset,
            part: Part::Between,
            inflate: Inflate::new(),
            checksum: Hasher::new(),
            size: 0,
            out: Vec::new(),
            given: 0,
            end: 0,
            piece_bytes: piece_bytes.max(1),
            damage: None,
        }
    }

    /// Take the next bytes of the file, after all pieces of those before.
    pub fn feed(&mut self, bytes: &[u8]) {
        self.input.drain(..self.at);
        self.offset += self.at as u64;
        self.at = 0;
        self.input.extend_from_slice(bytes);
    }

    /// Return the next piece with the place of its member; None if it needs more of the file.
    pub fn piece(&mut self) -> Result<Option<(u64, &[u8])>, Damage> {
        while self.damage.is_none() {
            match self.step() {
                Ok(Step::Next) => {}
                Ok(Step::Input) => return Ok(None),
                Ok(Step::Piece) if self.end == self.given => {}
                Ok(Step::Piece) => break,
                Err(damage) => self.damage = Some(damage),
            }
        }
        match self.damage {
            Some(damage) if self.end == self.given => Err(damage),
            _ => Ok(self.rest()),
        }
    }

    /// Return what is left at the end of the file, with the place of its member.
    pub fn rest(&mut self) -> Option<(u64, &[u8])> {
        let given = std::mem::replace(&mut self.given, self.end);
        (given < self.end).then(|| (self.begin, &self.out[given..self.end]))
    }

    /// Whether a member has begun and not ended.
    pub fn is_inside(&self) -> bool {
        self.part != Part::Between
    }

    fn step(&mut self) -> Result<Step, Damage> {
        match self.part {
            Part::Between => Ok(self.begin_member()),
            Part::Header => self.header(),
            Part::Optional(flags) => self.optional(flags),
            Part::Extra(left, flags) => {
                let taken = left.min(self.input.len() - self.at);
                self.take(taken);
                self.part = Part::Extra(left - taken, flags);
                if taken < left {
                    return Ok(Step::Input);
                }
                self.part = Part::Optional(flags);
                Ok(Step::Next)
            }
            Part::Data => self.data(),
            Part::Trailer => self.trailer(),
        }
    }

    /// Pass over zeros, which fill up some files.
    fn begin_member(&mut self) -> Step {
        let rest = &self.input[self.at..];
        let zeros = rest.iter().take_while(|byte| **byte == 0).count();
        self.at += zeros;
        if self.at == self.input.len() {
            return Step::Input;
        }
        self.begin = self.offset + self.at as u64;
        self.inflate.restart();
        self.checksum = Hasher::new();
        (self.given, self.end, self.size) = (0, 0, 0);
        self.part = Part::Header;
        Step::Next
    }

    fn header(&mut self) -> Result<Step, Damage> {
        let rest = &self.input[self.at..];
        if rest.len() >= MAGIC.len() && !rest.starts_with(&MAGIC) {
            let is_behind = self.begin > self.first;
            return Err(Damage {
                why: "no gzip",
                is_behind,
            });
        }
        let Some(header) = rest.first_chunk::<HEADER_BYTES>() else {
            return Ok(Step::Input);
        };
        let flags = header[3];
        if header[2] != DEFLATE || flags & UNKNOWN != 0 {
            return Err(damage("a header of an unknown kind"));
        }
        self.take(HEADER_BYTES);
        self.part = Part::Optional(flags);
        Ok(Step::Next)
    }

    fn optional(&mut self, flags: u8) -> Result<Step, Damage> {
        let rest = &self.input[self.at..];
        if flags & HAS_EXTRA != 0 {
            let Some(size) = rest.first_chunk::<2>() else {
                return Ok(Step::Input);
            };
            self.part = Part::Extra(u16::from_le_bytes(*size).into(), flags & !HAS_EXTRA);
            self.take(2);
        } else if let Some(text) = [HAS_NAME, HAS_COMMENT]
            .into_iter()
            .find(|text| flags & text != 0)
        {
            let Some(end) = rest.iter().position(|byte| *byte == 0) else {
                self.take(rest.len());
                return Ok(Step::Input);
            };
            self.take(end + 1);
            self.part = Part::Optional(flags & !text);
        } else if flags & HAS_CHECKSUM != 0 {
            let Some(stated) = rest.first_chunk::<2>() else {
                return Ok(Step::Input);
            };
            if u32::from(u16::from_le_bytes(*stated)) != self.checksum.clone().finalize() & 0xFFFF {
                return Err(damage("a header with a wrong checksum"));
            }
            self.at += 2;
            self.part = Part::Optional(flags & !HAS_CHECKSUM);
        } else {
            self.checksum = Hasher::new();
            self.part = Part::Data;
        }
        Ok(Step::Next)
    }

    fn data(&mut self) -> Result<Step, Damage> {
        let most = self.given + self.piece_bytes + LONGEST;
        if self.given > 2 * WINDOW_BYTES {
            self.out.copy_within(self.given - WINDOW_BYTES..self.end, 0);
            self.end -= self.given - WINDOW_BYTES;
            self.given = WINDOW_BYTES;
            return Ok(Step::Next);
        }
        let place = most.min(self.out.len());
        let out = &mut self.out[..place];
        match self
            .inflate
            .run(&self.input, &mut self.at, out, &mut self.end)
        {
            Stop::Input => Ok(Step::Input),
            Stop::Output if place < most => {
                let grown = most.min((2 * place).max(FIRST_BYTES));
                self.out.resize(grown, 0);
                Ok(Step::Next)
            }
            Stop::Output => {
                self.count();
                Ok(Step::Piece)
            }
            Stop::End => {
                self.count();
                self.part = Part::Trailer;
                Ok(Step::Next)
            }
            Stop::Damaged(why) => Err(damage(why)),
        }
    }

    /// Add to checksum and size what was not given yet.
    fn count(&mut self) {
        let fresh = &self.out[self.given..self.end];
        self.checksum.update(fresh);
        self.size = self.size.wrapping_add(fresh.len() as u32);
    }

    fn trailer(&mut self) -> Result<Step, Damage> {
        let Some(stated) = self.input[self.at..].first_chunk::<TRAILER_BYTES>() else {
            return Ok(Step::Input);
        };
        let known = u64::from(self.size) << 32 | u64::from(self.checksum.clone().finalize());
        if u64::from_le_bytes(*stated) != known {
            self.end = self.given; // what is not given yet is not right
            return Err(damage("a wrong checksum or size"));
        }
        self.at += TRAILER_BYTES;
        self.part = Part::Between;
        Ok(Step::Piece)
    }

    /// Use bytes of the header.
    fn take(&mut self, count: usize) {
        self.checksum.update(&self.input[self.at..self.at + count]);
        self.at += count;
    }
}

fn damage(why: &'static str) -> Damage {
    Damage {
        why,
        is_behind: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // `zlib` of Python, level 9
    const OWN_CODES: [u8; 121] = [
        31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 117, 208, 49, 14, 2, 49, 12, 4, 192, 175, 92, 183, 229,
        197, 113, 28, 199, 82, 216, 191, 220, 73, 65, 32, 81, 193, 255, 37, 160, 66, 20, 174, 167,
        155, 249, 184, 115, 30, 219, 237, 185, 174, 23, 236, 5, 44, 115, 63, 184, 157, 107, 189,
        230, 31, 133, 4, 40, 9, 14, 29, 96, 77, 208, 205, 65, 77, 176, 123, 7, 91, 130, 22, 6, 90,
        134, 210, 192, 158, 96, 83, 5, 61, 65, 181, 10, 142, 4, 171, 11, 24, 9, 74, 124, 134, 36,
        43, 146, 242, 45, 250, 29, 189, 1, 66, 238, 228, 208, 92, 1, 0, 0,
    ];
    const FIXED_CODES: [u8; 51] = [
        31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 115, 74, 77, 45, 86, 72, 203, 204, 75, 81, 72, 203, 201,
        47, 79, 45, 42, 214, 83, 112, 130, 11, 101, 228, 231, 165, 86, 34, 11, 80, 166, 6, 0, 70,
        178, 77, 55, 108, 0, 0, 0,
    ];

    fn links() -> Vec<u8> {
        let links = (0..12).map(|link| {
            let address = link * 7919 % 1000;
            format!("<li><a href='/{address}'>{link}</a> bees")
        });
        links.collect::<String>().into_bytes()
    }

    fn stored(data: &[u8], is_right: bool) -> Vec<u8> {
        let size = data.len() as u16;
        let mut member = vec![0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 1];
        member.extend(size.to_le_bytes());
        member.extend((!size).to_le_bytes());
        member.extend(data);
        let checksum = crc32fast::hash(data) ^ u32::from(!is_right);
        member.extend(checksum.to_le_bytes());
        member.extend(u32::from(size).to_le_bytes());
        member
    }

    /// What a file gives in parts of a size, with the places of its members.
    fn unpacked(file: &[u8], part_bytes: usize) -> Result<Vec<(u64, Vec<u8>)>, Damage> {
        let mut members = Members::new(0, 1 << 20);
        let mut found = Vec::new();
        for part in file.chunks(part_bytes) {
            members.feed(part);
            while let Some((begin, piece)) = members.piece()? {
                found.push((begin, piece.to_vec()));
            }
        }
        assert_eq!(members.rest(), None);
        assert!(!members.is_inside());
        Ok(found)
    }

    #[test]
    fn every_kind_of_block_is_unpacked_in_parts_of_any_size() {
        let bees = b"Bees find flowers. Bees find honey. ".repeat(3);
        let file = [
            &OWN_CODES[..],
            &[0, 0],
            &FIXED_CODES,
            &stored(b"honey", true),
        ]
        .concat();
        let second = OWN_CODES.len() as u64 + 2;
        let third = second + FIXED_CODES.len() as u64;
        for part_bytes in [1, 2, 9, 50, file.len()] {
            let found = unpacked(&file, part_bytes).unwrap();
            let wanted = [
                (0, links()),
                (second, bees.clone()),
                (third, b"honey".to_vec()),
            ];
            assert_eq!(found, wanted);
        }
    }

    #[test]
    fn damage_says_whether_it_is_behind_a_member() {
        for (behind, is_behind) in [(b"other".to_vec(), true), (stored(b"honey", false), false)] {
            let file = [&FIXED_CODES[..], &behind].concat();
            let damage = unpacked(&file, file.len()).unwrap_err();
            assert_eq!(damage.is_behind, is_behind, "{}", damage.why);
        }
    }

    #[test]
    fn a_file_that_is_cut_short_gives_what_it_has() {
        let mut members = Members::new(0, 1 << 20);
        members.feed(&OWN_CODES[..OWN_CODES.len() - 9]);
        assert_eq!(members.piece(), Ok(None));
        let (begin, rest) = members.rest().unwrap();
        assert_eq!(begin, 0);
        assert!(rest.len() > 100 && links().starts_with(rest));
        assert!(members.is_inside());
    }
}
