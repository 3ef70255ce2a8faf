//! Text that is only in the data of a page: linked data, and the state of scripts that render it.
//!
//! A page that shows almost nothing may carry its article as JSON, for search engines
//! (`articleBody`) or for the scripts of Next.js and Nuxt. [`find`] writes that text as separate
//! markup, to be appended to the page and read like the rest, so the same rules remove scripts and
//! boilerplate in it.

mod markup;
mod state;
mod stream;

use crate::metadata::linked_data::article_bodies;
use crate::page::attributes::Name;
use crate::page::tags;
use crate::page::tree::{Node, NodeKind};
use markup::{Piece, article};
use stream::pushed;

/// The source of a document's text, the usual one first.
pub const TEXT_SOURCES: [&str; 6] = [
    "page",
    "json-ld:articleBody",
    "script:__NEXT_DATA__",
    "script:__NUXT_DATA__",
    "script:__NUXT__",
    "script:__next_f",
];
/// Limit of script bytes read per page. Next.js warns of states beyond 128 kB.
const MAX_BYTES: usize = 1 << 20;
/// The shown text may be the beginning of the data's: data that are not much longer add little and
/// could repeat it.
const TIMES_MORE: usize = 2;
/// Shorter texts are descriptions.
const LEAST_CHARS: usize = 200;

/// A text found in page data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataText {
    /// Index into [`TEXT_SOURCES`].
    pub source: &'static str,
    /// An `article` element with the text.
    pub markup: String,
}

/// The text in the data of a page that shows `shown_chars` characters; `None` if the data has not
/// clearly more.
#[must_use]
pub fn find(root: Node<'_>, shown_chars: usize) -> Option<DataText> {
    let scripts = Scripts::of(root);
    let least = LEAST_CHARS.max(TIMES_MORE * shown_chars + 1);
    let [_, body, next, nuxt_data, nuxt, stream] = TEXT_SOURCES;
    let chosen = |source: &'static str, pieces: &[Piece<'_>]| {
        let chars: usize = pieces.iter().map(Piece::chars).sum();
        (chars >= least).then(|| DataText {
            source,
            markup: article(pieces),
        })
    };
    let bodies = article_bodies(scripts.linked.iter().copied());
    let bodies: Vec<Piece<'_>> = bodies.iter().map(|body| Piece::of(body)).collect();
    chosen(body, &bodies)
        .or_else(|| state::read(scripts.next?, |state| chosen(next, state)))
        .or_else(|| state::read_nuxt(scripts.nuxt_data?, |state| chosen(nuxt_data, state)))
        .or_else(|| state::read(scripts.nuxt?, |state| chosen(nuxt, state)))
        .or_else(|| state::read_stream(&scripts.stream, |state| chosen(stream, state)))
}

/// The scripts of a page that may hold its text, each kind within [`MAX_BYTES`]; a stream ends with
/// the script that exceeds it.
#[derive(Default)]
struct Scripts<'tree> {
    linked: Vec<&'tree str>,
    linked_bytes: usize,
    next: Option<&'tree str>,
    nuxt_data: Option<&'tree str>,
    /// The value assigned to `window.__NUXT__`; mostly a function call, which is not JSON.
    nuxt: Option<&'tree str>,
    /// The text that all scripts together push for Next.js since version 13.
    stream: String,
}

impl<'tree> Scripts<'tree> {
    fn of(root: Node<'tree>) -> Self {
        let mut scripts = Self::default();
        let mut node = root;
        loop {
            if node.kind() == NodeKind::Element && node.tag() == tags::SCRIPT {
                scripts.add(node);
            }
            let mut next = node.first_child();
            while next.is_none() {
                if node == root {
                    return scripts;
                }
                next = node.next();
                if next.is_none() {
                    let Some(parent) = node.parent() else {
                        return scripts;
                    };
                    node = parent;
                }
            }
            let Some(found) = next else { return scripts };
            node = found;
        }
    }

    fn add(&mut self, script: Node<'tree>) {
        let text = script.first_child().map(Node::text).unwrap_or_default();
        let Ok(text) = std::str::from_utf8(text) else {
            return;
        };
        let text = text.trim();
        if text.len() > MAX_BYTES {
            return;
        }
        let media = script.value(&[Name::Type]).unwrap_or_default();
        let media = media.split(|&byte| byte == b';').next().unwrap_or(media);
        let media = media.trim_ascii().to_ascii_lowercase();
        match (media.as_slice(), script.value(&[Name::Id])) {
            (b"application/ld+json", _) if self.linked_bytes + text.len() <= MAX_BYTES => {
                self.linked_bytes += text.len();
                self.linked.push(text);
            }
            (b"application/json", Some(b"__NEXT_DATA__")) => self.next = Some(text),
            (b"application/json", Some(b"__NUXT_DATA__")) => self.nuxt_data = Some(text),
            (b"" | b"text/javascript", _) => {
                self.nuxt = self.nuxt.or_else(|| assigned(text));
                if self.stream.len() < MAX_BYTES {
                    self.stream.push_str(&pushed(text));
                }
            }
            _ => {}
        }
    }
}

/// The value that a script assigns to `window.__NUXT__`.
fn assigned(script: &str) -> Option<&str> {
    let value = script.strip_prefix("window.__NUXT__")?.trim_start();
    Some(value.strip_prefix('=')?.trim().trim_end_matches(';'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_assigned_value_is_read() {
        assert_eq!(assigned("window.__NUXT__={\"a\":1};"), Some("{\"a\":1}"));
        assert_eq!(assigned("window.__NUXT__ = {}"), Some("{}"));
        assert_eq!(assigned("window.__NUXT__.a={}"), None);
        assert_eq!(assigned("var a = {}"), None);
    }
}
