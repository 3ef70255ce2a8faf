//! Declarative shadow roots in place: [`Options::shadow_roots_in_place`].
//!
//! [`Options::shadow_roots_in_place`]: crate::Options::shadow_roots_in_place

use super::TreeBuilder;
use super::insertion::Place;
use super::open_elements::Open;
use crate::attributes::value;
use crate::tag::{self, Tag};
use crate::tokenizer::TagToken;
use crate::tree::{self, Id, Kind};

/// HTML elements that may be shadow hosts, apart from custom elements.
const HOSTS: [Tag; 18] = [
    tag::ARTICLE,
    tag::ASIDE,
    tag::BLOCKQUOTE,
    tag::BODY,
    tag::DIV,
    tag::FOOTER,
    tag::H1,
    tag::H2,
    tag::H3,
    tag::H4,
    tag::H5,
    tag::H6,
    tag::HEADER,
    tag::MAIN,
    tag::NAV,
    tag::P,
    tag::SECTION,
    tag::SPAN,
];

impl TreeBuilder<'_> {
    /// Mark the `template` that `token` opens in `host` if it is a shadow root.
    pub(super) fn note_shadow_root(&mut self, token: &TagToken, host: Open, template: Id) {
        if self.options.shadow_roots_in_place && self.is_shadow_root(token, host) {
            self.tree.nodes[template as usize].flags |= tree::SHADOW_ROOT;
            self.tree.nodes[host.id as usize].flags |= tree::SHADOW_HOST;
        }
    }

    fn is_shadow_root(&self, token: &TagToken, host: Open) -> bool {
        let attributes = token.attributes.of(self.tree.input);
        // `shadowroot` is its name before the standard
        let is_declared = [b"shadowrootmode".as_slice(), b"shadowroot"]
            .iter()
            .filter_map(|name| value(attributes, name))
            .any(|mode| mode.eq_ignore_ascii_case(b"open") || mode.eq_ignore_ascii_case(b"closed"));
        let is_first = self.tree.node(host.id).flags & tree::SHADOW_HOST == 0;
        is_declared && is_first && self.may_be_host(host)
    }

    fn may_be_host(&self, host: Open) -> bool {
        let is_custom = || {
            let tag = host.tag as usize;
            let name = tag.checked_sub(tag::COUNT);
            let name = name.and_then(|unknown| self.tree.names.get(unknown));
            name.is_some_and(|name| name.of(self.tree.input).contains(&b'-'))
        };
        host.kind == Kind::Html && (HOSTS.contains(&host.tag) || is_custom())
    }

    /// Put the content of a `template` in its place when it closes, if it is a shadow root.
    pub(super) fn place_shadow_root(&mut self, template: Id) {
        let node = *self.tree.node(template);
        if node.flags & tree::SHADOW_ROOT == 0 || node.parent == 0 {
            return;
        }
        let place = Place {
            parent: node.parent,
            before: template,
        };
        self.move_children(node.first_child, place);
        self.unlink(template);
    }
}
