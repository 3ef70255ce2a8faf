//! Blocks of a page to verdicts: one module for each engine, named as in Python.

pub mod contrast;
pub mod hybrid;
pub mod web2text;
