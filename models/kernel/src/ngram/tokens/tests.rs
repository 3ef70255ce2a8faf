//! Tokens of hand-written texts.

use super::*;

fn folded(text: &str) -> Vec<String> {
    Tokeniser::Folded.normalised(text)
}

#[test]
fn words_punctuation_and_inner_apostrophes() {
    assert_eq!(
        folded("Don't stop; it's 'quoted' O'Neill's 3.14 a_b"),
        [
            "don't",
            "stop",
            ";",
            "it's",
            "'",
            "quoted",
            "'",
            "o'neill's",
            "3",
            ".",
            "14",
            "a",
            "_",
            "b"
        ]
    );
}

#[test]
fn words_of_any_length_end_where_their_letters_do() {
    for length in 1..40 {
        let word = "Pneumonoultra9microscopicsilicovolcanoconiosis"
            .get(..length)
            .unwrap();
        let small = word.to_ascii_lowercase();
        for (end, expected) in [
            (" x", vec!["x"]),
            ("-", vec!["-"]),
            ("'", vec!["'"]),
            ("", vec![]),
        ] {
            let mut tokens = vec![small.as_str()];
            tokens.extend(expected);
            assert_eq!(folded(&format!("{word}{end}")), tokens);
        }
        assert_eq!(
            folded(&format!("{word}'{word}")),
            [format!("{small}'{small}")]
        );
        assert_eq!(folded(&format!("{word}\u{e9}")), [format!("{small}\u{e9}")]);
    }
}

#[test]
fn typographic_variants_fold_into_one_token() {
    assert_eq!(
        folded("don’t — “Éa’ç” ’a"),
        ["don't", "-", "\"", "éa'ç", "\"", "'", "a"]
    );
    assert_eq!(folded("ΣΑΣ σας"), ["σασ", "σασ"]);
}

#[test]
fn scripts_without_spaces_give_a_token_a_character() {
    assert_eq!(
        folded("汉字kana かな。"),
        ["汉", "字", "kana", "か", "な", "。"]
    );
}

#[test]
fn invisible_characters_neither_split_words_nor_count() {
    assert_eq!(
        folded("soft\u{ad}ware a\u{200d} \u{ad}b c\u{200b}d"),
        ["software", "a", "b", "c", "d"]
    );
    assert_eq!(folded("\u{feff}\u{200e} \u{1}"), [""; 0]);
}

#[test]
fn combining_marks_continue_words_and_stand_alone_otherwise() {
    assert_eq!(
        folded("e\u{301}a हिन्दी \u{301}"),
        ["e\u{301}a", "हिन्दी", "\u{301}"]
    );
}

#[test]
fn variants_of_the_rule_differ_where_they_say() {
    assert_eq!(Tokeniser::Cased.normalised("Don’t"), ["Don't"]);
    assert_eq!(
        Tokeniser::Split.normalised("Don’t é'b"),
        ["don", "'", "t", "é", "'", "b"]
    );
}

#[test]
fn the_key_of_a_token_is_that_of_its_normal_form() {
    let text = "Don't DON’T ÉTÉ été It– “A” soft\u{ad}ware’s O'é x'\u{301}y '";
    for tokeniser in [Tokeniser::Folded, Tokeniser::Cased, Tokeniser::Split] {
        let mut keys = Vec::new();
        tokeniser.each(text, 0, text.len(), |token| keys.push(token.key));
        let expected: Vec<u64> = tokeniser
            .normalised(text)
            .iter()
            .map(|normal| hash::token(normal.as_bytes()))
            .collect();
        assert_eq!(keys, expected);
    }
}

#[test]
fn a_span_inside_a_text_gives_the_tokens_of_that_span() {
    let text = "étude one two’s drei";
    let mut spans = Vec::new();
    Tokeniser::Folded.each(text, 7, 14, |token| spans.push((token.start, token.end)));
    assert_eq!(spans, [(7, 10), (11, 14)]);
    let mut none = 0;
    Tokeniser::Folded.each(text, 1, 14, |_| none += 1);
    Tokeniser::Folded.each(text, 0, 99, |_| none += 1);
    assert_eq!(none, 0);
}
