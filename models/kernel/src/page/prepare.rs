//! The first step of a page: is it one, in which charset, and will it parse in bounded time.

use std::borrow::Cow;
use std::ops::Range;

use super::charset::{Decoded, decode};
use super::guard::{Census, Limits, Missing, census};
use super::media::magic::check_magic;
use super::media::{Form, check_controls, check_empty, form_of, is_xml};
use super::refusal::{Reason, Refusal};
use super::runs::run_length;
use super::tags;

/// A page that may be parsed.
#[derive(Debug)]
pub struct Prepared<'body> {
    /// UTF-8 without a byte order mark, with the end tags that raw text in a `noscript` and a title
    /// lack, and XML to be read as HTML; the body itself where it already is that.
    pub markup: Cow<'body, str>,
    /// Lower-case WHATWG name of the charset the body came in.
    pub charset: &'static str,
    pub form: Form,
    /// What the guard counted; zeros for plain text, which is not parsed.
    pub census: Census,
    /// Bytes of the markup that no reader of its tree looks at, in order: attributes, and texts of
    /// scripts and styles.
    pub unread: Vec<Range<usize>>,
}

impl Prepared<'_> {
    /// The pieces of the markup that are worth parsing.
    pub fn pieces(&self) -> impl Iterator<Item = &[u8]> {
        let markup = self.markup.as_bytes();
        let ends = self.unread.iter().map(|unread| unread.start);
        let starts = self.unread.iter().map(|unread| unread.end);
        let ends = ends.chain([markup.len()]);
        [0].into_iter()
            .chain(starts)
            .zip(ends)
            .map(|(start, end)| &markup[start..end])
    }
}

/// Check and decode a body.
///
/// # Errors
/// Every reason of [`Reason`].
pub fn prepare<'body>(
    body: &'body [u8],
    content_type: &str,
    url: &str,
    limits: &Limits,
) -> Result<Prepared<'body>, Refusal> {
    if body.len() > limits.page_bytes {
        let detail = format!("{} bytes, at most {}", body.len(), limits.page_bytes);
        return Err(Refusal::new(Reason::TooLarge, detail));
    }
    check_magic(body)?;
    let Decoded { text, charset } = decode(body, content_type, url);
    check_empty(&text)?;
    check_controls(text.as_bytes())?;
    let form = form_of(&text, content_type)?;
    let (mut missing, mut unread) = (Vec::new(), Vec::new());
    let census = match form {
        Form::Html => {
            let is_xml = is_xml(&text, content_type);
            census(text.as_bytes(), is_xml, limits, &mut missing, &mut unread)?
        }
        Form::Text => Census::default(),
    };
    let cut: usize = unread.iter().map(Range::len).sum();
    // places of a repaired page are others; and the judgement of tiny texts asks for their share
    if !missing.is_empty() || run_length(census.nodes, text.len() - cut) > 1 {
        unread.clear();
    }
    let repaired = with_end_tags(&text, &missing);
    Ok(Prepared {
        markup: repaired.map_or(text, Cow::Owned),
        charset,
        form,
        census,
        unread,
    })
}

/// The markup with the end tags that it lacks, if any.
fn with_end_tags(markup: &str, missing: &[Missing]) -> Option<String> {
    let last = missing.last()?;
    let mut whole = String::new();
    let mut from = 0;
    for end_tag in missing {
        whole.extend([
            &markup[from..end_tag.at],
            "</",
            tags::NAMES[end_tag.tag as usize],
            ">",
        ]);
        from = end_tag.at;
    }
    whole.push_str(&markup[last.at..]);
    Some(whole)
}
