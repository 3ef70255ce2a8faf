//! Glue for `sites`: the memory of blocks shared by pages of a host.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::rule::PyJudgedPage;
use crate::sites::memory::SiteMemory;
use crate::sites::table::{Options, WAYS};
use crate::sites::verdicts::{Judged, without_seen};

#[pyclass(frozen, name = "SiteMemory", module = "winnow.models._kernel")]
pub struct PySiteMemory {
    pub memory: SiteMemory,
}

#[pymethods]
impl PySiteMemory {
    #[new]
    fn new(
        key: [u8; 16],
        pages: usize,
        hosts: usize,
        blocks: usize,
        forget_after: u32,
    ) -> PyResult<Self> {
        if pages == 0 || hosts == 0 || blocks == 0 || blocks % WAYS != 0 {
            let message = format!("a memory of {pages} pages, {hosts} hosts, {blocks} blocks");
            return Err(PyValueError::new_err(message));
        }
        let options = Options {
            pages,
            hosts,
            blocks,
            forget_after,
        };
        Ok(Self {
            memory: SiteMemory::new(key, options),
        })
    }

    fn __len__(&self) -> usize {
        self.memory.hosts()
    }

    fn meet(&self, py: Python<'_>, host: &str, page: &str, blocks: Vec<String>) -> Vec<bool> {
        let texts = blocks.iter().map(String::as_bytes);
        py.detach(|| self.memory.meet(host, page, texts))
    }

    fn without_seen(
        &self,
        py: Python<'_>,
        host: &str,
        page: &str,
        judged: &Bound<'_, PyJudgedPage>,
    ) -> PyResult<Py<PyJudgedPage>> {
        let found = judged.get();
        let parts = Judged {
            text: &found.blocks.get().table.text,
            sentences: &found.sentences.get().table.sentences,
            verdicts: &found.verdicts,
            blocks: found.judgement.as_deref(),
        };
        let verdicts = py.detach(|| without_seen(&self.memory, host, page, parts));
        match verdicts {
            None => Ok(judged.clone().unbind()),
            Some(verdicts) => Py::new(py, found.with_verdicts(py, verdicts)),
        }
    }
}
