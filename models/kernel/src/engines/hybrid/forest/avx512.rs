//! The sums of all trees in registers of sixteen lanes.

#![expect(clippy::incompatible_msrv, reason = "compiled from Rust 1.89 on")]

use std::arch::x86_64::{
    __m512i, _CMP_NGE_UQ, _mm512_add_ps, _mm512_and_si512, _mm512_cmp_ps_mask, _mm512_loadu_ps,
    _mm512_lzcnt_epi32, _mm512_mask_and_epi32, _mm512_permutexvar_ps, _mm512_set1_epi32,
    _mm512_set1_ps, _mm512_setzero_si512, _mm512_storeu_ps, _mm512_sub_epi32, _mm512_xor_si512,
};

use super::tree::{AT_ONCE, Tree};
use crate::engines::hybrid::rows::{LANES, Lanes};

/// Adds the values of all trees for `N` times sixteen rows, like repeated calls of [`Tree::add`]:
/// each split is loaded once for all of them.
///
/// # Safety
/// The processor has AVX-512 F and CD.
#[target_feature(enable = "avx512f,avx512cd")]
pub unsafe fn add_all<const N: usize>(
    trees: &[Tree],
    lanes: [&Lanes; N],
    sums: &mut [[f32; LANES]; N],
) {
    // SAFETY: the pointers are to arrays of sixteen numbers.
    unsafe {
        let mut all = [_mm512_set1_ps(0.0); N];
        for (all, sums) in all.iter_mut().zip(sums.iter()) {
            *all = _mm512_loadu_ps(sums.as_ptr());
        }
        for tree in trees {
            let mut leaves = [_mm512_set1_epi32(-1); N];
            for splits in tree.splits.chunks_exact(AT_ONCE) {
                if splits[0].right == u32::MAX {
                    break;
                }
                for split in splits {
                    let threshold = _mm512_set1_ps(split.threshold);
                    let right = _mm512_set1_epi32(split.right as i32);
                    for (leaves, lanes) in leaves.iter_mut().zip(lanes) {
                        let values = _mm512_loadu_ps(lanes.0[usize::from(split.column)].as_ptr());
                        let goes_right = _mm512_cmp_ps_mask::<_CMP_NGE_UQ>(threshold, values);
                        *leaves = _mm512_mask_and_epi32(*leaves, goes_right, *leaves, right);
                    }
                }
            }
            let values = _mm512_loadu_ps(tree.values.as_ptr());
            for (all, leaves) in all.iter_mut().zip(leaves) {
                *all = _mm512_add_ps(*all, _mm512_permutexvar_ps(lowest_bits(leaves), values));
            }
        }
        for (all, sums) in all.iter().zip(sums) {
            _mm512_storeu_ps(sums.as_mut_ptr(), *all);
        }
    }
}

/// The place of the lowest bit of each lane: 31 minus the zeros before it.
#[inline]
#[target_feature(enable = "avx512f,avx512cd")]
fn lowest_bits(lanes: __m512i) -> __m512i {
    let lowest = _mm512_and_si512(lanes, _mm512_sub_epi32(_mm512_setzero_si512(), lanes));
    _mm512_xor_si512(_mm512_lzcnt_epi32(lowest), _mm512_set1_epi32(31))
}
