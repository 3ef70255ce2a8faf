//! The parser: any text, with any options, gives a valid tree or passes a limit.

#![no_main]

use libfuzzer_sys::fuzz_target;
use winnow_html::{Limits, Names, Options, parse_into, serialize};

static INDEXED: [&str; 4] = ["class", "href", "id", "shadowrootmode"];

fuzz_target!(|input: &[u8]| {
    let Some((&choice, page)) = input.split_first() else {
        return;
    };
    let page = String::from_utf8_lossy(page);
    let is_chosen = |bit: u8| choice >> bit & 1 == 1;
    let options = Options {
        noscript_ends_raw_text: is_chosen(0),
        closes_title: is_chosen(1),
        is_xml: is_chosen(2),
        closes_as_xhtml: is_chosen(3),
        shadow_roots_in_place: is_chosen(4),
        parses_noframes: is_chosen(5),
        streamed_parts_in_place: is_chosen(7),
    };
    let limits = Limits {
        depth: if is_chosen(6) { 16 } else { 512 },
        ..Limits::default()
    };
    let names = Names::new(&INDEXED);
    let Ok(tree) = parse_into(&page, &limits, options, Some(&names), Vec::new()) else {
        return;
    };
    tree.verify().expect("the tree is whole");
    assert!(tree.depth <= limits.depth);
    // a search visits at most the stack, and a token makes few searches
    let searches = 64 * (limits.depth as u64 + page.len() as u64);
    assert!(tree.steps <= page.len() as u64 * searches, "{}", tree.steps);
    let serialized = serialize(&tree);
    let again = parse_into(&page, &limits, options, None, tree.nodes).expect("as before");
    assert_eq!(serialize(&again), serialized);
});
