use std::borrow::Cow;

use super::*;
use crate::page::limits::Limits;

const LIMITS: Limits = Limits {
    page_bytes: 1 << 20,
    depth: 512,
    nodes: 1000,
    steps: 100_000,
};

fn tree(markup: &str) -> Tree<'_> {
    let options = Options {
        is_xml: false,
        is_repaired: true,
    };
    Tree::of(Cow::Borrowed(markup), options, &LIMITS).unwrap()
}

/// The last element with this name.
fn find<'tree>(tree: &'tree Tree<'tree>, tag: Tag) -> Node<'tree> {
    let mut found = None;
    let mut waiting = vec![tree.root()];
    while let Some(node) = waiting.pop() {
        if node.tag() == tag && node.kind() == NodeKind::Element {
            found = Some(node);
        }
        waiting.extend(std::iter::successors(node.first_child(), |child| {
            child.next()
        }));
    }
    found.unwrap()
}

fn texts<'tree>(node: Node<'tree>) -> Vec<&'tree str> {
    std::iter::successors(node.first_child(), |child| child.next())
        .filter(|child| child.kind() == NodeKind::Text)
        .map(|text| std::str::from_utf8(text.text()).unwrap())
        .collect()
}

#[test]
fn of_attributes_with_one_name_the_first_counts() {
    let tree = tree("<p ID='a&amp;b' onclick=x class=\"c\" id=second CLASS=third alt>x");

    let found: Vec<(Name, &[u8])> = find(&tree, tags::P)
        .attributes()
        .map(|each| (each.name(), each.value()))
        .collect();

    assert_eq!(
        found,
        [
            (Name::Id, b"a&b".as_slice()),
            (Name::Class, b"c"),
            (Name::Alt, b"")
        ]
    );
}

#[test]
fn later_tags_of_the_root_and_of_the_body_add_attributes() {
    let tree = tree("<html lang=a><body id=b>x<html lang=z class='c&lt;'><body id=y hidden>");

    let root = tree.root();
    assert_eq!(root.value(&[Name::Lang]), Some(b"a".as_slice()));
    assert_eq!(root.value(&[Name::Class]), Some(b"c<".as_slice()));
    let body = find(&tree, tags::BODY);
    assert_eq!(body.value(&[Name::Id]), Some(b"b".as_slice()));
    assert_eq!(body.value(&[Name::Hidden]), Some(b"".as_slice()));
}

#[test]
fn copies_of_a_formatting_element_have_its_attributes() {
    let tree = tree("<b id=a><p>x</b>y");

    let copy = find(&tree, tags::P).first_child().unwrap();

    assert_eq!(copy.value(&[Name::Id]), Some(b"a".as_slice()));
}

#[test]
fn texts_that_follow_each_other_are_one() {
    for (markup, expected) in [
        ("<p>a</x>b &lt; c</x>d", vec!["ab < cd"]),
        ("<p>a\r\nb\rc", vec!["a\nb\nc"]),
        ("<p>a\0b<!-- --></x>c</x>d", vec!["ab", "cd"]),
        ("<p>&#0;&amp", vec!["\u{FFFD}&"]),
        ("<p>plain", vec!["plain"]),
    ] {
        assert_eq!(texts(find(&tree(markup), tags::P)), expected, "{markup}");
    }
}

#[test]
fn texts_before_a_table_are_one_whatever_came_between() {
    let tree = tree("<div><table>a&amp;<tr>b<td>c</table>d&amp;");

    let div = find(&tree, tags::DIV);

    assert_eq!(texts(div), ["a&b", "d&"]);
    assert_eq!(
        div.first_child().and_then(Node::next).map(Node::tag),
        Some(tags::TABLE)
    );
    let table = find(&tree, tags::TABLE);
    assert_eq!(table.previous(), div.first_child());
}

#[test]
fn what_a_template_holds_are_no_children() {
    let tree = tree("<template><p>x</template>");

    assert_eq!(find(&tree, tags::TEMPLATE).first_child(), None);
}

#[test]
fn a_name_without_a_number_is_there_in_small_letters() {
    let tree = tree("<X-Card>a</X-Card><use></use><semantics>");

    let body = find(&tree, tags::BODY);
    let names: Vec<&[u8]> = std::iter::successors(body.first_child(), |child| child.next())
        .map(Node::unknown_name)
        .collect();

    assert_eq!(names, [b"x-card".as_slice(), b"use", b"semantics"]);
}

#[test]
fn a_view_has_what_is_shown_and_nothing_that_starts() {
    let view = tree(
        "<!doctype html><title>a</title><script>b</script><base href=c><meta http-equiv=refresh>\
         <p onclick=\"x\" title='\"'>1 &lt; 2<br>&nbsp;<img src=d><iframe src=e></iframe></p>",
    )
    .view();

    assert_eq!(
        view,
        "<!DOCTYPE html><html><head><title>a</title></head><body>\
         <p onclick=\"x\" title=\"&quot;\">1 &lt; 2<br>&nbsp;<img src=\"d\"></p></body></html>"
    );
}

#[test]
fn rows_are_in_document_order() {
    let rows = tree("<!--a--><p>b<b>c</b></p>").rows();

    let found: Vec<(u32, &str, &str)> = rows
        .iter()
        .map(|row| (row.depth, row.name.as_str(), row.text.as_str()))
        .collect();

    assert_eq!(
        found,
        [
            (0, "-comment", "a"),
            (0, "html", ""),
            (1, "head", ""),
            (1, "body", ""),
            (2, "p", ""),
            (3, "-text", "b"),
            (3, "b", ""),
            (4, "-text", "c"),
        ]
    );
}
