//! Any bytes are unpacked or refused, with the same bytes however the file and its pieces are cut.

#![no_main]

use _kernel::gzip::Members;
use libfuzzer_sys::fuzz_target;

const HEADER: [u8; 10] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3];
const PIECE_BYTES: usize = 1 << 20;

fuzz_target!(|input: &[u8]| {
    let Some((&choice, rest)) = input.split_first() else {
        return;
    };
    // most inputs would not get past a header of their own
    let header: &[u8] = if choice & 1 == 0 { &HEADER } else { &[] };
    let file = [header, rest].concat();
    let whole = unpacked(&file, file.len().max(1), PIECE_BYTES);
    let part_bytes = 1 + usize::from(choice >> 1 & 7) * 3;
    let in_parts = unpacked(&file, part_bytes, 1 << (choice >> 4));
    assert_eq!(whole.1, in_parts.1);
    // with a wrong checksum the last piece is not given
    let shorter = whole.0.len().min(in_parts.0.len());
    assert_eq!(whole.0[..shorter], in_parts.0[..shorter]);
});

/// What a file gives, and why no more.
fn unpacked(file: &[u8], part_bytes: usize, piece_bytes: usize) -> (Vec<u8>, Option<&'static str>) {
    let mut members = Members::new(0, piece_bytes);
    let mut found = Vec::new();
    for part in file.chunks(part_bytes) {
        members.feed(part);
        loop {
            match members.piece() {
                Ok(Some((begin, piece))) => {
                    assert!(begin < file.len() as u64);
                    assert!(!piece.is_empty() && piece.len() <= piece_bytes);
                    found.extend_from_slice(piece);
                }
                Ok(None) => break,
                Err(damage) => return (found, Some(damage)),
            }
        }
    }
    if let Some((_, rest)) = members.rest() {
        found.extend_from_slice(rest);
    }
    (found, None)
}
