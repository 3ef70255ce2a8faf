//! Elements that declare metadata of the page, collected during the walk.

use super::attributes::Name;
use super::declared::Declared;
use super::tags::{self, Tag};
use super::tree::Node;

/// Whether an HTTP header in markup says something of the text: its language or its last change.
fn concerns_text(header: &[u8]) -> bool {
    [b"content-language".as_slice(), b"last-modified"]
        .iter()
        .any(|name| header.eq_ignore_ascii_case(name))
}

/// Statements seen so far.
#[derive(Default)]
pub struct Statements {
    pub declared: Declared,
    has_title: bool,
    has_base: bool,
}

impl Statements {
    /// The language of the root element.
    pub fn root(&mut self, root: Node<'_>) {
        let lang = root.value(&[Name::Lang]);
        if let Some(lang) = lang.or_else(|| root.value(&[Name::XmlLang])) {
            self.declared.add("lang", b"", lang);
        }
    }

    /// A `title`, `meta`, `link`, `base` or `script`.
    pub fn element(&mut self, node: Node<'_>, tag: Tag) {
        match tag {
            tags::TITLE => self.title(node),
            tags::META => self.meta(node),
            tags::LINK => self.link(node),
            tags::BASE => self.base(node),
            _ => self.script(node),
        }
    }

    fn title(&mut self, node: Node<'_>) {
        if let (false, Some(text)) = (self.has_title, node.first_child()) {
            self.has_title = true;
            self.declared.add("title", b"", text.text());
        }
    }

    fn meta(&mut self, node: Node<'_>) {
        let mut name: &[u8] = b"";
        let mut rank = 0;
        let mut content: &[u8] = b"";
        for attribute in node.attributes() {
            let attribute_rank = match attribute.name() {
                Name::Content => {
                    content = attribute.value();
                    0
                }
                Name::DateTime if content.is_empty() => {
                    content = attribute.value();
                    0
                }
                Name::Property => 3,
                Name::Name => 2,
                Name::ItemProp => 1,
                Name::HttpEquiv if concerns_text(attribute.value()) => 1,
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

    fn link(&mut self, node: Node<'_>) {
        let (Some(rel), Some(href)) = (node.value(&[Name::Rel]), node.value(&[Name::Href])) else {
            return;
        };
        for name in ["canonical", "license", "image_src"] {
            let mut words = rel.split(u8::is_ascii_whitespace);
            if words.any(|word| word.eq_ignore_ascii_case(name.as_bytes())) {
                self.declared.add(name, b"", href);
            }
        }
    }

    fn base(&mut self, node: Node<'_>) {
        if let (false, Some(href)) = (self.has_base, node.value(&[Name::Href])) {
            self.has_base = true;
            self.declared.add("base", b"", href);
        }
    }

    fn script(&mut self, node: Node<'_>) {
        let is_linked_data = node.value(&[Name::Type]).is_some_and(|media| {
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
