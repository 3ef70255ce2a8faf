//! Counts of the bytes of a text that pass a test.

/// Parallel counters, one for each byte of a few vector registers.
const LANES: usize = 32;

/// The number of bytes that pass a test; the test should be free of branches.
pub fn count(text: &[u8], passes: impl Fn(u8) -> bool) -> usize {
    let mut count = 0;
    // at most as many steps as a byte can count
    for part in text.chunks(LANES * u8::MAX as usize) {
        let mut lanes = [0_u8; LANES];
        let steps = part.chunks_exact(LANES);
        let rest = steps.remainder();
        for step in steps {
            for (lane, &byte) in lanes.iter_mut().zip(step) {
                *lane += u8::from(passes(byte));
            }
        }
        count += lanes.iter().map(|&lane| usize::from(lane)).sum::<usize>();
        count += rest.iter().filter(|&&byte| passes(byte)).count();
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_counted_wherever_they_stand() {
        for length in (0..100).chain(8100..8300) {
            let text: Vec<u8> = (0..length).map(|at| (at * at % 251) as u8).collect();
            let expected = text.iter().filter(|byte| byte.is_ascii_digit()).count();

            assert_eq!(count(&text, |byte| byte.is_ascii_digit()), expected);
            assert_eq!(count(&text, |_| true), length);
        }
    }
}
