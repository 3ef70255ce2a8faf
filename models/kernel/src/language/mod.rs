//! From the text of a page to its language and its language model.

pub mod choice;
mod detector;
pub mod fit;
mod kin;
pub mod letters;
pub mod sample;
mod tags;
