//! The sums of all trees in registers of eight lanes.

use std::arch::x86_64::{
    __m256, _CMP_GE_OQ, _mm256_add_ps, _mm256_and_ps, _mm256_and_si256, _mm256_blendv_ps,
    _mm256_castps_si256, _mm256_castsi256_ps, _mm256_cmp_ps, _mm256_cvtepi32_ps, _mm256_loadu_ps,
    _mm256_or_ps, _mm256_permutevar8x32_ps, _mm256_set1_epi32, _mm256_set1_ps, _mm256_setzero_ps,
    _mm256_setzero_si256, _mm256_slli_epi32, _mm256_srli_epi32, _mm256_storeu_ps, _mm256_sub_epi32,
};

use super::tree::{AT_ONCE, LEAVES, Tree};
use crate::engines::hybrid::rows::{LANES, Lanes};

/// Lanes of a register.
const EIGHT: usize = 8;

/// Adds the values of all trees for `N` times sixteen rows, like repeated calls of [`Tree::add`]:
/// each split is loaded once for all of them.
///
/// # Safety
/// The processor has AVX2.
#[target_feature(enable = "avx2")]
pub unsafe fn add_all<const N: usize>(
    trees: &[Tree],
    lanes: [&Lanes; N],
    sums: &mut [[f32; LANES]; N],
) {
    // SAFETY: the pointers are to arrays of sixteen numbers, and each register takes eight.
    unsafe {
        let all = _mm256_castsi256_ps(_mm256_set1_epi32(-1));
        for tree in trees {
            let mut leaves = [[all; LANES / EIGHT]; N];
            for splits in tree.splits.chunks_exact(AT_ONCE) {
                if splits[0].right == u32::MAX {
                    break;
                }
                for split in splits {
                    let threshold = _mm256_set1_ps(split.threshold);
                    let right = _mm256_castsi256_ps(_mm256_set1_epi32(split.right as i32));
                    for (leaves, lanes) in leaves.iter_mut().zip(lanes) {
                        let column = lanes.0[usize::from(split.column)].as_ptr();
                        for (half, leaves) in leaves.iter_mut().enumerate() {
                            let values = _mm256_loadu_ps(column.add(half * EIGHT));
                            let goes_left = _mm256_cmp_ps::<_CMP_GE_OQ>(threshold, values);
                            *leaves = _mm256_and_ps(*leaves, _mm256_or_ps(goes_left, right));
                        }
                    }
                }
            }
            for (sums, leaves) in sums.iter_mut().zip(leaves) {
                for (half, leaves) in leaves.into_iter().enumerate() {
                    let sums = sums.as_mut_ptr().add(half * EIGHT);
                    let values = first_values(&tree.values, leaves);
                    _mm256_storeu_ps(sums, _mm256_add_ps(_mm256_loadu_ps(sums), values));
                }
            }
        }
    }
}

/// The value of the first remaining leaf of each lane.
///
/// As a float, the lowest bit has an exponent of its position plus 127; in the sum with 1 the lower
/// four bits are the position. Three bits choose among eight values, one between two groups.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn first_values(values: &[f32; LEAVES], leaves: __m256) -> __m256 {
    // SAFETY: two registers of eight hold the values.
    unsafe {
        let leaves = _mm256_castps_si256(leaves);
        let lowest = _mm256_and_si256(leaves, _mm256_sub_epi32(_mm256_setzero_si256(), leaves));
        let exponent = _mm256_srli_epi32::<23>(_mm256_castps_si256(_mm256_cvtepi32_ps(lowest)));
        let place = _mm256_sub_epi32(exponent, _mm256_set1_epi32(-1));
        let mut chosen = [_mm256_setzero_ps(); LEAVES / EIGHT];
        for (chosen, values) in chosen.iter_mut().zip(values.chunks_exact(EIGHT)) {
            *chosen = _mm256_permutevar8x32_ps(_mm256_loadu_ps(values.as_ptr()), place);
        }
        // the sign bit of a lane chooses
        let by_bit_3 = _mm256_castsi256_ps(_mm256_slli_epi32::<28>(place));
        _mm256_blendv_ps(chosen[0], chosen[1], by_bit_3)
    }
}
