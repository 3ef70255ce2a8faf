//! Logarithms of sizes; most sizes are small integers.

use std::sync::LazyLock;

const KNOWN: usize = 2048;

static LOGARITHMS: LazyLock<[f64; KNOWN]> =
    LazyLock::new(|| std::array::from_fn(|size| (size as f64).ln_1p()));

/// `ln(1 + size)`, bit by bit the result of [`f64::ln_1p`].
#[must_use]
pub fn log_of(size: f64) -> f64 {
    let whole = size as usize;
    match LOGARITHMS.get(whole) {
        Some(&known) if whole as f64 == size => known,
        _ => size.ln_1p(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_the_logarithm_whatever_the_number() {
        for size in [
            0.0,
            1.0,
            2047.0,
            2048.0,
            0.5,
            11.25,
            1e9,
            -0.5,
            -1.0,
            f64::INFINITY,
        ] {
            assert_eq!(log_of(size), size.ln_1p(), "{size}");
        }
        assert!(log_of(f64::NAN).is_nan());
    }
}
