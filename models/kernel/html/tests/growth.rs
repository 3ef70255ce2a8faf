//! Every input is linear: counted steps and nodes grow with the bytes, or a limit ends the build.

mod support;

use support::constructs::{CONSTRUCTS, halves, page};
use winnow_html::{Limits, Options, Refusal, Tree, parse_into};

const STANDARD: Options = Options {
    noscript_ends_raw_text: false,
    closes_title: false,
    is_xml: false,
    closes_as_xhtml: false,
    shadow_roots_in_place: false,
    streamed_parts_in_place: false,
    parses_noframes: false,
};
const ALL: Options = Options {
    noscript_ends_raw_text: true,
    closes_title: true,
    is_xml: true,
    closes_as_xhtml: true,
    shadow_roots_in_place: true,
    streamed_parts_in_place: true,
    parses_noframes: true,
};
/// The number of reopened elements, and of ends of an input.
const SLACK: u64 = 20_000;

fn parsed<'i>(page: &'i str, options: Options) -> Result<Tree<'i>, Refusal> {
    parse_into(page, &Limits::default(), options, None, Vec::new())
}

/// Steps and nodes of an input.
fn work(page: &str, options: Options) -> Result<[u64; 2], Refusal> {
    let tree = parsed(page, options)?;
    assert_eq!(tree.verify(), Ok(()));
    Ok([tree.steps, tree.nodes.len() as u64])
}

/// Compare the work for three sizes, each twice the previous one. A size may pass a limit.
fn assert_linear(name: &str, page: impl Fn(usize) -> String, smallest: usize) {
    for options in [STANDARD, ALL] {
        let of = |size: usize| work(&page(size), options);
        let sizes = [smallest, 2 * smallest, 4 * smallest].map(of);
        for (less, more) in sizes.iter().zip(&sizes[1..]) {
            let (Ok(less), Ok(more)) = (less, more) else {
                continue;
            };
            for (less, more) in less.iter().zip(more) {
                assert!(
                    *more <= 2 * less + less / 5 + SLACK,
                    "{name}: {less}, then {more} of twice the input"
                );
            }
        }
    }
}

#[test]
fn work_grows_with_the_input() {
    for construct in CONSTRUCTS {
        let name = format!("{construct:?}");
        assert_linear(&name, |size| page(construct, size), 64 << 10);
    }
}

#[test]
fn work_grows_with_the_input_when_its_halves_differ() {
    for (number, (_, one, _)) in CONSTRUCTS.iter().enumerate().step_by(5) {
        for (_, other, _) in CONSTRUCTS.iter().skip(number % 3).step_by(3) {
            let name = format!("{one:?}, then {other:?}");
            assert_linear(&name, |size| halves(one, other, size), 16 << 10);
        }
    }
}

/// Minutes without optimization: `cargo test --release -p winnow-html --test growth -- --ignored`.
#[test]
#[ignore = "long"]
fn work_grows_with_the_input_up_to_7_megabytes() {
    for construct in CONSTRUCTS {
        let name = format!("{construct:?}");
        assert_linear(&name, |size| page(construct, size), (7 << 20) / 4);
    }
}

#[test]
fn a_million_levels_need_no_stack() {
    let page = "<span>".repeat(1_000_000);
    let limits = Limits {
        depth: 2_000_000,
        nodes: 2_000_000,
        ..Limits::default()
    };

    let tree = parse_into(&page, &limits, STANDARD, None, Vec::new()).unwrap();

    assert_eq!(tree.verify(), Ok(()));
    assert_eq!(tree.depth, 1_000_002);
}

#[test]
fn a_million_formatting_elements_are_linear() {
    let closed = "<b></b>".repeat(1_000_000);
    let limits = Limits {
        nodes: 2_000_000,
        ..Limits::default()
    };

    let tree = parse_into(&closed, &limits, STANDARD, None, Vec::new()).unwrap();

    assert!(tree.steps <= 8_000_000, "{}", tree.steps);
    assert_eq!(tree.nodes.len(), 1_000_004);
}

#[test]
fn one_long_tag_is_not_read_again_for_each_formatting_element() {
    let mut page = String::from("<b ");
    for number in 0..10_000 {
        page += &format!("a{number}=x ");
    }
    page += ">";
    page += &"<b z>y</b>".repeat(10_000);

    let tree = parsed(&page, STANDARD).unwrap();

    assert!(tree.steps < 200_000, "{}", tree.steps);
}
