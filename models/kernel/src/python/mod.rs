//! Glue: converts, releases the GIL, maps errors. Nothing else.

mod blocks;
mod contrast;
mod evaluation;
mod hybrid;
mod language;
mod ngram;
mod page;
mod sentences;
mod structure;
mod training;

use pyo3::prelude::*;

#[pymodule(gil_used = false)]
fn _kernel(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("KERNEL_VERSION", env!("CARGO_PKG_VERSION"))?;
    contrast::register(module)?;
    evaluation::register(module)?;
    page::register(module)?;
    hybrid::register(module)?;
    language::register(module)?;
    ngram::register(module)?;
    structure::register(module)?;
    training::register(module)
}
