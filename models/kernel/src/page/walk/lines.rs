//! Lines of code that are separate elements, and elements that contain lines of code without `pre`.

use super::Walker;
use memchr::memmem;

use crate::page::attributes::{Name, WhiteSpace};
use crate::page::class_signs::sign;
use crate::page::controls::{self, buttons};
use crate::page::element_attributes::ElementAttributes;
use crate::page::inline::property_of;
use crate::page::near::{MAX_NODES, around, first_of, following, is_silent, neighbour};
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
        let is_code = match white_space {
            WhiteSpace::OfLines => {
                !self.frames.is_preformatted()
                    && (are_lines(node, is_line) || are_lines(node, ends_in_line))
            }
            WhiteSpace::Kept if self.frames.top().block.kind.is_plain() => {
                holds_lines(node) || are_lines(node, is_bare)
            }
            _ => false,
        };
        if is_plain && is_code {
            return Role::Preformatted;
        }
        if white_space == WhiteSpace::OfLines {
            return role;
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

/// Whether `code` without `pre` is a block: no text is next to it, and its lines are elements or end with
/// `br`.
pub(super) fn is_block(code: Node<'_>) -> bool {
    let children = || std::iter::successors(code.first_child(), |child| child.next());
    let is_drawn = |child: Node<'_>| child.tag() == tags::SPAN && self::is_line(child);
    let is_border = |side: Option<Node<'_>>| {
        side.is_none_or(|side| {
            let role = role(side.tag());
            side.kind() != NodeKind::Text && (role.is_block() || role == Role::Break)
        })
    };
    let mut elements = children().take(MAX_CHILDREN).filter(is_element);
    let ends_line = |child: Node<'_>| {
        child.tag() == tags::BR
            && child.previous().is_some()
            && neighbour(child, Node::next).is_some()
    };
    // other divisions are boxes of a page
    let is_text = |first: Node<'_>| !is_element(&first) || !role(first.tag()).is_block();
    let is_line = |first: Node<'_>| first.tag() == tags::DIV && first_of(first).is_none_or(is_text);
    let is_of_lines = children().take(MAX_NODES).any(ends_line)
        || elements
            .next()
            .is_some_and(|first| is_line(first) || is_drawn(first));
    is_of_lines
        && is_border(neighbour(code, Node::previous))
        && is_border(neighbour(code, Node::next))
        && around(code, |around| !may_hold_code(around)).is_none()
}

/// Whether code in an element may be a block.
fn may_hold_code(node: Node<'_>) -> bool {
    let is_part = matches!(node.tag(), tags::DT | tags::SUMMARY | tags::A);
    let role = role(node.tag());
    let is_whole = matches!(
        role,
        Role::Heading | Role::Caption | Role::Cell | Role::Preformatted
    );
    !(is_part || is_whole)
}

fn is_element(node: &Node<'_>) -> bool {
    node.kind() == NodeKind::Element
}

fn is_in_pre(node: Node<'_>) -> bool {
    around(node, |node| node.tag() == tags::PRE).is_some()
}

/// A text of code without a line feed at its start, which is between `br` and a line, and no blank line.
pub(super) fn without_feed<'tree>(node: Node<'tree>, text: &'tree [u8]) -> &'tree [u8] {
    let is_after_break = || {
        node.previous()
            .is_some_and(|before| before.tag() == tags::BR)
    };
    let rest = text.strip_prefix(b"\r").unwrap_or(text);
    match rest.strip_prefix(b"\n") {
        Some(rest) if is_after_break() && !is_in_pre(node) => rest,
        _ => text,
    }
}

/// Children of an element that are looked at for lines of code.
const MAX_CHILDREN: usize = 8;
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

/// Whether the first children of an element are divisions, and each is a line of code.
fn are_lines(root: Node<'_>, is_line: impl Fn(Node<'_>) -> bool) -> bool {
    let children = std::iter::successors(root.first_child(), |child| child.next());
    let children = children.take(MAX_CHILDREN);
    let first = children.filter(is_element);
    let mut first = first.take(2).peekable();
    let is_line = |child: Node<'_>| matches!(child.tag(), tags::DIV | tags::PRE) && is_line(child);
    first.peek().is_some() && first.all(is_line)
}

/// Whether a line of code is `pre` after other children of an element, such as its number.
fn ends_in_line(node: Node<'_>) -> bool {
    let children = std::iter::successors(node.first_child(), |child| child.next());
    let last = children.take(MAX_CHILDREN).filter(is_element).last();
    last.is_some_and(|last| last.tag() == tags::PRE && is_line(last))
}

/// Whether an element has no attributes, as the lines that editors copy.
fn is_bare(node: Node<'_>) -> bool {
    node.attributes().next().is_none()
}

/// The line of code right before another one, both inline elements that a style draws as lines.
pub(super) fn line_before(node: Node<'_>) -> Option<Node<'_>> {
    let is_line = |node: Node<'_>| node.tag() == tags::SPAN && is_line(node);
    let before = node.previous().filter(|before| is_line(*before))?;
    is_line(node).then_some(before)
}

/// Whether the class of an element is of a line of code, or it is drawn as a line.
fn is_line(node: Node<'_>) -> bool {
    const NAMES: [&[u8]; 8] = [
        b"code-line",
        b"highlight-line",
        b"token-line",
        b"view-line",
        b"cm-line",
        b"CodeMirror-line",
        b"ace_line",
        b"ace_line_group",
    ];
    let class = node.value(&[Name::Class]).unwrap_or_default();
    let mut words = class.split(u8::is_ascii_whitespace);
    words.any(|word| word == b"line" || NAMES.iter().any(|name| word.ends_with(name)))
        || node.tag() == tags::SPAN && is_drawn_apart(node)
}

/// Whether the style or the class of an inline element makes it a block.
fn is_drawn_apart(node: Node<'_>) -> bool {
    let class = node.value(&[Name::Class]).unwrap_or_default();
    let mut words = class.split(u8::is_ascii_whitespace);
    if words.any(|word| matches!(word, b"block" | b"d-block")) {
        return true;
    }
    const VALUES: [&[u8]; 3] = [b"block", b"flex", b"grid"];
    let is_block = |value: &[u8]| {
        let value = value.trim_ascii_start();
        Some(VALUES.iter().any(|block| value.starts_with(block)))
    };
    property_of(node, b"display", is_block) == Some(true)
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
        || is_line(node)
        || children.all(|child| child.kind() == NodeKind::Text || child.tag() == tags::BR)
}
