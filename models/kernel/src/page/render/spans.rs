//! Start and end of emphasis, links, code and formulas of a block, in a form that Markdown can
//! read.
//!
//! Styles are given for ranges of text. Here they become nested spans without white space at their
//! ends; spans that CommonMark would not read as intended are left out.

use crate::page::inline::style;

/// Text of one style, in a block as it is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stretch {
    pub start: usize,
    pub end: usize,
    pub style: u8,
    /// Index of a target; `None` outside of links.
    pub link: Option<usize>,
    /// The replacement for the text.
    pub object: Option<Object>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Object {
    /// Index of an image.
    Image(usize),
    /// Number of a footnote.
    Note(usize),
    /// Index of a formula that the page writes in TeX.
    Tex(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrap {
    Link(usize),
    Struck,
    Strong,
    Emphasis,
}

/// An event before the byte `at` of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    Open(Wrap),
    Close(Wrap),
    /// The text up to `until` is replaced.
    Whole {
        stretch: usize,
        until: usize,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    pub at: usize,
    pub act: Act,
}

/// Rounds of removing spans that do not work, which can break others; after them all are removed.
const MAX_PASSES: usize = 8;
const WRAPS: [u8; 3] = [style::STRUCK, style::STRONG, style::EMPHASIS];
/// The link of a range, separate from its styles.
const LINK: u8 = style::RAISED;
const WHOLE: u8 = style::CODE | style::FORMULA | style::RAISED | style::LOWERED;

/// The events of a text, in order.
#[must_use]
pub fn events(text: &str, stretches: &[Stretch]) -> Vec<Event> {
    let mut plan = Plan {
        text,
        stretches,
        events: Vec::new(),
    };
    plan.nest(0, stretches.len(), 0);
    let mut events = plan.events;
    for _ in 0..MAX_PASSES {
        if !drop_unreadable(text, stretches, &mut events) {
            return events;
        }
    }
    events.retain(|event| match event.act {
        Act::Open(wrap) | Act::Close(wrap) => matches!(wrap, Wrap::Link(_)),
        Act::Whole { .. } => true,
    });
    events
}

struct Plan<'text> {
    text: &'text str,
    stretches: &'text [Stretch],
    events: Vec<Event>,
}

impl Plan<'_> {
    /// Nest the spans of ranges inside the open ones: the longest first.
    fn nest(&mut self, first: usize, end: usize, open: u8) {
        let mut at = first;
        while at < end {
            let longest = [LINK, WRAPS[0], WRAPS[1], WRAPS[2]]
                .into_iter()
                .filter(|style| open & style == 0)
                .map(|style| (self.extent(at, end, style), style))
                .reduce(|best, next| if next.0 > best.0 { next } else { best });
            match longest {
                Some((until, style)) if until > at => {
                    self.wrap(at, until, open, style);
                    at = until;
                }
                _ => {
                    self.whole(at);
                    at += 1;
                }
            }
        }
    }

    /// The range up to which a style continues.
    fn extent(&self, first: usize, end: usize, style: u8) -> usize {
        let stretches = self.stretches.get(first..end).unwrap_or_default();
        let link = stretches.first().and_then(|stretch| stretch.link);
        let has = |stretch: &&Stretch| {
            if style == LINK {
                link.is_some() && stretch.link == link
            } else {
                stretch.style & style != 0
            }
        };
        first + stretches.iter().take_while(has).count()
    }

    fn wrap(&mut self, first: usize, end: usize, open: u8, style: u8) {
        let stretches = self.stretches;
        let (Some(start), Some(last)) = (stretches.get(first), stretches.get(end - 1)) else {
            return;
        };
        let text = self.text.get(start.start..last.end).unwrap_or("");
        let wrap = match (style, start.link) {
            (style::STRUCK, _) => Wrap::Struck,
            (style::STRONG, _) => Wrap::Strong,
            (style::EMPHASIS, _) => Wrap::Emphasis,
            (_, link) => Wrap::Link(link.unwrap_or_default()),
        };
        let from = start.start + (text.len() - text.trim_start().len());
        let until = last.end - (text.len() - text.trim_end().len());
        if from >= until {
            return;
        }
        self.events.push(Event {
            at: from,
            act: Act::Open(wrap),
        });
        self.nest(first, end, open | style);
        self.events.push(Event {
            at: until,
            act: Act::Close(wrap),
        });
    }

    fn whole(&mut self, stretch: usize) {
        let Some(found) = self.stretches.get(stretch) else {
            return;
        };
        if found.style & WHOLE == 0 && found.object.is_none() {
            return;
        }
        let mut at = found.start;
        // a line break cannot be inside
        for line in self
            .text
            .get(found.start..found.end)
            .unwrap_or("")
            .split('\n')
        {
            let from = at + (line.len() - line.trim_start().len());
            let until = from + line.trim().len();
            if from < until {
                self.events.push(Event {
                    at: from,
                    act: Act::Whole { stretch, until },
                });
            }
            at += line.len() + 1;
        }
    }
}

/// The class of a character in CommonMark's delimiter rules, as far as it is known here.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Space,
    Word,
    Punctuation,
    /// Punctuation to some readers.
    Else,
}

impl Side {
    fn of(character: Option<char>) -> Self {
        match character {
            None => Self::Space,
            Some(character) if character.is_whitespace() => Self::Space,
            Some(character) if character.is_alphanumeric() => Self::Word,
            Some(character) if is_punctuation(character) => Self::Punctuation,
            Some(_) => Self::Else,
        }
    }

    fn is_border(self) -> bool {
        matches!(self, Self::Space | Self::Punctuation)
    }
}

/// Whether a character is punctuation to all readers: of ASCII, or quotation marks, dashes and the
/// like in every version of Unicode.
fn is_punctuation(character: char) -> bool {
    character.is_ascii_punctuation()
        || matches!(character,
            '\u{2010}'..='\u{2027}' | '\u{2030}'..='\u{2043}' | '«' | '»' | '¡' | '¿'
            | '\u{3001}'..='\u{3003}' | '\u{3008}'..='\u{3011}'
            | '！' | '（' | '）' | '，' | '．' | '：' | '；' | '？')
}

/// Remove delimiters that would not be read as such; returns whether there were any.
fn drop_unreadable(text: &str, stretches: &[Stretch], events: &mut Vec<Event>) -> bool {
    let mut open: Vec<usize> = Vec::new();
    let mut dropped = vec![false; events.len()];
    for (index, event) in events.iter().enumerate() {
        let before = beside(text, stretches, events, index, true);
        let behind = beside(text, stretches, events, index, false);
        match event.act {
            Act::Open(wrap) => {
                open.push(index);
                dropped[index] = !reads(wrap, behind, before);
            }
            Act::Close(wrap) => {
                let Some(opening) = open.pop() else { continue };
                let drop = dropped[opening] || !reads(wrap, before, behind);
                dropped[opening] = drop;
                dropped[index] = drop;
            }
            Act::Whole { .. } => {}
        }
    }
    let mut dropped = dropped.into_iter();
    let number = events.len();
    events.retain(|_| dropped.next() != Some(true));
    events.len() < number
}

/// Whether a delimiter with these sides is read: towards its content, and away from it.
fn reads(wrap: Wrap, inside: Side, outside: Side) -> bool {
    match wrap {
        Wrap::Link(_) => true,
        Wrap::Struck | Wrap::Strong => {
            inside != Side::Space && (inside == Side::Word || outside.is_border())
        }
        Wrap::Emphasis => inside != Side::Space && outside.is_border(),
    }
}

/// The character right before an event, or right after it.
fn beside(text: &str, stretches: &[Stretch], events: &[Event], index: usize, before: bool) -> Side {
    let Some(event) = events.get(index) else {
        return Side::Space;
    };
    let neighbour = if before {
        index.checked_sub(1)
    } else {
        Some(index + 1)
    };
    if let Some(other) = neighbour.and_then(|index| events.get(index)) {
        let edge = match other.act {
            Act::Whole { until, .. } if before => until,
            _ => other.at,
        };
        if edge == event.at {
            return match other.act {
                Act::Whole { stretch, .. } => side_of(stretches.get(stretch)),
                _ => Side::Punctuation,
            };
        }
    }
    let (left, right) = text.split_at_checked(event.at).unwrap_or((text, ""));
    Side::of(if before {
        left.chars().next_back()
    } else {
        right.chars().next()
    })
}

/// The character class that a replaced range shows to its neighbours.
fn side_of(stretch: Option<&Stretch>) -> Side {
    let is_shifted = |stretch: &Stretch| stretch.style & (style::RAISED | style::LOWERED) != 0;
    if stretch.is_some_and(is_shifted) {
        Side::Else
    } else {
        Side::Punctuation
    }
}
