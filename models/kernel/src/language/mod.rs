//! The text of a page to its language and to the model that judges it.

pub mod choice;
mod detector;
pub mod fit;
mod kin;
pub mod letters;
pub mod sample;
mod tags;
