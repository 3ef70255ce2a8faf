//! Pages beyond their limits.

use super::*;

const LIMITS: Limits = Limits {
    page_bytes: 10_000_000,
    depth: 512,
    nodes: 500_000,
    attributes: 512,
    names: 8_192,
    steps: 64_000_000,
    moved: 64_000_000,
};

fn refusal_of(markup: &str) -> Option<Reason> {
    census(
        markup.as_bytes(),
        false,
        &LIMITS,
        &mut Vec::new(),
        &mut Vec::new(),
    )
    .err()
    .map(|refusal| refusal.reason)
}

#[test]
fn a_tag_of_many_attributes_is_refused_for_them_however_many_they_are() {
    for count in [513, 5_000, 9_000, 100_000] {
        let names: String = (0..count).map(|number| format!(" a{number}")).collect();

        let refused = refusal_of(&format!("<p{names}>"));

        assert_eq!(refused, Some(Reason::TooManyAttributes), "{count}");
    }
}

#[test]
fn steps_without_too_many_attributes_are_refused_as_too_deep() {
    let names: String = (0..500).map(|number| format!(" a{number}")).collect();

    let refused = refusal_of(&format!("<p{names}>").repeat(300));

    assert_eq!(refused, Some(Reason::TooDeep));
}
