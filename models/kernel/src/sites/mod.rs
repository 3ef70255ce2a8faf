//! Blocks that pages of one host share: boilerplate that no page shows by itself.

pub mod memory;
pub mod table;
pub mod verdicts;
