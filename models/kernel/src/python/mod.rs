//! Glue: converts, releases the GIL, maps errors. Nothing else.

mod ngram;
mod page;
mod training;

use pyo3::prelude::*;

#[pymodule(gil_used = false)]
fn _kernel(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("KERNEL_VERSION", env!("CARGO_PKG_VERSION"))?;
    page::register(module)?;
    ngram::register(module)?;
    training::register(module)
}
