//! Blocks of a page to verdicts: one module for each engine, named as in Python, and what both
//! engines of structure read.

mod chars;
pub mod contrast;
pub mod decider;
mod hints;
pub mod hybrid;
pub mod judgement;
pub mod page_type;
pub mod rule;
pub mod web2text;
pub mod whole;
