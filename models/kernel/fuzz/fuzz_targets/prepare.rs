//! Charset and guard: any bytes are refused, or become markup that stays the same when read again.

#![no_main]

use _kernel::page::prepare::prepare;
use libfuzzer_sys::fuzz_target;
use winnow_kernel_fuzz::pages::{LIMITS, page_of};

fuzz_target!(|input: &[u8]| {
    let (url, content_type, body) = page_of(input);
    let Ok(prepared) = prepare(body, content_type, url, &LIMITS) else {
        return;
    };
    let census = prepared.census;
    assert!(census.nodes <= LIMITS.nodes && census.depth <= LIMITS.depth);
    assert!(census.attributes <= LIMITS.attributes && census.names <= LIMITS.names);
    assert!(census.steps <= LIMITS.steps && census.moved <= LIMITS.moved);
});
