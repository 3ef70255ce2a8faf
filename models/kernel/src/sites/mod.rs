//! Blocks that pages of one host share: boilerplate that a single page does not reveal.

pub mod memory;
pub mod table;
pub mod verdicts;
