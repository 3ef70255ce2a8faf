//! Glue: converts, releases the GIL, maps errors. Nothing else.

mod blocks;
mod contrast;
mod hybrid;
mod language;
mod measure;
mod ngram;
mod page;
mod sentences;
mod training;
mod web2text;

use pyo3::prelude::*;

#[pymodule(gil_used = false)]
fn _kernel(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("KERNEL_VERSION", env!("CARGO_PKG_VERSION"))?;
    contrast::register(module)?;
    measure::register(module)?;
    page::register(module)?;
    hybrid::register(module)?;
    language::register(module)?;
    ngram::register(module)?;
    web2text::register(module)?;
    training::register(module)
}
