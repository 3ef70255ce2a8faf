//! Web2Text (Vogels, Ganea, Eickhoff 2018): collapsed DOM, features, networks.

pub mod cdom;
pub mod chain;
pub mod columns;
pub mod context;
pub mod convolution;
pub mod counts;
pub mod dom;
pub mod extractors;
pub mod file;
pub mod labels;
pub mod logs;
pub mod names;
pub mod network;
pub mod spans;
pub mod words;
