//! One decision per block from the structure of the page around it.

pub mod confidence;
pub mod context;
pub mod decode;
mod distinct;
pub mod features;
pub mod forest;
mod labelled;
mod labels;
mod landmarks;
pub mod lexicon;
pub mod model;
pub mod neighbourhood;
pub mod occlusion;
pub mod outline;
pub mod page_features;
mod paths;
mod readability;
pub mod reader;
pub mod recurrent;
pub mod roles;
pub mod rows;
pub mod sink;
mod standfirst;
#[cfg(test)]
mod synthetic;
pub mod tag;
pub mod templates;
pub mod text;
mod tree;
mod words;
