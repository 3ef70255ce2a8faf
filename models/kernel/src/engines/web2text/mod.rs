//! Web2Text (Vogels, Ganea, Eickhoff 2018): alignment of gold text, collapsed DOM, features, networks.

pub mod align;
pub mod cdom;
pub mod chain;
pub mod columns;
pub mod context;
pub mod convolution;
pub mod counts;
pub mod labels;
pub mod landmarks;
pub mod logs;
pub mod names;
pub mod network;
pub mod rows;
pub mod segment;
pub mod spans;
pub mod words;
