//! Lines of code that are separate elements, and elements that contain lines of code without `pre`.

use super::Walker;
use memchr::memmem;

use crate::page::attributes::{Name, WhiteSpace};
use crate::page::class_signs::sign;
use crate::page::controls::{self, buttons};
use crate::page::element_attributes::ElementAttributes;
use crate::page::near::{MAX_NODES, following, is_silent};
use crate::page::roles::{Role, role};
use crate::page::tags::{self, Tag};
use crate::page::tree::{Node, NodeKind};

impl<'tree> Walker<'tree> {
    /// Whether an element is not text of the page.
    pub(super) fn is_left_out(
        &mut self,
        node: Node<'_>,
        tag: Tag,
        attributes: &ElementAttributes<'_>,
    ) -> bool {
        let in_code = self.frames.is_preformatted();
        controls::is_left_out(node, tag, attributes, in_code, &mut self.looks)
            || attributes.is_nosnippet && buttons::is_in_button(node)
    }

    /// Note a checkbox in front of a task.
    pub(super) fn check_box(&mut self, node: Node<'_>, attributes: &ElementAttributes<'_>) {
        let is_box = attributes.signs & sign::CHECKBOX != 0 && node.first_child().is_none();
        if let (Some(inline), false) =
            (self.inline.as_mut().filter(|_| is_box), self.text.is_open())
        {
            inline.task(&self.frames.top().block, attributes.is_ticked);
        }
    }

    /// The action for an element whose style or class says what becomes of white space; it is left
    /// again with [`leave_white_space`](Self::leave_white_space).
    #[cold]
    pub(super) fn role_in_white_space(
        &mut self,
        node: Node<'tree>,
        role: Role,
        white_space: WhiteSpace,
    ) -> Role {
        let is_plain = matches!(role, Role::Border | Role::Paragraph);
        if white_space == WhiteSpace::Kept
            && is_plain
            && self.frames.top().block.kind.is_plain()
            && holds_lines(node)
        {
            return Role::Preformatted;
        }
        let keeps = white_space != WhiteSpace::Collapsed;
        if keeps != self.keeps_lines() {
            self.white_spaces.push((node, keeps));
        }
        role
    }

    pub(super) fn leave_white_space(&mut self, node: Node<'_>) {
        if self
            .white_spaces
            .last()
            .is_some_and(|(last, _)| *last == node)
        {
            self.white_spaces.pop();
        }
    }

    pub(super) fn keeps_lines(&self) -> bool {
        self.white_spaces.last().is_some_and(|(_, keeps)| *keeps)
    }

    /// Whether a table, list or division holds lines of code, without `pre` around or in it.
    pub(super) fn is_listing(&mut self, node: Node<'_>, tag: Tag) -> bool {
        if !node.is_html() {
            return false;
        }
        match tag {
            tags::TABLE => controls::is_beside_numbers(node, &mut self.looks),
            tags::OL => !self.frames.is_preformatted() && is_called_listing(node),
            _ => false,
        }
    }
}

/// Whether a list is called code whose lines are items, without `pre` around them.
fn is_called_listing(node: Node<'_>) -> bool {
    const NAMES: [&[u8]; 3] = [b"EnlighterJS", b"linenums", b"dp-"];
    let mut attributes = node.attributes();
    attributes.any(|each| {
        let mut names = NAMES.iter();
        names.any(|name| memmem::find(each.value(), name).is_some())
    })
}

/// Bytes of each text that are searched for the end of a line.
const MAX_LINE: usize = 4096;

/// Whether an element that keeps its white space has several lines.
fn holds_lines(root: Node<'_>) -> bool {
    let mut next = Some(root);
    let (mut has_text, mut has_end) = (false, false);
    for _ in 0..MAX_NODES {
        let Some(node) = next else { return false };
        let text = node.text();
        let text = text.get(..MAX_LINE).unwrap_or(text);
        let text = if has_text {
            text
        } else {
            text.trim_ascii_start()
        };
        let rest = text.trim_ascii_end();
        if rest.contains(&b'\n') || has_end && !rest.is_empty() {
            return true;
        }
        has_text |= !text.is_empty();
        has_end |= has_text && (text.contains(&b'\n') || node.tag() == tags::BR);
        next = following(node, root, !is_silent(node));
    }
    false
}

/// The line of code right before another one, both inline elements that a style draws as lines.
pub(super) fn line_before(node: Node<'_>) -> Option<Node<'_>> {
    const NAMES: [&[u8]; 5] = [
        b"code-line",
        b"highlight-line",
        b"token-line",
        b"view-line",
        b"cm-line",
    ];
    let is_line = |node: &Node<'_>| {
        let class = node.value(&[Name::Class]).unwrap_or_default();
        let mut words = class.split(u8::is_ascii_whitespace);
        node.tag() == tags::SPAN
            && words.any(|word| word == b"line" || NAMES.iter().any(|name| word.ends_with(name)))
    };
    let before = node.previous().filter(is_line)?;
    is_line(&node).then_some(before)
}

/// Whether white space is between lines of code that are elements, and not part of them.
pub(super) fn is_between(node: Node<'_>) -> bool {
    let text = node.text();
    if !text.iter().all(u8::is_ascii_whitespace) || !text.contains(&b'\n') {
        return false;
    }
    let is_line = |node: Node<'_>| {
        node.kind() != NodeKind::Text && node.is_html() && role(node.tag()).is_block()
    };
    let (before, after) = (node.previous(), node.next());
    (before.is_some() || after.is_some()) && before.is_none_or(is_line) && after.is_none_or(is_line)
}

/// Whether an element without text is a blank line of code.
pub(super) fn may_be_blank_line(node: Node<'_>, tag: Tag) -> bool {
    let mut children = std::iter::successors(node.first_child(), |child| child.next()).take(4);
    matches!(tag, tags::LI | tags::TD)
        || node.first_child().is_none()
        || children.all(|child| child.kind() == NodeKind::Text || child.tag() == tags::BR)
}
