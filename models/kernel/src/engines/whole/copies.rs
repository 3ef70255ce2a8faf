//! Copies: hidden text, an echo, a signature, a note or the subject of a thread whose words other
//! blocks keep is written once.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use aho_corasick::packed::Searcher;

use super::stems::Rule;
use super::{Decider, Page, TEXT_WORDS};
use crate::engines::hybrid::text::shape;
use crate::page::blocks::Kind;
use crate::page::elements::WordsAt;
use crate::text::hash::{append, token};
use crate::text::known::Known;
use crate::text::map::Secret;

/// Adjacent words that are equal in both.
const RUN: usize = 5;
/// Share of a block's runs that other blocks contain.
const COPIED: f32 = 0.8;
/// Fewest words of a copy with changed words, and bytes at its begin that are equal.
const LEAST_CHANGED: f32 = 20.0;
const BEGIN: usize = 16;
/// Blocks before an echo among which its words are: a first paragraph that repeats the standfirst.
const NEAR: usize = 2;
/// Blocks after a teaser among which its words are.
const AFTER: usize = 3;
/// Log-odds below which a block may be a copy.
pub const UNSURE: f32 = 1.5;
/// The end of the classes of what a poster writes below every post.
const SIGNATURE: &str = "signature";
/// Classes of text for some readers only: on small screens, in print, by screen reader.
const VEILS: Known<32> = Known::of([
    "print-only",
    "visible-print",
    "show-for-print",
    "sr-only",
    "visually-hidden",
    "visuallyhidden",
    "screen-reader-text",
    "screen-reader",
    "u-visually-hidden",
    "d-none",
    "hidden",
    "is-hidden",
    "hide",
    "visible-xs",
    "show-for-sr",
    "element-invisible",
    "a11y-hidden",
    "hidden-xs",
    "hidden-sm",
    "hidden-md",
    "hidden-lg",
    "visible-sm",
    "visible-md",
    "visible-lg",
    "d-sm-none",
    "d-md-none",
    "d-lg-none",
    "sm:hidden",
    "md:hidden",
    "lg:hidden",
    "show-for-small-only",
    "hide-for-small-only",
]);
/// Parts of the classes of text for some screens.
const SCREENS: [&str; 5] = ["mobile", "desktop", "tablet", "laptop", "phone"];
/// What classes of hidden text and of quotes from the text itself contain.
const VEILED: [&str; 4] = ["display--none", "pullquote", "pull-quote", "pull_quote"];
/// Each of them contains one of these; few other classes do. Screens and quotes are spelled in
/// several ways: `isMobile`.
const STEMS: [&str; 24] = [
    "hid", "-only", "-none", "visible", "reader", "show-for", //
    "mobile", "desktop", "tablet", "laptop", "phone", "pull", //
    "Mobile", "Desktop", "Tablet", "Laptop", "Phone", "Pull", //
    "MOBILE", "DESKTOP", "TABLET", "LAPTOP", "PHONE", "PULL",
];
static WITH_STEM: LazyLock<Option<Searcher>> = LazyLock::new(|| Searcher::new(STEMS));
/// What the names of classes contain that show or hide a text on some screens.
const SHOWN: [&str; 5] = ["hid", "show", "visib", "only", "none"];
/// Share of the kept words above which a text is not for some readers only.
const MOST_VEILED: f32 = 0.7;
/// What mail programs and forums write before the subject of an answer, and most bytes of both.
const ANSWERS: [&str; 8] = ["re", "aw", "antw", "sv", "vs", "odp", "rif", "ynt"];
const MOST_SUBJECT: usize = 200;
/// Bytes of the longest of them with its colon.
const MOST_MARK: usize = 5;

/// For whom a part of a page is, by the outermost element that says so.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Readers {
    All,
    Some,
    /// Readers with some screens, by the hash of the class that shows the text to them.
    OfScreens(u64),
    /// Perhaps readers with one screen, by the hash of a class with its name.
    Named(u64),
}

type Runs = HashSet<u64, Secret>;

pub fn settle(page: &mut Page<'_>) {
    drop_hidden(page);
    drop_echoes(page);
    drop_signatures(page);
    drop_subjects(page);
}

/// Drop the subject above an answer, which repeats the one of the thread.
fn drop_subjects(page: &mut Page<'_>) {
    let is_line = |block: &usize| page.text(*block).len() <= MOST_SUBJECT && page.is_kept(*block);
    let mut lines = (0..page.verdicts.len()).filter(is_line);
    if !lines.any(|block| subject(page.text(block)).1) {
        return;
    }
    let lines: Vec<usize> = (0..page.verdicts.len()).filter(is_line).collect();
    let mut known = HashSet::new();
    for block in lines {
        let (subject, is_answer) = subject(page.text(block));
        if !known.insert(subject) && is_answer {
            page.drop(block, Decider::Copy);
        }
    }
}

/// The subject of a message, and whether it answers another: "Re: Boats".
pub fn subject(text: &str) -> (&str, bool) {
    let mut subject = text;
    let is_mark = |byte: &u8| *byte == b':' || !byte.is_ascii();
    let begins = |byte: &u8| b"rasvoy".contains(&byte.to_ascii_lowercase());
    let bytes = text.as_bytes();
    if !bytes.first().is_some_and(begins) || !bytes.iter().take(MOST_MARK).any(is_mark) {
        return (text, false);
    }
    while let Some(rest) = ANSWERS.iter().find_map(|mark| {
        let start = subject.get(..mark.len())?;
        let rest = subject[mark.len()..].strip_prefix([':', '：'])?;
        start
            .eq_ignore_ascii_case(mark)
            .then_some(rest.trim_start())
    }) {
        subject = rest;
    }
    (subject, subject.len() < text.len())
}

/// Drop blocks in other elements that repeat a likelier or longer block right before them, and teasers
/// of likelier blocks right after them.
fn drop_echoes(page: &mut Page<'_>) {
    for block in 0..page.verdicts.len() {
        if !is_text(page, block) {
            continue;
        }
        let path = |block: usize| page.table.blocks[block].path;
        let is_other = |other: &usize| page.is_kept(*other) && path(*other) != path(block);
        if page.odds[block] >= UNSURE {
            drop_variant(page, block);
            continue;
        }
        let is_likelier = |other: &usize| page.odds[*other] > page.odds[block];
        let is_source = |before: &usize| {
            let (words, own) = (page.weights[*before], page.weights[block]);
            is_other(before) && words >= COPIED * own && (is_likelier(before) || words > own)
        };
        let known = |other: usize| -> Runs { runs(page.text(other)).into_iter().collect() };
        let mut before = (block.saturating_sub(NEAR)..block).filter(is_source);
        let is_echo =
            is_passage(page, block) && before.any(|before| is_copy(page, block, &known(before)));
        let after = block + 1..(block + 1 + AFTER).min(page.verdicts.len());
        let after =
            after.filter(|after| is_other(after) && is_likelier(after) && is_text(page, *after));
        let is_teaser = || {
            let known: Runs = after.flat_map(|after| runs(page.text(after))).collect();
            !known.is_empty() && is_copy(page, block, &known)
        };
        if is_echo || is_teaser() {
            page.drop(block, Decider::Copy);
        }
    }
}

/// Drop the less likely of two passages right below each other in other elements that begin alike
/// and have nearly the same words.
fn drop_variant(page: &mut Page<'_>, block: usize) {
    let other = block.checked_sub(1).filter(|other| {
        let path = |block: usize| page.table.blocks[block].path;
        path(*other) != path(block) && [*other, block].iter().all(|at| is_passage(page, *at))
    });
    let Some(other) = other else {
        return;
    };
    if is_variant(page, other, block) {
        let is_less = page.odds[other] < page.odds[block];
        page.drop(if is_less { other } else { block }, Decider::Copy);
    }
}

/// Whether two texts begin alike and the less likely one has nearly no other words.
pub fn is_variant(page: &Page<'_>, one: usize, two: usize) -> bool {
    let begin = |block: usize| page.text(block).as_bytes().get(..BEGIN);
    let (less, more) = if page.odds[one] < page.odds[two] {
        (one, two)
    } else {
        (two, one)
    };
    page.weights[less] >= LEAST_CHANGED && begin(one) == begin(two) && {
        let known: Runs = runs(page.text(more)).into_iter().collect();
        is_copy(page, less, &known)
    }
}

/// Whether a block is a kept text or a long heading.
fn is_text(page: &Page<'_>, block: usize) -> bool {
    let is_heading = page.table.blocks[block].kind == Kind::Heading && page.is_kept(block);
    is_passage(page, block) || is_heading && page.weights[block] >= TEXT_WORDS
}

/// Whether a block is kept text that pages have once, not a quote.
fn is_passage(page: &Page<'_>, block: usize) -> bool {
    let is_written_once = matches!(page.table.blocks[block].kind, Kind::Paragraph | Kind::Other);
    is_written_once && page.weights[block] >= TEXT_WORDS && page.is_kept(block)
}

/// Drop the signatures of posts, except the first with the same words, and notes that an earlier note
/// holds, such as one with a label for screen readers.
fn drop_signatures(page: &mut Page<'_>) {
    let Some(elements) = page.table.elements.as_ref() else {
        return;
    };
    let is_signature = |word: &str| {
        let end = word.len().checked_sub(SIGNATURE.len());
        let end = end.and_then(|at| word.get(at..));
        end.is_some_and(|end| end.eq_ignore_ascii_case(SIGNATURE))
    };
    let signed = page.named(Rule::Signature, |mut words| words.any(is_signature));
    let signed = signed.map_or_else(Vec::new, |signed| elements.within(signed));
    let share = |block: usize| {
        let is_signed = signed.get(elements.of_block[block] as usize) == Some(&true);
        let is_note = page.deciders[block] == Decider::Notes && page.odds[block] < 0.0;
        let share = if is_signed { COPIED } else { 1.0 };
        (is_signed || is_note).then_some((block, share))
    };
    let blocks = (0..page.verdicts.len()).filter_map(share);
    let blocks =
        blocks.filter(|(block, _)| page.weights[*block] >= TEXT_WORDS && page.is_kept(*block));
    let blocks: Vec<(usize, f32)> = blocks.collect();
    let mut known = Runs::default();
    for (block, share) in blocks {
        if page.odds[block] < UNSURE && copied(page, block, |run| known.contains(run)) >= share {
            page.drop(block, Decider::Copy);
        }
        known.extend(runs(page.text(block)));
    }
}

/// The share of the words of a block that are known.
fn copied(page: &Page<'_>, block: usize, is_known: impl Fn(&u64) -> bool) -> f32 {
    let runs = runs(page.text(block));
    let copied = runs.iter().filter(|run| is_known(run)).count();
    if runs.is_empty() {
        1.0
    } else {
        copied as f32 / runs.len() as f32
    }
}

fn is_copy(page: &Page<'_>, block: usize, known: &Runs) -> bool {
    copied(page, block, |run| known.contains(run)) >= COPIED
}

fn drop_hidden(page: &mut Page<'_>) {
    let readers = readers(page);
    let readers_of = |block: usize| {
        let elements = page.table.elements.as_ref();
        let element = elements.and_then(|all| all.of_block.get(block));
        let readers = element.and_then(|at| readers.get(*at as usize));
        readers.copied().unwrap_or(Readers::All)
    };
    // of two copies for different screens the first stays; hidden posts quote each other, and a menu
    // that is not closed hides a whole page
    let stays = |block: usize| !page.is_hidden(block) && !is_silent(page, block);
    let is_hidden = |block: usize| !stays(block) || readers_of(block) != Readers::All;
    let kept = (0..page.verdicts.len()).filter(|block| page.is_kept(*block));
    let (hidden, open): (Vec<usize>, Vec<usize>) = kept.partition(|block| is_hidden(*block));
    // a class says that it is a copy
    let is_named = |block: &usize| {
        let of = &page.table.blocks[*block];
        page.weights[*block] > RUN as f32
            && matches!(of.kind, Kind::Paragraph | Kind::Quote)
            && of.table == 0
            && of.lists == 0
            && readers_of(*block) == Readers::Some
            && !runs(page.text(*block)).is_empty()
    };
    let is_long = |block: &usize| page.weights[*block] >= TEXT_WORDS || is_named(block);
    let (hidden, short): (Vec<usize>, Vec<usize>) = hidden.into_iter().partition(is_long);
    if hidden.is_empty() {
        return;
    }
    // for whom the part is that has a run first
    let mut known: HashMap<u64, Readers, Secret> = HashMap::default();
    let wanted: Runs = hidden.iter().flat_map(|at| runs(page.text(*at))).collect();
    for block in &open {
        let runs = runs(page.text(*block)).into_iter();
        let runs = runs.filter(|run| wanted.contains(run));
        known.extend(runs.map(|run| (run, Readers::All)));
    }
    let mut is_known = |block: &usize| {
        let own = readers_of(*block);
        // parts for one screen are shown together, and one named for it may be shown on all
        let is_other = |of: &Readers| match own {
            Readers::All | Readers::Some => true,
            Readers::OfScreens(_) => *of != own,
            Readers::Named(_) => *of != own && *of != Readers::All,
        };
        let is_known = copied(page, *block, |run| known.get(run).is_some_and(is_other)) >= COPIED;
        if stays(*block) {
            for run in runs(page.text(*block)) {
                known.entry(run).or_insert(own);
            }
        }
        is_known
    };
    let words = |blocks: &[usize]| -> f32 { blocks.iter().map(|at| page.weights[*at]).sum() };
    let copies: Vec<usize> = hidden.iter().copied().filter(&mut is_known).collect();
    // another tab of a list, such as the tab of all reviews, has items of its own too
    let is_whole = words(&copies) >= COPIED * words(&hidden);
    // unless they go on after a copied text
    let mut last = None;
    let mut is_of_text = |block: &usize| {
        let is_next = last.is_some_and(|last| *block - last <= NEAR);
        let is_copy = is_whole || is_next || page.table.blocks[*block].lists == 0;
        last = is_copy.then_some(*block).or(last);
        is_copy
    };
    let copies: Vec<usize> = copies.into_iter().filter(&mut is_of_text).collect();
    // headings and labels that are next to a copy and in the other place too go with it
    let is_next = |block: &usize| {
        let after = copies.partition_point(|copy| copy < block);
        let mut near = copies.iter().skip(after.saturating_sub(1)).take(2);
        near.any(|copy| copy.abs_diff(*block) <= NEAR)
    };
    let line = |block: usize| {
        page.text(block)
            .trim_matches(|c: char| !c.is_alphanumeric())
    };
    let mut lines: HashSet<&str> = open.iter().map(|block| line(*block)).collect();
    let is_copied_line = |block: &usize| {
        let text = line(*block);
        let is_known = lines.contains(text) || stays(*block) && !lines.insert(text);
        is_known && page.table.blocks[*block].table == 0 && (is_whole || is_next(block))
    };
    let short: Vec<usize> = short.into_iter().filter(is_copied_line).collect();
    for block in short.into_iter().chain(copies) {
        page.drop(block, Decider::Copy);
    }
}

fn is_silent(page: &Page<'_>, block: usize) -> bool {
    let elements = page.table.elements.as_ref();
    let row = elements.and_then(|all| all.rows.get(*all.of_block.get(block)? as usize));
    row.is_some_and(|row| row.is_silent)
}

/// By element, for whom it is; empty if all are for all.
fn readers(page: &Page<'_>) -> Vec<Readers> {
    let Some(elements) = page.table.elements.as_ref() else {
        return Vec::new();
    };
    let places = elements.places_of(WITH_STEM.as_ref());
    let Some(mut readers) = elements.by_words_at(&places, named_readers) else {
        return Vec::new();
    };
    let mut words = vec![0.0];
    words.extend((0..page.verdicts.len()).scan(0.0, |sum, block| {
        *sum += page.kept_words(block);
        Some(*sum)
    }));
    let spans = &page.units.spans;
    let is_part = |at: usize| {
        let inside = words[spans[at].end as usize] - words[spans[at].first as usize];
        inside <= MOST_VEILED * words[words.len() - 1]
    };
    // parents come before their children
    for (at, row) in elements.rows.iter().enumerate() {
        let around = readers.get(row.parent as usize).copied();
        let around = around.filter(|around| *around != Readers::All);
        readers[at] = match (around, readers[at]) {
            (Some(around), _) => around,
            (None, Readers::OfScreens(_) | Readers::Named(_)) if !is_part(at) => Readers::All,
            (None, own) => own,
        };
    }
    readers
}

/// For whom an element is by its classes with a stem: `hidden-xs`, `show_onMobile`, `desktop-card`.
fn named_readers(words: WordsAt<'_>) -> Readers {
    let mut readers = Readers::All;
    for word in words {
        let has = |part: &&str| places_of(word, part).next().is_some();
        if VEILS.has_exactly(word) || VEILED.iter().any(has) {
            return Readers::Some;
        }
        if SCREENS.iter().any(|screen| has_part(word, screen)) {
            if SHOWN.iter().any(has) {
                readers = Readers::OfScreens(token(word.as_bytes()));
            } else if readers == Readers::All {
                readers = Readers::Named(token(word.as_bytes()));
            }
        }
    }
    readers
}

/// Where a word has a part, in any case.
fn places_of(word: &str, part: &str) -> impl Iterator<Item = usize> {
    let (word, part) = (word.as_bytes(), part.as_bytes());
    let windows = word.windows(part.len()).enumerate();
    let found = windows.filter(move |(_, own)| {
        own[0].eq_ignore_ascii_case(&part[0]) && own.eq_ignore_ascii_case(part)
    });
    found.map(|(at, _)| at)
}

/// Whether a word has a part in any case: not `automobile`, but `isMobile`.
fn has_part(word: &str, part: &str) -> bool {
    let bytes = word.as_bytes();
    places_of(word, part).any(|at| {
        let begins = match at.checked_sub(1).map(|before| bytes[before]) {
            Some(before) if before.is_ascii_lowercase() => bytes[at].is_ascii_uppercase(),
            before => before.is_none_or(|before| !before.is_ascii_alphabetic()),
        };
        let after = bytes.get(at + part.len());
        begins && after.is_none_or(|after| !after.is_ascii_lowercase())
    })
}

/// The runs of words of a text, in any case.
fn runs(text: &str) -> Vec<u64> {
    let mut words = Vec::new();
    shape(text, &mut |word| words.push(word));
    let run = |words: &[u32]| {
        words
            .iter()
            .fold(0, |hash, word| append(hash, u64::from(*word)))
    };
    words.windows(RUN).map(run).collect()
}
