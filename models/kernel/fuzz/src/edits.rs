//! Inputs that change a valid file in a few places: files of a megabyte need no corpus of
//! megabytes.

/// Bytes of one edit: the operation, the place (24 bits), and a value.
const EDIT_BYTES: usize = 8;

/// The file after the edits of an input; an incomplete edit at its end is ignored.
#[must_use]
pub fn edited(file: &[u8], input: &[u8]) -> Vec<u8> {
    let mut edited = file.to_vec();
    for edit in input.chunks_exact(EDIT_BYTES) {
        let [kind, a, b, c, value @ ..] = edit else {
            continue;
        };
        let at = u32::from_le_bytes([*a, *b, *c, 0]) as usize;
        // sizes come first, later additions last
        let from_end = edited.len().saturating_sub(at + 1);
        match kind % 6 {
            0 => put(&mut edited, at, &value[..1]),
            1 => put(&mut edited, at, value),
            2 => put(&mut edited, from_end, value),
            3 => edited.truncate(at),
            4 => edited.truncate(from_end),
            _ => edited.extend_from_slice(value),
        }
    }
    edited
}

fn put(file: &mut [u8], at: usize, value: &[u8]) {
    for (byte, value) in file.iter_mut().skip(at).zip(value) {
        *byte = *value;
    }
}
