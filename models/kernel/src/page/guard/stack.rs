//! The open elements and the active formatting elements, as lexbor will hold them.

use super::traits::{FORMATTING, MARKER, SCOPE, SPECIAL, TABLE_FRAME, TABLE_PART, traits_of};
use crate::page::tags::{self, COUNT, Tag};
use crate::page::tokens::is_raw_text;

/// The namespace of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    Html,
    Math,
    Svg,
}

/// An open element.
#[derive(Clone, Copy, Debug)]
pub struct Open<'text> {
    pub tag: Tag,
    pub space: Space,
    /// Tells elements apart whose names lexbor does not know.
    pub name: &'text [u8],
    /// The attributes as they stand in the markup; formatting elements are compared by them.
    pub attributes: &'text [u8],
    /// Number of the element, unique on the page.
    pub serial: u32,
    /// Bytes of the text node with which the element ends, at least; 0 if another node is there.
    pub text: u32,
    /// Of a table: the same of the text node that stands before it.
    pub text_before: u32,
    /// Lexbor may have ignored it: the text around it goes on inside and behind it.
    is_doubtful: bool,
    /// Only parts of tables may stand in it.
    is_table_frame: bool,
}

/// An entry of the list of active formatting elements.
#[derive(Clone, Copy, Debug)]
enum Active<'text> {
    Marker,
    Element(Open<'text>),
}

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
    pub fn reopen(&mut self) {
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

/// Whether an element bars the view upwards of most end tags.
pub fn bars_scope(open: &Open<'_>) -> bool {
    match open.space {
        Space::Html => traits_of(open.tag) & SCOPE != 0,
        _ => is_special(open),
    }
}

/// Groups of rows.
#[must_use]
pub fn is_section(tag: Tag) -> bool {
    matches!(tag, tags::TBODY | tags::THEAD | tags::TFOOT)
}

/// Whether lexbor surely moves an element before the table when it stands between its parts.
fn is_fostered(tag: Tag) -> bool {
    !is_raw_text(tag)
        && !matches!(
            tag,
            tags::TABLE
                | tags::INPUT
                | tags::IMAGE
                | tags::FORM
                | tags::TEMPLATE
                | tags::SELECT
                | tags::FRAMESET
        )
}

/// Whether an element is special in the sense of the standard.
pub fn is_special(open: &Open<'_>) -> bool {
    match open.space {
        Space::Html => traits_of(open.tag) & SPECIAL != 0,
        Space::Svg => matches!(open.tag, tags::FOREIGNOBJECT | tags::DESC | tags::TITLE),
        Space::Math => matches!(
            open.tag,
            tags::MI | tags::MN | tags::MO | tags::MS | tags::MTEXT | tags::ANNOTATION_XML
        ),
    }
}

/// Whether an element is remembered by the list of active formatting elements.
#[must_use]
pub fn is_formatting(tag: Tag) -> bool {
    traits_of(tag) & FORMATTING != 0
}

/// Whether an element puts a marker into that list.
#[must_use]
pub fn is_marker(tag: Tag) -> bool {
    traits_of(tag) & MARKER != 0
}
