//! 13.2.6.1 Creating and inserting nodes.

use super::TreeBuilder;
use super::characters::Text;
use super::open_elements::Open;
use crate::Refusal;
use crate::tag::{self, Tag, Trait, traits_of};
use crate::tokenizer::{Span, TagToken};
use crate::tree::{self, Id, Kind, Node};

/// A place in the tree: in `parent`, before the node `before` or as the last child if that is 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub parent: Id,
    pub before: Id,
}

impl Place {
    pub fn last_in(parent: Id) -> Self {
        Self { parent, before: 0 }
    }
}

impl TreeBuilder<'_> {
    /// *The appropriate place for inserting a node*, where the target is the current node.
    #[inline(always)]
    pub(super) fn place(&mut self) -> Place {
        self.place_in(self.current())
    }

    /// The same for another target.
    #[inline(always)]
    pub(super) fn place_in(&mut self, target: Open) -> Place {
        if self.fosters && target.has(Trait::FOSTERING) {
            return self.foster_parent();
        }
        Place::last_in(self.content_of(target))
    }

    /// The parent of an element's children.
    #[inline(always)]
    fn content_of(&self, open: Open) -> Id {
        if open.is(tag::TEMPLATE) {
            return self.tree.node(open.id).first_child;
        }
        open.id
    }

    /// *Foster parenting*: before the last table, or in the last template if that is newer.
    #[cold]
    fn foster_parent(&mut self) -> Place {
        let is_border = |open: &Open| open.is(tag::TABLE) || open.is(tag::TEMPLATE);
        let at = self.open.iter().rposition(is_border).unwrap_or(0);
        self.count(self.open.len() - at);
        let border = self.open[at];
        if !border.is(tag::TABLE) {
            return Place::last_in(self.content_of(border));
        }
        let parent = self.tree.node(border.id).parent;
        if parent != 0 {
            let before = border.id;
            return Place { parent, before };
        }
        Place::last_in(self.content_of(self.open[at.saturating_sub(1)]))
    }

    /// Make a node that is not in the tree yet.
    #[inline(always)]
    pub(super) fn add(&mut self, node: Node) -> Id {
        let id = self.tree.nodes.len();
        if id > self.limits.nodes {
            self.refuse(Refusal::TooManyNodes);
        }
        self.tree.nodes.push(node);
        id as Id
    }

    /// Put a node that has no parent into the tree.
    #[inline(always)]
    pub(super) fn link(&mut self, id: Id, place: Place) {
        let Place { parent, before } = place;
        if before != 0 {
            return self.link_before(id, place);
        }
        let nodes = &mut self.tree.nodes;
        let last = nodes[parent as usize].last_child;
        nodes[parent as usize].last_child = id;
        let node = &mut nodes[id as usize];
        node.parent = parent;
        node.previous = last;
        if last == 0 {
            nodes[parent as usize].first_child = id;
        } else {
            nodes[last as usize].next = id;
        }
    }

    fn link_before(&mut self, id: Id, place: Place) {
        let Place { parent, before } = place;
        let nodes = &mut self.tree.nodes;
        let previous = nodes[before as usize].previous;
        let node = &mut nodes[id as usize];
        node.parent = parent;
        node.previous = previous;
        node.next = before;
        nodes[before as usize].previous = id;
        if previous == 0 {
            nodes[parent as usize].first_child = id;
        } else {
            nodes[previous as usize].next = id;
        }
    }

    /// Take a node with its descendants out of the tree.
    pub(super) fn unlink(&mut self, id: Id) {
        let Node {
            parent,
            next,
            previous,
            ..
        } = *self.tree.node(id);
        if parent == 0 {
            return;
        }
        let nodes = &mut self.tree.nodes;
        if previous == 0 {
            nodes[parent as usize].first_child = next;
        } else {
            nodes[previous as usize].next = next;
        }
        if next == 0 {
            nodes[parent as usize].last_child = previous;
        } else {
            nodes[next as usize].previous = previous;
        }
        let node = &mut nodes[id as usize];
        (node.parent, node.next, node.previous) = (0, 0, 0);
    }

    /// Move all children of a node to another place.
    pub(super) fn move_children(&mut self, from: Id, to: Place) {
        loop {
            let child = self.tree.node(from).first_child;
            if child == 0 {
                return;
            }
            self.count(1);
            self.unlink(child);
            self.link(child, to);
        }
    }

    /// *Insert an HTML element*, and open it.
    #[inline(always)]
    pub(super) fn insert(&mut self, token: &TagToken) -> Id {
        self.insert_named(token.tag, token.attributes, token.read)
    }

    /// The same for an element that is missing in the page.
    #[inline(always)]
    pub(super) fn insert_implied(&mut self, tag: Tag) -> Id {
        self.insert_named(tag, Span::default(), 0)
    }

    #[inline(always)]
    pub(super) fn insert_named(&mut self, tag: Tag, attributes: Span, read: u32) -> Id {
        let place = self.place();
        let depth = self.current().depth + 1;
        let node = Node::new(Kind::Html, tag, attributes, 0);
        let id = self.add(Node { read, ..node });
        self.link(id, place);
        self.push(Open {
            id,
            depth,
            tag,
            kind: Kind::Html,
            traits: traits_of(tag),
        });
        id
    }

    /// Insert an element without content.
    #[inline(always)]
    pub(super) fn insert_void(&mut self, token: &TagToken) -> Id {
        let place = self.place();
        let node = Node::new(Kind::Html, token.tag, token.attributes, 0);
        let read = token.read;
        let id = self.add(Node { read, ..node });
        self.link(id, place);
        id
    }

    /// *Insert a character*: extends the previous text if it is adjacent in the input and in the
    /// tree.
    #[inline(always)]
    pub(super) fn insert_text(&mut self, text: Text) {
        let place = self.place();
        if place.parent == 0 {
            return;
        }
        let beside = match place.before {
            0 => self.tree.node(place.parent).last_child,
            before => self.tree.node(before).previous,
        };
        let node = &mut self.tree.nodes[beside as usize];
        let Text { span, flags } = text;
        if node.kind == Kind::Text && node.span.end == span.start && node.flags == flags {
            node.span.end = span.end;
            return;
        }
        let id = self.add(Node::new(Kind::Text, tag::UNKNOWN, span, flags));
        self.link(id, place);
    }

    /// *Insert a comment.*
    pub(super) fn insert_comment(&mut self, span: Span, place: Place) {
        let id = self.add(Node::new(Kind::Comment, tag::UNKNOWN, span, 0));
        self.link(id, place);
    }

    /// Keep the attributes of another tag of an element that is open at `at`.
    pub(super) fn merge_attributes(&mut self, at: usize, attributes: Span) {
        if let (false, Some(open)) = (attributes.is_empty(), self.open.get(at)) {
            self.tree.nodes[open.id as usize].flags |= tree::MERGED;
            self.tree.merged.push((open.id, attributes));
        }
    }
}
