//! The block-level elements of a page as one flat array: the input of the structural engines.
//!
//! Recorded only on demand, together with blocks that a reader does not see at first: those inside
//! hidden elements, closed dialogs and `noscript`, marked as hidden.

use aho_corasick::Match;
use aho_corasick::packed::Searcher;

use super::anchors::Anchors;
use super::attributes::Name;
use super::tags::{self, Tag};
use super::tree::Node;
use crate::text::hash::token;
use crate::text::map::HashedMap;

/// No element: the parent of the first one.
pub const NO_ELEMENT: u32 = u32::MAX;
/// Most bytes kept of an element's class and id, or role and itemprop.
const MAX_NAME_BYTES: usize = 512;

/// Bytes of a usual name.
const NAME_BYTES: usize = 1 << 4;

/// Whether a reader with scripts sees an element at first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Concealed {
    #[default]
    No,
    /// Hidden by its attributes, or by an element around it.
    Hidden,
    /// Inside `noscript`.
    NoScript,
}

/// One block-level element; parents come before their children.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Element {
    /// Index of the innermost block-level element around it, [`NO_ELEMENT`] only for the root.
    pub parent: u32,
    pub tag: Tag,
    pub concealed: Concealed,
    /// Whether screen readers leave it out, or only they read it.
    pub is_silent: bool,
    /// Numbers of names: of `class` and `id`, and of `role`, `itemprop` and `itemtype`.
    pub label: u32,
    pub role: u32,
    /// Images and form controls inside it, but not inside a nested block-level element.
    pub images: u32,
    pub controls: u32,
}

/// The elements of a page in document order, and the element of each block.
#[derive(Clone, Debug, Default)]
pub struct Elements {
    pub rows: Vec<Element>,
    /// The texts of all labels and roles, each once.
    pub names: String,
    /// Where each begins and ends, by number; number 0 is empty.
    spans: Vec<(u32, u32)>,
    /// By block: its element, and the number of links in it.
    pub of_block: Vec<u32>,
    pub links: Vec<u32>,
    pub anchors: Anchors,
    /// Numbers of names, by the hash of their text.
    known: HashedMap<u64, u32>,
    open: Vec<u32>,
    open_links: u32,
}

impl Element {
    /// Whether it has a role, or says of what it is a property or which thing it describes.
    #[must_use]
    pub fn has_role(&self) -> bool {
        self.role != 0
    }
}

impl Elements {
    /// An array with only the root.
    #[must_use]
    pub fn of_root() -> Self {
        Self {
            rows: vec![Element {
                parent: NO_ELEMENT,
                tag: tags::HTML,
                ..Element::default()
            }],
            open: vec![0],
            spans: vec![(0, 0)],
            ..Self::default()
        }
    }

    /// Make room for the names and the elements of a usual page.
    pub fn make_room(&mut self, elements: usize, blocks: usize) {
        self.rows.reserve(elements);
        self.of_block.reserve(blocks);
        self.links.reserve(blocks);
        self.known.reserve(blocks);
        self.spans.reserve(blocks);
        self.names.reserve(NAME_BYTES * blocks);
    }

    /// The array of a text without markup: all blocks below the root.
    #[must_use]
    pub fn of_text(blocks: usize) -> Self {
        Self {
            of_block: vec![0; blocks],
            links: vec![0; blocks],
            ..Self::of_root()
        }
    }

    /// Add an element whose blocks follow.
    pub fn push(&mut self, node: Node<'_>, tag: Tag, concealed: Concealed, is_silent: bool) {
        let parent = self.open.last().copied().unwrap_or(0);
        let around = self.rows.get(parent as usize).copied().unwrap_or_default();
        let [label, role] = self.names_of(node);
        self.open.push(self.rows.len() as u32);
        self.rows.push(Element {
            parent,
            tag,
            concealed: if around.concealed == Concealed::No {
                concealed
            } else {
                around.concealed
            },
            is_silent: is_silent || around.is_silent,
            label,
            role,
            images: 0,
            controls: 0,
        });
    }

    /// The innermost element ends.
    pub fn pop(&mut self) {
        self.open.pop();
    }

    /// A block of the innermost element ended.
    pub fn block(&mut self) {
        self.of_block.push(self.open.last().copied().unwrap_or(0));
        self.links.push(std::mem::take(&mut self.open_links));
    }

    /// A link starts in the block being written.
    pub fn link(&mut self) {
        self.open_links += 1;
    }

    /// Count an inline element, or one that is left out.
    pub fn count(&mut self, tag: Tag) {
        let Some(row) = self
            .open
            .last()
            .and_then(|at| self.rows.get_mut(*at as usize))
        else {
            return;
        };
        match tag {
            tags::IMG => row.images += 1,
            tags::INPUT | tags::BUTTON | tags::SELECT | tags::TEXTAREA => row.controls += 1,
            _ => {}
        }
    }

    /// The numbers of the label and of the role of an element.
    fn names_of(&mut self, node: Node<'_>) -> [u32; 2] {
        let mut found = [[&[][..]; 3]; 2];
        let mut counts = [0; 2];
        for each in node.attributes() {
            let of = match each.name() {
                Name::Class | Name::Id => 0,
                Name::Role | Name::ItemProp | Name::ItemType => 1,
                _ => continue,
            };
            // an element has an attribute once
            if let Some(place) = found[of].get_mut(counts[of]) {
                *place = each.value();
                counts[of] += 1;
            }
        }
        [0, 1].map(|of| self.name(&found[of][..counts[of]]))
    }

    /// The number of the name of some values.
    fn name(&mut self, values: &[&[u8]]) -> u32 {
        let start = self.names.len();
        if let [value] = *values {
            let value = &value[..value.len().min(MAX_NAME_BYTES)];
            // most are known
            let hash = token(value);
            let known = self.known.get(&hash).copied();
            let is_equal = |name: &u32| self.text(*name).as_bytes() == value;
            return known.filter(is_equal).unwrap_or_else(|| {
                self.add(start, value);
                self.once(start, hash)
            });
        }
        if values.is_empty() {
            return 0;
        }
        values.iter().for_each(|value| self.add(start, value));
        self.once(start, token(&self.names.as_bytes()[start..]))
    }

    /// Add a value to the name that begins at `start`.
    fn add(&mut self, start: usize, value: &[u8]) {
        let room = MAX_NAME_BYTES.saturating_sub(self.names.len() - start);
        let value = &value[..value.len().min(room)];
        if self.names.len() > start {
            self.names.push(' ');
        }
        match std::str::from_utf8(value) {
            Ok(value) => self.names.push_str(value),
            // a cut may fall inside a character
            Err(_) => self.names.push_str(&String::from_utf8_lossy(value)),
        }
    }

    /// The number of the text that begins at `start`, or of the same text before it, by a hash.
    fn once(&mut self, start: usize, hash: u64) -> u32 {
        let (names, added) = self.names.split_at(start);
        if added.is_empty() {
            return 0;
        }
        let own = self.spans.len() as u32;
        let known = *self.known.entry(hash).or_insert(own);
        let span = self.spans.get(known as usize);
        if span.and_then(|span| text_of(names, *span)) == Some(added) {
            self.names.truncate(start);
            return known;
        }
        self.spans.push((start as u32, self.names.len() as u32));
        own
    }

    /// How many different names there are, with the empty one.
    #[must_use]
    pub fn count_names(&self) -> usize {
        self.spans.len()
    }

    /// Where the names have one of some stems; all places without vectorised search.
    #[must_use]
    pub fn places_of(&self, stems: Option<&Searcher>) -> Vec<usize> {
        let found = stems.map(|stems| stems.find_iter(&self.names));
        found.map_or_else(
            || (0..self.names.len()).collect(),
            |found| found.flat_map(|found| ends(&found)).collect(),
        )
    }

    /// What `of` says about the label of every element; it is asked once for equal labels.
    pub fn by_label<T: Copy>(&self, mut of: impl FnMut(&str) -> T) -> Vec<T> {
        let mut known = vec![None; self.spans.len()];
        let of_row = |row: &Element| {
            *known[row.label as usize].get_or_insert_with(|| of(self.text(row.label)))
        };
        self.rows.iter().map(of_row).collect()
    }

    /// The same of the words at these places in the names, in order; nothing if `of` says the same about
    /// all labels as about one without words.
    pub fn by_words_at<T: Copy + PartialEq>(
        &self,
        mut places: &[usize],
        mut of: impl FnMut(WordsAt<'_>) -> T,
    ) -> Option<Vec<T>> {
        let other = of(WordsAt::default());
        let mut known = vec![other; self.spans.len()];
        while let Some(first) = places.first() {
            // each begins where the one before it ends
            let name = self.spans.partition_point(|span| span.1 as usize <= *first);
            let (start, end) = *self.spans.get(name)?;
            let own = places.iter().take_while(|place| **place < end as usize);
            let (own, rest) = places.split_at(own.count());
            known[name] = of(WordsAt::of(self.text(name as u32), start as usize, own));
            places = rest;
        }
        let is_one = known.iter().any(|of| *of != other);
        is_one.then(|| {
            self.rows
                .iter()
                .map(|row| known[row.label as usize])
                .collect()
        })
    }

    /// Which elements are one of those that `of` says, or inside of one.
    #[must_use]
    pub fn within(&self, mut of: Vec<bool>) -> Vec<bool> {
        // parents come before their children
        for (at, row) in self.rows.iter().enumerate() {
            let around = of.get(row.parent as usize).copied().unwrap_or(false);
            of[at] |= around;
        }
        of
    }

    /// An element and those around it, up to the root.
    pub fn with_parents(&self, element: u32) -> impl Iterator<Item = u32> {
        let parent = |at: u32| self.rows.get(at as usize).map(|row| row.parent);
        let around = std::iter::successors(Some(element), move |at| parent(*at));
        around.take_while(|at| *at != NO_ELEMENT)
    }

    /// The innermost element around two elements.
    #[must_use]
    pub fn around(&self, one: u32, other: u32) -> u32 {
        // parents come before their children
        let (mut one, mut other) = (one, other);
        while one != other {
            let inner = if one > other { &mut one } else { &mut other };
            *inner = self.rows.get(*inner as usize).map_or(0, |row| row.parent);
        }
        one
    }

    /// The text of a name.
    #[must_use]
    pub fn text(&self, name: u32) -> &str {
        let span = self.spans.get(name as usize);
        span.and_then(|span| text_of(&self.names, *span))
            .unwrap_or("")
    }
}

/// The words of a label that are at some places in it.
#[derive(Default)]
pub struct WordsAt<'a> {
    label: &'a str,
    /// Where it begins, among the places.
    start: usize,
    places: std::slice::Iter<'a, usize>,
    /// The end of the last word.
    end: usize,
}

impl<'a> WordsAt<'a> {
    fn of(label: &'a str, start: usize, places: &'a [usize]) -> Self {
        Self {
            label,
            start,
            places: places.iter(),
            end: 0,
        }
    }
}

impl<'a> Iterator for WordsAt<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let (start, last) = (self.start, self.end);
        let mut places = self.places.by_ref().map(|place| place - start);
        let at = places.find(|place| *place >= last)?;
        let (before, after) = self.label.as_bytes().split_at_checked(at)?;
        let first = before.iter().rposition(u8::is_ascii_whitespace);
        let length = after.iter().position(u8::is_ascii_whitespace);
        self.end = at + length.unwrap_or(after.len());
        self.label.get(first.map_or(0, |blank| blank + 1)..self.end)
    }
}

/// Both ends of a stem: one that begins in a name and ends in the next hides what begins there.
#[must_use]
pub fn ends(found: &Match) -> [usize; 2] {
    [found.start(), found.end() - 1]
}

fn text_of(names: &str, (start, end): (u32, u32)) -> Option<&str> {
    names.get(start as usize..end as usize)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::page::limits::Limits;
    use crate::page::tree::{Options, Tree};
    use crate::page::walk::{Recorded, walk};

    fn elements_of(markup: &str) -> Elements {
        let options = Options {
            is_xml: false,
            is_repaired: true,
        };
        let limits = Limits {
            page_bytes: 1 << 20,
            depth: 64,
            nodes: 1 << 10,
            steps: 1 << 20,
        };
        let tree = Tree::of(markup.into(), options, &limits).unwrap();
        let recorded = Recorded {
            elements: true,
            ..Recorded::default()
        };
        walk(tree.root(), recorded).table.elements.unwrap()
    }

    #[test]
    fn equal_labels_and_roles_are_written_once_and_read_once() {
        let elements = elements_of(
            "<div class=post id=a role=main>a<p class=post>b<p id=post>c<p class>d\
             <p class=posts>e<div id=a class=post>f",
        );

        let said = |row: &Element| (elements.text(row.label), elements.text(row.role));
        let rows: Vec<_> = elements.rows.iter().skip(1).map(said).collect();
        assert_eq!(
            rows[rows.len() - 6..],
            [
                ("post a", "main"),
                ("post", ""),
                ("post", ""),
                ("", ""),
                ("posts", ""),
                ("a post", ""),
            ]
        );
        assert_eq!(elements.names, "post amainpostpostsa post");
        let asked = Cell::new(0);
        let lengths = elements.by_label(|label| {
            asked.set(asked.get() + 1);
            label.len()
        });
        assert_eq!(lengths[lengths.len() - 6..], [6, 4, 4, 0, 5, 6]);
        assert_eq!(asked.get(), 5); // four labels, and none
    }

    #[test]
    fn only_words_at_a_place_are_read() {
        let elements = elements_of("<div class=post id=a>a<p class=line>b<p class=end>c<p>d");
        assert_eq!(elements.names, "post alineend");

        for (places, wanted) in [
            (&[0][..], [4, 0, 0, 0]),
            (&[1, 3], [4, 0, 0, 0]),
            (&[2, 5], [5, 0, 0, 0]),
            (&[5, 9], [1, 4, 0, 0]),
            (&[10, 12], [0, 0, 3, 0]),
        ] {
            let sum = |words: WordsAt<'_>| words.map(str::len).sum::<usize>();
            let lengths = elements.by_words_at(places, sum).unwrap();
            assert_eq!(lengths[lengths.len() - 4..], wanted, "{places:?}");
        }
        assert_eq!(elements.by_words_at(&[], |words| words.count()), None);
        assert_eq!(elements.by_words_at(&[0, 9], |_| 1), None);
    }

    #[test]
    fn a_label_that_is_cut_inside_a_character_stays_text() {
        let class = "é".repeat(MAX_NAME_BYTES);
        let elements = elements_of(&format!("<p class='a{class}'>b"));

        let label = elements.rows.last().map(|row| elements.text(row.label));

        let kept = "é".repeat((MAX_NAME_BYTES - 1) / 2);
        assert_eq!(label, Some(format!("a{kept}\u{FFFD}").as_str()));
    }
}
