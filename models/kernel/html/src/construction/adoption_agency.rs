//! The adoption agency algorithm (in 13.2.6.4.7): `<b>1<p>2</b>3` becomes
//! `<b>1</b><p><b>2</b>3`.

use super::TreeBuilder;
use super::formatting_elements::Entry;
use super::insertion::Place;
use super::open_elements::Open;
use crate::tag::{self, Tag, Trait};
use crate::tree::{self, Id, Kind, Node};

/// Limits of the standard on its two loops.
const OUTER_LOOP: usize = 8;
const INNER_LOOP: usize = 3;

/// What the algorithm did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Adoption {
    Done,
    /// The tag is to be handled as any other end tag.
    AnyOtherEndTag,
    /// A block was moved, and the loop goes on.
    Again,
}

impl TreeBuilder<'_> {
    pub(super) fn adopt(&mut self, subject: Tag) -> Adoption {
        let current = self.current();
        if current.is(subject) && !self.is_listed(current.id) {
            self.pop();
            return Adoption::Done;
        }
        for _ in 0..OUTER_LOOP {
            let outcome = self.adopt_once(subject);
            if outcome != Adoption::Again {
                return outcome;
            }
            if self.refusal.is_some() {
                break;
            }
        }
        Adoption::Done
    }

    fn adopt_once(&mut self, subject: Tag) -> Adoption {
        let Some(listed_at) = self.formatting_of(subject) else {
            return Adoption::AnyOtherEndTag;
        };
        let Some(at) = self.position_of(self.formatting[listed_at].id) else {
            self.unlist_at(listed_at);
            return Adoption::Done;
        };
        self.count(self.open.len() - at);
        let after = &self.open[at + 1..];
        if after.iter().any(|open| open.has(Trait::SCOPE)) {
            return Adoption::Done;
        }
        let furthest_block = after.iter().position(|open| open.has(Trait::SPECIAL));
        let Some(block) = furthest_block else {
            self.truncate(at);
            self.unlist_at(listed_at);
            return Adoption::Done;
        };
        self.move_block(at, at + 1 + block, listed_at);
        Adoption::Again
    }

    /// Move the furthest block out of the formatting element, which is open at `at` and listed at
    /// `listed_at`, and put what the block holds into a copy of the formatting element.
    fn move_block(&mut self, at: usize, block_at: usize, listed_at: usize) {
        let formatting = self.formatting[listed_at];
        let block = self.open[block_at];
        let common_ancestor = self.open[at.saturating_sub(1)];
        let (last, bookmark) = self.copy_between(at, block_at, listed_at);
        self.unlink(last);
        let place = self.place_in(common_ancestor);
        self.link(last, place);
        let copy = self.copy(formatting.id, formatting.tag, 0);
        self.move_children(block.id, Place::last_in(copy));
        self.link(copy, Place::last_in(block.id));
        self.list_copy(formatting, copy, bookmark);
        self.remove_open(formatting.id);
        self.open_after(block.id, copy, formatting.tag);
    }

    /// The inner loop: copies of the elements between the formatting element and the block, each
    /// in the one before. Returns the outermost one and the bookmark, a place in the list.
    fn copy_between(&mut self, at: usize, block_at: usize, listed_at: usize) -> (Id, usize) {
        let block = self.open[block_at].id;
        let (mut last, mut bookmark) = (block, listed_at);
        for (inner, node_at) in (1..).zip((at + 1..block_at).rev()) {
            self.count(1);
            let node = self.open[node_at];
            let mut listed = self.listed_position(node.id);
            if let (true, Some(found)) = (inner > INNER_LOOP, listed) {
                self.unlist_at(found);
                bookmark -= usize::from(found < bookmark);
                listed = None;
            }
            let Some(listed) = listed else {
                self.remove_open_at(node_at);
                continue;
            };
            let copy = self.copy(node.id, node.tag, tree::OPEN);
            self.tree.nodes[node.id as usize].flags &= !tree::OPEN;
            self.relist(listed, copy);
            self.open[node_at].id = copy;
            if last == block {
                bookmark = listed + 1;
            }
            self.unlink(last);
            self.link(last, Place::last_in(copy));
            last = copy;
        }
        (last, bookmark)
    }

    /// *Create an element for the token for which an element was created.*
    fn copy(&mut self, of: Id, tag: Tag, flags: u8) -> Id {
        let Node { span, read, .. } = *self.tree.node(of);
        let node = Node::new(Kind::Html, tag, span, flags);
        self.add(Node { read, ..node })
    }

    /// Put the copy into the list at the bookmark, in place of the formatting element.
    fn list_copy(&mut self, formatting: Entry, copy: Id, mut bookmark: usize) {
        if let Some(found) = self.listed_position(formatting.id) {
            self.unlist_at(found);
            bookmark -= usize::from(found < bookmark);
        }
        let bookmark = bookmark.min(self.formatting.len());
        self.count(self.formatting.len() - bookmark);
        let entry = formatting.of_copy(copy);
        self.formatting.insert(bookmark, entry);
        self.tree.nodes[copy as usize].flags |= tree::LISTED;
    }

    /// Put the copy on the stack below the block.
    fn open_after(&mut self, block: Id, copy: Id, tag: Tag) {
        let Some(at) = self.position_of(block) else {
            return;
        };
        self.count(self.open.len() - at);
        let open = Open {
            id: copy,
            depth: self.open[at].depth + 1,
            tag,
            kind: Kind::Html,
            traits: tag::traits_of(tag),
        };
        self.open.insert(at + 1, open);
        self.opened(open);
    }
}
