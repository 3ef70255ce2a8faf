//! What the loops over many numbers know of the processor.

/// Numbers of a register of AVX2, and of a line.
const EIGHT: usize = 8;
pub const LANES: usize = 2 * EIGHT;

/// Sixteen numbers in a cache line of their own. Compilers keep sums of these arrays of eight in
/// registers, and leave longer ones in memory.
///
/// Lines are elements of vectors, because objects of Python do not begin at cache lines.
#[repr(align(64))]
#[derive(Clone, Copy)]
pub struct Line(pub [[f32; EIGHT]; 2]);

impl Line {
    pub const ZEROS: Self = Self([[0.0; EIGHT]; 2]);

    /// The first sixteen of these numbers, or all of them before zeros.
    #[inline(always)]
    #[must_use]
    pub fn of(values: &[f32]) -> Self {
        let mut line = Self::ZEROS;
        for (eight, values) in line.0.iter_mut().zip(values.chunks(EIGHT)) {
            eight[..values.len()].copy_from_slice(values);
        }
        line
    }
}

/// Whether functions named `avx2` may run: Haswell, Zen or newer.
#[cfg(target_arch = "x86_64")]
#[must_use]
pub fn has_avx2() -> bool {
    is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")
}

/// Whether functions named `avx512` may run: Ice Lake, Zen 4 or newer, which have VBMI.
///
/// Older processors have these instructions too, and run at a lower clock after them.
#[cfg(avx512)]
#[must_use]
pub fn has_avx512() -> bool {
    has_avx2()
        && is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512cd")
        && is_x86_feature_detected!("avx512vbmi")
}
