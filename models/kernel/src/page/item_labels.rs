//! Labels that the items of a list write themselves: "Step 1", "(a)", "1.1".

use super::near::{following, is_silent, trimmed};
use super::tags;
use super::tree::{Node, NodeKind};

/// Nodes of an item that are visited for its first text.
const MAX_NODES: usize = 16;
/// Most characters of a label.
const MAX_LABEL: usize = 24;

/// Whether a list is called one without marks.
#[must_use]
pub fn hides_marks(class: &[u8]) -> bool {
    const NAMES: [&[u8]; 7] = [
        b"list-none",
        b"list-unstyled",
        b"list-style-none",
        b"unstyled",
        b"no-bullet",
        b"no-bullets",
        b"no-marker",
    ];
    let mut words = class.split(u8::is_ascii_whitespace);
    words.any(|word| NAMES.contains(&word))
}

/// Whether the first two items of a list begin with labels that count on, the first with `start`, and
/// which are not numbers of a list.
#[must_use]
pub fn are_written(list: Node<'_>, start: u32) -> bool {
    let children = std::iter::successors(list.first_child(), |child| child.next());
    let is_item = |node: &Node<'_>| node.tag() == tags::LI && node.is_html();
    let mut beginnings = children.filter(is_item).map(beginning);
    let (Some(Some(one)), Some(Some(two))) = (beginnings.next(), beginnings.next()) else {
        return false;
    };
    counts_in_digits(&one, &two, start) || counts_in_letters(&one, &two)
}

/// The beginning of the first text of an item.
fn beginning(item: Node<'_>) -> Option<String> {
    let mut next = following(item, item, true);
    for _ in 0..MAX_NODES {
        let node = next?;
        let text = trimmed(node.text());
        if node.kind() == NodeKind::Text && !text.is_empty() {
            let text = text.get(..4 * MAX_LABEL).unwrap_or(text);
            let text = String::from_utf8_lossy(text);
            return Some(text.chars().take(MAX_LABEL).collect());
        }
        next = following(node, item, !is_silent(node));
    }
    None
}

/// Whether a number follows the same text in both, and counts on: "Step 1" and "Step 2", "1.1" and
/// "1.2". Without text before it, it is one of a list: "1." and "2.", but not "1 cup" and "2 eggs".
fn counts_in_digits(one: &str, two: &str, start: u32) -> bool {
    let is_digit = |c: char| c.is_ascii_digit();
    let same = one.chars().zip(two.chars());
    let same = same.take_while(|(left, right)| left == right);
    let head: usize = same.map(|(left, _)| left.len_utf8()).sum();
    // the digits that both begin with: 10 and 11
    let head = one[..head].trim_end_matches(is_digit).len();
    let number = |text: &str| {
        let rest = &text[head..];
        let after = rest.trim_start_matches(is_digit);
        let number: Option<u32> = rest[..rest.len() - after.len()].parse().ok();
        number.map(|number| (number, after.chars().next()))
    };
    let (Some((first, after)), Some((second, _))) = (number(one), number(two)) else {
        return false;
    };
    let is_of_list = after.is_some_and(|sign| ".):、．）".contains(sign));
    first.checked_add(1) == Some(second) && (head > 0 || first == start && !is_of_list)
}

/// Whether both begin with a letter or a small Roman number and a mark: "a)" and "b)", "(i)" and
/// "(ii)".
fn counts_in_letters(one: &str, two: &str) -> bool {
    let label = |text: &str| {
        let text = text.strip_prefix(['(', '[']).unwrap_or(text);
        let end = text.find(['.', ')', ']', ':'])?;
        let is_word = |word: &&str| word.chars().all(char::is_alphabetic);
        text.get(..end).filter(is_word).map(str::to_lowercase)
    };
    let (Some(one), Some(two)) = (label(one), label(two)) else {
        return false;
    };
    matches!((one.as_str(), two.as_str()), ("a", "b") | ("i", "ii"))
        || matches!((one.as_str(), two.as_str()), ("а", "б") | ("α", "β"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_count_on_in_digits_after_a_text_and_in_letters() {
        for (one, two, expected) in [
            ("Step 1: boil", "Step 2: stir", true),
            ("第1步", "第2步", true),
            ("1.1 Aim", "1.2 Scope", true),
            ("Day 10", "Day 11", true),
            ("(1) boil", "(2) stir", true),
            ("1 Boil", "2 Stir", true),
            ("2 eggs", "3 cups", false),
            ("1. Boil", "2. Stir", false),
            ("Step 1", "Step 3", false),
            ("Boil", "Stir", false),
            ("", "", false),
        ] {
            assert_eq!(counts_in_digits(one, two, 1), expected, "{one} {two}");
        }
        for (one, two, expected) in [
            ("(a) boil", "(b) stir", true),
            ("A. boil", "B. stir", true),
            ("i) boil", "ii) stir", true),
            ("a boil", "b stir", false),
            ("Ash. A tree", "Oak. A tree", false),
        ] {
            assert_eq!(counts_in_letters(one, two), expected, "{one} {two}");
        }
    }
}
