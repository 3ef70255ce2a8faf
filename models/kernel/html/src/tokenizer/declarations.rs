//! Tokens that start with `<!` or `<?`, and end tags without a name (13.2.5.41 to 13.2.5.71).

use memchr::{memchr, memmem};

use super::{Span, Token, Tokenizer};

impl Tokenizer<'_> {
    /// The token of a `<!` that ends at `start`.
    pub(super) fn markup_declaration(&mut self, start: usize, allows_cdata: bool) -> Token {
        let rest = &self.input[start..];
        if rest.starts_with(b"--") {
            let (length, whole) = comment(&rest[2..]);
            self.at = start + 2 + whole;
            return Token::Comment(Span::new(start + 2, start + 2 + length));
        }
        if allows_cdata && rest.starts_with(b"[CDATA[") {
            let text = start + 7;
            let length = memmem::find(&rest[7..], b"]]>").unwrap_or(rest.len() - 7);
            self.at = (text + length + 3).min(self.input.len());
            return Token::CData(Span::new(text, text + length));
        }
        let is_doctype = rest.len() >= 7 && rest[..7].eq_ignore_ascii_case(b"doctype");
        let all = self.bogus(start);
        if is_doctype {
            let start = all.start + 7;
            return Token::Doctype(Span { start, ..all });
        }
        Token::Comment(all)
    }

    pub(super) fn bogus_comment(&mut self, start: usize) -> Token {
        Token::Comment(self.bogus(start))
    }

    /// The bytes from `start` to the next `>`.
    fn bogus(&mut self, start: usize) -> Span {
        let rest = &self.input[start..];
        let length = memchr(b'>', rest).unwrap_or(rest.len());
        self.at = (start + length + 1).min(self.input.len());
        Span::new(start, start + length)
    }
}

/// The length of a comment's data, and of all of it, in the text after `<!--`.
fn comment(text: &[u8]) -> (usize, usize) {
    if text.starts_with(b">") {
        return (0, 1);
    }
    if text.starts_with(b"->") {
        return (0, 2);
    }
    let mut from = 0;
    while let Some(found) = memmem::find(&text[from..], b"--") {
        let mut at = from + found + 2;
        while text.get(at) == Some(&b'-') {
            at += 1;
        }
        match text.get(at..) {
            Some([b'>', ..]) => return (at - 2, at + 1),
            Some([b'!', b'>', ..]) => return (at - 2, at + 2),
            // a truncated end counts as an end
            Some([]) => return (at - 2, at),
            Some([b'!']) => return (at - 2, at + 1),
            _ => from = at,
        }
    }
    let data = text.strip_suffix(b"-").unwrap_or(text);
    (data.len(), text.len())
}
