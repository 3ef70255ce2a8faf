//! Shapes of one-line texts.

use super::*;

fn shape_of(text: &str) -> TextShape {
    shape(text, &mut |_| {})
}

#[test]
fn shape_counts_words_capitals_and_marks() {
    let shape = shape_of("The committee met (on Monday), twice.");

    assert_eq!((shape.chars, shape.words, shape.upper_words), (37, 6, 2));
    assert_eq!((shape.uppercase, shape.commas, shape.brackets), (2, 1, 1));
    // "met" is a function word in Dutch
    assert_eq!((shape.punctuation, shape.function_words), (2, 3));
    assert!(shape.ends_sentence);
}

#[test]
fn ideographs_count_as_parts_of_words() {
    let shape = shape_of("中文网页");

    assert_eq!((shape.words, shape.ideographs), (1, 4));
    assert!((shape.tokens() - 3.4).abs() < 1e-6);
}

#[test]
fn letters_of_scripts_without_blanks_count_as_parts_of_words() {
    // "bees find flowers in the city" and a second sentence; vowel signs are letters, tones are not
    let thai = shape_of("ผึ้งหาดอกไม้ในเมือง มันบินไกล");

    assert_eq!((thai.words, thai.unspaced), (2, 26));
    assert!((thai.tokens() - 7.2).abs() < 1e-6);
    assert_eq!(shape_of("ລາວ မြန်မာ ខ្មែរ").words, 3);
    assert!(shape_of("ລາວ မြန်မာ ខ្មែរ").unspaced >= 10);
    assert_eq!(shape_of("Пчёлы находят цветы").unspaced, 0);
}

#[test]
fn words_of_any_length_have_the_hash_of_their_small_letters() {
    let text = "a Bc d2E f4Gh IjkLm NopQrs TuvwXyZ Abcdefgh ijklmNopq Z9yxwvuts7rqpOnm";
    let mut words = Vec::new();

    let shape = shape(text, &mut |word| words.push(word));

    let expected: Vec<u32> = text
        .split(' ')
        .map(crate::engines::hybrid::words::hash)
        .collect();
    assert_eq!(words, expected);
    let count = |holds: fn(&char) -> bool| text.chars().filter(holds).count() as u32;
    assert_eq!(shape.letters, count(char::is_ascii_alphabetic));
    assert_eq!(shape.uppercase, count(char::is_ascii_uppercase));
    assert_eq!(shape.chars, text.len() as u32);
}

#[test]
fn words_are_told_apart_without_regard_to_case() {
    let mut words = Vec::new();
    shape("Élan élan ELAN", &mut |word| words.push(word));

    assert_eq!(words[0], words[1]);
    assert_ne!(words[0], words[2]);
}
