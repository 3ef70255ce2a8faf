//! Blocks of a page to verdicts: one module for each engine, named as in Python, and what both
//! engines of structure read.

mod chars;
pub mod contrast;
mod hints;
pub mod hybrid;
mod map;
pub mod web2text;
