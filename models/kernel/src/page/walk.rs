//! Walk over the tree of a page: nodes to the table of blocks, in one pass and without recursion.
//!
//! A block ends at every border of an element that CSS would lay out as a block, at `<hr>` and at a
//! second `<br>` in a row. [`roles`](super::roles) has the action for each element,
//! [`frames`](super::frames) its effect on the blocks inside, [`text`](super::text) normalises
//! text. Hidden parts, scripts and form controls are left out.
//!
//! `tests/unit/models/page/reference_walk.py` is the same walk in Python on selectolax's public
//! interface; tests check that both give the same result.

mod footers;
mod initials;
mod lines;
mod rows;
mod writing;

use self::footers::Footers;
use self::lines::{line_before, may_be_blank_line};
use super::attributes::{Name, WhiteSpace};
use super::blocks::{Block, BlockTable, Kind, LinkWishes};
use super::cell_signs::sign_of;
use super::class_signs::{ClassSigns, sign};
use super::controls::links::has_brackets;
use super::controls::{Looks, buttons};
use super::element_attributes::ElementAttributes;
use super::elements::{Concealed, Elements};
use super::emoji::emoji_of;
use super::formulas::{drawn, is_display, scripts, tex_of};
use super::frames::{Frames, Spans};
use super::inline::{Inline, style};
use super::item_labels::are_written;
use super::marks::{Mark, Marks, Place};
use super::paths::Paths;
use super::quotations::Quotations;
use super::roles::{Role, role};
use super::siblings::{holds_formula, is_bare_reading, is_said_in_mathml};
use super::statements::Statements;
use super::table_parts::{covered, holds_rows};
use super::table_role::Part;
use super::tables::MAX_SPAN;
use super::tags::{self, Tag};
use super::text::TextWriter;
use super::text::seam::Seam;
use super::tree::{Node, NodeKind};

/// The optional records of a walk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Recorded {
    /// The [`elements`](super::elements) of the page, and its hidden blocks.
    pub elements: bool,
    /// Inline markup.
    pub inline: bool,
    /// The block of each text node.
    pub texts: bool,
}

/// The blocks of a page, and the other records.
#[derive(Clone, Debug, Default)]
pub struct Walked {
    pub table: BlockTable,
    pub inline: Option<Inline>,
    /// By number of the text node its block, [`NO_BLOCK`] for none. Texts without output have the
    /// block that follows.
    pub block_of_text: Vec<u32>,
}

/// The block of texts that are not walked.
pub const NO_BLOCK: u32 = u32::MAX;

/// The blocks under the root element of a page.
#[must_use]
pub fn walk(root: Node<'_>, recorded: Recorded) -> Walked {
    let nodes = if recorded.texts { root.nodes() } else { 0 };
    let mut walker = Walker {
        elements: recorded.elements.then(Elements::of_root),
        inline: recorded.inline.then(Inline::default),
        block_of_text: vec![NO_BLOCK; nodes],
        ..Walker::default()
    };
    walker.statements.root(root);
    walker.make_room();
    walker.run(root);
    walker.into_walked()
}

#[derive(Default)]
struct Walker<'tree> {
    text: TextWriter,
    blocks: Vec<Block>,
    paths: Paths,
    frames: Frames,
    statements: Statements,
    marks: Marks,
    wishes: LinkWishes,
    /// The last element that was left, and the end of the text then.
    left: Option<(Node<'tree>, u32)>,
    /// Open links, innermost last, and whether they lead away from the heading around them.
    links: Vec<(Node<'tree>, bool)>,
    /// The block that was entered last is a heading or a term with brackets.
    has_brackets: bool,
    /// The block that was entered or left last is a heading of the first level that was entered.
    in_headline: bool,
    /// Open inline elements that are parts of a table by their role, innermost last.
    parts: Vec<Node<'tree>>,
    /// Open elements that change whether line feeds end lines, innermost last.
    white_spaces: Vec<(Node<'tree>, bool)>,
    footers: Footers<'tree>,
    /// The picture of a cell that was written as what it says.
    said: Option<Node<'tree>>,
    /// The first letter of a text that follows.
    initial: Option<(String, Node<'tree>)>,
    quotations: Quotations,
    /// The remaining visits for recognising line numbers.
    looks: Looks,
    elements: Option<Elements>,
    classes: ClassSigns,
    /// By number of the text node, if requested; blank ones have the next block.
    block_of_text: Vec<u32>,
    /// Inline markup, if requested.
    inline: Option<Inline>,
}

/// Initial capacity for a page of usual size: growing from nothing would copy a dozen times.
const TEXT_BYTES: usize = 1 << 13;
const BLOCKS: usize = 1 << 7;
const ELEMENTS: usize = 1 << 9;

impl<'tree> Walker<'tree> {
    fn make_room(&mut self) {
        self.text.reserve(TEXT_BYTES);
        self.blocks.reserve(BLOCKS);
        if let Some(elements) = &mut self.elements {
            elements.make_room(ELEMENTS, BLOCKS);
        }
    }

    fn run(&mut self, root: Node<'tree>) {
        self.quotations.root(root);
        let Some(mut node) = root.first_child() else {
            return;
        };
        loop {
            if self.enter(node) {
                if let Some(child) = node.first_child() {
                    node = child;
                    continue;
                }
                self.leave(node);
            }
            loop {
                if let Some(next) = self.footers.after(node) {
                    node = next;
                    break;
                }
                match node.parent() {
                    Some(parent) if parent != root => {
                        if let Some(footer) = self.footers.of(parent) {
                            node = footer;
                            break;
                        }
                        self.leave(parent);
                        node = parent;
                    }
                    _ => return self.end_block(),
                }
            }
        }
    }

    /// Add a node; true if its children are to be walked.
    fn enter(&mut self, node: Node<'tree>) -> bool {
        match node.kind() {
            NodeKind::Text => {
                self.write(node);
                false
            }
            NodeKind::Element => self.enter_element(node),
            NodeKind::Else => false,
        }
    }

    fn enter_element(&mut self, node: Node<'tree>) -> bool {
        let tag = node.tag();
        if tag == tags::TFOOT && self.footers.is_early(node) {
            return false;
        }
        if tag == tags::IMG && self.said == Some(node) {
            return false;
        }
        let role = self.role_of(node, tag);
        if let Some(elements) = &mut self.elements {
            elements.count(tag);
        }
        match role {
            Role::Skip => {
                if let (tags::INPUT, Some(inline)) = (tag, &mut self.inline) {
                    let is_first = !self.text.is_open();
                    inline.input(node, is_first, &self.frames.top().block);
                }
                return false;
            }
            Role::Break => {
                self.line_break();
                return false;
            }
            Role::Declaration => {
                if let (tags::SCRIPT, Some(formula)) = (tag, scripts::of(node)) {
                    self.formula_of_script(&formula);
                }
                if let (tags::SCRIPT, Some(inline)) = (tag, &mut self.inline) {
                    inline.script(node);
                }
                self.statements.element(node, tag);
                return false;
            }
            _ => {}
        }
        let attributes = ElementAttributes::of(node, &mut self.classes);
        let is_again = attributes.is_aria_hidden && is_said_in_mathml(node);
        if attributes.is_formula_again || attributes.is_permalink || is_again {
            return false;
        }
        if node.is_html() && self.is_left_out(node, tag, &attributes) {
            return false;
        }
        let role = match attributes.part {
            Part::None => role,
            part => self.role_in_table(node, role, part),
        };
        let drawn = match tag {
            tags::IMG => drawn::of_image(node, &attributes),
            _ if !attributes.tex.is_empty() || attributes.signs & sign::FORMULA != 0 => {
                drawn::of(node, tag, &attributes)
            }
            _ => None,
        };
        if let Some(sign) = Some(node)
            .filter(|_| tag == tags::IMG && !attributes.is_hidden)
            .and_then(emoji_of)
        {
            self.put(sign);
            return false;
        }
        if drawn.is_none() && node.is_html() && !attributes.is_hidden {
            if let Some(initial) = self.initial_of(node, tag, &attributes) {
                self.texts_of(node);
                self.initial = Some(initial);
                return false;
            }
        }
        if let Some(drawn) = drawn {
            self.texts_of(node);
            if drawn.is_spoken {
                self.put(&drawn.tex);
            } else {
                self.formula(&drawn.tex, drawn.is_display);
            }
            return false;
        }
        // structural engines see that it was hidden
        let is_streamed = attributes.is_streamed && self.elements.is_none();
        let is_shown = tag == tags::BODY || is_streamed || holds_formula(node);
        let hidden =
            attributes.is_hidden && !is_shown || tag == tags::DIALOG && !attributes.is_open;
        let concealed = match tag {
            _ if hidden => Concealed::Hidden,
            tags::NOSCRIPT => Concealed::NoScript,
            _ => Concealed::No,
        };
        if hidden && !(self.elements.is_some() && role.is_block()) {
            return false;
        }
        if tag == tags::MATH && !node.is_html() {
            self.texts_of(node);
            match attributes.tex.trim_ascii() {
                b"" => self.formula(tex_of(node).as_bytes(), is_display(node)),
                tex => self.formula(tex, is_display(node)),
            }
            return false;
        }
        self.check_box(node, &attributes);
        let role = match attributes.white_space {
            WhiteSpace::Inherited => role,
            white_space => self.role_in_white_space(node, role, white_space),
        };
        let mark = attributes.mark;
        self.wishes.nosnippet_parts += u32::from(attributes.is_nosnippet);
        self.open(node, tag, role, &attributes, concealed);
        if mark != Mark::None {
            self.marks.add(mark, node, self.place());
        }
        true
    }

    fn open(
        &mut self,
        node: Node<'tree>,
        mut tag: Tag,
        role: Role,
        attributes: &ElementAttributes<'_>,
        concealed: Concealed,
    ) {
        if role.is_block() {
            let around = self.frames.top();
            let mut spans = attributes.spans;
            if matches!(role, Role::OrderedList | Role::UnorderedList | Role::Item) {
                spans.numbers = attributes.numbers();
                if role == Role::OrderedList
                    && attributes.hides_marks()
                    && are_written(node, spans.start)
                {
                    spans.numbers = Some(false);
                }
            }
            if attributes.part != Part::None {
                if !self.role_of(node, tag).is_block() {
                    self.parts.push(node);
                    // a path has a name for each element
                    tag = if tag == tags::UNKNOWN { tags::DIV } else { tag };
                }
                if role == Role::Cell && around.is_by_role {
                    spans = spans_by_role(node, attributes);
                }
            }
            if tag == tags::FOOTER && around.block.quotes > 0 {
                tag = tags::P; // it names the source of a quotation
            }
            let may_be_edited = matches!(role, Role::Heading | Role::Term) || tag == tags::SUMMARY;
            self.has_brackets = may_be_edited && has_brackets(node);
            self.in_headline = tag == tags::H1;
            self.frames.push(role, tag, spans, &mut self.paths);
            if self.frames.top().continues(&around) {
                self.text.enter_line();
            } else {
                self.end_block_of(around);
            }
            if let Some(elements) = &mut self.elements {
                let is_silent = attributes.is_aria_hidden || attributes.is_out_of_sight;
                elements.push(node, tag, concealed, is_silent);
            }
            if let Some(inline) = &mut self.inline {
                let block = self.frames.top().block;
                inline.border(node, role, &block);
                if is_code_in_cell(role, &block) {
                    inline.begin(style::CODE, self.text.position());
                }
            }
            if role == Role::Cell && !self.frames.is_preformatted() {
                self.said = sign_of(node).map(|sign| {
                    self.put(&sign.said);
                    sign.picture
                });
            }
            return;
        }
        self.meet(node, tag, attributes);
        if self.in_headline {
            self.marks.add(Mark::Part, node, self.place());
        }
        if tag == tags::SPAN && self.frames.is_preformatted() {
            if let Some(before) = line_before(node) {
                self.text.next_line(before.first_child().is_none());
            }
        }
        if let Some(elements) = &mut self.elements {
            elements
                .anchors
                .place(attributes.name, self.blocks.len() as u32);
        }
        // custom elements show how long ago it was: `relative-time`
        if role == Role::Time || tag == tags::UNKNOWN {
            let time = node.value(&[Name::DateTime]);
            let time = time.or_else(|| node.value(&[Name::Title]).filter(|_| role == Role::Time));
            if let Some(time) = time {
                self.marks.time(time, self.place());
            }
        }
        if attributes.is_link && role == Role::Link {
            let leads_away = !self.opens_part(attributes);
            self.links.push((node, leads_away));
            self.wishes.links += 1;
            self.wishes.nofollow_links += u32::from(attributes.is_nofollow);
            if let Some(inline) = &mut self.inline {
                inline.open_link(node, self.text.position());
            }
            if let Some(elements) = &mut self.elements {
                if leads_away {
                    elements.link();
                }
                let block = self.blocks.len() as u32;
                elements.anchors.link(node, attributes.href, block);
            }
        } else if is_bare_reading(node, tag) {
            self.put(b"(");
        } else if tag == tags::Q && node.is_html() {
            self.quote(node);
        } else if let Some(inline) = self.inline.as_mut().filter(|_| node.is_html()) {
            let at = self.text.position();
            inline.open(node, tag, at, &self.frames.top().block);
        }
    }

    /// Whether a link in a heading shows and hides the part of the page below it.
    fn opens_part(&self, attributes: &ElementAttributes<'_>) -> bool {
        attributes.is_toggle
            && attributes.href.starts_with(b"#")
            && self.frames.top().block.kind == Kind::Heading
    }

    fn place(&self) -> Place {
        Place {
            block: self.blocks.len() as u32,
            at: self.text.position(),
        }
    }

    /// Close an element whose children were walked.
    fn leave(&mut self, node: Node<'tree>) {
        self.leave_white_space(node);
        let tag = node.tag();
        let role = self.role_of(node, tag);
        if role.is_block() || self.leaves_part(node) {
            let inside = self.frames.top();
            if let Some(inline) = self
                .inline
                .as_mut()
                .filter(|_| is_code_in_cell(role, &inside.block))
            {
                inline.end(style::CODE, self.text.position());
            }
            self.in_headline = false;
            self.frames.pop();
            if inside.continues(&self.frames.top()) {
                self.text.leave_line(may_be_blank_line(node, tag));
            } else {
                self.end_block_of(inside);
            }
            if let Some(elements) = &mut self.elements {
                elements.pop();
            }
            return;
        }
        if Seam::of(tag).is_some() && node.first_child().is_some() {
            self.left = Some((node, self.text.position()));
        }
        if role == Role::Link && self.links.last().is_some_and(|(link, _)| *link == node) {
            self.links.pop();
            if let Some(inline) = &mut self.inline {
                inline.close_link(self.text.position());
            }
        } else if is_bare_reading(node, tag) {
            self.put(b")");
        } else if tag == tags::Q && node.is_html() {
            let mark = self.quotations.leave();
            self.put(mark.as_bytes());
        } else if let Some(inline) = self.inline.as_mut().filter(|_| node.is_html()) {
            inline.close(node, tag, self.text.position());
        }
    }

    /// The action for an element in this walk, the same on entering and on leaving.
    fn role_of(&mut self, node: Node<'_>, tag: Tag) -> Role {
        let role = role_of(node, tag);
        let is_html = || node.is_html();
        match tag {
            tags::NOSCRIPT if self.elements.is_some() && is_html() => match is_image_alone(node) {
                true => Role::Inline,
                false => Role::Border,
            },
            tags::NOFRAMES if node.first_child().is_some_and(|it| !it.is_raw_text()) => {
                Role::Border
            }
            tags::BUTTON if is_html() && buttons::is_text(node) => Role::Inline,
            tags::CODE if is_html() && lines::is_block(node) => Role::Preformatted,
            tags::TABLE | tags::OL if self.is_listing(node, tag) => Role::Preformatted,
            _ => role,
        }
    }

    /// The action for an element that may be a part of a table by its `role` or style.
    #[cold]
    fn role_in_table(&mut self, node: Node<'_>, role: Role, part: Part) -> Role {
        if !node.is_html() {
            return role;
        }
        let is_inside = self.frames.top().is_by_role;
        if role == Role::Link && part == Part::Row && is_inside {
            self.frames.row();
        }
        // elements of tables and others have roles of their own
        let may_be = matches!(
            role,
            Role::Inline
                | Role::Border
                | Role::Paragraph
                | Role::OrderedList
                | Role::UnorderedList
                | Role::Item
                | Role::DefinitionList
                | Role::Term
                | Role::Definition
        );
        match part {
            Part::Table if may_be && holds_rows(node, &mut self.looks) => Role::Table,
            Part::Caption if may_be && is_inside => Role::Caption,
            Part::Row if may_be && is_inside => Role::Row,
            Part::Cell | Part::Header if may_be && is_inside => Role::Cell,
            _ => role,
        }
    }

    /// Whether an inline element is a part of a table; it is left now.
    fn leaves_part(&mut self, node: Node<'_>) -> bool {
        let is_part = self.parts.last() == Some(&node);
        if is_part {
            self.parts.pop();
        }
        is_part
    }

    fn into_walked(mut self) -> Walked {
        let text = self.text.into_text();
        let tables = &mut self.frames.tables;
        tables.settle(&mut self.blocks, &text, &self.paths);
        let table = BlockTable {
            text,
            blocks: self.blocks,
            paths: self.paths,
            declared: self.statements.declared,
            marks: self.marks,
            wishes: self.wishes,
            elements: self.elements,
            ..BlockTable::default()
        };
        Walked {
            table,
            inline: self.inline,
            block_of_text: self.block_of_text,
        }
    }
}

/// Whether an element is code in a cell, which has no lines of its own in Markdown.
fn is_code_in_cell(role: Role, block: &Block) -> bool {
    role == Role::Preformatted && block.cell > 0
}

/// Whether a `noscript` has only an image, which a script loads, and so may be inside of a sentence.
fn is_image_alone(node: Node<'_>) -> bool {
    let inside = std::iter::successors(node.first_child(), |child| child.next());
    let mut those = inside.filter(|child| match child.kind() {
        NodeKind::Text => child.text().iter().any(|byte| !byte.is_ascii_whitespace()),
        NodeKind::Element => true,
        NodeKind::Else => false,
    });
    those.next().is_some_and(|child| child.tag() == tags::IMG) && those.next().is_none()
}

/// What a cell by its `role` covers, and whether it is a header.
fn spans_by_role(node: Node<'_>, attributes: &ElementAttributes<'_>) -> Spans {
    let mut spans = attributes.spans;
    spans.is_header = attributes.part == Part::Header;
    let (columns, rows) = covered(node);
    spans.columns = columns.map_or(spans.columns, |columns| columns.clamp(1, MAX_SPAN));
    spans.rows = rows.unwrap_or(spans.rows);
    spans
}

/// The role of an element; in other namespaces only elements that are never read have one.
fn role_of(node: Node<'_>, tag: Tag) -> Role {
    if node.is_html() {
        return role(tag);
    }
    let is_annotation = tag == tags::ANNOTATION_XML || node.unknown_name() == b"annotation";
    if tag == tags::SVG || is_annotation {
        Role::Skip
    } else {
        Role::Inline
    }
}
