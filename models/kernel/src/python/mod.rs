//! Glue: converts, releases the GIL, maps errors. Nothing else.

mod blocks;
mod checksum;
mod cleaning;
mod convert;
mod engines;
mod errors;
mod gzip;
mod judgement;
mod lab;
mod metadata;
mod ngram;
mod page;
mod punkt;
mod rule;
mod signals;
mod sites;
mod tree;
mod web2text;

#[pyo3::pymodule(module = "winnow.models")]
mod _kernel {
    #[pymodule_export]
    const KERNEL_VERSION: &str = env!("CARGO_PKG_VERSION");
    #[pymodule_export]
    const SCHEMA_VERSION: u32 = crate::message::SCHEMA_VERSION;
    #[pymodule_export]
    use super::blocks::PyBlocks;
    #[pymodule_export]
    use super::checksum::{checksum, content_digest, content_digests, key_hash};
    #[pymodule_export]
    use super::cleaning::{PyCleaned, PyCleaner};
    #[pymodule_export]
    use super::engines::{HybridModel, PyRule};
    #[pymodule_export]
    use super::gzip::PyGzipMembers;
    #[pymodule_export]
    use super::judgement::PyJudgement;
    #[pymodule_export]
    use super::metadata::PyMetadata;
    #[pymodule_export]
    use super::ngram::{PyModel, PySentences};
    #[pymodule_export]
    use super::page::{PyReader, PySource, decode, render};
    #[pymodule_export]
    use super::punkt::punkt_table;
    #[pymodule_export]
    use super::rule::{PyJudgedPage, PyLanguageModels};
    #[pymodule_export]
    use super::signals::{PyCopyIndex, count_tokens};
    #[pymodule_export]
    use super::sites::PySiteMemory;
    #[pymodule_export]
    use super::tree::PyTree;
    #[pymodule_export]
    use super::web2text::Web2TextNetworks;
    #[pymodule_export]
    use crate::ngram::file::facts::ModelFacts;
    #[pymodule_export]
    use crate::page::render::Rendered;

    use crate::data_text::TEXT_SOURCES;
    use crate::engines::decider::Decider;
    use crate::engines::page_type::PageType;
    use crate::metadata::wishes::DIRECTIVES;
    use crate::page::blocks::Kind;
    use crate::text::verdict::Verdict;
    use pyo3::prelude::*;
    use pyo3::types::PyTuple;

    /// Names by code: Python imports these lists instead of repeating them.
    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        for (name, values) in [
            ("BLOCK_KINDS", Kind::NAMES.as_slice()),
            ("DECIDERS", &Decider::NAMES),
            ("PAGE_TYPES", &PageType::NAMES),
            ("ROBOTS_DIRECTIVES", &DIRECTIVES),
            ("TEXT_SOURCES", &TEXT_SOURCES),
            ("VERDICTS", &Verdict::NAMES),
        ] {
            module.add(name, PyTuple::new(module.py(), values)?)?;
        }
        // `import` looks for a module in a file, or one that is loaded already
        let loaded = module.py().import("sys")?.getattr("modules")?;
        let lab = module.getattr("lab")?;
        loaded.set_item(lab.getattr("__name__")?, lab)
    }

    #[pymodule]
    mod lab {
        #[pymodule_export]
        use crate::python::lab::contrast::judge_by_contrast;
        #[pymodule_export]
        use crate::python::lab::data_text::data_text;
        #[pymodule_export]
        use crate::python::lab::hybrid::{
            hybrid_block_features, hybrid_block_words, hybrid_confidence_features,
            hybrid_confidence_header, hybrid_confidence_names, hybrid_doubted,
            hybrid_feature_names, hybrid_header, hybrid_neighbourhood_features, hybrid_page_words,
            hybrid_roles, hybrid_templates,
        };
        #[pymodule_export]
        use crate::python::lab::language::sample_pages;
        #[pymodule_export]
        use crate::python::lab::measure::{
            align_characters, char_edit_distance, edit_distance, lcs_length, lcs_pairs,
        };
        #[pymodule_export]
        use crate::python::lab::signals::{signal_words, text_signals};
        #[pymodule_export]
        use crate::python::lab::training::{PyCounter, PyImporter, sentence_spans, tokens};
        #[pymodule_export]
        use crate::python::lab::web2text::{
            Leaves, chain_labels, chain_marginals, leaves, web2text_column_names, web2text_labels,
            web2text_scores,
        };

        #[pymodule_export]
        const HYBRID_BUCKETS: u32 = lexicon::BUCKETS;
        #[pymodule_export]
        const HYBRID_COLUMNS: usize = recurrent::READ;
        #[pymodule_export]
        const HYBRID_DOCUMENTATION: f64 = decode::OF_DOCUMENTATION;
        #[pymodule_export]
        const HYBRID_INPUT: usize = recurrent::INPUT;
        #[pymodule_export]
        const HYBRID_JOINT: usize = recurrent::JOINT;
        #[pymodule_export]
        const HYBRID_MARGIN: f64 = forest::MARGIN;
        #[pymodule_export]
        const HYBRID_STATE: usize = recurrent::STATE;
        #[pymodule_export]
        const HYBRID_SURE: f32 = recurrent::SURE;
        #[pymodule_export]
        const HYBRID_WINDOW: usize = recurrent::WINDOW;
        #[pymodule_export]
        const WEB2TEXT_MAGIC: &[u8] = file::MAGIC;
        #[pymodule_export]
        const WEB2TEXT_MAX_BYTES: usize = file::MAX_BYTES;
        #[pymodule_export]
        const WEB2TEXT_MAX_WIDTH: usize = file::MAX_WIDTH;
        #[pymodule_export]
        const WEB2TEXT_VERSION: u64 = file::VERSION;

        use crate::engines::hybrid::roles::Role;
        use crate::engines::hybrid::{decode, forest, lexicon, recurrent};
        use crate::engines::web2text::file;
        use crate::language::fit::LIMITS;
        use crate::ngram::punkt::known;
        use pyo3::prelude::*;
        use pyo3::types::{IntoPyDict, PyTuple};

        #[pymodule_init]
        fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
            let limits = LIMITS.map(|(name, each)| (name, (each.bits_per_token, each.oov_rate)));
            module.add("HYBRID_ROLES", PyTuple::new(module.py(), Role::NAMES)?)?;
            let abbreviations = PyTuple::new(module.py(), known::ABBREVIATIONS)?;
            module.add("KNOWN_ABBREVIATIONS", abbreviations)?;
            module.add("LANGUAGE_LIMITS", limits.into_py_dict(module.py())?)
        }
    }
}
