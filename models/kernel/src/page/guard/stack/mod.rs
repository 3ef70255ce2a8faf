//! The open elements and the active formatting elements, as lexbor will hold them.

mod formatting;

use super::open::{Open, Space, bars_scope, is_fostered};
use super::traits::{TABLE_FRAME, TABLE_PART, traits_of};
use crate::page::tags::{self, COUNT, Tag};
use formatting::Active;

/// Both lists and what they have cost so far.
#[derive(Debug)]
pub struct Stack<'text> {
    open: Vec<Open<'text>>,
    active: Vec<Active<'text>>,
    /// How many elements of the HTML namespace are open, by name.
    counts: [u32; COUNT],
    serials: u32,
    /// Elements and texts that the tree has so far.
    pub nodes: usize,
    pub deepest: usize,
}

impl<'text> Stack<'text> {
    /// The stack of a page whose `html` and `body` are open.
    #[must_use]
    pub fn new() -> Self {
        let mut stack = Self {
            open: Vec::with_capacity(64),
            active: Vec::new(),
            counts: [0; COUNT],
            serials: 0,
            nodes: 1,
            deepest: 0,
        };
        stack.push(tags::HTML, Space::Html, b"html", b"");
        stack.push(tags::BODY, Space::Html, b"body", b"");
        stack
    }

    #[must_use]
    pub fn depth(&self) -> usize {
        self.open.len()
    }

    #[must_use]
    pub fn active_count(&self) -> usize {
        self.active.len()
    }

    #[must_use]
    pub fn top(&self) -> Option<&Open<'text>> {
        self.open.last()
    }

    #[must_use]
    pub fn at(&self, index: usize) -> Option<&Open<'text>> {
        self.open.get(index)
    }

    /// Whether an HTML element of that name is open anywhere.
    #[inline]
    #[must_use]
    pub fn has(&self, tag: Tag) -> bool {
        self.counts
            .get(tag as usize)
            .is_some_and(|&count| count > 0)
    }

    pub fn push(&mut self, tag: Tag, space: Space, name: &'text [u8], attributes: &'text [u8]) {
        self.serials += 1;
        self.push_open(Open {
            tag,
            space,
            name,
            attributes,
            serial: self.serials,
            text: 0,
            text_before: 0,
            is_doubtful: false,
            is_table_frame: space == Space::Html && traits_of(tag) & TABLE_FRAME != 0,
        });
    }

    fn push_open(&mut self, mut open: Open<'text>) {
        open.text_before = self.open.last().map_or(0, |top| top.text);
        open.is_doubtful = self.place(open.tag);
        open.text = if open.is_doubtful {
            open.text_before
        } else {
            0
        };
        self.nodes += 1;
        self.count(&open, true);
        self.open.push(open);
        self.deepest = self.deepest.max(self.open.len());
    }

    /// So many nodes that nothing is put into, the outermost called `tag`.
    pub fn leaves(&mut self, tag: Tag, count: usize) {
        self.nodes += count;
        self.place(tag);
    }

    /// Put a node called `tag` behind the text with which the innermost element ends, or behind the
    /// one before the table if it may not stand in the table itself. True when it may be ignored: a
    /// template may be at any place of a table, and takes no parts that do not fit there; nor does a
    /// table in a template take forms.
    #[inline]
    fn place(&mut self, tag: Tag) -> bool {
        let Some(top) = self.open.last_mut() else {
            return false;
        };
        let is_part = traits_of(tag) & TABLE_PART != 0;
        if is_part && (top.tag == tags::TEMPLATE || top.is_doubtful)
            || top.is_table_frame && tag == tags::FORM
        {
            return true;
        }
        if is_part || !top.is_table_frame {
            top.text = 0;
        } else if is_fostered(tag) {
            if let Some(table) = self.table() {
                table.text_before = 0;
            }
        }
        false
    }

    /// Whether only parts of tables may stand in the innermost element.
    #[inline]
    #[must_use]
    pub fn is_in_table_frame(&self) -> bool {
        self.top().is_some_and(|open| open.is_table_frame)
    }

    /// The innermost open table or, where there is none, element.
    pub fn table(&mut self) -> Option<&mut Open<'text>> {
        let table = self.find(|open| open.tag == tags::TABLE, |_| false);
        let index = table.or_else(|| self.open.len().checked_sub(1))?;
        self.open.get_mut(index)
    }

    pub fn top_mut(&mut self) -> Option<&mut Open<'text>> {
        self.open.last_mut()
    }

    fn count(&mut self, open: &Open<'text>, is_opened: bool) {
        if open.space != Space::Html {
            return;
        }
        if let Some(count) = self.counts.get_mut(open.tag as usize) {
            *count = if is_opened {
                *count + 1
            } else {
                count.saturating_sub(1)
            };
        }
    }

    pub fn pop(&mut self) {
        if self.open.len() <= 2 {
            return; // html and body stay open to the end
        }
        if let Some(open) = self.open.pop() {
            self.count(&open, false);
            if let Some(top) = self.open.last_mut().filter(|_| open.is_doubtful) {
                top.text = top.text.max(open.text);
            }
        }
    }

    /// Close elements until `length` of them are left.
    pub fn truncate(&mut self, length: usize) {
        while self.open.len() > length.max(2) {
            self.pop();
        }
    }

    /// Take one element out of the middle.
    pub fn remove(&mut self, index: usize) {
        if index >= 2 && index < self.open.len() {
            let open = self.open.remove(index);
            self.count(&open, false);
        }
    }

    /// The innermost open element of the HTML namespace that `wanted` accepts, not looking past
    /// one that `bars`.
    pub fn find(
        &self,
        wanted: impl Fn(&Open<'text>) -> bool,
        bars: impl Fn(&Open<'text>) -> bool,
    ) -> Option<usize> {
        for (index, open) in self.open.iter().enumerate().rev() {
            if open.space == Space::Html && wanted(open) {
                return Some(index);
            }
            if bars(open) {
                return None;
            }
        }
        None
    }

    /// The innermost element of that name in scope.
    #[must_use]
    pub fn in_scope(&self, tag: Tag) -> Option<usize> {
        self.has(tag)
            .then(|| self.find(|open| open.tag == tag, bars_scope))?
    }
}
