//! One decision per block from the structure of the page around it.

mod containers;
pub mod context;
pub mod decode;
mod distinct;
pub mod features;
pub mod forest;
pub mod kinds;
mod labels;
mod landmarks;
mod levels;
pub mod lexicon;
mod map;
pub mod model;
pub mod outline;
mod paths;
pub mod reader;
pub mod recurrent;
pub mod rows;
#[cfg(test)]
mod samples;
pub mod second;
pub mod sink;
pub mod tag;
pub mod templates;
mod text;
mod tree;
mod words;
