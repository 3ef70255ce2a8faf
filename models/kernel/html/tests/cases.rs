//! Our own cases in `cases`: each insertion mode, tokens, and each option.

mod support;

use std::path::Path;

use support::{cases, files};

/// May only rise.
const CASES: usize = 83;

#[test]
fn trees_are_those_of_our_cases() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let (mut number, mut differences) = (0, String::new());
    for (name, text) in files(&folder, "dat") {
        for case in cases(&name, &text) {
            number += 1;
            differences += &case.difference().unwrap_or_default();
        }
    }

    assert_eq!(differences, "");
    assert!(number >= CASES, "{number} cases, {CASES} before");
}
