//! Text to Markdown that reads as the same text (CommonMark 0.31 with GitHub's tables and
//! strikethrough, footnotes, and formulas between dollars).

use super::spans::{Act, Event, Wrap};
use crate::page::addresses::is_reference;

/// Markup inserted between two bytes of a text, unescaped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Byte offset on a character border.
    pub at: usize,
    pub text: String,
}

/// The context of a text, which decides what characters could be taken for markup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// At the start of a line, where a block may begin.
    Line,
    /// After something on its line: a heading, a caption, a bracket; in a cell.
    Inline,
    /// One of several texts of a cell: the code of another may end a formula.
    Joined,
}

/// The markup for the spans of a text.
pub trait Spell {
    /// The address of a link.
    fn address(&self, link: usize) -> &str;
    /// The output for a range that is not written as text.
    fn whole(&self, stretch: usize, text: &str) -> Whole;
}

/// A range with its own output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Whole {
    /// Written unchanged.
    Raw(String),
    /// The same, and it starts with a bracket.
    Bracketed(String),
    /// Escaped like the text around it.
    Text(String),
}

/// Write a text so that only its spans are markup; a line feed becomes a hard line break.
///
/// Indentation and blank lines, which only preformatted text has, are left out: indentation would
/// make code of a line, and a blank line would end the paragraph.
pub fn escape(
    text: &str,
    marks: &[Mark],
    events: &[Event],
    spell: &impl Spell,
    place: Place,
    out: &mut String,
) {
    let is_formula = |event: &Event| matches!(event.act, Act::Whole { .. });
    let mut escaper = Escaper {
        out,
        brackets: 0,
        is_line_start: place == Place::Line,
        delimiter: None,
        before: None,
        is_after_note: false,
        has_formulas: place == Place::Joined || events.iter().any(is_formula),
        has_closing_tilde: has_closing_tilde(text) || !events.is_empty(),
    };
    let mut marks = marks.iter().peekable();
    let mut events = events.iter().peekable();
    let mut skip_to = 0;
    for at in text.char_indices().map(|(at, _)| at).chain([text.len()]) {
        while let Some(mark) = marks.next_if(|mark| mark.at <= at) {
            escaper.out.push_str(&mark.text);
        }
        while let Some(event) = events.next_if(|event| event.at <= at) {
            if let Act::Whole { until, stretch } = event.act {
                skip_to = until;
                escaper.whole(spell.whole(stretch, text.get(at..until).unwrap_or("")));
            } else {
                escaper.wrap(event.act, spell);
            }
        }
        if at < skip_to {
            continue;
        }
        let next_event = events.peek().map(|event| event.at);
        escaper.character(text, at, next_event);
    }
}

/// The same for a text without spans, in brackets or not.
pub fn escape_plain(text: &str, in_brackets: bool, out: &mut String) {
    let mut escaper = Escaper {
        out,
        brackets: usize::from(in_brackets),
        is_line_start: false,
        delimiter: None,
        before: None,
        is_after_note: false,
        has_formulas: true,
        has_closing_tilde: has_closing_tilde(text),
    };
    for (at, _) in text.char_indices() {
        escaper.character(text, at, None);
    }
}

struct Escaper<'out> {
    out: &'out mut String,
    /// Links that are open.
    brackets: usize,
    is_line_start: bool,
    /// Position of the delimiter of a possible ordered list item.
    delimiter: Option<usize>,
    before: Option<char>,
    is_after_note: bool,
    has_formulas: bool,
    /// A tilde may end a struck part: others must not open one.
    has_closing_tilde: bool,
}

impl Escaper<'_> {
    fn wrap(&mut self, act: Act, spell: &impl Spell) {
        match act {
            Act::Open(Wrap::Link(_)) => {
                self.bracket();
                self.out.push('[');
                self.brackets += 1;
            }
            Act::Close(Wrap::Link(link)) => {
                self.out.push_str("](");
                self.out.push_str(spell.address(link));
                self.out.push(')');
                self.brackets = self.brackets.saturating_sub(1);
            }
            Act::Open(wrap) | Act::Close(wrap) => self.out.push_str(match wrap {
                Wrap::Struck => "~~",
                Wrap::Strong => "**",
                _ => "_",
            }),
            Act::Whole { .. } => {}
        }
        self.before = Some('*');
        self.is_line_start = false;
        self.is_after_note = false;
    }

    /// Note that a bracket of markup follows: no character before it may change its meaning.
    fn bracket(&mut self) {
        let sign = self.before.filter(|sign| matches!(sign, '!' | '^'));
        if sign.is_some() && self.out.pop() == sign {
            self.out.push('\\');
            self.out.extend(sign);
        }
    }

    fn whole(&mut self, whole: Whole) {
        match whole {
            Whole::Raw(written) => {
                self.out.push_str(&written);
                self.before = Some('*');
            }
            Whole::Bracketed(written) => {
                self.bracket();
                self.out.push_str(&written);
                self.before = Some('*');
            }
            Whole::Text(text) => {
                for (at, _) in text.char_indices() {
                    self.character(&text, at, Some(text.len()));
                }
                self.before = Some('*');
            }
        }
        self.is_line_start = false;
        self.is_after_note = true;
    }

    /// Whether the bracket of a link or image is right before: with `^` it would be a note
    /// reference.
    fn opens_bracket(&self) -> bool {
        self.out.ends_with('[') && !self.out.ends_with("\\[")
    }

    fn character(&mut self, text: &str, at: usize, next_event: Option<usize>) {
        let rest = text.get(at..).unwrap_or("");
        let Some(character) = rest.chars().next() else {
            return;
        };
        let is_indent = self.before.is_none_or(|before| before == '\n');
        if character.is_whitespace() && is_indent {
            return;
        }
        if self.is_line_start {
            self.delimiter = ordinal(rest).map(|length| at + length);
        }
        let rest = &rest[character.len_utf8()..];
        let touches = next_event == Some(at + character.len_utf8());
        let after = rest.chars().next().filter(|_| !touches);
        let opens_tilde = self.before.is_none_or(char::is_whitespace) && after != Some('~');
        let is_markup = character == '~' && (self.has_closing_tilde || !opens_tilde)
            || is_inline_markup(self.before, character, after, rest)
            || self.is_line_start && is_block_markup(character, rest)
            || character == ']' && self.brackets > 0
            || character == '^' && self.opens_bracket()
            || character == ':' && self.is_after_note
            || character == '$'
                && (self.has_formulas || !after.is_some_and(|next| next.is_ascii_digit()))
            || self.delimiter == Some(at);
        if is_markup || character == '\n' {
            self.out.push('\\');
        }
        self.out.push(character);
        self.is_line_start = character == '\n';
        self.is_after_note = false;
        self.before = Some(character);
    }
}

/// Whether a character could open a span or a reference.
fn is_inline_markup(
    before: Option<char>,
    character: char,
    after: Option<char>,
    rest: &str,
) -> bool {
    match character {
        '\\' | '`' | '[' => true,
        // between spaces it is plain text: a multiplication
        '*' => before != Some(' ') || after != Some(' '),
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

/// Whether a tilde in a text follows something else than a space: `~40 and ~50` has none.
fn has_closing_tilde(text: &str) -> bool {
    let mut before = ' ';
    text.chars().any(|sign| {
        let last = std::mem::replace(&mut before, sign);
        sign == '~' && !last.is_whitespace()
    })
}

fn is_alphanumeric(character: Option<char>) -> bool {
    character.is_some_and(char::is_alphanumeric)
}

/// Whether the text after an angle bracket makes it a link: a mail address up to the next one.
fn is_address(rest: &str) -> bool {
    let end = rest.find(|character: char| "<>".contains(character) || character.is_whitespace());
    end.is_some_and(|end| rest[end..].starts_with('>') && rest[..end].contains('@'))
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

/// Length of the digits before the `.` or `)` of a possible ordered list item.
fn ordinal(line: &str) -> Option<usize> {
    let digits = line.bytes().take(10).take_while(u8::is_ascii_digit).count();
    let rest = line.get(digits..)?.strip_prefix(['.', ')'])?;
    let is_item = rest.is_empty() || rest.starts_with(char::is_whitespace);
    (is_item && (1..10).contains(&digits)).then_some(digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// For texts without spans.
    struct Bare;

    impl Spell for Bare {
        fn address(&self, _link: usize) -> &str {
            ""
        }

        fn whole(&self, _stretch: usize, text: &str) -> Whole {
            Whole::Text(text.to_owned())
        }
    }

    fn escaped(text: &str, place: Place) -> String {
        let mut out = String::new();
        escape(text, &[], &[], &Bare, place, &mut out);
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
            ("~5 * ~6 *", r"~5 * ~6 \*"),
            ("~5~ * ~6", r"\~5\~ * \~6"),
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
            ("* a", r"\* a"),
            ("* * *", r"\* * \*"),
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
    fn dollars_are_escaped_where_a_formula_could_end() {
        assert_eq!(escaped("$5 and $6", Place::Line), "$5 and $6");
        assert_eq!(escaped("$x$ US$", Place::Line), r"\$x\$ US\$");
        assert_eq!(escaped("$5", Place::Joined), r"\$5");
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
            &[],
            &Bare,
            Place::Inline,
            &mut out,
        );
        assert_eq!(out, r"<x>é</x>\*b*");

        let mut out = String::new();
        let marks = [mark(2, "<x>"), mark(7, "</x>")];
        escape("  a\n  b", &marks, &[], &Bare, Place::Line, &mut out);
        assert_eq!(out, "<x>a\\\nb</x>");
    }
}
