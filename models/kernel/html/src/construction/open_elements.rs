//! 13.2.4.2 The stack of open elements, and 13.2.6.3 Closing elements that have implied end tags.

use super::TreeBuilder;
use crate::Refusal;
use crate::tag::{self, Tag, Trait, Traits};
use crate::tree::{self, Id, Kind};

/// An element on the stack.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open {
    pub id: Id,
    /// At least the element's depth in the tree.
    pub depth: u32,
    pub tag: Tag,
    pub kind: Kind,
    pub traits: Traits,
}

/// The current node of an empty stack.
const DOCUMENT: Open = Open {
    id: 0,
    depth: 0,
    tag: tag::UNKNOWN,
    kind: Kind::Document,
    traits: 0,
};

impl Open {
    #[inline(always)]
    pub fn is(&self, tag: Tag) -> bool {
        self.tag == tag && self.kind == Kind::Html
    }

    #[inline(always)]
    pub fn is_any(&self, tags: &[Tag]) -> bool {
        self.kind == Kind::Html && tags.contains(&self.tag)
    }

    #[inline(always)]
    pub fn has(&self, traits: Traits) -> bool {
        self.traits & traits != 0
    }
}

/// Which elements end the search for an element in scope.
#[derive(Clone, Copy, Debug)]
pub(super) enum Scope {
    Default,
    ListItem,
    Button,
    Table,
}

impl Scope {
    #[inline(always)]
    fn ends_at(self, open: &Open) -> bool {
        match self {
            Self::Default => open.has(Trait::SCOPE),
            Self::ListItem => open.has(Trait::SCOPE | Trait::LIST),
            Self::Button => open.has(Trait::SCOPE) || open.is(tag::BUTTON),
            Self::Table => open.has(Trait::TABLE_SCOPE),
        }
    }
}

/// How many elements of each name are open, so that most searches end before they start.
///
/// Names that are unknown to HTML, and elements of SVG and MathML, share one count.
pub(super) struct Counts([u32; tag::COUNT]);

impl Counts {
    pub const NONE: Self = Self([0; tag::COUNT]);

    #[inline(always)]
    fn of(&mut self, open: &Open) -> &mut u32 {
        let tag = if open.kind == Kind::Html {
            open.tag
        } else {
            tag::UNKNOWN
        };
        self.of_html(tag)
    }

    #[inline(always)]
    fn of_html(&mut self, tag: Tag) -> &mut u32 {
        let tag = usize::from(tag);
        &mut self.0[if tag < tag::COUNT { tag } else { 0 }]
    }
}

impl TreeBuilder<'_> {
    #[inline(always)]
    pub(super) fn current(&self) -> Open {
        self.open.last().copied().unwrap_or(DOCUMENT)
    }

    #[inline(always)]
    pub(super) fn push(&mut self, open: Open) {
        self.open.push(open);
        self.opened(open);
    }

    #[inline(always)]
    pub(super) fn opened(&mut self, open: Open) {
        self.tree.nodes[open.id as usize].flags |= tree::OPEN;
        *self.counts.of(&open) += 1;
        self.note_depth(open.depth);
    }

    #[inline(always)]
    fn closed(&mut self, open: Open) {
        self.tree.nodes[open.id as usize].flags &= !tree::OPEN;
        *self.counts.of(&open) -= 1;
    }

    /// Whether any element with this name may be open.
    #[inline(always)]
    pub(super) fn may_be_open(&mut self, tag: Tag) -> bool {
        *self.counts.of_html(tag) != 0
    }

    #[inline(always)]
    fn note_depth(&mut self, depth: u32) {
        let depth = depth as usize;
        if depth > self.tree.depth {
            self.tree.depth = depth;
            if depth > self.limits.depth {
                self.refuse(Refusal::TooDeep);
            }
        }
    }

    #[inline(always)]
    pub(super) fn pop(&mut self) -> Open {
        let Some(last) = self.open.pop() else {
            return DOCUMENT;
        };
        self.closed(last);
        last
    }

    #[inline(always)]
    pub(super) fn is_open(&self, id: Id) -> bool {
        self.tree.node(id).flags & tree::OPEN != 0
    }

    /// The place of an element on the stack.
    pub(super) fn position_of(&mut self, id: Id) -> Option<usize> {
        if !self.is_open(id) {
            return None;
        }
        let at = self.open.iter().rposition(|open| open.id == id)?;
        self.count(self.open.len() - at);
        Some(at)
    }

    /// Take an element out of the stack, wherever it is.
    pub(super) fn remove_open(&mut self, id: Id) {
        if let Some(at) = self.position_of(id) {
            self.remove_open_at(at);
        }
    }

    pub(super) fn remove_open_at(&mut self, at: usize) {
        self.count(self.open.len() - at);
        let open = self.open.remove(at);
        self.closed(open);
    }

    /// Pop elements until one with this name has been popped.
    #[inline]
    pub(super) fn pop_until(&mut self, tag: Tag) {
        while !self.open.is_empty() {
            if self.pop().is(tag) {
                break;
            }
        }
    }

    pub(super) fn pop_until_any(&mut self, tags: &[Tag]) {
        while !self.open.is_empty() {
            if self.pop().is_any(tags) {
                break;
            }
        }
    }

    /// Pop elements until this many are left.
    #[inline(always)]
    pub(super) fn truncate(&mut self, length: usize) {
        while self.open.len() > length {
            self.pop();
        }
    }

    /// Clear the stack back to a table context: one of `tags`, `template` or `html`.
    pub(super) fn clear_back_to(&mut self, tags: &[Tag]) {
        while let Some(last) = self.open.last() {
            if last.is_any(tags) || last.is_any(&[tag::TEMPLATE, tag::HTML]) {
                break;
            }
            self.pop();
        }
    }

    #[inline]
    pub(super) fn has_in_scope(&mut self, scope: Scope, is_wanted: impl Fn(&Open) -> bool) -> bool {
        let mut steps = 0;
        let mut is_found = false;
        for open in self.open.iter().rev() {
            steps += 1;
            is_found = is_wanted(open);
            if is_found || scope.ends_at(open) {
                break;
            }
        }
        self.count(steps);
        is_found
    }

    #[inline(always)]
    pub(super) fn has(&mut self, scope: Scope, tag: Tag) -> bool {
        self.may_be_open(tag) && self.has_in_scope(scope, |open| open.is(tag))
    }

    /// Whether a `template` is open.
    #[inline(always)]
    pub(super) fn has_template(&self) -> bool {
        !self.template_modes.is_empty()
    }

    #[inline]
    pub(super) fn generate_implied_end_tags(&mut self) {
        self.generate_implied_end_tags_except(tag::UNKNOWN);
    }

    #[inline]
    pub(super) fn generate_implied_end_tags_except(&mut self, except: Tag) {
        while let Some(last) = self.open.last() {
            if !last.has(Trait::IMPLIED) || last.is(except) {
                break;
            }
            self.pop();
        }
    }

    pub(super) fn generate_all_implied_end_tags_thoroughly(&mut self) {
        while self.current().has(Trait::THOROUGH) {
            self.pop();
        }
    }

    /// *Close a p element.*
    #[inline]
    pub(super) fn close_p(&mut self) {
        self.generate_implied_end_tags_except(tag::P);
        self.pop_until(tag::P);
    }

    #[inline]
    pub(super) fn close_p_in_button_scope(&mut self) {
        if self.has(Scope::Button, tag::P) {
            self.close_p();
        }
    }
}
