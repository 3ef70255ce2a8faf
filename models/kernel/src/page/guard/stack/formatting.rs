//! The list of active formatting elements: what the end of an ancestor closed is opened again.

use super::Stack;
use crate::page::guard::open::{Open, Space, bars_scope, is_special};
use crate::page::tags::Tag;

/// An entry of the list of active formatting elements.
#[derive(Clone, Copy, Debug)]
pub enum Active<'text> {
    Marker,
    Element(Open<'text>),
}

impl<'text> Stack<'text> {
    /// Remember a marker, which shields the formatting elements before it.
    pub fn mark(&mut self) {
        self.active.push(Active::Marker);
    }

    /// Forget the formatting elements since the last marker, and it.
    pub fn clear_to_marker(&mut self) {
        while let Some(active) = self.active.pop() {
            if matches!(active, Active::Marker) {
                return;
            }
        }
    }

    /// Open a formatting element and remember it.
    pub fn push_formatting(&mut self, tag: Tag, name: &'text [u8], attributes: &'text [u8]) {
        self.forget_fourth(tag, attributes);
        self.push(tag, Space::Html, name, attributes);
        if let Some(open) = self.open.last() {
            self.active.push(Active::Element(*open));
        }
    }

    /// The list holds at most three elements of the same name and attributes ("Noah's Ark").
    fn forget_fourth(&mut self, tag: Tag, attributes: &[u8]) {
        let mut same = 0;
        for (index, active) in self.active.iter().enumerate().rev() {
            match active {
                Active::Marker => return,
                Active::Element(open) if open.tag == tag && open.attributes == attributes => {
                    same += 1;
                    if same == 3 {
                        self.active.remove(index);
                        return;
                    }
                }
                Active::Element(_) => {}
            }
        }
    }

    fn index_of(&self, serial: u32) -> Option<usize> {
        self.open.iter().rposition(|open| open.serial == serial)
    }

    /// Open again the formatting elements that the end of an ancestor closed.
    #[inline]
    pub fn reopen(&mut self) {
        match (self.active.last(), self.open.last()) {
            (None | Some(Active::Marker), _) => {}
            (Some(Active::Element(last)), Some(top)) if last.serial == top.serial => {}
            _ => self.reopen_closed(),
        }
    }

    fn reopen_closed(&mut self) {
        let is_closed = |active: &Active<'text>| match active {
            Active::Marker => false,
            Active::Element(open) => self.index_of(open.serial).is_none(),
        };
        let closed = self
            .active
            .iter()
            .rev()
            .take_while(|active| is_closed(active));
        let first = self.active.len() - closed.count();
        for index in first..self.active.len() {
            if let Some(Active::Element(mut open)) = self.active.get(index).copied() {
                self.serials += 1;
                open.serial = self.serials;
                self.push_open(open);
                self.active[index] = Active::Element(open);
            }
        }
    }

    /// The last active formatting element of that name since the last marker.
    #[must_use]
    pub fn active(&self, tag: Tag) -> Option<usize> {
        for (index, active) in self.active.iter().enumerate().rev() {
            match active {
                Active::Marker => return None,
                Active::Element(open) if open.tag == tag => return Some(index),
                Active::Element(_) => {}
            }
        }
        None
    }

    /// Close a formatting element that may have blocks open inside (the "adoption agency" of the
    /// standard): each block gets a copy of it. False if no such element is active.
    pub fn adopt(&mut self, tag: Tag) -> bool {
        // the standard gives up after eight blocks
        for round in 0..8 {
            let Some(index) = self.active(tag) else {
                return round > 0;
            };
            if self.adopt_once(index) {
                return true;
            }
        }
        true
    }

    /// One round; true when the element is closed for good.
    fn adopt_once(&mut self, index: usize) -> bool {
        let Some(Active::Element(mut element)) = self.active.get(index).copied() else {
            return true;
        };
        let Some(place) = self.index_of(element.serial) else {
            self.active.remove(index);
            return true;
        };
        if self.open[place..].iter().any(bars_scope) {
            return true;
        }
        let block = self.open[place..].iter().position(is_special);
        let Some(block) = block.map(|offset| place + offset) else {
            self.truncate(place);
            self.active.remove(index);
            return true;
        };
        // the copy stands inside the block; what was between gets copies as well or is closed
        self.nodes += block - place;
        for between in (place + 1..block).rev() {
            if !self.is_active(self.open[between].serial) {
                self.remove(between);
            }
        }
        let kept = self.open[place..].iter().position(is_special);
        self.remove(place);
        self.serials += 1;
        element.serial = self.serials;
        self.active[index] = Active::Element(element);
        self.insert(place + kept.unwrap_or(0), element);
        false
    }

    fn insert(&mut self, index: usize, open: Open<'text>) {
        self.nodes += 1;
        self.count(&open, true);
        self.open.insert(index.min(self.open.len()), open);
    }

    fn is_active(&self, serial: u32) -> bool {
        self.active
            .iter()
            .any(|active| matches!(active, Active::Element(open) if open.serial == serial))
    }

    /// Forget a formatting element and close it if it is open, wherever it stands.
    pub fn drop_active(&mut self, index: usize) {
        if let Some(Active::Element(element)) = self.active.get(index).copied() {
            self.active.remove(index);
            if let Some(place) = self.index_of(element.serial) {
                self.remove(place);
            }
        }
    }
}
