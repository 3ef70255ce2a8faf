//! 64-bit hashes of names, words and texts: equal things are told equal, nothing more.

/// Fold one value into a hash; order matters.
#[must_use]
pub fn mix(hash: u64, value: u64) -> u64 {
    let mixed = (hash.rotate_left(23) ^ value).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed ^ (mixed >> 31)
}

/// The hash of a byte string.
#[must_use]
pub fn word_hash(word: &[u8]) -> u64 {
    word.chunks(8).fold(word.len() as u64, |hash, chunk| {
        let mut value = [0; 8];
        for (slot, &byte) in value.iter_mut().zip(chunk) {
            *slot = byte;
        }
        mix(hash, u64::from_le_bytes(value))
    })
}
