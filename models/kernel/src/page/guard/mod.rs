//! Guards before the parse: what a page would cost lexbor, found out in one linear pass.
//!
//! Lexbor's cost grows with the square of the nesting depth, of the attributes of a tag and of the
//! formatting elements that are open at once, so a small page can hold a worker for minutes. The
//! guard cuts the markup into tokens as lexbor does and follows its stack of open elements and its
//! list of active formatting elements closely enough that implied end tags, void elements and
//! elements that are opened again count as they will in the tree.

mod builder;
mod growth;
mod open;
mod stack;
mod traits;
mod unread;

use std::ops::Range;

use memchr::memchr3;

use super::html_tokens::{TagToken, Token, Tokens};
use super::refusal::{Reason, Refusal};
use super::roles::{Role, role};
use super::tags::{self, Tag};
use builder::Builder;
use traits::{VOID, traits_of};

/// Bounds of a page; `models/page/limits.py` says why they are what they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "python", derive(pyo3::FromPyObject))]
pub struct Limits {
    pub page_bytes: usize,
    pub depth: usize,
    pub nodes: usize,
    pub attributes: usize,
    /// Distinct names of attributes, and of elements that HTML does not know.
    pub names: usize,
    /// Sum over all tags of the elements open there, and over attributes of the names known there.
    pub steps: usize,
    /// Bytes of texts that move because more is added to them.
    pub moved: usize,
}

/// What the guard found out about a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "python", derive(pyo3::IntoPyObject))]
pub struct Census {
    pub nodes: usize,
    pub depth: usize,
    /// Attributes of the tag that has most; all tags of the root and of the body count as one.
    pub attributes: usize,
    /// Distinct names of attributes, and of elements that HTML does not know.
    pub names: usize,
    pub steps: usize,
    pub moved: usize,
}

/// An end tag that the markup lacks: without it raw text in a `noscript` goes on behind that, and
/// what closes itself in XML, or a title that is never closed, takes in the rest of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Missing {
    pub tag: Tag,
    /// The byte of the markup that it belongs before.
    pub at: usize,
}

/// Read the markup and count; stops at the first bound that is passed.
///
/// End tags that are `missing` are added to that list, and the census is the one of the markup that
/// has them. In a page that `is_xml` a tag may close itself. The attributes that nobody reads and
/// the texts of scripts and styles that nobody reads are added to `unread`, in order; the census is
/// the one of the markup that has them.
///
/// # Errors
/// `TooDeep`, `TooManyNodes` and `TooManyAttributes`.
pub fn census(
    markup: &[u8],
    is_xml: bool,
    limits: &Limits,
    missing: &mut Vec<Missing>,
    unread: &mut Vec<Range<usize>>,
) -> Result<Census, Refusal> {
    let mut tokens = Tokens::new(markup);
    let mut builder = Builder::new();
    let mut census = Census::default();
    let mut merged_attributes = 0;
    let mut is_in_noscript = false;
    let mut has_open_title = false;
    let mut has_frames = false;
    while let Some(token) = tokens.token() {
        let attributes = attributes_of(&token, &mut merged_attributes);
        if attributes > 0 {
            builder.growth.stored();
        }
        match token {
            Token::Text(text) => builder.text(text),
            Token::Start(tag) if is_xml && !builder.is_foreign() && swallows(&tag) => {
                builder.start(&tag);
                builder.end(&end_of(tag));
                missing.push(Missing {
                    tag: tag.id,
                    at: tokens.position(),
                });
            }
            Token::Start(tag) => {
                is_in_noscript |= tag.id == tags::NOSCRIPT;
                has_frames |= tag.id == tags::FRAMESET;
                let has_raw_text = builder.start(&tag);
                // lexbor may ignore the tag in these, and does between frames
                let is_sure = !is_in_noscript
                    && !builder.stack.has(tags::TEMPLATE)
                    && !builder.stack.has(tags::SELECT);
                if is_sure && unread::is_free(tag.id) && !builder.is_in_math() {
                    unread.append(&mut tokens.unread);
                }
                if has_raw_text {
                    let (text, is_leaking) = if is_in_noscript {
                        tokens.skip_raw_text_in_noscript(&tag)
                    } else {
                        (tokens.skip_raw_text(&tag), false)
                    };
                    // one of a page: each is looked for to the end of the page
                    let is_open = tag.id == tags::TITLE && tokens.is_at_end() && !has_open_title;
                    let line = is_open.then(|| memchr3(b'<', b'\r', b'\n', text)).flatten();
                    if let Some(length) = line {
                        has_open_title = true;
                        tokens.go_back(text.len() - length);
                    }
                    if is_sure && !tokens.is_at_end() && unread::is_unread(&tag, text) {
                        let until = tokens.position();
                        unread.push(until - text.len()..until);
                    }
                    builder.raw_text(&text[..line.unwrap_or(text.len())]);
                    if is_leaking || line.is_some() {
                        builder.end(&end_of(tag));
                        missing.push(Missing {
                            tag: tag.id,
                            at: tokens.position(),
                        });
                    }
                }
            }
            Token::End(tag) => {
                is_in_noscript &= tag.id != tags::NOSCRIPT;
                builder.end(&tag);
            }
            Token::Comment => builder.comment(),
            Token::Doctype => {}
        }
        tokens.in_foreign = builder.is_foreign();
        census.attributes = census.attributes.max(attributes);
        census.names = tokens.names.len();
        census.nodes = builder.stack.nodes;
        census.depth = builder.stack.deepest;
        census.steps += builder.stack.depth() + builder.stack.active_count();
        census.steps += attributes * census.names;
        census.moved = builder.growth.moved;
        check(&census, limits)?;
    }
    if has_frames {
        unread.clear();
    }
    census.attributes = census.attributes.max(tokens.unfinished_attributes);
    check(&census, limits)?;
    Ok(census)
}

/// Whether a tag closes itself in XML, but opens an element in HTML whose text no reader sees.
fn swallows(tag: &TagToken<'_>) -> bool {
    let is_left_out = matches!(role(tag.id), Role::Skip | Role::Declaration);
    let is_closed = tag.id == tags::SVG || traits_of(tag.id) & VOID != 0;
    tag.is_self_closing && is_left_out && !is_closed
}

fn end_of(tag: TagToken<'_>) -> TagToken<'_> {
    TagToken {
        attributes: &[],
        ..tag
    }
}

/// The attributes that a tag has in the end: lexbor adds those of later `html` and `body` tags to
/// the first, comparing each with all.
fn attributes_of(token: &Token<'_>, merged: &mut usize) -> usize {
    match token {
        Token::Start(tag) if matches!(tag.id, tags::HTML | tags::BODY) => {
            *merged += tag.attribute_count;
            *merged
        }
        Token::Start(tag) | Token::End(tag) => tag.attribute_count,
        Token::Text(_) | Token::Comment | Token::Doctype => 0,
    }
}

/// Whether every figure is within its bound; what is asked after each token is asked cheaply.
#[inline]
fn check(census: &Census, limits: &Limits) -> Result<(), Refusal> {
    let within = census.depth <= limits.depth
        && census.steps <= limits.steps
        && census.nodes <= limits.nodes
        && census.attributes <= limits.attributes
        && census.names <= limits.names
        && census.moved <= limits.moved;
    if within {
        return Ok(());
    }
    passed(census, limits)
}

/// Names the first bound that is passed: attributes before the steps that they cost.
#[cold]
fn passed(census: &Census, limits: &Limits) -> Result<(), Refusal> {
    let figures = [
        (
            census.depth,
            limits.depth,
            Reason::TooDeep,
            "elements open at once",
        ),
        (
            census.attributes,
            limits.attributes,
            Reason::TooManyAttributes,
            "attributes of one tag",
        ),
        (
            census.steps,
            limits.steps,
            Reason::TooDeep,
            "steps through open elements and known names",
        ),
        (census.nodes, limits.nodes, Reason::TooManyNodes, "nodes"),
        (
            census.names,
            limits.names,
            Reason::TooManyAttributes,
            "names of elements and attributes",
        ),
        (
            census.moved,
            limits.moved,
            Reason::TooManyNodes,
            "bytes of texts that grow",
        ),
    ];
    for (found, limit, reason, what) in figures {
        if found > limit {
            return Err(Refusal::new(
                reason,
                format!("{found} {what}, at most {limit}"),
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
