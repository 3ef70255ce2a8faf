//! Each limit, from below and from above, and valid input.

mod support;

use support::{text, texts};
use winnow_html::tree::RAW;
use winnow_html::{Kind, Limits, Options, Refusal, parse, parse_into};

fn refusal(page: &str, limits: Limits) -> Option<Refusal> {
    parse(page, &limits).err()
}

#[test]
fn a_page_of_more_bytes_than_the_limit_is_too_large() {
    let limits = Limits {
        bytes: 10,
        ..Limits::default()
    };

    assert_eq!(refusal("0123456789", limits), None);
    assert_eq!(refusal("0123456789a", limits), Some(Refusal::TooLarge));
}

#[test]
fn a_page_of_more_levels_than_the_limit_is_too_deep() {
    let limits = Limits {
        depth: 5,
        ..Limits::default()
    };

    assert_eq!(refusal("<div><div><div><br>x", limits), None);
    assert_eq!(
        refusal("<div><div><div><div>", limits),
        Some(Refusal::TooDeep)
    );
}

#[test]
fn levels_of_svg_and_of_elements_that_are_opened_again_count() {
    let limits = Limits {
        depth: 5,
        ..Limits::default()
    };

    assert_eq!(
        refusal("<svg><g><g><g>", limits),
        Some(Refusal::TooDeep),
        "svg"
    );
    let reopened = "<p><b><i></p><p><u>x";
    assert_eq!(refusal(reopened, limits), Some(Refusal::TooDeep), "copies");
}

#[test]
fn elements_that_left_the_stack_count_as_levels_of_what_they_hold() {
    let page = "<form><div></form>".repeat(200);
    let limits = Limits {
        depth: 150,
        ..Limits::default()
    };

    let tree = parse(&page, &Limits::default()).unwrap();

    assert_eq!(tree.verify(), Ok(()));
    assert_eq!(refusal(&page, limits), Some(Refusal::TooDeep));
}

#[test]
fn a_page_of_more_nodes_than_the_limit_has_too_many() {
    let nodes = |nodes| Limits {
        nodes,
        ..Limits::default()
    };
    let page = "<p>x<br>y";
    let needed = parse(page, &Limits::default()).unwrap().nodes.len() - 1;

    assert_eq!(refusal(page, nodes(needed)), None);
    assert_eq!(
        refusal(page, nodes(needed - 1)),
        Some(Refusal::TooManyNodes)
    );
}

#[test]
fn a_page_of_more_steps_than_the_limit_has_too_many() {
    let steps = |steps| Limits {
        steps,
        ..Limits::default()
    };
    let page = "<p><b><div>x</b></div>".repeat(20);
    let needed = parse(&page, &Limits::default()).unwrap().steps;

    assert!(needed > 100, "{needed}");
    assert_eq!(refusal(&page, steps(needed)), None);
    assert_eq!(
        refusal(&page, steps(needed - 1)),
        Some(Refusal::TooManySteps)
    );
}

#[test]
fn a_page_of_more_unknown_names_than_numbers_has_too_many() {
    let page = |names: usize| -> String {
        let elements = (0..names).map(|name| format!("<x{name}></x{name}>"));
        elements.collect()
    };

    assert_eq!(refusal(&page(65_000), Limits::default()), None);
    assert_eq!(
        refusal(&page(66_000), Limits::default()),
        Some(Refusal::TooManyNames)
    );
}

#[test]
fn each_refusal_names_its_limit() {
    let all = [
        (Refusal::TooLarge, "bytes"),
        (Refusal::TooDeep, "deeper"),
        (Refusal::TooManyNodes, "nodes"),
        (Refusal::TooManySteps, "steps"),
        (Refusal::TooManyNames, "names"),
    ];
    for (refusal, name) in all {
        assert!(refusal.to_string().contains(name), "{refusal}");
    }
}

#[test]
fn line_ends_are_line_feeds_but_not_those_of_references() {
    assert_eq!(text("a\r\nb\rc\r\r\nd&#13;&#10;e"), "a\nb\nc\n\nd\r\ne");
    assert_eq!(text("<pre>\r\na\rb</pre>"), "a\nb");
    assert_eq!(text("<textarea>\r\r\na</textarea>"), "\na");
}

#[test]
fn nul_is_left_out_of_a_body_and_replaced_elsewhere() {
    assert_eq!(text("a\0b"), "ab");
    assert_eq!(text("<table><td>\0a\0</table>"), "a");
    assert_eq!(text("<svg>a\0b"), "a\u{FFFD}b");
    assert_eq!(text("<script>a\0b</script>"), "a\u{FFFD}b");
    assert_eq!(text("<title>a\0b</title>"), "a\u{FFFD}b");
    assert_eq!(text("<plaintext>a\0b"), "a\u{FFFD}b");
}

#[test]
fn nul_does_not_divide_the_text_of_a_table() {
    let tree = parse("<table> \0x</table>", &Limits::default()).unwrap();

    let serialized = winnow_html::serialize(&tree);

    assert!(
        serialized.ends_with("|     \" x\"\n|     <table>\n"),
        "{serialized}"
    );
}

#[test]
fn nul_is_replaced_in_names_values_and_comments() {
    let page = "<x\0y a\0b='c\0d'><!--e\0f-->";
    let tree = parse(page, &Limits::default()).unwrap();

    let serialized = winnow_html::serialize(&tree);

    for part in ["<x\u{FFFD}y>", "a\u{FFFD}b=\"c\u{FFFD}d\"", "e\u{FFFD}f"] {
        assert!(serialized.contains(part), "{serialized}");
    }
}

#[test]
fn references_at_the_end_of_the_input_are_decoded_or_stay() {
    for (page, shown) in [
        ("&amp", "&"),
        ("&am", "&am"),
        ("&", "&"),
        ("&#", "&#"),
        ("&#x", "&#x"),
        ("&#65", "A"),
        ("&#x41", "A"),
        ("&notit", "\u{AC}it"),
    ] {
        assert_eq!(text(page), shown);
    }
}

#[test]
fn references_to_no_character_are_replaced() {
    for reference in [
        "&#xD800;",
        "&#xDFFF;",
        "&#0;",
        "&#x110000;",
        "&#99999999999;",
    ] {
        assert_eq!(text(reference), "\u{FFFD}", "{reference}");
    }
}

/// The input is a string: the caller decodes, and invalid UTF-8 is U+FFFD then.
#[test]
fn bytes_that_are_no_utf8_are_replacement_characters_in_every_state() {
    for page in [
        &b"a\xFFb"[..],
        b"<p a\xFF=\xFFb\xFF>",
        b"<!--\xFF-->",
        b"<title>\xED\xA0\x80</title>",
        b"<!doctype \xFF \xFF>",
        b"<\xFF></\xFF>",
        b"<x\xFF>\xC3",
    ] {
        let decoded = String::from_utf8_lossy(page);

        let tree = parse(&decoded, &Limits::default()).unwrap();

        assert_eq!(tree.verify(), Ok(()));
        assert!(
            winnow_html::serialize(&tree).contains('\u{FFFD}'),
            "{decoded}"
        );
    }
}

#[test]
fn raw_texts_are_marked() {
    let tree = parse("<style>a&amp;b</style>", &Limits::default()).unwrap();

    let style = tree.nodes.iter().find(|node| node.kind == Kind::Text);

    assert_ne!(style.map_or(0, |node| node.flags & RAW), 0);
    assert_eq!(texts(&tree), ["a&amp;b"]);
}

#[test]
fn the_memory_of_a_tree_serves_the_next_one() {
    let first = parse("<p>One<p>Two", &Limits::default()).unwrap();
    let nodes = first.nodes;
    let before = nodes.capacity();

    let limits = Limits::default();
    let second = parse_into("<p>Three", &limits, Options::default(), None, nodes).unwrap();

    assert_eq!(texts(&second), ["Three"]);
    assert_eq!(second.nodes.capacity(), before);
}
