//! Damaged pages, by seed: no panic, links that agree, depth within the limit, texts in order.

mod support;

use std::path::Path;

use support::constructs::{CONSTRUCTS, page};
use support::{cases, files};
use winnow_html::tokenizer::{END, Names};
use winnow_html::tree::MERGED;
use winnow_html::{Kind, Limits, Options, Tree, parse_into, serialize};

const SEED: u64 = 0x5EED_2026;
const ROUNDS: usize = 60;
const INDEXED: [&str; 6] = ["class", "id", "href", "a", "shadowrootmode", "encoding"];

/// xorshift: the same numbers on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}

/// Some pieces of one input, inserted into, cut out of or moved within another one.
fn mutated(seeds: &[String], random: &mut Random) -> String {
    let mut page = seeds[random.below(seeds.len())].clone().into_bytes();
    for _ in 0..1 + random.below(6) {
        let other = seeds[random.below(seeds.len())].as_bytes();
        let start = random.below(other.len());
        let end = (start + 1 + random.below(40)).min(other.len());
        let at = random.below(page.len());
        match random.below(4) {
            0 => drop(page.splice(at..at, other[start..end].iter().copied())),
            1 => drop(page.drain(at..(at + 1 + random.below(9)).min(page.len()))),
            2 => page.truncate(at),
            _ => page.extend(
                b"</table></b>\0<!--<![CDATA[&#"
                    .iter()
                    .skip(random.below(20)),
            ),
        }
    }
    String::from_utf8_lossy(&page).into_owned()
}

fn seeds() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut seeds: Vec<String> = CONSTRUCTS.iter().map(|each| page(each, 300)).collect();
    for (name, text) in files(&folder, "dat") {
        seeds.extend(cases(&name, &text).iter().map(|case| case.data.to_owned()));
    }
    seeds
}

fn options(random: &mut Random) -> Options {
    let bits = random.below(128);
    let bit = |at: usize| bits >> at & 1 == 1;
    Options {
        noscript_ends_raw_text: bit(0),
        closes_title: bit(1),
        is_xml: bit(2),
        closes_as_xhtml: bit(3),
        shadow_roots_in_place: bit(4),
        parses_noframes: bit(5),
        streamed_parts_in_place: bit(6),
    }
}

/// Spans of nodes are ranges of the input, and texts that are made later start later.
fn assert_texts_in_order(tree: &Tree<'_>) {
    let texts = tree.nodes.iter().filter(|node| node.kind == Kind::Text);
    let starts: Vec<u32> = texts.map(|node| node.span.start).collect();
    assert!(starts.is_sorted(), "{starts:?}");
}

/// The recorded attributes of the tokenizer agree with their tags.
fn assert_indexed(tree: &Tree<'_>) {
    for (id, node) in (0..).zip(&tree.nodes) {
        if !node.kind.is_element() || node.flags & MERGED != 0 {
            continue;
        }
        let said = tree.attributes(id).filter_map(|(name, value)| {
            let name = name.to_ascii_lowercase();
            let number = INDEXED.iter().position(|known| known.as_bytes() == name);
            number.map(|number| (number as u8, value))
        });
        let noted = tree.read[node.read as usize..].iter();
        let noted = noted.take_while(|read| read.name != END);
        let noted = noted.map(|read| (read.name, read.value.of(tree.input)));
        assert!(said.eq(noted), "{}", tree.name(id));
    }
}

#[test]
fn damaged_pages_give_whole_trees() {
    let names = Names::new(&INDEXED);
    let seeds = seeds();
    let mut random = Random(SEED);
    let mut whole = 0;
    for round in 0..ROUNDS * seeds.len() {
        let page = mutated(&seeds, &mut random);
        let limits = Limits {
            depth: 20 + random.below(200),
            ..Limits::default()
        };
        let options = options(&mut random);
        let Ok(tree) = parse_into(&page, &limits, options, Some(&names), Vec::new()) else {
            continue;
        };
        whole += 1;
        assert_eq!(tree.verify(), Ok(()), "round {round}: {page:?}");
        assert!(tree.depth <= limits.depth);
        assert_texts_in_order(&tree);
        assert_indexed(&tree);
        let again = parse_into(&page, &limits, options, None, Vec::new()).unwrap();
        assert_eq!(serialize(&tree), serialize(&again), "round {round}");
    }

    assert!(whole > ROUNDS * seeds.len() / 2, "{whole}");
}
