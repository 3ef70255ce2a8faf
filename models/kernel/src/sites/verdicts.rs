//! Verdicts of a page and the memory of its host -> verdicts that drop repeated blocks of the site.

use super::memory::SiteMemory;
use crate::engines::judgement::Judgement;
use crate::text::sentences::Sentence;
use crate::text::verdict::Verdict;

// The cost of these three is measured in
// docs/decisions/memory-of-sites.md.
/// If more than this share of a page's kept tokens was seen, the page is unchanged: it is a copy of
/// other pages, or they were written to remove its text.
const MOST_SEEN: f64 = 0.6;
/// Kept blocks with this many tokens are never dropped: if the engine is sure, and in any case.
const LONG_IF_SURE: u32 = 20;
const LONG: u32 = 60;

/// A page judged by an engine.
#[derive(Clone, Copy, Debug)]
pub struct Judged<'p> {
    pub text: &'p str,
    pub sentences: &'p [Sentence],
    /// The code of the verdict of each sentence.
    pub verdicts: &'p [u8],
    /// The engine's result for the blocks, if it judges blocks.
    pub blocks: Option<&'p Judgement>,
}

/// The sentences of a block: the first, and the one after the last.
type Run = std::ops::Range<usize>;

/// Remembers the blocks of a page; returns its verdicts with seen blocks dropped, `None` if nothing
/// changes.
#[must_use]
pub fn without_seen(
    memory: &SiteMemory,
    host: &str,
    page: &str,
    judged: Judged<'_>,
) -> Option<Vec<u8>> {
    if judged.sentences.is_empty() {
        return None;
    }
    let runs = runs(judged.sentences);
    let texts = runs.iter().map(|run| {
        let (first, last) = (judged.sentences[run.start], judged.sentences[run.end - 1]);
        &judged.text.as_bytes()[first.start as usize..last.end as usize]
    });
    let seen = memory.meet(host, page, texts);
    let mut verdicts = judged.verdicts.to_vec();
    let (mut dropped, mut kept) = (0, 0);
    for (run, is_seen) in runs.into_iter().zip(seen) {
        let tokens = judged.kept_tokens(&run);
        kept += u64::from(tokens);
        if is_seen && !judged.is_long(&run, tokens) {
            dropped += u64::from(tokens);
            let of_block = verdicts[run].iter_mut();
            let of_block = of_block.filter(|verdict| **verdict == Verdict::KEPT);
            of_block.for_each(|verdict| *verdict = Verdict::Seen as u8);
        }
    }
    let is_copy = dropped as f64 > MOST_SEEN * kept as f64;
    (!is_copy && verdicts != judged.verdicts).then_some(verdicts)
}

fn runs(sentences: &[Sentence]) -> Vec<Run> {
    let blocks = sentences.chunk_by(|one, next| one.block == next.block);
    let mut start = 0;
    let run = |block: &[Sentence]| {
        let run = start..start + block.len();
        start = run.end;
        run
    };
    blocks.map(run).collect()
}

impl Judged<'_> {
    /// Sentences of one block may have different verdicts.
    fn kept_tokens(&self, run: &Run) -> u32 {
        let sentences = self.sentences[run.clone()].iter();
        let judged = sentences.zip(&self.verdicts[run.clone()]);
        let kept = judged.filter(|(_, verdict)| **verdict == Verdict::KEPT);
        kept.map(|(sentence, _)| sentence.tokens).sum()
    }

    /// Whether a block with this many kept tokens is never dropped.
    fn is_long(&self, run: &Run, tokens: u32) -> bool {
        let block = self.sentences[run.start].block;
        tokens >= LONG || (tokens >= LONG_IF_SURE && self.is_sure(block))
    }

    fn is_sure(&self, block: u32) -> bool {
        self.blocks
            .is_some_and(|judgement| judgement.is_sure(block))
    }
}
