//! The limits of one page, and the errors that name them.

use std::fmt;

use crate::tag::{self, Tag};

/// The limits of one page. They are checked while the tree is built.
///
/// Spans and node numbers have 32 bits, so each limit is at most `u32::MAX`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the input.
    pub bytes: usize,
    /// Levels of elements in the tree. An empty element may be one level deeper.
    pub depth: usize,
    /// Nodes that are created, including those that are later removed from the tree.
    pub nodes: usize,
    /// Units of work other than reading bytes and creating nodes: entries of the stack of open
    /// elements and of the list of active formatting elements that are visited or moved, children
    /// that get another parent, and compared attributes (one unit per eight bytes).
    ///
    /// Only searches could take more than linear time, and this limit stops them.
    pub steps: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            bytes: u32::MAX as usize,
            depth: 512,
            nodes: 1_000_000,
            steps: 64_000_000,
        }
    }
}

/// Distinct element names of one page that are unknown to HTML.
pub const MAX_NAMES: usize = Tag::MAX as usize - tag::COUNT;

/// The limit that a page passed. Such a page has no tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Refusal {
    /// More than [`Limits::bytes`].
    TooLarge,
    /// More than [`Limits::depth`].
    TooDeep,
    /// More than [`Limits::nodes`].
    TooManyNodes,
    /// More than [`Limits::steps`].
    TooManySteps,
    /// More distinct element names unknown to HTML than there are numbers (about 65,000).
    TooManyNames,
}

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::TooLarge => "more bytes than the limit",
            Self::TooDeep => "elements nested deeper than the limit",
            Self::TooManyNodes => "more nodes than the limit",
            Self::TooManySteps => "more steps of searches than the limit",
            Self::TooManyNames => "more unknown element names than the limit",
        })
    }
}

impl std::error::Error for Refusal {}
