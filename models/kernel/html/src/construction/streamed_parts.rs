//! Parts of a page that React sends after it, in place: [`Options::streamed_parts_in_place`].
//!
//! The page has `<template id="B:0">` where a part belongs, and after it what is shown until the
//! part is there, up to a comment `/$`. The part follows in `<div hidden id="S:0">`, with a script
//! `$RC("B:0","S:0")` that moves it. A `<template id="P:1">` in a part stands for `S:1`.
//!
//! [`Options::streamed_parts_in_place`]: crate::Options::streamed_parts_in_place

use std::collections::{HashMap, HashSet};

use memchr::memmem;

use super::TreeBuilder;
use super::insertion::Place;
use crate::attributes::value;
use crate::tag;
use crate::tokenizer::TagToken;
use crate::tree::{Id, Kind};

/// Most nodes that are shown until a part is there.
const MAX_FALLBACK: usize = 64;

impl<'i> TreeBuilder<'i> {
    /// Note the `template` that `token` opens if a part belongs there.
    #[cold]
    pub(super) fn note_placeholder(&mut self, token: &TagToken, template: Id) {
        if !self.options.streamed_parts_in_place {
            return;
        }
        let attributes = token.attributes.of(self.tree.input);
        let id = value(attributes, b"id").unwrap_or_default();
        let mut starts = [b"B:".as_slice(), b"P:"].into_iter();
        if starts.any(|start| number_after(id, start).is_some()) {
            self.placeholders.push((template, id));
        }
    }

    /// Put all parts in their places.
    ///
    /// A place comes before its part, so a part that has places in it is in its own place before.
    #[cold]
    #[inline(never)]
    pub(super) fn place_streamed_parts(&mut self) {
        let placeholders = std::mem::take(&mut self.placeholders);
        let Some((first, _)) = placeholders.first() else {
            return;
        };
        let parts = self.streamed_parts(*first);
        let unplaced: HashSet<Id> = parts.values().copied().collect();
        let named = self.parts_of_scripts();
        let depth = self.tree.depth;
        for (template, id) in placeholders {
            let number = named.get(&id[2..]).filter(|_| id.starts_with(b"B:"));
            let part = parts.get(number.unwrap_or(&&id[2..]));
            let Some(&part) = part.filter(|part| self.tree.node(**part).parent != 0) else {
                continue;
            };
            let Some(levels) = self.levels_above(template, &unplaced) else {
                continue;
            };
            if levels + depth > self.limits.depth {
                continue;
            }
            self.tree.depth = self.tree.depth.max(levels + depth);
            if id.starts_with(b"B:") {
                self.remove_fallback(template);
            }
            let place = Place {
                parent: self.tree.node(template).parent,
                before: template,
            };
            self.move_children(part, place);
            self.unlink(template);
            self.unlink(part);
        }
    }

    /// The parts after a node, by their numbers.
    fn streamed_parts(&mut self, first: Id) -> HashMap<&'i [u8], Id> {
        let input = self.tree.input;
        let mut parts = HashMap::new();
        let is_hidden = |id: Id| {
            let node = self.tree.node(id);
            node.kind.is_element() && value(node.span.of(input), b"hidden").is_some()
        };
        for id in first..self.tree.nodes.len() as Id {
            let node = self.tree.node(id);
            if !node.kind.is_element() {
                continue;
            }
            let name = value(node.span.of(input), b"id").unwrap_or_default();
            let Some(number) = number_after(name, b"S:") else {
                continue;
            };
            // rows are in a hidden table
            if is_hidden(id) || is_hidden(node.parent) {
                parts.entry(number).or_insert(id);
            }
        }
        self.count(self.tree.nodes.len());
        parts
    }

    /// The number of the part that a script puts into each place.
    fn parts_of_scripts(&self) -> HashMap<&'i [u8], &'i [u8]> {
        let input = self.tree.input;
        let calls = memmem::find_iter(input, b"(\"B:");
        let pairs = calls.filter_map(|at| {
            let (place, rest) = number(&input[at + 4..]);
            let (part, _) = number(rest.strip_prefix(b"\",\"S:")?);
            Some((place, part))
        });
        pairs.collect()
    }

    /// The levels above a node; `None` if it is not in the tree, in a `template` or in an unplaced
    /// part.
    fn levels_above(&mut self, node: Id, unplaced: &HashSet<Id>) -> Option<usize> {
        let mut at = node;
        let mut levels = 0;
        while self.tree.node(at).tag != tag::HTML && levels <= self.limits.depth {
            at = self.tree.node(at).parent;
            levels += 1;
            let is_inert = self.tree.node(at).kind == Kind::Content;
            if at == 0 || is_inert || unplaced.contains(&at) {
                break;
            }
        }
        self.count(levels);
        (self.tree.node(at).tag == tag::HTML).then_some(levels)
    }

    /// Remove what is shown until a part is there: the nodes up to the comment that ends them.
    fn remove_fallback(&mut self, template: Id) {
        let mut inside = 0_usize;
        let mut shown = Vec::new();
        let mut at = self.tree.node(template).next;
        while at != 0 && shown.len() < MAX_FALLBACK {
            let node = self.tree.node(at);
            if node.kind == Kind::Comment {
                match node.span.of(self.tree.input) {
                    b"/$" if inside == 0 => {
                        for id in shown {
                            self.unlink(id);
                        }
                        return;
                    }
                    b"/$" => inside -= 1,
                    b"$" | b"$?" | b"$!" => inside += 1,
                    _ => {}
                }
            }
            shown.push(at);
            at = self.tree.node(at).next;
        }
        self.count(shown.len());
    }
}

/// The hexadecimal number after a prefix, if nothing else follows.
fn number_after<'i>(id: &'i [u8], prefix: &[u8]) -> Option<&'i [u8]> {
    let (number, rest) = number(id.strip_prefix(prefix)?);
    (!number.is_empty() && rest.is_empty()).then_some(number)
}

/// A hexadecimal number, and what follows.
fn number(text: &[u8]) -> (&[u8], &[u8]) {
    let end = text.iter().position(|byte| !byte.is_ascii_hexdigit());
    text.split_at(end.unwrap_or(text.len()))
}
