//! The element names that the features distinguish.

use std::sync::LazyLock;

use crate::page::tags;

/// A block-level element; everything unknown is [`Tag::Other`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Tag {
    Body,
    Div,
    P,
    Li,
    Td,
    Tr,
    Table,
    Ul,
    Dl,
    Dd,
    Dt,
    H1,
    H2,
    H3,
    H4,
    Blockquote,
    Pre,
    Caption,
    Center,
    Article,
    Main,
    Section,
    Nav,
    Aside,
    Footer,
    Header,
    Form,
    Figure,
    #[default]
    Other,
}

impl Tag {
    /// The tag of an element by its number.
    #[must_use]
    pub fn numbered(number: tags::Tag) -> Self {
        static TAGS: LazyLock<[Tag; tags::COUNT]> =
            LazyLock::new(|| std::array::from_fn(|number| Tag::named(tags::NAMES[number])));
        TAGS.get(usize::from(number)).copied().unwrap_or_default()
    }

    /// The tag of a lower-case element name.
    #[must_use]
    pub fn named(name: &str) -> Self {
        match name {
            "body" => Self::Body,
            "div" => Self::Div,
            "p" => Self::P,
            "li" => Self::Li,
            "td" | "th" => Self::Td,
            "tr" => Self::Tr,
            "table" | "tbody" | "thead" | "tfoot" => Self::Table,
            "ul" | "ol" | "menu" | "dir" => Self::Ul,
            "dl" => Self::Dl,
            "dd" => Self::Dd,
            "dt" => Self::Dt,
            "h1" => Self::H1,
            "h2" => Self::H2,
            "h3" => Self::H3,
            "h4" | "h5" | "h6" => Self::H4,
            "blockquote" => Self::Blockquote,
            "pre" => Self::Pre,
            "figcaption" | "caption" | "legend" => Self::Caption,
            "center" => Self::Center,
            "article" => Self::Article,
            "main" => Self::Main,
            "section" => Self::Section,
            "nav" => Self::Nav,
            "aside" => Self::Aside,
            "footer" => Self::Footer,
            "header" | "hgroup" => Self::Header,
            "form" | "fieldset" => Self::Form,
            "figure" => Self::Figure,
            _ => Self::Other,
        }
    }

    /// Whether the element is a heading.
    #[must_use]
    pub fn is_heading(self) -> bool {
        matches!(self, Self::H1 | Self::H2 | Self::H3 | Self::H4)
    }
}
