//! Glue for what training, measuring and tests ask of the kernel, and no worker.

pub mod contrast;
pub mod data_text;
pub mod hybrid;
pub mod language;
pub mod measure;
pub mod signals;
pub mod training;
pub mod web2text;
