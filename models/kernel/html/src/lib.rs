//! An HTML parser for programs that read many pages: UTF-8 in, a compact tree out, within limits.
//!
//! The tree is the one that the [HTML standard] defines for a document with scripting off. Nothing
//! is copied or decoded during the build: a text is a range of the input, and the attributes of a
//! tag are one range until they are read. Limits on bytes, depth, nodes and steps are checked
//! during the build, so a page needs no earlier check, and every input takes at most linear time.
//! No function is recursive.
//!
//! ```
//! use winnow_html::{Limits, parse, serialize};
//!
//! let tree = parse("<p>Salt &amp; <b>pepper</p>", &Limits::default())?;
//!
//! let text = (0..).zip(&tree.nodes).find(|(_, node)| node.kind == winnow_html::Kind::Text);
//! assert_eq!(text.map(|(id, _)| tree.text(id).into_owned()), Some("Salt & ".to_owned()));
//! assert!(serialize(&tree).ends_with("|   <body>\n|     <p>\n|       \"Salt & \"\n|       <b>\n|         \"pepper\"\n"));
//! # Ok::<(), winnow_html::Refusal>(())
//! ```
//!
//! A page that passes a limit has no tree, and the error names the limit:
//!
//! ```
//! use winnow_html::{Limits, Refusal, parse};
//!
//! let page = "<div>".repeat(1000);
//!
//! assert_eq!(parse(&page, &Limits::default()).err(), Some(Refusal::TooDeep));
//! ```
//!
//! The modules are named after the standard: [`tokenizer`] is its section 13.2.5, `construction`
//! its section 13.2.6 with one module per insertion mode, [`tree`] is the result.
//!
//! [HTML standard]: https://html.spec.whatwg.org/multipage/parsing.html

#![forbid(unsafe_code)]

pub mod attributes;
mod construction;
pub mod doctype;
mod limits;
mod options;
mod serialize;
pub mod tag;
pub mod tokenizer;
pub mod tree;

pub use construction::{parse, parse_into};
pub use limits::{Limits, Refusal};
pub use options::Options;
pub use serialize::serialize;
pub use tokenizer::Names;
pub use tree::{Kind, Node, Tree};
