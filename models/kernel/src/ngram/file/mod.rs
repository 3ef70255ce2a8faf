//! The model file: its parts, its checks, and how it is written.

pub mod facts;
pub mod layout;
pub mod quantiles;
pub mod writer;
