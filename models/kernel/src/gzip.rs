//! A file of gzip members -> their bytes, in pieces of limited size.

use memchr::memmem;
use zlib_rs::{Inflate, InflateFlush, Status};

use whole::Whole;

mod whole;

const ANY_WINDOW: u8 = 16 + 15; // of gzip's format
const FIRST_BYTES: usize = 1 << 16; // of the output, which grows as far as it must
const HEADS: u8 = 2; // of a record: its fields, and HTTP headers
const HEAD_BYTES: usize = 1 << 14;
const EMPTY_LINE: &[u8] = b"\r\n\r\n";

// messages of zlib
const WRONG_TRAILER: [&str; 2] = ["incorrect data check", "incorrect length check"];

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
    begin: u64,  // of the member
    whole: Option<Whole>,
    inflate: Option<Inflate>,
    out: Vec<u8>,
    given: usize,
    end: usize,
    is_full: bool,
    heads: u8, // that may follow in the member
    piece_bytes: usize,
    damage: Option<&'static str>,
}

impl Members {
    /// Read from a place in a file; a piece has at most `piece_bytes` and ends with its member.
    ///
    /// Pieces also end after the heads of a record and after its block, which is then not copied
    /// out of a larger piece.
    pub fn new(offset: u64, piece_bytes: usize) -> Self {
        Self {
            input: Vec::new(),
            at: 0,
            offset,
            begin: offset,
            whole: (piece_bytes >= FIRST_BYTES).then(Whole::new).flatten(),
            inflate: None,
            out: Vec::new(),
            given: 0,
            end: 0,
            is_full: false,
            heads: 0,
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
    pub fn piece(&mut self) -> Result<Option<(u64, &[u8])>, &'static str> {
        while self.damage.is_none() && !self.is_full {
            match self.step() {
                Ok(Step::Next) => {}
                Ok(Step::Input) => return Ok(None),
                Ok(Step::Piece) => self.is_full = self.end > 0,
                Err(damage) => self.damage = Some(damage),
            }
        }
        match self.damage {
            Some(damage) if self.end == 0 => Err(damage),
            _ => Ok(self.rest()),
        }
    }

    /// Return what is left at the end of the file, with the place of its member.
    pub fn rest(&mut self) -> Option<(u64, &[u8])> {
        let start = self.given;
        if start == self.end {
            return None;
        }
        let end = start + self.piece_end(start);
        self.given = end;
        if end == self.end {
            (self.given, self.end, self.is_full) = (0, 0, false);
        }
        Some((self.begin, &self.out[start..end]))
    }

    /// The place of the member that is being read, or of other bytes.
    pub fn begin(&self) -> u64 {
        self.begin
    }

    /// Whether a member has begun and not ended.
    pub fn is_inside(&self) -> bool {
        self.inflate.is_some()
    }

    /// Return the length of the next piece of the output.
    fn piece_end(&mut self, start: usize) -> usize {
        let rest = &self.out[start..self.end];
        let most = rest.len().min(self.piece_bytes);
        if self.heads > 0 {
            let head = memmem::find(&rest[..most.min(HEAD_BYTES)], EMPTY_LINE);
            self.heads = if head.is_some() { self.heads - 1 } else { 0 };
            if let Some(end) = head {
                return end + EMPTY_LINE.len();
            }
        }
        let is_block = most == rest.len() && most > EMPTY_LINE.len() && rest.ends_with(EMPTY_LINE);
        most - if is_block { EMPTY_LINE.len() } else { 0 }
    }

    fn step(&mut self) -> Result<Step, &'static str> {
        if self.inflate.is_none() {
            // zeros fill up some files
            let rest = &self.input[self.at..];
            self.at += rest.iter().take_while(|byte| **byte == 0).count();
            if self.at == self.input.len() {
                return Ok(Step::Input);
            }
            self.begin = self.offset + self.at as u64;
            self.heads = HEADS;
            let whole = self.whole.as_mut();
            if let Some((read, written)) =
                whole.and_then(|whole| whole.unpack(&self.input[self.at..], &mut self.out))
            {
                self.at += read;
                self.end = written;
                return Ok(Step::Piece);
            }
        }
        if self.end == self.out.len() {
            let grown = (2 * self.end).max(FIRST_BYTES).min(self.piece_bytes);
            self.out.resize(grown, 0);
        }
        let inflate = self
            .inflate
            .get_or_insert_with(|| Inflate::new(true, ANY_WINDOW));
        let (read, written) = (inflate.total_in(), inflate.total_out());
        let room = self.out.len().min(self.piece_bytes);
        let (input, out) = (&self.input[self.at..], &mut self.out[self.end..room]);
        let status = inflate.decompress(input, out, InflateFlush::NoFlush);
        self.at += (inflate.total_in() - read) as usize;
        self.end += (inflate.total_out() - written) as usize;
        match status {
            Ok(Status::StreamEnd) => {
                self.inflate = None;
                Ok(Step::Piece)
            }
            Ok(_) if self.end == self.piece_bytes => Ok(Step::Piece),
            Ok(_) if self.end == self.out.len() => Ok(Step::Next),
            Ok(_) => Ok(Step::Input),
            Err(error) => {
                // in data its message depends on how the file was cut
                let message = inflate.error_message();
                let why = message.filter(|message| message.starts_with("incorrect"));
                Err(self.damaged(why.unwrap_or(error.as_str())))
            }
        }
    }

    fn damaged(&mut self, why: &'static str) -> &'static str {
        if WRONG_TRAILER.contains(&why) {
            self.end = 0; // what is not given yet is not right
        }
        why
    }
}

#[cfg(test)]
mod tests {
    use zlib_rs::crc32::crc32;

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
        let checksum = crc32(0, data) ^ u32::from(!is_right);
        member.extend(checksum.to_le_bytes());
        member.extend(u32::from(size).to_le_bytes());
        member
    }

    /// What a file gives in parts of a size, with the places of its members.
    fn unpacked(file: &[u8], part_bytes: usize) -> Result<Vec<(u64, Vec<u8>)>, &'static str> {
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
    fn damage_is_at_the_place_of_its_member() {
        for (end, why) in [
            (b"other".to_vec(), "incorrect header check"),
            (stored(b"honey", false), "incorrect data check"),
        ] {
            let mut members = Members::new(7, 1 << 20);
            members.feed(&[&FIXED_CODES[..], &end].concat());
            assert!(matches!(members.piece(), Ok(Some((7, _)))));
            assert_eq!(members.piece(), Err(why));
            assert_eq!(members.begin(), 7 + FIXED_CODES.len() as u64);
        }
    }

    #[test]
    fn heads_and_block_of_a_record_are_pieces() {
        let parts = [
            "WARC/1.1\r\n\r\n",
            "HTTP/1.1 200\r\n\r\n",
            "<p>\r\n\r\n</p>",
        ];
        let record = [parts.concat().as_bytes(), EMPTY_LINE].concat();
        let file = stored(&record, true);
        for part_bytes in [1, file.len()] {
            let found = unpacked(&file, part_bytes).unwrap();
            let found: Vec<_> = found.iter().map(|(_, piece)| &piece[..]).collect();
            let [first, second, block] = parts.map(str::as_bytes);
            assert_eq!(found, [first, second, block, EMPTY_LINE]);
        }
    }

    #[test]
    fn a_member_larger_than_the_output_at_first_is_unpacked_at_once() {
        let file = stored(&[7; 65_000], true).repeat(2);
        let mut whole = Whole::new().unwrap();
        let mut out = vec![0; 10];
        assert_eq!(
            whole.unpack(&file, &mut out),
            Some((file.len() / 2, 65_000))
        );
        assert_eq!(whole.unpack(&file[..file.len() / 2 - 1], &mut out), None);
        let mut with_checksum = file;
        with_checksum[3] = 2;
        assert_eq!(whole.unpack(&with_checksum, &mut out), None);
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
