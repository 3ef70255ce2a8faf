//! Products in registers of sixteen lanes: the same sums in the same order as elsewhere.

#![expect(clippy::incompatible_msrv, reason = "compiled from Rust 1.89 on")]

use std::arch::x86_64::{
    __m512, _mm512_fmadd_ps, _mm512_loadu_ps, _mm512_set1_ps, _mm512_setzero_ps, _mm512_storeu_ps,
};

use crate::processor::{LANES, Line};

/// Blocks and panels whose sums are computed together: 24 registers of sums, three of weights and
/// one of a value fit in the 32 of a processor.
pub const SIDE: usize = 8;
const PANELS: usize = 3;

/// Adds the products of a layer to the outputs of blocks, like `Layer::add`. The inputs of a block
/// begin at its pointer, `step` numbers apart.
///
/// # Safety
/// The processor has AVX-512 F, and each block has an input for each line of a panel.
#[target_feature(enable = "avx512f")]
pub unsafe fn add<const OUTPUTS: usize>(
    panels: &[Vec<Line>],
    (inputs, step): ([*const f32; SIDE], usize),
    outputs: &mut [[f32; OUTPUTS]; SIDE],
) {
    const { assert!(OUTPUTS % (PANELS * LANES) == 0) };
    for (number, panels) in panels.chunks_exact(PANELS).enumerate() {
        let [one, two, three] = panels else { continue };
        let places = outputs
            .each_mut()
            .map(|row| row[number * PANELS * LANES..].as_mut_ptr());
        let mut sums = [[_mm512_setzero_ps(); PANELS]; SIDE];
        for (sums, place) in sums.iter_mut().zip(places) {
            for (panel, sum) in sums.iter_mut().enumerate() {
                // SAFETY: outputs are a multiple of the numbers of three panels.
                *sum = unsafe { _mm512_loadu_ps(place.add(panel * LANES)) };
            }
        }
        let weights = one.iter().zip(two).zip(three);
        for (at, ((one, two), three)) in weights.enumerate() {
            let weights = [load(one), load(two), load(three)];
            for (sums, input) in sums.iter_mut().zip(inputs) {
                // SAFETY: the caller says that there is an input for each line.
                let value = _mm512_set1_ps(unsafe { *input.add(at * step) });
                for (sum, weights) in sums.iter_mut().zip(weights) {
                    *sum = _mm512_fmadd_ps(value, weights, *sum);
                }
            }
        }
        for (sums, place) in sums.iter().zip(places) {
            for (panel, sum) in sums.iter().enumerate() {
                // SAFETY: as for reading.
                unsafe { _mm512_storeu_ps(place.add(panel * LANES), *sum) };
            }
        }
    }
}

/// The sums of all gates of a step.
///
/// # Safety
/// The processor has AVX-512 F.
#[inline]
#[target_feature(enable = "avx512f")]
pub unsafe fn sums<const LINES: usize, const SUMS: usize>(
    weights: &[[Line; LINES]],
    state: &[f32],
) -> [f32; SUMS] {
    const { assert!(SUMS == LINES * LANES) };
    let mut sums = [_mm512_setzero_ps(); LINES];
    for (value, weights) in state.iter().zip(weights) {
        let value = _mm512_set1_ps(*value);
        for (sum, weights) in sums.iter_mut().zip(weights) {
            *sum = _mm512_fmadd_ps(value, load(weights), *sum);
        }
    }
    let mut found = [0.0; SUMS];
    for (sum, values) in sums.iter().zip(found.chunks_exact_mut(LANES)) {
        // SAFETY: a chunk has sixteen numbers.
        unsafe { _mm512_storeu_ps(values.as_mut_ptr(), *sum) };
    }
    found
}

#[inline]
#[target_feature(enable = "avx512f")]
fn load(line: &Line) -> __m512 {
    // SAFETY: a line has sixteen numbers.
    unsafe { _mm512_loadu_ps(line.0.as_flattened().as_ptr()) }
}
