//! Text to Markdown that reads as the same text (CommonMark 0.31 with GitHub's tables and strikes).

/// Something that stands between two bytes of a text and is written as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Byte offset on a character border.
    pub at: usize,
    pub text: String,
}

/// Where a text will stand; it decides which characters could be taken for markup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// At the start of a line that may begin a block.
    Line,
    /// Behind something on its line: a heading, a caption.
    Inline,
    /// In a cell of a table.
    Cell,
}

/// Write a text so that nothing of it is markup; a line feed becomes a hard line break.
///
/// Indentation and blank lines, which preformatted text alone has, are left out: the one would
/// make code of a line, the other end the paragraph.
pub fn escape(text: &str, marks: &[Mark], place: Place, out: &mut String) {
    let mut marks = marks.iter().peekable();
    let mut is_line_start = place == Place::Line;
    let mut delimiter = None;
    let mut before = None;
    for (at, character) in text.char_indices() {
        while let Some(mark) = marks.next_if(|mark| mark.at <= at) {
            out.push_str(&mark.text);
        }
        if character.is_whitespace() && before.is_none_or(|before| before == '\n') {
            continue;
        }
        let rest = &text[at + character.len_utf8()..];
        if is_line_start {
            delimiter = ordinal(&text[at..]).map(|length| at + length);
        }
        let is_markup = is_inline_markup(before, character, rest)
            || is_line_start && is_block_markup(character, rest)
            || character == '|' && place == Place::Cell
            || delimiter == Some(at);
        if is_markup || character == '\n' {
            out.push('\\');
        }
        out.push(character);
        is_line_start = character == '\n';
        before = Some(character);
    }
    marks.for_each(|mark| out.push_str(&mark.text));
}

/// Whether a character could open a span or a reference.
fn is_inline_markup(before: Option<char>, character: char, rest: &str) -> bool {
    let after = rest.chars().next();
    match character {
        '\\' | '`' | '*' | '[' | '~' => true,
        // inside a word it is plain text
        '_' => !(is_alphanumeric(before) && is_alphanumeric(after)),
        '<' => {
            after.is_none_or(|after| after.is_ascii_alphabetic() || "/!?".contains(after))
                || is_address(rest)
        }
        '&' => is_reference(rest),
        _ => false,
    }
}

fn is_alphanumeric(character: Option<char>) -> bool {
    character.is_some_and(char::is_alphanumeric)
}

/// Whether what follows an angle bracket makes a link of it: a mail address up to the next one.
fn is_address(rest: &str) -> bool {
    let end = rest.find(|character: char| "<>".contains(character) || character.is_whitespace());
    end.is_some_and(|end| rest[end..].starts_with('>') && rest[..end].contains('@'))
}

/// Whether what follows an ampersand makes a character reference of it.
fn is_reference(rest: &str) -> bool {
    let name = rest.strip_prefix('#').unwrap_or(rest);
    let name = name.trim_start_matches(|character: char| character.is_ascii_alphanumeric());
    name.len() < rest.len() && name.starts_with(';')
}

/// Whether a character at the start of a line could open a heading, quote, list, rule or table.
fn is_block_markup(character: char, rest: &str) -> bool {
    match character {
        '>' | '=' | '|' => true,
        '-' | '+' => !rest.starts_with(char::is_alphanumeric),
        ':' => rest.starts_with('-'),
        '#' => {
            let title = rest.trim_start_matches('#');
            title.is_empty() || title.starts_with(char::is_whitespace)
        }
        _ => false,
    }
}

/// Length of the digits before the `.` or `)` of what could be an item of an ordered list.
fn ordinal(line: &str) -> Option<usize> {
    let digits = line.bytes().take(10).take_while(u8::is_ascii_digit).count();
    let rest = line.get(digits..)?.strip_prefix(['.', ')'])?;
    let is_item = rest.is_empty() || rest.starts_with(char::is_whitespace);
    (is_item && (1..10).contains(&digits)).then_some(digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn escaped(text: &str, place: Place) -> String {
        let mut out = String::new();
        escape(text, &[], place, &mut out);
        out
    }

    #[test]
    fn spans_are_escaped_everywhere() {
        for (text, expected) in [
            ("a*b* `c` [d](e)", r"a\*b\* \`c\` \[d](e)"),
            ("snake_case _x_", r"snake_case \_x\_"),
            ("1 < 2 <b> </b> <!-- <?", r"1 < 2 \<b> \</b> \<!-- \<?"),
            ("R&D &amp; &#38; & &", r"R&D \&amp; \&#38; & &"),
            ("<3 <4@b.c> <5@b <6@b.c", r"<3 \<4@b.c> <5@b <6@b.c"),
            (r"a\b ~~c~~", r"a\\b \~\~c\~\~"),
            ("a\nb", "a\\\nb"),
        ] {
            assert_eq!(escaped(text, Place::Inline), expected);
            assert_eq!(escaped(text, Place::Line), expected);
        }
    }

    #[test]
    fn block_markup_is_escaped_at_the_start_of_a_line() {
        for (text, expected) in [
            ("# a", r"\# a"),
            ("#tag C#", "#tag C#"),
            ("> a", r"\> a"),
            ("- a", r"\- a"),
            ("---", r"\---"),
            ("-5 degrees", "-5 degrees"),
            ("+ a", r"\+ a"),
            ("1. a", r"1\. a"),
            ("12)", r"12\)"),
            ("1.5 a", "1.5 a"),
            ("1234567890. a", "1234567890. a"),
            ("a\n==", "a\\\n\\=="),
            ("a | b\n:-|-", "a | b\\\n\\:-|-"),
        ] {
            assert_eq!(escaped(text, Place::Line), expected);
        }
        assert_eq!(escaped("1. a # b - c", Place::Inline), "1. a # b - c");
    }

    #[test]
    fn indentation_and_blank_lines_are_left_out() {
        for (text, expected) in [
            ("    a", "a"),
            ("a\n\n \t\n\n# b", "a\\\n\\# b"),
            ("\n\ta  b\n    1. c", "a  b\\\n1\\. c"),
        ] {
            assert_eq!(escaped(text, Place::Line), expected);
        }
        assert_eq!(escaped("  a\n\n  # b", Place::Inline), "a\\\n\\# b");
    }

    #[test]
    fn pipes_are_escaped_in_cells() {
        assert_eq!(escaped("a|b", Place::Cell), r"a\|b");
        assert_eq!(escaped("a|b", Place::Line), "a|b");
    }

    #[test]
    fn marks_are_written_as_they_are() {
        let mark = |at, text: &str| Mark {
            at,
            text: text.to_owned(),
        };
        let mut out = String::new();
        escape(
            "é*b",
            &[mark(0, "<x>"), mark(2, "</x>"), mark(4, "*")],
            Place::Inline,
            &mut out,
        );
        assert_eq!(out, r"<x>é</x>\*b*");

        let mut out = String::new();
        let marks = [mark(2, "<x>"), mark(7, "</x>")];
        escape("  a\n  b", &marks, Place::Line, &mut out);
        assert_eq!(out, "<x>a\\\nb</x>");
    }
}
