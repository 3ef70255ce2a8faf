//! The elements by which a page declares something about itself, collected during the walk.

use super::attributes::{Name, Names};
use super::declared::Declared;
use super::lexbor::Node;
use super::tags::{self, Tag};

/// Statements seen so far.
#[derive(Default)]
pub struct Statements {
    pub declared: Declared,
    /// Open `article` elements around the walk.
    pub articles: u32,
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

    /// A `time`, which may date the page or one article of it.
    pub fn time(&mut self, node: Node<'_>, names: &mut Names) {
        if let Some(time) = names.value(node, &[Name::DateTime]) {
            let name = if self.articles > 0 {
                "time:article"
            } else {
                "time"
            };
            self.declared.add(name, b"", time);
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
        let is_canonical = names.value(node, &[Name::Rel]).is_some_and(|rel| {
            rel.split(u8::is_ascii_whitespace)
                .any(|word| word.eq_ignore_ascii_case(b"canonical"))
        });
        if let (true, Some(href)) = (is_canonical, names.value(node, &[Name::Href])) {
            self.declared.add("canonical", b"", href);
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
