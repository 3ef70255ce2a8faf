//! Glue for training, measuring and tests; workers do not use it.

pub mod contrast;
pub mod data_text;
pub mod hybrid;
pub mod language;
pub mod measure;
pub mod signals;
pub mod training;
pub mod web2text;
