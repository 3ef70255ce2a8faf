//! Emoji that a page shows as images, with the sign as their alternative text.

use super::attributes::Name;
use super::tree::Node;

/// Longest sequence: a family of four with skin tones.
const MAX_BYTES: usize = 48;

/// The signs that an image stands for, if its alternative text is nothing else.
pub fn emoji_of(node: Node<'_>) -> Option<&[u8]> {
    let said = node.value(&[Name::Alt])?.trim_ascii();
    is_emoji(said).then_some(said)
}

fn is_emoji(said: &[u8]) -> bool {
    if said.len() > MAX_BYTES || said.first().is_none_or(u8::is_ascii) {
        return false; // most images
    }
    std::str::from_utf8(said).is_ok_and(|said| said.chars().all(is_sign))
}

/// Whether a sign is a picture, or chooses or joins pictures.
pub fn is_sign(sign: char) -> bool {
    matches!(
        sign,
        '\u{200d}' | '\u{2600}'..='\u{27bf}' | '\u{2b50}' | '\u{fe0f}' | '\u{1f000}'..='\u{1faff}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn emoji_are_pictures_and_the_marks_that_join_them() {
        for said in [
            "\u{1f389}",
            "\u{2764}\u{fe0f}",
            "\u{1f469}\u{200d}\u{1f692}",
            "\u{2713}",
        ] {
            assert!(is_emoji(said.as_bytes()), "{said}");
        }
        for said in ["", "a", "\u{1f389} party", "\u{e9}", "\u{1f389}1"] {
            assert!(!is_emoji(said.as_bytes()), "{said}");
        }
        assert!(!is_emoji("\u{1f389}".repeat(13).as_bytes()));
        assert!(!is_emoji(b"\xf0\x9f"));
    }
}
