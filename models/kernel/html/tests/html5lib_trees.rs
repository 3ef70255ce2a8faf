//! The tree construction tests of html5lib-tests: documents with scripting off.

mod support;

use support::{cases, files, html5lib};

/// May only rise.
const PASSED: usize = 1588;
/// Tests of the copy of an option into `<selectedcontent>`, which repeats a text of the page: not
/// supported.
const SELECTED_CONTENT: usize = 4;

#[test]
fn trees_are_those_of_html5lib_tests() {
    let Some(folder) = html5lib("tree-construction") else {
        return;
    };
    let (mut passed, mut left_out, mut differences) = (0, 0, String::new());
    for (name, text) in files(&folder, "dat") {
        for case in cases(&name, &text) {
            match case.difference() {
                None => passed += 1,
                Some(_) if case.data.contains("<selectedcontent>") => left_out += 1,
                Some(difference) => differences += &difference,
            }
        }
    }

    assert_eq!(differences, "");
    assert!(left_out <= SELECTED_CONTENT, "{left_out}");
    assert!(passed >= PASSED, "{passed} pass, {PASSED} did before");
}
