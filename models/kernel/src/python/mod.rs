//! Glue: converts, releases the GIL, maps errors. Nothing else.

mod blocks;
mod checksum;
mod convert;
mod data_text;
mod document;
mod engines;
mod errors;
mod hybrid;
mod judgement;
mod language;
mod measure;
mod metadata;
mod ngram;
mod page;
mod rule;
mod signals;
mod sites;
mod training;
mod tree;
mod web2text;

#[pyo3::pymodule]
mod _kernel {
    #[pymodule_export]
    const KERNEL_VERSION: &str = env!("CARGO_PKG_VERSION");
    #[pymodule_export]
    use super::blocks::PyBlocks;
    #[pymodule_export]
    use super::checksum::checksum;
    #[pymodule_export]
    use super::data_text::data_text;
    #[pymodule_export]
    use super::document::{PyWriter, PyWritten};
    #[pymodule_export]
    use super::engines::{HybridModel, PyRule, judge_by_contrast};
    #[pymodule_export]
    use super::hybrid::{
        hybrid_block_features, hybrid_block_words, hybrid_confidence_header,
        hybrid_confidence_names, hybrid_doubted, hybrid_feature_names, hybrid_header,
        hybrid_neighbourhood_features, hybrid_page_words, hybrid_roles, hybrid_templates,
    };
    #[pymodule_export]
    use super::judgement::PyJudgement;
    #[pymodule_export]
    use super::language::sample_pages;
    #[pymodule_export]
    use super::measure::{
        align_characters, char_edit_distance, edit_distance, lcs_length, lcs_pairs,
    };
    #[pymodule_export]
    use super::metadata::PyMetadata;
    #[pymodule_export]
    use super::ngram::{PyModel, PySentences};
    #[pymodule_export]
    use super::page::{PyReader, PySource, decode, render};
    #[pymodule_export]
    use super::rule::{PyJudgedPage, PyLanguageModels};
    #[pymodule_export]
    use super::signals::{signal_words, text_signals};
    #[pymodule_export]
    use super::sites::PySiteMemory;
    #[pymodule_export]
    use super::training::{PyCounter, PyImporter, punkt_table, sentence_spans, tokens};
    #[pymodule_export]
    use super::tree::PyTree;
    #[pymodule_export]
    use super::web2text::{
        Leaves, Web2TextNetworks, chain_labels, chain_marginals, leaves, web2text_column_names,
    };
    #[pymodule_export]
    use crate::ngram::file::facts::ModelFacts;
    #[pymodule_export]
    use crate::page::render::Rendered;

    use crate::data_text::TEXT_SOURCES;
    use crate::engines::page_type::PageType;
    use crate::language::fit::LIMITS;
    use crate::metadata::wishes::DIRECTIVES;
    use crate::text::verdict::Verdict;
    use pyo3::prelude::*;
    use pyo3::types::{IntoPyDict, PyTuple};

    /// The orders in which numbers stand for values: Python reads them and repeats none.
    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        for (name, values) in [
            ("PAGE_TYPES", PageType::NAMES.as_slice()),
            ("ROBOTS_DIRECTIVES", &DIRECTIVES),
            ("TEXT_SOURCES", &TEXT_SOURCES),
            ("VERDICTS", &Verdict::NAMES),
        ] {
            module.add(name, PyTuple::new(module.py(), values)?)?;
        }
        let limits = LIMITS.map(|(name, each)| (name, (each.bits_per_token, each.oov_rate)));
        module.add("LANGUAGE_LIMITS", limits.into_py_dict(module.py())?)
    }
}
