//! 13.2.6.5 The rules for parsing tokens in foreign content: SVG and MathML.

use super::TreeBuilder;
use super::characters::Text;
use super::modes::Step;
use super::open_elements::Open;
use crate::attributes::value;
use crate::tag::{self, Tag, foreign_traits};
use crate::tokenizer::TagToken;
use crate::tree::{self, Kind, Node};

impl TreeBuilder<'_> {
    /// *Insert a foreign element.*
    pub(super) fn insert_foreign(&mut self, token: &TagToken, kind: Kind) {
        let place = self.place();
        let depth = self.current().depth + 1;
        let flags = if kind == Kind::MathMl && self.is_annotation_of_html(token) {
            tree::HOLDS_HTML
        } else {
            0
        };
        let node = Node::new(kind, token.tag, token.attributes, flags);
        let read = token.read;
        let id = self.add(Node { read, ..node });
        self.link(id, place);
        if !token.is_self_closing {
            self.push(Open {
                id,
                depth,
                tag: token.tag,
                kind,
                traits: foreign_traits(token.tag, kind == Kind::Svg),
            });
        }
    }

    fn is_annotation_of_html(&self, token: &TagToken) -> bool {
        let is_html = |encoding: &[u8]| {
            encoding.eq_ignore_ascii_case(b"text/html")
                || encoding.eq_ignore_ascii_case(b"application/xhtml+xml")
        };
        token.tag == tag::ANNOTATION_XML
            && value(token.attributes.of(self.tree.input), b"encoding").is_some_and(is_html)
    }

    fn is_mathml_text_integration_point(open: &Open) -> bool {
        let tags = [tag::MI, tag::MO, tag::MN, tag::MS, tag::MTEXT];
        open.kind == Kind::MathMl && tags.contains(&open.tag)
    }

    fn is_html_integration_point(&self, open: &Open) -> bool {
        match open.kind {
            Kind::Svg => matches!(open.tag, tag::FOREIGNOBJECT | tag::DESC | tag::TITLE),
            Kind::MathMl => self.tree.node(open.id).flags & tree::HOLDS_HTML != 0,
            _ => false,
        }
    }

    /// A start tag while the current node is not of HTML; `Reprocess` by the rules of HTML.
    #[cold]
    pub(super) fn start_in_foreign(&mut self, token: &TagToken) -> Step {
        let current = self.current();
        let is_glyph = matches!(token.tag, tag::MGLYPH | tag::MALIGNMARK);
        let is_svg_in_annotation = current.tag == tag::ANNOTATION_XML
            && current.kind == Kind::MathMl
            && token.tag == tag::SVG;
        if Self::is_mathml_text_integration_point(&current) && !is_glyph
            || is_svg_in_annotation
            || self.is_html_integration_point(&current)
        {
            return Step::Reprocess;
        }
        if self.breaks_out(token) {
            self.leave_foreign();
            return Step::Reprocess;
        }
        self.insert_foreign(token, current.kind);
        Step::Done
    }

    fn breaks_out(&self, token: &TagToken) -> bool {
        let attributes = token.attributes.of(self.tree.input);
        let is_styled_font = || {
            let names = [&b"color"[..], b"face", b"size"];
            names.iter().any(|name| value(attributes, name).is_some())
        };
        BREAK_OUT.contains(&token.tag) || token.tag == tag::FONT && is_styled_font()
    }

    fn leave_foreign(&mut self) {
        while let Some(&current) = self.open.last() {
            if current.kind == Kind::Html
                || Self::is_mathml_text_integration_point(&current)
                || self.is_html_integration_point(&current)
            {
                return;
            }
            self.pop();
        }
    }

    /// An end tag while the current node is not of HTML; `Reprocess` by the rules of HTML.
    #[cold]
    pub(super) fn end_in_foreign(&mut self, token: &TagToken) -> Step {
        if matches!(token.tag, tag::BR | tag::P) {
            self.leave_foreign();
            return Step::Reprocess;
        }
        for at in (1..self.open.len()).rev() {
            self.count(1);
            let open = self.open[at];
            if open.kind == Kind::Html {
                return Step::Reprocess;
            }
            if open.tag == token.tag {
                self.truncate(at);
                return Step::Done;
            }
        }
        Step::Done
    }

    /// A text while the current node is not of HTML. False if it is one for the rules of HTML.
    #[cold]
    pub(super) fn text_in_foreign(&mut self, text: Text) -> bool {
        let current = self.current();
        if Self::is_mathml_text_integration_point(&current)
            || self.is_html_integration_point(&current)
        {
            return false;
        }
        if !text.span.is_empty() {
            let flags = text.flags | tree::REPLACES_NUL;
            self.insert_text(Text { flags, ..text });
            let bytes = text.span.of(self.tree.input);
            let is_white = |byte: &u8| byte.is_ascii_whitespace() || *byte == 0;
            self.frameset_ok &= bytes.iter().all(is_white);
        }
        true
    }
}

/// Start tags that end foreign content.
static BREAK_OUT: [Tag; 44] = [
    tag::B,
    tag::BIG,
    tag::BLOCKQUOTE,
    tag::BODY,
    tag::BR,
    tag::CENTER,
    tag::CODE,
    tag::DD,
    tag::DIV,
    tag::DL,
    tag::DT,
    tag::EM,
    tag::EMBED,
    tag::H1,
    tag::H2,
    tag::H3,
    tag::H4,
    tag::H5,
    tag::H6,
    tag::HEAD,
    tag::HR,
    tag::I,
    tag::IMG,
    tag::LI,
    tag::LISTING,
    tag::MENU,
    tag::META,
    tag::NOBR,
    tag::OL,
    tag::P,
    tag::PRE,
    tag::RUBY,
    tag::S,
    tag::SMALL,
    tag::SPAN,
    tag::STRONG,
    tag::STRIKE,
    tag::SUB,
    tag::SUP,
    tag::TABLE,
    tag::TT,
    tag::U,
    tag::UL,
    tag::VAR,
];
