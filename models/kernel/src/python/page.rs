//! Glue for `page`.

use pyo3::prelude::*;

use crate::page::blocks::BlockTable;

/// The blocks of one page.
#[pyclass(frozen, name = "Blocks", module = "models._kernel")]
pub struct PyBlocks {
    pub table: BlockTable,
}

#[pymethods]
impl PyBlocks {
    fn __len__(&self) -> usize {
        self.table.blocks.len()
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyBlocks>()
}
