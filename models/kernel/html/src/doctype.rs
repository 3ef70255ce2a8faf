//! 13.2.5.53 to 13.2.5.68: the doctype, and 13.2.6.4.1: whether it causes quirks mode.

use crate::tokenizer::Span;

/// Name and identifiers of a doctype.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Doctype<'i> {
    /// The name as the page spells it.
    pub name: &'i [u8],
    /// The public identifier.
    pub public: Option<&'i [u8]>,
    /// The system identifier.
    pub system: Option<&'i [u8]>,
    /// The *force-quirks flag*: the doctype is damaged.
    pub forces_quirks: bool,
}

/// Read the bytes between `<!doctype` and `>`. `is_closed` is whether the `>` is present.
#[must_use]
pub fn read(text: &[u8], is_closed: bool) -> Doctype<'_> {
    let rest = text.trim_ascii_start();
    let length = rest.iter().position(u8::is_ascii_whitespace);
    let (name, rest) = rest.split_at(length.unwrap_or(rest.len()));
    let rest = rest.trim_ascii_start();
    let mut found = Doctype {
        name,
        forces_quirks: name.is_empty(),
        ..Doctype::default()
    };
    let keyword = rest.get(..6).unwrap_or_default();
    let mut after = rest;
    if keyword.eq_ignore_ascii_case(b"public") {
        (found.public, after) = quoted(&rest[6..], &mut found.forces_quirks);
        if found.public.is_some() && !after.is_empty() {
            (found.system, after) = quoted(after, &mut found.forces_quirks);
        }
    } else if keyword.eq_ignore_ascii_case(b"system") {
        (found.system, after) = quoted(&rest[6..], &mut found.forces_quirks);
    } else {
        found.forces_quirks |= !rest.is_empty();
    }
    // after a system identifier the bogus doctype state does not force quirks, even at the end
    let is_bogus = found.system.is_some() && !after.is_empty();
    found.forces_quirks |= !is_closed && !is_bogus;
    found
}

/// The doctype of a token.
pub(crate) fn of_span(input: &[u8], span: Span) -> Doctype<'_> {
    let is_closed = input.get(span.end as usize) == Some(&b'>');
    read(span.of(input), is_closed)
}

/// An identifier in quotes, and the text after it and after white space.
fn quoted<'i>(text: &'i [u8], forces_quirks: &mut bool) -> (Option<&'i [u8]>, &'i [u8]) {
    let text = text.trim_ascii_start();
    let Some((&quote @ (b'"' | b'\''), rest)) = text.split_first() else {
        *forces_quirks = true;
        return (None, text);
    };
    match rest.iter().position(|&byte| byte == quote) {
        Some(end) => (Some(&rest[..end]), rest[end + 1..].trim_ascii_start()),
        None => {
            *forces_quirks = true;
            (Some(rest), b"")
        }
    }
}

impl Doctype<'_> {
    /// Whether the document is in quirks mode, where a `table` does not end a paragraph.
    #[must_use]
    pub fn is_quirky(&self) -> bool {
        let public = self.public.map(<[u8]>::to_ascii_lowercase);
        let system = self.system.map(<[u8]>::to_ascii_lowercase);
        let public_starts = |starts: &[&str]| {
            public
                .as_ref()
                .is_some_and(|id| starts.iter().any(|start| id.starts_with(start.as_bytes())))
        };
        let is_one_of = |ids: &[&str]| {
            public
                .as_ref()
                .is_some_and(|id| ids.iter().any(|known| known.as_bytes() == id))
        };
        self.forces_quirks
            || !self.name.eq_ignore_ascii_case(b"html")
            || is_one_of(&[
                "-//w3o//dtd w3 html strict 3.0//en//",
                "-/w3c/dtd html 4.0 transitional/en",
                "html",
            ])
            || system.as_deref()
                == Some(b"http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd")
            || public_starts(&QUIRKY)
            || system.is_none()
                && public_starts(&[
                    "-//w3c//dtd html 4.01 frameset//",
                    "-//w3c//dtd html 4.01 transitional//",
                ])
    }
}

/// Starts of public identifiers.
static QUIRKY: [&str; 55] = [
    "+//silmaril//dtd html pro v0r11 19970101//",
    "-//as//dtd html 3.0 aswedit + extensions//",
    "-//advasoft ltd//dtd html 3.0 aswedit + extensions//",
    "-//ietf//dtd html 2.0 level 1//",
    "-//ietf//dtd html 2.0 level 2//",
    "-//ietf//dtd html 2.0 strict level 1//",
    "-//ietf//dtd html 2.0 strict level 2//",
    "-//ietf//dtd html 2.0 strict//",
    "-//ietf//dtd html 2.0//",
    "-//ietf//dtd html 2.1e//",
    "-//ietf//dtd html 3.0//",
    "-//ietf//dtd html 3.2 final//",
    "-//ietf//dtd html 3.2//",
    "-//ietf//dtd html 3//",
    "-//ietf//dtd html level 0//",
    "-//ietf//dtd html level 1//",
    "-//ietf//dtd html level 2//",
    "-//ietf//dtd html level 3//",
    "-//ietf//dtd html strict level 0//",
    "-//ietf//dtd html strict level 1//",
    "-//ietf//dtd html strict level 2//",
    "-//ietf//dtd html strict level 3//",
    "-//ietf//dtd html strict//",
    "-//ietf//dtd html//",
    "-//metrius//dtd metrius presentational//",
    "-//microsoft//dtd internet explorer 2.0 html strict//",
    "-//microsoft//dtd internet explorer 2.0 html//",
    "-//microsoft//dtd internet explorer 2.0 tables//",
    "-//microsoft//dtd internet explorer 3.0 html strict//",
    "-//microsoft//dtd internet explorer 3.0 html//",
    "-//microsoft//dtd internet explorer 3.0 tables//",
    "-//netscape comm. corp.//dtd html//",
    "-//netscape comm. corp.//dtd strict html//",
    "-//o'reilly and associates//dtd html 2.0//",
    "-//o'reilly and associates//dtd html extended 1.0//",
    "-//o'reilly and associates//dtd html extended relaxed 1.0//",
    "-//sq//dtd html 2.0 hotmetal + extensions//",
    "-//softquad software//dtd hotmetal pro 6.0::19990601::extensions to html 4.0//",
    "-//softquad//dtd hotmetal pro 4.0::19971010::extensions to html 4.0//",
    "-//spyglass//dtd html 2.0 extended//",
    "-//sun microsystems corp.//dtd hotjava html//",
    "-//sun microsystems corp.//dtd hotjava strict html//",
    "-//w3c//dtd html 3 1995-03-24//",
    "-//w3c//dtd html 3.2 draft//",
    "-//w3c//dtd html 3.2 final//",
    "-//w3c//dtd html 3.2//",
    "-//w3c//dtd html 3.2s draft//",
    "-//w3c//dtd html 4.0 frameset//",
    "-//w3c//dtd html 4.0 transitional//",
    "-//w3c//dtd html experimental 19960712//",
    "-//w3c//dtd html experimental 970421//",
    "-//w3c//dtd w3 html//",
    "-//w3o//dtd w3 html 3.0//",
    "-//webtechs//dtd mozilla html 2.0//",
    "-//webtechs//dtd mozilla html//",
];
