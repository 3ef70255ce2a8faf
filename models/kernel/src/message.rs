//! A cleaned page -> the JSON of its two messages, as the schemas of the topics define.
//!
//! Members are sorted by name, so equal pages give equal bytes. Numbers that JSON does not allow
//! are null: the infinite threshold of an engine that keeps all pages.

mod json;

use std::collections::BTreeMap;
use std::time::Duration;

use blake3::Hash;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::document::Written;
use crate::engines::rule::JudgedPage;
use crate::metadata::wishes::Wishes;
use crate::read::Reading;
use crate::text::verdict::Verdict;
use json::Members;

/// Within a version members are only added.
pub const SCHEMA_VERSION: u32 = 1;
/// Quality signals are rounded to this many digits after the point.
const QUALITY_DIGITS: usize = 6;
/// The member that Python may add to a document.
const CHUNKS: &str = "chunks";

/// Constant members: the same for all pages of a cleaner.
#[derive(Clone, Copy, Debug)]
pub struct Facts<'f> {
    pub engine: &'f str,
    /// Hex digest of the engine's trained parameters.
    pub engine_digest: &'f str,
    /// The engine's threshold, for pages without their own.
    pub threshold: f64,
    /// Hex digests of the language models.
    pub model_digests: &'f [&'f str],
    pub with_sources: bool,
    /// Include all blocks and sentences.
    pub with_spans: bool,
}

/// The facts of a cleaned page.
#[derive(Clone, Copy)]
pub struct Outcome<'o> {
    pub url: &'o str,
    pub fetched_at: &'o str,
    pub page_bytes: usize,
    /// Characters of all blocks.
    pub chars: usize,
    pub content_digest: Hash,
    pub reading: &'o Reading,
    pub judged: &'o JudgedPage,
    /// The likeliest type of the page, and its probability.
    pub typed: Option<(&'static str, f32)>,
    /// The share of held-out sentences of the page's own model with a higher perplexity.
    pub stranger: &'o dyn Fn(f64) -> Option<f64>,
    /// Empty if no model has the language of the page.
    pub model_language: &'o str,
    pub written: &'o Written,
    /// CPU time of reading, judging and writing, if it was measured.
    pub cpu: Option<[Duration; 3]>,
}

/// The JSON of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    pub json: Vec<u8>,
    /// Where the member `chunks` belongs, which Python adds.
    pub chunks_at: usize,
}

/// A digest as in documents, prefixed with its algorithm.
#[must_use]
pub fn named(digest: Hash) -> String {
    format!("blake3:{}", digest.to_hex())
}

/// A fingerprint in hexadecimal digits; empty for a text without words.
#[must_use]
pub fn hex_of(simhash: Option<u64>) -> String {
    simhash
        .map(|bits| format!("{bits:016x}"))
        .unwrap_or_default()
}

/// Bytes in hexadecimal digits.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: [u8; 16] = *b"0123456789abcdef";
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits
        .map(|digit| char::from(DIGITS[usize::from(digit)]))
        .collect()
}

impl Facts<'_> {
    /// The messages of the document and of the statistics.
    #[must_use]
    pub fn messages(&self, page: &Outcome<'_>) -> (Document, Vec<u8>) {
        let common = self.common(page);
        let quality = quality(page.written);
        (
            self.document(page, common.clone(), &quality),
            Self::stats(page, common, &quality),
        )
    }

    fn document(&self, page: &Outcome<'_>, mut members: Members<'_>, quality: &Value) -> Document {
        let Outcome {
            judged, written, ..
        } = *page;
        let metadata = &written.metadata;
        let threshold = judged.threshold.unwrap_or(self.threshold);
        let (page_type, probability) = page.typed.unwrap_or(("", 0.0));
        for (name, text) in [
            ("title", &metadata.title.value[..]),
            ("canonical_url", &metadata.canonical_url.value),
            ("author", &metadata.author.value),
            ("site_name", &metadata.site_name.value),
            ("text", &written.rendered.text),
            ("language", &judged.language),
            ("text_digest", &named(written.text_digest)),
            ("simhash", &hex_of(written.signals.simhash)),
            ("description", &metadata.description.value),
            ("image", &metadata.image.value),
            ("section", &metadata.section.value),
            ("licence", &metadata.licence.value),
            ("page_type", page_type),
            ("text_source", page.reading.text_source),
        ] {
            members.put_text(name, text);
        }
        for (name, value) in [
            ("language_score", json!(judged.language_score)),
            ("threshold", json!(threshold)),
            ("words", json!(written.signals.words)),
            ("tags", json!(metadata.tags)),
            ("page_type_probability", json!(f64::from(probability))),
            ("wishes", wishes(&page.reading.wishes)),
        ] {
            members.put(name, &value);
        }
        self.add_stated(page, quality, &mut members);
        let (json, chunks_at) = members.object(CHUNKS);
        Document { json, chunks_at }
    }

    /// Adds the members that only some documents have.
    fn add_stated(&self, page: &Outcome<'_>, quality: &Value, members: &mut Members<'_>) {
        let (metadata, judged) = (&page.written.metadata, page.judged);
        for (name, stated) in [
            ("published_at", &metadata.published_at.value[..]),
            ("modified_at", &metadata.modified_at.value),
            ("model_language", page.model_language),
        ] {
            if !stated.is_empty() {
                members.put_text(name, stated);
            }
        }
        if let Some(confidence) = judged.blocks.as_ref().and_then(|blocks| blocks.confidence) {
            members.put("confidence", &json!(f64::from(confidence)));
        }
        if let (Some(perplexity), true) = (page.written.perplexity(), judged.is_known) {
            members.put("perplexity", &json!(perplexity));
            if let Some(quantile) = (page.stranger)(perplexity) {
                members.put("perplexity_quantile", &json!(quantile));
            }
        }
        let sources = json!(self.with_sources.then(|| metadata.sources()));
        let blocks = json!(self.with_spans.then(|| blocks(page)));
        let sentences = json!(self.with_spans.then(|| sentences(page)));
        for (name, value) in [
            ("quality", quality),
            ("sources", &sources),
            ("blocks", &blocks),
            ("sentences", &sentences),
        ] {
            let is_stated = match value {
                Value::Array(values) => !values.is_empty(),
                Value::Object(values) => !values.is_empty(),
                _ => false,
            };
            if is_stated {
                members.put(name, value);
            }
        }
    }

    fn stats(page: &Outcome<'_>, mut members: Members<'_>, quality: &Value) -> Vec<u8> {
        let Written {
            rendered, counts, ..
        } = page.written;
        let (page_type, _) = page.typed.unwrap_or_default();
        let share = |part: u64, of: u64| if of > 0 { part as f64 / of as f64 } else { 0.0 };
        for (name, text) in [
            ("charset", page.reading.charset),
            ("page_type", page_type),
            ("language", &page.judged.language),
            ("model_language", page.model_language),
        ] {
            members.put_text(name, text);
        }
        for (name, value) in [
            ("cache_hit", json!(false)),
            ("page_bytes", json!(page.page_bytes)),
            ("blocks", json!(page.reading.blocks.table.blocks.len())),
            ("blocks_kept", json!(rendered.blocks_kept)),
            ("sentences", json!(counts.sentences)),
            ("sentences_kept", json!(rendered.sentences_kept)),
            ("tokens", json!(counts.tokens)),
            ("tokens_kept", json!(rendered.tokens_kept)),
            ("text_chars", json!(page.chars)),
            ("text_chars_kept", json!(rendered.chars_kept)),
            ("text_bytes_kept", json!(counts.bytes_kept)),
            ("dropped_sentences", by_verdict(page.written, |row| row.1)),
            ("dropped_tokens", by_verdict(page.written, |row| row.2)),
            ("dropped_bytes", by_verdict(page.written, |row| row.3)),
            ("perplexity_quantiles", json!(counts.perplexity_quantiles)),
            (
                "oov_rate",
                json!(share(counts.oov_kept, rendered.tokens_kept)),
            ),
            (
                "cpu_ms",
                json!(page.cpu.map_or_else(BTreeMap::new, milliseconds)),
            ),
        ] {
            members.put(name, &value);
        }
        members.put("quality", quality);
        members.object("").0
    }

    /// The members of both messages.
    fn common<'m>(&self, page: &Outcome<'_>) -> Members<'m> {
        let model = self.model_digests.get(page.judged.model);
        let url_hash = hex(&Sha256::digest(page.url));
        let mut members = Members::default();
        members.put("schema_version", &json!(SCHEMA_VERSION));
        for (name, text) in [
            ("url", page.url),
            ("url_hash", &url_hash),
            ("engine", self.engine),
            ("engine_digest", self.engine_digest),
            ("model_digest", model.unwrap_or(&"")),
            ("content_digest", &named(page.content_digest)),
            ("fetched_at", page.fetched_at),
        ] {
            members.put_text(name, text);
        }
        members
    }
}

fn wishes(found: &Wishes) -> Value {
    let names = |wanted: &crate::metadata::wishes::Directives| wanted.names().collect::<Vec<_>>();
    let agents = found
        .agents
        .iter()
        .map(|(name, wanted)| (name, names(wanted)));
    let mut members = json!({
        "directives": names(&found.directives),
        "agents": agents.collect::<BTreeMap<_, _>>(),
        "tdm_policy": found.tdm_policy,
        "links": found.parts.links,
        "nofollow_links": found.parts.nofollow_links,
        "nosnippet_parts": found.parts.nosnippet_parts,
    });
    if let Some(is_reserved) = found.tdm_reservation {
        members["tdm_reservation"] = json!(is_reserved);
    }
    members
}

fn blocks(page: &Outcome<'_>) -> Vec<Value> {
    let table = &page.reading.blocks.table;
    let likely = page
        .judged
        .blocks
        .as_ref()
        .map(|blocks| &blocks.probabilities[..]);
    let rows = table.blocks.iter().enumerate().map(|(order, block)| {
        let mut members = json!({
            "order": order,
            "kind": block.kind.as_str(),
            "level": block.level,
            "tag_path": table.paths.name(block.path),
            "link_chars": block.link_chars,
            "text": table.text_of(block),
        });
        if let Some(probability) = likely.and_then(|likely| likely.get(order)) {
            members["probability"] = json!(f64::from(*probability));
        }
        members
    });
    rows.collect()
}

/// The sentences, each with its place in the text of its block, in characters.
fn sentences(page: &Outcome<'_>) -> Vec<Value> {
    let table = &page.reading.blocks.table;
    let (mut in_block, mut at, mut chars) = (u32::MAX, 0, 0);
    let part = |start: u32, end: u32| {
        let text = table.text.get(start as usize..end as usize);
        text.unwrap_or_default()
    };
    let judged = page
        .judged
        .sentences
        .sentences
        .iter()
        .zip(&page.judged.verdicts);
    let rows = judged.map(|(sentence, &verdict)| {
        if sentence.block != in_block {
            let block = table.blocks.get(sentence.block as usize);
            (in_block, at, chars) = (sentence.block, block.map_or(0, |block| block.start), 0);
        }
        let text = part(sentence.start, sentence.end);
        let start = chars + part(at, sentence.start).chars().count();
        (at, chars) = (sentence.end, start + text.chars().count());
        json!({
            "block": sentence.block,
            "start": start,
            "end": chars,
            "text": text,
            "tokens": sentence.tokens,
            "oov": sentence.oov,
            "perplexity": f64::from(sentence.perplexity()),
            "verdict": Verdict::NAMES.get(verdict as usize),
        })
    });
    rows.collect()
}

fn by_verdict(written: &Written, number: impl Fn(&(u8, u64, u64, u64)) -> u64) -> Value {
    let rows = written.counts.dropped.iter();
    let named = rows.filter_map(|row| Some((*Verdict::NAMES.get(row.0 as usize)?, number(row))));
    json!(named.collect::<BTreeMap<_, _>>())
}

fn quality(written: &Written) -> Value {
    let signals = written.signals.quality.iter();
    let rounded = signals.map(|(name, value)| (*name, rounded(*value, QUALITY_DIGITS)));
    json!(rounded.collect::<BTreeMap<_, _>>())
}

/// The CPU milliseconds of each stage, to the microsecond.
fn milliseconds([read, judge, write]: [Duration; 3]) -> BTreeMap<&'static str, f64> {
    let spent = |time: Duration| rounded(time.as_secs_f64() * 1e3, 3);
    BTreeMap::from([
        ("read", spent(read)),
        ("judge", spent(judge)),
        ("write", spent(write)),
    ])
}

/// A number with at most this many digits after the point.
fn rounded(value: f64, digits: usize) -> f64 {
    format!("{value:.digits$}").parse().unwrap_or(value)
}
