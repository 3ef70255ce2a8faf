//! 13.2.4.3 The list of active formatting elements.
//!
//! Each entry after the last marker is open once the list is reconstructed, so
//! [`Limits::depth`](crate::Limits::depth) bounds the part of the list that is searched.

use super::TreeBuilder;
use crate::attributes::{are_same, digest};
use crate::tag::{self, Tag};
use crate::tokenizer::TagToken;
use crate::tree::{self, Id, Node};

/// An entry of the list.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    /// 0 for a marker.
    pub id: Id,
    pub tag: Tag,
    /// The digest of the attributes, 0 until it is needed.
    digest: u64,
}

impl Entry {
    const MARKER: Self = Self::new(0, tag::UNKNOWN);

    pub const fn new(id: Id, tag: Tag) -> Self {
        Self { id, tag, digest: 0 }
    }

    /// The same entry for a copy of its element.
    pub fn of_copy(self, id: Id) -> Self {
        Self { id, ..self }
    }

    fn is_marker(&self) -> bool {
        self.id == 0
    }
}

/// *Noah's Ark clause*: elements with the same name and attributes after the last marker.
const MAX_SAME: usize = 3;

impl TreeBuilder<'_> {
    /// *Push onto the list of active formatting elements.*
    #[inline]
    pub(super) fn push_formatting(&mut self, id: Id, token: &TagToken) {
        let mut new = Entry::new(id, token.tag);
        let mut same = 0;
        let mut at = self.formatting.len();
        while at > 0 && !self.formatting[at - 1].is_marker() {
            at -= 1;
            if self.formatting[at].tag == new.tag && self.has_same_attributes(at, &mut new, token) {
                same += 1;
                if same == MAX_SAME {
                    self.unlist_at(at);
                    break;
                }
            }
        }
        self.count(self.formatting.len() + 1 - at);
        self.tree.nodes[id as usize].flags |= tree::LISTED;
        self.formatting.push(new);
    }

    /// Whether an entry has the attributes of the tag that `new` is made for.
    #[inline]
    fn has_same_attributes(&mut self, at: usize, new: &mut Entry, token: &TagToken) -> bool {
        let input = self.tree.input;
        let one = token.attributes.of(input).trim_ascii();
        let other = self.tree.node(self.formatting[at].id).span;
        let other = other.of(input).trim_ascii();
        if one.len() == other.len() {
            self.count(one.len() / 8);
            if one == other {
                return true;
            }
        }
        self.is_same_by_digest(at, new, one, other)
    }

    /// The same for different spellings. Tags are compared by digests, and each tag is read once.
    #[cold]
    fn is_same_by_digest(&mut self, at: usize, new: &mut Entry, one: &[u8], other: &[u8]) -> bool {
        if new.digest == 0 {
            self.count(one.len() / 8);
            new.digest = digest(one);
        }
        if self.formatting[at].digest == 0 {
            self.count(other.len() / 8);
            self.formatting[at].digest = digest(other);
        }
        if self.formatting[at].digest != new.digest {
            return false;
        }
        self.count((one.len() + other.len()) / 8);
        are_same(one, other)
    }

    pub(super) fn mark_formatting(&mut self) {
        self.formatting.push(Entry::MARKER);
    }

    /// *Clear the list of active formatting elements up to the last marker.*
    pub(super) fn clear_formatting_to_marker(&mut self) {
        while let Some(entry) = self.formatting.pop() {
            if entry.is_marker() {
                break;
            }
            self.tree.nodes[entry.id as usize].flags &= !tree::LISTED;
        }
    }

    /// The place of the last entry with this name after the last marker.
    pub(super) fn formatting_of(&mut self, tag: Tag) -> Option<usize> {
        let (mut steps, mut found) = (0, None);
        for (at, entry) in self.formatting.iter().enumerate().rev() {
            steps += 1;
            if entry.is_marker() {
                break;
            }
            if entry.tag == tag {
                found = Some(at);
                break;
            }
        }
        self.count(steps);
        found
    }

    #[inline(always)]
    pub(super) fn is_listed(&self, id: Id) -> bool {
        self.tree.node(id).flags & tree::LISTED != 0
    }

    /// The place of an element in the list.
    pub(super) fn listed_position(&mut self, id: Id) -> Option<usize> {
        if !self.is_listed(id) {
            return None;
        }
        let at = self.formatting.iter().rposition(|entry| entry.id == id)?;
        self.count(self.formatting.len() - at);
        Some(at)
    }

    pub(super) fn unlist_at(&mut self, at: usize) {
        self.count(self.formatting.len() - at);
        let entry = self.formatting.remove(at);
        self.tree.nodes[entry.id as usize].flags &= !tree::LISTED;
    }

    /// Make an entry refer to another element.
    pub(super) fn relist(&mut self, at: usize, id: Id) {
        let entry = &mut self.formatting[at];
        self.tree.nodes[entry.id as usize].flags &= !tree::LISTED;
        entry.id = id;
        self.tree.nodes[id as usize].flags |= tree::LISTED;
    }

    /// *Reconstruct the active formatting elements.*
    #[inline(always)]
    pub(super) fn reconstruct(&mut self) {
        match self.formatting.last() {
            Some(last) if !last.is_marker() && !self.is_open(last.id) => self.reopen(),
            _ => {}
        }
    }

    /// Reopen the elements after the last entry that is open or a marker.
    #[cold]
    fn reopen(&mut self) {
        let is_done = |entry: &Entry| entry.is_marker() || self.is_open(entry.id);
        let from = self.formatting.iter().rposition(is_done);
        for at in from.map_or(0, |at| at + 1)..self.formatting.len() {
            let Entry { id, tag, .. } = self.formatting[at];
            let Node { span, read, .. } = *self.tree.node(id);
            let copy = self.insert_named(tag, span, read);
            self.relist(at, copy);
            if self.refusal.is_some() {
                return;
            }
        }
    }
}
