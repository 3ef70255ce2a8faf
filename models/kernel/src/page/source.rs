//! The first step for a page: check that it is one, and find its charset.

use std::borrow::Cow;

use super::charset::{Decoded, decode};
use super::doubled::encoded_once;
use super::limits::Limits;
use super::media::magic::check_magic;
use super::media::{Form, check_controls, check_empty, form_of, is_xml};
use super::refusal::Refusal;

/// The content of a body.
#[derive(Clone, Debug)]
pub struct Source<'body> {
    /// UTF-8 without a byte order mark; the body itself if it is that already.
    pub text: Cow<'body, str>,
    /// Lower-case WHATWG name of the charset of the body.
    pub charset: &'static str,
    pub form: Form,
    /// The page is declared as XML, in which any tag may close itself.
    pub is_xml: bool,
}

impl<'body> Source<'body> {
    /// Checks and decodes a body.
    ///
    /// # Errors
    /// `TooLarge`, `Empty`, `Binary` and `NotHtml`.
    pub fn of(
        body: &'body [u8],
        content_type: &str,
        url: &str,
        limits: &Limits,
    ) -> Result<Self, Refusal> {
        limits.check_bytes(body.len())?;
        check_magic(body)?;
        let Decoded { text, charset } = decode(body, content_type, url);
        let text = encoded_once(&text).map_or(text, Cow::Owned);
        check_empty(&text)?;
        check_controls(text.as_bytes())?;
        let form = form_of(&text, content_type)?;
        Ok(Self {
            is_xml: form == Form::Html && is_xml(content_type),
            text,
            charset,
            form,
        })
    }
}
