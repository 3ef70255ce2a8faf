//! Whole gzip members, unpacked by libdeflate in two thirds of the time that a stream takes.

use std::ptr::NonNull;

use libdeflate_sys as c;

const MOST_BYTES: usize = 1 << 22; // larger members are unpacked as streams
const FIRST_BYTES: usize = 1 << 16;
const HEADER_CHECKSUM: u8 = 2; // a flag of the header; libdeflate does not check it
const FLAGS: usize = 3;

pub struct Whole(NonNull<c::libdeflate_decompressor>);

// SAFETY: the decompressor is memory that nothing else points to, used by `&mut self` alone.
unsafe impl Send for Whole {}
// SAFETY: the same.
unsafe impl Sync for Whole {}

impl Whole {
    pub fn new() -> Option<Self> {
        // SAFETY: it has no conditions; without memory it returns null.
        NonNull::new(unsafe { c::libdeflate_alloc_decompressor() }).map(Self)
    }

    /// Unpack the member at the beginning of `packed`, and return how many bytes were read and
    /// written.
    ///
    /// None if the member is large, damaged or not there as a whole: a stream tells which.
    pub fn unpack(&mut self, packed: &[u8], out: &mut Vec<u8>) -> Option<(usize, usize)> {
        if packed
            .get(FLAGS)
            .is_none_or(|flags| flags & HEADER_CHECKSUM != 0)
        {
            return None;
        }
        loop {
            let (mut read, mut written) = (0, 0);
            // SAFETY: each length is of its slice, and the decompressor is valid.
            let result = unsafe {
                c::libdeflate_gzip_decompress_ex(
                    self.0.as_ptr(),
                    packed.as_ptr().cast(),
                    packed.len(),
                    out.as_mut_ptr().cast(),
                    out.len(),
                    &mut read,
                    &mut written,
                )
            };
            match result {
                c::libdeflate_result_LIBDEFLATE_SUCCESS => return Some((read, written)),
                c::libdeflate_result_LIBDEFLATE_INSUFFICIENT_SPACE if out.len() < MOST_BYTES => {
                    out.resize((2 * out.len()).max(FIRST_BYTES), 0);
                }
                _ => return None,
            }
        }
    }
}

impl Drop for Whole {
    fn drop(&mut self) {
        // SAFETY: it was allocated by libdeflate, and is not used again.
        unsafe { c::libdeflate_free_decompressor(self.0.as_ptr()) };
    }
}
