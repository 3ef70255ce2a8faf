//! Bytes of a page to the table of its blocks.

pub mod blocks;
