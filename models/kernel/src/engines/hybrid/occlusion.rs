//! Contributions to the judgement of one block: the page is judged again without one thing at a
//! time, and the change of the block's log-odds is the contribution of that thing.

use super::model::{Model, Policy};
use super::outline::Outline;
use super::tag::Tag;
use crate::engines::chars::is_ideograph;
use crate::page::blocks::BlockTable;
use crate::page::runs::run_length;

/// Things that are removed in turn, with a limit for each kind.
const MOST_WORDS: usize = 40;
const MOST_LABELS: usize = 40;
const MOST_ELEMENTS: usize = 12;
const MOST_NEIGHBOURS: usize = 8;
const MOST_SIBLINGS: usize = 16;
/// Most blocks judged in all: about a second of work.
const MOST_JUDGED: usize = 300_000;
/// Log-odds of a probability of 0 or 1.
const MOST_ODDS: f32 = 16.0;
/// Replaces an ideograph: a rare one.
const RARE_IDEOGRAPH: char = '\u{9fa5}';

/// One thing that the judgement of a block depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Thing {
    /// A word of the text, lower-case, at all its places in the block.
    Word(String),
    /// A word of `class`, `id`, `role`, `itemprop` or `itemtype` of the elements around.
    Label(String),
    /// An element name: all surrounding elements with it.
    Element(String),
    /// Another block, by its number.
    Block(usize),
}

impl Thing {
    /// Names of the kinds in documents.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Word(_) => "word",
            Self::Label(_) => "label",
            Self::Element(_) => "element",
            Self::Block(_) => "block",
        }
    }
}

/// The effect of one thing on a block.
#[derive(Clone, Debug)]
pub struct Influence {
    pub thing: Thing,
    /// Natural log-odds of content with it minus without it: above 0 it favours content.
    pub log_odds: f32,
}

/// Judges a page without each of the things around a block; the largest contributions come first.
///
/// Words are replaced by unseen ones of the same length and case; labels and other blocks are
/// removed; an element becomes a `div`. The result is empty for a block that does not exist.
#[must_use]
pub fn influences(
    model: &Model,
    table: &BlockTable,
    block: usize,
    policy: Policy,
) -> Vec<Influence> {
    let run = run_length(table.blocks.len(), table.markup_bytes);
    let page = Outline::in_runs(table, run);
    let at = block / run;
    if block >= table.blocks.len() {
        return Vec::new();
    }
    let odds = |page: &Outline<'_>, at: usize| {
        let judgement = model.judge_outline(page, policy);
        log_odds(judgement.probabilities.get(at).copied().unwrap_or(0.0))
    };
    let whole = odds(&page, at);
    let most = (MOST_JUDGED / page.spans.len()).max(1);
    let mut found: Vec<Influence> = things(&page, at)
        .into_iter()
        .take(most)
        .map(|thing| {
            let without = match &thing {
                Thing::Word(word) => {
                    let text = masked(page.spans[at].text, word);
                    let mut page = page.clone();
                    page.spans[at].text = &text;
                    odds(&page, at)
                }
                Thing::Label(word) => odds_without_label(&page, at, word, &odds),
                Thing::Element(name) => odds(&without_element(&page, at, name), at),
                Thing::Block(other) => {
                    let mut page = page.clone();
                    page.spans.remove(*other);
                    odds(&page, at - usize::from(*other < at))
                }
            };
            Influence {
                thing,
                log_odds: whole - without,
            }
        })
        .collect();
    for each in &mut found {
        if let Thing::Block(other) = &mut each.thing {
            *other *= run;
        }
    }
    found.sort_by(|one, other| other.log_odds.abs().total_cmp(&one.log_odds.abs()));
    found
}

fn log_odds(probability: f32) -> f32 {
    let odds = (probability / (1.0 - probability)).ln();
    odds.clamp(-MOST_ODDS, MOST_ODDS)
}

/// All things to remove in turn. Other blocks are identified by the number of their span.
fn things(page: &Outline<'_>, at: usize) -> Vec<Thing> {
    let span = &page.spans[at];
    let path: Vec<u32> = page.path(span.node).collect();
    let mut things = Vec::new();
    let elements = path.iter().map(|node| page.nodes[*node as usize].tag);
    let named = elements.filter(|tag| !matches!(tag, Tag::Div | Tag::Body | Tag::Other));
    let names = named.map(|tag| format!("{tag:?}").to_ascii_lowercase());
    things.extend(distinct(names, MOST_ELEMENTS).map(Thing::Element));
    let labels = path.iter().flat_map(|node| {
        let node = &page.nodes[*node as usize];
        let words = node.label.split_whitespace();
        words.chain(node.role.split_whitespace())
    });
    things.extend(distinct(labels.map(str::to_owned), MOST_LABELS).map(Thing::Label));
    things.extend(others(page, at).into_iter().map(Thing::Block));
    let words = word_spans(span.text).map(|(start, end)| span.text[start..end].to_lowercase());
    things.extend(distinct(words, MOST_WORDS).map(Thing::Word));
    things
}

/// The first `most` different values.
fn distinct(values: impl Iterator<Item = String>, most: usize) -> impl Iterator<Item = String> {
    let mut seen: Vec<String> = Vec::new();
    for value in values {
        if seen.len() == most {
            break;
        }
        if !seen.contains(&value) {
            seen.push(value);
        }
    }
    seen.into_iter()
}

/// The adjacent blocks, and the nearest ones in elements of the same names.
fn others(page: &Outline<'_>, at: usize) -> Vec<usize> {
    let last = page.spans.len() - 1;
    let by_distance = (1..=last)
        .flat_map(|far| [at.checked_sub(far), Some(at + far)])
        .flatten()
        .filter(|other| *other <= last);
    let tags = |other: usize| {
        let path = page.path(page.spans[other].node);
        path.map(|node| page.nodes[node as usize].tag)
    };
    let (mut found, mut siblings) = (Vec::new(), 0);
    for (position, other) in by_distance.enumerate() {
        let is_next = position < 2 * MOST_NEIGHBOURS;
        let is_sibling = siblings < MOST_SIBLINGS && tags(other).eq(tags(at));
        siblings += usize::from(is_sibling);
        if is_next || is_sibling {
            found.push(other);
        }
        if siblings == MOST_SIBLINGS && !is_next {
            break;
        }
    }
    found
}

/// Start and end of the words of a text: letters and digits, each ideograph separately.
fn word_spans(text: &str) -> impl Iterator<Item = (usize, usize)> + '_ {
    let mut characters = text.char_indices().peekable();
    std::iter::from_fn(move || {
        let (start, first) = characters.find(|(_, c)| c.is_alphanumeric())?;
        let mut end = start + first.len_utf8();
        while let Some((at, next)) = characters.peek().copied() {
            if is_ideograph(first) || is_ideograph(next) || !next.is_alphanumeric() {
                break;
            }
            end = at + next.len_utf8();
            characters.next();
        }
        Some((start, end))
    })
}

/// The text with every `word` replaced by another one of the same length.
fn masked(text: &str, word: &str) -> String {
    let mut masked = String::with_capacity(text.len());
    let mut done = 0;
    for (start, end) in word_spans(text) {
        if text[start..end].to_lowercase() == word {
            masked.push_str(&text[done..start]);
            masked.extend(text[start..end].chars().map(|c| match c {
                _ if is_ideograph(c) => RARE_IDEOGRAPH,
                _ if c.is_uppercase() => 'X',
                _ => 'x',
            }));
            done = end;
        }
    }
    masked.push_str(&text[done..]);
    masked
}

fn odds_without_label(
    page: &Outline<'_>,
    at: usize,
    word: &str,
    odds: &impl Fn(&Outline<'_>, usize) -> f32,
) -> f32 {
    let without = |label: &str| {
        let words: Vec<&str> = label
            .split_whitespace()
            .filter(|each| *each != word)
            .collect();
        words.join(" ")
    };
    let path: Vec<u32> = page.path(page.spans[at].node).collect();
    let changed: Vec<(String, String)> = path
        .iter()
        .map(|node| &page.nodes[*node as usize])
        .map(|node| (without(node.label), without(node.role)))
        .collect();
    let mut page = page.clone();
    for (node, (label, role)) in path.iter().zip(&changed) {
        let node = &mut page.nodes[*node as usize];
        (node.label, node.role) = (label, role);
    }
    odds(&page, at)
}

fn without_element<'text>(page: &Outline<'text>, at: usize, name: &str) -> Outline<'text> {
    let path: Vec<u32> = page.path(page.spans[at].node).collect();
    let mut page = page.clone();
    for node in path {
        let tag = &mut page.nodes[node as usize].tag;
        if format!("{tag:?}").eq_ignore_ascii_case(name) {
            *tag = Tag::Div;
        }
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_masked_in_any_case_by_others_of_their_length() {
        let text = "The roof: THE 2 roofs of the Ärzte, 屋根";

        assert_eq!(
            masked(text, "the"),
            "Xxx roof: XXX 2 roofs of xxx Ärzte, 屋根"
        );
        assert_eq!(
            masked(text, "ärzte"),
            "The roof: THE 2 roofs of the Xxxxx, 屋根"
        );
        assert_eq!(
            masked(text, "屋"),
            "The roof: THE 2 roofs of the Ärzte, 龥根"
        );
    }

    #[test]
    fn nearest_blocks_and_farther_ones_in_elements_of_the_same_names_are_left_out() {
        let mut page = Outline::of_body();
        for at in 0..100 {
            let tag = if at % 10 == 0 { Tag::Li } else { Tag::P };
            let node = page.nodes.len() as u32;
            page.nodes.push(super::super::outline::Node {
                parent: 0,
                tag,
                ..Default::default()
            });
            page.spans.push(super::super::outline::Span {
                node,
                text: "Bees",
                ..Default::default()
            });
        }

        let mut found = others(&page, 50);

        found.sort_unstable();
        let items = [0, 10, 20, 30, 40].into_iter().chain(42..50);
        let behind = (51..59).chain([60, 70, 80, 90]);
        assert_eq!(found, items.chain(behind).collect::<Vec<_>>());
    }
}
