//! Blocks of a page to verdicts: one module per engine, named as in Python, and code shared by the
//! two structural engines.

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
