//! Letters of scripts without spaces between words: if a line of the source ends between two of
//! them, browsers draw no space either (CSS Text 3, segment breaks).

/// Whether no space belongs between two texts with a line end of the source between them.
#[must_use]
pub fn are_joined(before: &[u8], after: &[u8]) -> bool {
    let (Some(last), Some(first)) = (last_of(before), first_of(after)) else {
        return false;
    };
    match (width(last), width(first)) {
        (Width::Wide, Width::Wide | Width::Either) | (Width::Either, Width::Wide) => true,
        (Width::Either, Width::Either) | (Width::Narrow, _) | (_, Width::Narrow) => false,
    }
}

#[derive(Clone, Copy)]
enum Width {
    Narrow,
    /// Quotation marks, dashes and dots, which Han and kana share with other scripts.
    Either,
    Wide,
}

fn width(letter: char) -> Width {
    match letter {
        // radicals and strokes; punctuation; kana, bopomofo; Han; full and half width forms
        '\u{2E80}'..='\u{2FDF}'
        | '\u{3001}'..='\u{312F}'
        | '\u{3190}'..='\u{31FF}'
        | '\u{3400}'..='\u{4DBF}'
        | '\u{4E00}'..='\u{9FFF}'
        | '\u{F900}'..='\u{FAFF}'
        | '\u{FE30}'..='\u{FE4F}'
        | '\u{FF01}'..='\u{FF9F}'
        | '\u{FFE0}'..='\u{FFE6}'
        | '\u{20000}'..='\u{3FFFF}' => Width::Wide,
        '\u{2014}' | '\u{2018}' | '\u{2019}' | '\u{201C}' | '\u{201D}' | '\u{2026}' | '\u{B7}' => {
            Width::Either
        }
        _ => Width::Narrow,
    }
}

fn last_of(text: &[u8]) -> Option<char> {
    let start = text.iter().rposition(|byte| byte & 0xC0 != 0x80)?;
    std::str::from_utf8(&text[start..]).ok()?.chars().next()
}

fn first_of(text: &[u8]) -> Option<char> {
    let length = 1 + text
        .get(1..)?
        .iter()
        .take_while(|&byte| byte & 0xC0 == 0x80)
        .count();
    std::str::from_utf8(&text[..length]).ok()?.chars().next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_letters_are_joined_and_others_are_not() {
        for (before, after) in [
            ("今天", "天气"),
            ("です。", "かな"),
            ("カ", "漢"),
            ("说：", "“好"),
            ("”", "他"),
            ("Ａ", "Ｂ"),
        ] {
            assert!(
                are_joined(before.as_bytes(), after.as_bytes()),
                "{before} {after}"
            );
        }
        for (before, after) in [
            ("한국", "어"),
            ("漢", "한"),
            ("今天", "we"),
            ("we", "今天"),
            ("a—", "“b"),
            ("", "今"),
        ] {
            assert!(
                !are_joined(before.as_bytes(), after.as_bytes()),
                "{before} {after}"
            );
        }
    }
}
