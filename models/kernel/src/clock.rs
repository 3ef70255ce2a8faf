//! CPU time of the calling thread.

use std::time::Duration;

/// The CPU time of the calling thread so far; zero if the system does not provide it.
#[must_use]
pub fn thread_time() -> Duration {
    let mut now = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the pointer is to a local value that outlives the call, which writes nothing else.
    let failed = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut now) };
    match (
        failed,
        u64::try_from(now.tv_sec),
        u32::try_from(now.tv_nsec),
    ) {
        (0, Ok(seconds), Ok(nanoseconds)) => Duration::new(seconds, nanoseconds),
        _ => Duration::ZERO,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_passes_while_a_thread_works_and_not_while_it_sleeps() {
        let begun = thread_time();
        std::thread::sleep(Duration::from_millis(20));
        let slept = thread_time() - begun;
        let mut sum = 0_u64;
        while thread_time() - begun < Duration::from_millis(5) + slept {
            sum = std::hint::black_box(sum.wrapping_add(1));
        }

        assert!(slept < Duration::from_millis(20));
        assert!(sum > 0);
    }
}
