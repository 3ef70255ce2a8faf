//! Glue for `ngram`.

use pyo3::prelude::*;

use crate::ngram::sentences::SentenceTable;

/// The scored sentences of one page.
#[pyclass(frozen, name = "Sentences", module = "models._kernel")]
pub struct PySentences {
    pub table: SentenceTable,
}

#[pymethods]
impl PySentences {
    fn __len__(&self) -> usize {
        self.table.sentences.len()
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PySentences>()
}
