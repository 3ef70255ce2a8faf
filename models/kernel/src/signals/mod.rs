//! What is said of a kept text in numbers: a fingerprint by which near copies are found, and the
//! signals of quality that the makers of collections filter by.

mod keys;
pub mod quality;
pub mod repeats;
pub mod signs;
pub mod simhash;
mod table;
pub mod words;
