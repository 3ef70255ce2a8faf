//! Words and their types.

use super::*;

fn of(context: &str) -> Vec<&str> {
    let mut found = Vec::new();
    words(context, &mut found);
    found
        .iter()
        .map(|word| &context[word.start..word.end])
        .collect()
}

#[test]
fn punctuation_is_cut_off_but_full_stops_stay() {
    assert_eq!(
        of("Mr. Smith, (born 1.5.70) e.g."),
        ["Mr.", "Smith", ",", "(", "born", "1.5.70", ")", "e.g."]
    );
    assert_eq!(
        of("a--b c...d\ne. . . f"),
        ["a", "--", "b", "c", "...", "d", "e", ". . .", "f"]
    );
    assert_eq!(of("1,000, x,y ,"), ["1,000", ",", "x,y", ","]);
}

#[test]
fn spaced_full_stops_match_as_far_as_the_pattern_does() {
    assert_eq!(
        [". . .", ". . . ", ". . x", ". .", ". . . .x"].map(multiple),
        [5, 5, 0, 0, 7]
    );
}

#[test]
fn types_of_numbers_and_initials() {
    let mut out = String::new();
    for (word, expected) in [
        ("-1,5.", NUMBER),
        ("3rd", "3rd"),
        ("Dr.", "dr."),
        ("٣.", NUMBER),
    ] {
        type_of(word, &mut out);
        assert_eq!(out, expected);
    }
    assert!(is_initial("J.") && is_initial("É.") && !is_initial("1.") && !is_initial("Jo."));
}
