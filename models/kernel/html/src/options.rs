//! Where a tree may differ from the standard's, to read more text.

/// Differences from the standard, each off by default.
///
/// With [`Options::default`] the tree is the standard's, with scripting off: the content of
/// `noscript` is parsed as elements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Raw text inside a `noscript` ends with it at the latest.
    ///
    /// Example: `<noscript><iframe src="..."/></noscript>`. A browser that runs scripts reads the
    /// content of `noscript` as text, so the unclosed `iframe` goes unnoticed. With scripting off
    /// everything after it would be raw text.
    pub noscript_ends_raw_text: bool,
    /// A `title` without an end tag ends with its line, or at the next `<`.
    ///
    /// In the standard the whole page is then its title. Applies once per page.
    pub closes_title: bool,
    /// The page is XML by its content type (`application/xhtml+xml`).
    ///
    /// Every element may close itself: `<div/>` is `<div></div>`. A CDATA section is text
    /// everywhere, not only in SVG and MathML.
    pub is_xml: bool,
    /// In HTML that declares XHTML, an element closes itself if its content is not flow content of
    /// the page.
    ///
    /// These are raw text elements (`<script/>`, `<iframe/>`, `<textarea/>`, `<title/>`), form
    /// controls, `noscript`, `template` and elements with fallback content (`<object/>`,
    /// `<video/>`). In the standard they contain everything that follows. Other elements follow the
    /// standard: browsers ignore the slash of a `<div/>`, and pages depend on that. A CDATA section
    /// is text everywhere; in the standard it is a comment outside of SVG and MathML. A page declares
    /// XHTML if it starts with an XML declaration, or if its root has
    /// `xmlns="http://www.w3.org/1999/xhtml"`. In other pages only a raw text element without any
    /// end tag after it closes itself: a browser would show nothing after it, so the page was
    /// written as XML.
    pub closes_as_xhtml: bool,
    /// The content of a declarative shadow root (`<template shadowrootmode="open">`) replaces its
    /// `template` in the host element, as a browser shows it.
    ///
    /// This applies where a browser attaches a shadow root: once per host, and only in elements
    /// that may be hosts. Slots are not filled: the host's own children follow the content.
    pub shadow_roots_in_place: bool,
    /// A part of a page that React sends after it (`<div hidden id="S:0">`) replaces its
    /// placeholder, as its script does.
    pub streamed_parts_in_place: bool,
    /// The content of a `noframes` in or after a frameset is parsed as elements.
    ///
    /// In the standard it is raw text. It is often the only text of such a page.
    pub parses_noframes: bool,
}
