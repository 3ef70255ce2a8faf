//! Prototype: a page of UTF-8 to its tree, as the HTML standard builds it, with scripting off.
//!
//! Nothing is copied or decoded while the tree is built: texts are ranges of the input, attributes
//! stay one range a tag until somebody reads them. Bounds on depth, nodes and steps are checked on
//! the way, so a page needs no look before it is parsed.
//!
//! [`tokenizer`] cuts the input, [`modes`] holds the insertion modes of the standard, [`builder`]
//! what they share (stack of open elements, formatting elements, insertion), [`tree`] is the result.

#![forbid(unsafe_code)]

pub mod attributes;
mod builder;
pub mod doctype;
mod foreign;
mod modes;
mod tables;
pub mod tag;
pub mod tokenizer;
pub mod tree;

pub use builder::{Limits, Refusal, Repairs, parse, parse_into};
pub use tokenizer::Names;
pub use tree::{Kind, Node, Tree};
