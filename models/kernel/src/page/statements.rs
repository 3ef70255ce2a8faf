//! The elements by which a page declares something about itself, collected during the walk.

use super::attributes::{Name, Names};
use super::declared::Declared;
use super::lexbor::Node;
use super::tags::{self, Tag};

/// Statements seen so far.
#[derive(Default)]
pub struct Statements {
    pub declared: Declared,
    has_title: bool,
    has_base: bool,
}

impl Statements {
    /// The language of the root element.
    pub fn root(&mut self, root: Node<'_>, names: &mut Names) {
        let lang = names.value(root, &[Name::Lang]);
        if let Some(lang) = lang.or_else(|| names.value(root, &[Name::XmlLang])) {
            self.declared.add("lang", b"", lang);
        }
    }

    /// A `title`, `meta`, `link`, `base` or `script`.
    pub fn element(&mut self, node: Node<'_>, tag: Tag, names: &mut Names) {
        match tag {
            tags::TITLE => self.title(node),
            tags::META => self.meta(node, names),
            tags::LINK => self.link(node, names),
            tags::BASE => self.base(node, names),
            _ => self.script(node, names),
        }
    }

    fn title(&mut self, node: Node<'_>) {
        if let (false, Some(text)) = (self.has_title, node.first_child()) {
            self.has_title = true;
            self.declared.add("title", b"", text.text());
        }
    }

    fn meta(&mut self, node: Node<'_>, names: &mut Names) {
        let mut name: &[u8] = b"";
        let mut rank = 0;
        let mut content: &[u8] = b"";
        for attribute in node.attributes() {
            let attribute_rank = match names.name(attribute) {
                Name::Content => {
                    content = attribute.value();
                    0
                }
                Name::Property => 3,
                Name::Name => 2,
                Name::ItemProp => 1,
                // of the headers that markup stands in for the only one about its text
                Name::HttpEquiv if attribute.value().eq_ignore_ascii_case(b"content-language") => 1,
                _ => 0,
            };
            if attribute_rank > rank {
                rank = attribute_rank;
                name = attribute.value();
            }
        }
        if rank > 0 {
            self.declared.add("meta:", name, content);
        }
    }

    fn link(&mut self, node: Node<'_>, names: &mut Names) {
        let (Some(rel), Some(href)) = (
            names.value(node, &[Name::Rel]),
            names.value(node, &[Name::Href]),
        ) else {
            return;
        };
        for name in ["canonical", "license"] {
            let mut words = rel.split(u8::is_ascii_whitespace);
            if words.any(|word| word.eq_ignore_ascii_case(name.as_bytes())) {
                self.declared.add(name, b"", href);
            }
        }
    }

    fn base(&mut self, node: Node<'_>, names: &mut Names) {
        if let (false, Some(href)) = (self.has_base, names.value(node, &[Name::Href])) {
            self.has_base = true;
            self.declared.add("base", b"", href);
        }
    }

    fn script(&mut self, node: Node<'_>, names: &mut Names) {
        let is_linked_data = names.value(node, &[Name::Type]).is_some_and(|media| {
            let media = media.split(|&byte| byte == b';').next().unwrap_or(media);
            media
                .trim_ascii()
                .eq_ignore_ascii_case(b"application/ld+json")
        });
        if let (true, Some(text)) = (is_linked_data, node.first_child()) {
            self.declared.add_long("json-ld", b"", text.text());
        }
    }
}
