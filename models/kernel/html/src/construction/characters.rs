//! Character tokens: white space, NUL, and the line feed after `<pre>`.

use super::TreeBuilder;
use super::modes::Mode;
use crate::tokenizer::Span;
use crate::tree;

/// A text of the input on its way into the tree.
///
/// An empty text is a NUL character: it is not white space, and it is not inserted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Text {
    pub span: Span,
    /// Flags of its node.
    pub flags: u8,
}

/// No reference to a white space character is longer.
const MAX_REFERENCE: usize = 12;

impl TreeBuilder<'_> {
    #[inline(always)]
    pub(super) fn text(&mut self, mut text: Text) {
        if std::mem::take(&mut self.skips_line_feed) {
            text.span.start += self.first_line_feed(text);
            if text.span.is_empty() {
                return;
            }
        }
        if self.is_in_foreign() && self.text_in_foreign(text) {
            return;
        }
        if self.has_nul {
            self.text_with_nul(text);
        } else if self.mode == Mode::InBody {
            self.text_in_body(text);
        } else {
            self.text_by_mode(text);
        }
    }

    #[cold]
    fn text_with_nul(&mut self, text: Text) {
        if self.mode.is_of_table_text() {
            return self.table_text_with_nul(text);
        }
        let mut start = text.span.start;
        for piece in text.span.of(self.tree.input).split(|&byte| byte == 0) {
            let end = start + piece.len() as u32;
            if !piece.is_empty() {
                let span = Span { start, end };
                self.text_by_mode(Text { span, ..text });
            }
            if end < text.span.end {
                let span = Span { start: end, end };
                self.text_by_mode(Text { span, ..text });
            }
            start = end + 1;
        }
    }

    /// In a table NUL is ignored, and does not divide a text.
    fn table_text_with_nul(&mut self, text: Text) {
        let bytes = text.span.of(self.tree.input);
        let mut pieces = Vec::new();
        let mut start = text.span.start;
        for piece in bytes.split(|&byte| byte == 0) {
            let end = start + piece.len() as u32;
            let span = Span { start, end };
            pieces.push(Text { span, ..text });
            start = end + 1;
        }
        let is_white = pieces.iter().all(|&piece| self.is_white(piece));
        for piece in pieces {
            self.table_text(piece, is_white);
        }
    }

    /// How many of the first bytes of a text are white space, references to it included.
    pub(super) fn white_length(&self, text: Text) -> u32 {
        let bytes = text.span.of(self.tree.input);
        let mut at = 0;
        loop {
            match bytes.get(at) {
                Some(byte) if byte.is_ascii_whitespace() => at += 1,
                Some(b'&') if text.flags & tree::RAW == 0 => {
                    let length = white_reference(&bytes[at..]);
                    if length == 0 {
                        return at as u32;
                    }
                    at += length;
                }
                _ => return at as u32,
            }
        }
    }

    /// The white space that a text starts with, and the rest, which is empty if it is white space
    /// only.
    pub(super) fn split_white(&self, text: Text) -> (Text, Option<Text>) {
        let Span { start, end } = text.span;
        let middle = start + self.white_length(text);
        let piece = |start, end| {
            let span = Span { start, end };
            Text { span, ..text }
        };
        let is_white = middle == end && start < end;
        let rest = (!is_white).then(|| piece(middle, end));
        (piece(start, middle), rest)
    }

    pub(super) fn is_white(&self, text: Text) -> bool {
        self.white_length(text) == text.span.end - text.span.start
    }

    /// Each stretch of white space in a text.
    pub(super) fn each_white_piece(&mut self, text: Text, mut take: impl FnMut(&mut Self, Text)) {
        let input = self.tree.input;
        let Span { mut start, end } = text.span;
        while start < end {
            let rest = &input[start as usize..end as usize];
            let is_white = rest[0].is_ascii_whitespace();
            let same = rest
                .iter()
                .take_while(|byte| byte.is_ascii_whitespace() == is_white);
            let middle = start + same.count() as u32;
            if is_white {
                let span = Span { start, end: middle };
                take(self, Text { span, ..text });
            }
            start = middle;
        }
    }

    /// The length of the line feed that a text starts with, which may be a reference.
    #[cold]
    fn first_line_feed(&self, text: Text) -> u32 {
        let bytes = text.span.of(self.tree.input);
        if bytes.first() == Some(&b'&') && text.flags & tree::RAW == 0 {
            return match reference(bytes) {
                (length, "\n") => length as u32,
                _ => 0,
            };
        }
        line_feed(bytes)
    }
}

/// The length of the line feed that a text starts with.
pub(super) fn line_feed(text: &[u8]) -> u32 {
    match text {
        [b'\r', b'\n', ..] => 2,
        [b'\n' | b'\r', ..] => 1,
        _ => 0,
    }
}

/// The length of the reference to white space that a text starts with, 0 if it is another one.
fn white_reference(text: &[u8]) -> usize {
    match reference(text) {
        (length, "\t" | "\n" | "\u{C}" | "\r" | " ") => length,
        _ => 0,
    }
}

/// The length of the reference that a text starts with, and its meaning if that is one character
/// of white space.
fn reference(text: &[u8]) -> (usize, &'static str) {
    let start = &text[..text.len().min(MAX_REFERENCE)];
    let length = start.iter().position(|&byte| byte == b';');
    let length = length.map_or(0, |at| at + 1);
    let spelled = std::str::from_utf8(&start[..length]).unwrap_or_default();
    let decoded = htmlize::unescape(spelled);
    let white = ["\t", "\n", "\u{C}", "\r", " "];
    let meaning = white.into_iter().find(|white| *white == decoded);
    (length, meaning.unwrap_or_default())
}
