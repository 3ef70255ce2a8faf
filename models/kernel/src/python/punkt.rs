//! Glue for `ngram::punkt`.

use pyo3::prelude::*;

use crate::ngram::punkt::parameters::{Lists, table};

/// The table of Punkt parameters.
#[pyfunction]
pub fn punkt_table(
    py: Python<'_>,
    abbreviations: Vec<String>,
    collocations: Vec<(String, String)>,
    starters: Vec<String>,
    orthography: Vec<(String, u8)>,
) -> Vec<u8> {
    let lists = Lists {
        abbreviations,
        collocations,
        starters,
        orthography,
    };
    py.detach(|| table(&lists))
}
