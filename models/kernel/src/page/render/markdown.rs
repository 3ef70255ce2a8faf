//! Kept blocks as Markdown.
//!
//! Headings, lists, quotes, code, data tables and footnotes keep their form, and so does inline
//! markup. Text is escaped, so that it is never taken for markup.

use super::escape::Place;
use super::inlined::{Inlined, Markup};
use super::notes::Notes;
use super::numbers::{self, Numbers};
use super::{Outline, Part, grid, tex};
use crate::page::blocks::{Block, BlockTable, Kind};
use crate::page::inline::{Image, style};

/// Longest run of quote signs and indentation before a line, in bytes; deeper blocks are written at
/// that depth. It limits the output of pages with endless nesting.
const MAX_PREFIX: usize = 24;
/// Largest item number in CommonMark.
const MAX_ORDINAL: u32 = 999_999_999;
const MIN_FENCE: usize = 3;
/// Most digits of a number that a paragraph begins with, as an item of a list; years have more.
const MAX_TYPED: usize = 3;
/// Indentation of the lines of a footnote after the first.
const NOTE_INDENT: usize = 4;

/// Write the parts: a blank line between blocks, a line feed between items and between rows.
pub fn write<'page>(
    table: &'page BlockTable,
    markup: Markup<'page>,
    parts: impl Iterator<Item = Part<'page>>,
) -> (String, Outline) {
    let parts: Vec<Part<'page>> = parts.collect();
    let numbers = numbers::of(table, &parts);
    let parts = numbers.without(&parts);
    let notes = markup.inline.map(|inline| Notes::of(inline, table, &parts));
    let notes = notes.unwrap_or_default();
    let parts = notes.without(parts);
    let page = Inlined::of(table, markup, &notes);
    let mut writer = Writer {
        numbers: Some(&numbers),
        ..Writer::default()
    };
    let mut before = None;
    for unit in parts.chunk_by(|left, right| are_one(left.block, right.block)) {
        let is_code = unit.iter().all(|part| part.block.kind == Kind::Code);
        let is_whole = is_code || grid::has_columns(unit);
        let size = if is_whole { unit.len() } else { 1 };
        for unit in unit.chunks(size) {
            writer.images(&page, before, unit.first().map(|part| part.block));
            writer.unit(&page, unit);
            before = unit.last().map(|part| part.block);
        }
    }
    writer.images(&page, before, None);
    (writer.out, writer.outline)
}

/// Whether two blocks in a row belong to one table or one piece of code.
fn are_one(left: &Block, right: &Block) -> bool {
    let same = |kind| left.kind == kind && right.kind == kind;
    same(Kind::TableCell) && left.table == right.table && left.table > 0
        || same(Kind::Code) && left.group == right.group
}

/// An open item of a list, for later blocks.
struct Item {
    level: u8,
    group: u32,
    quotes: u8,
    /// The prefix of each of its lines after the first.
    prefix: String,
    list: u32,
    is_ordered: bool,
    /// Its list has the second of two marks, so that it does not merge with the previous list.
    is_second: bool,
}

/// The unit written last.
struct Written {
    block: Block,
    prefix: String,
    is_item: bool,
}

#[derive(Default)]
struct Writer<'page> {
    out: String,
    outline: Outline,
    /// Open items, innermost last.
    items: Vec<Item>,
    previous: Option<Written>,
    /// The number that the paragraph written last begins with, as an item of a list, and the sign after it.
    typed: Option<(u32, char)>,
    numbers: Option<&'page Numbers>,
}

impl Writer<'_> {
    fn unit<'page>(&mut self, page: &Inlined<'page>, unit: &[Part<'page>]) {
        let Some(first) = unit.first() else { return };
        let is_done = page
            .inline()
            .and_then(|inline| inline.is_done(first.block.group));
        let mut note = page.notes.number(first.block);
        let mut block = *first.block;
        if let Some(number) = page.notes.of_paragraph(&block) {
            note = Some(number);
            block.kind = Kind::ListItem;
            block.level = 1;
            // unlike any item
            block.group = u32::MAX - number as u32;
        }
        let own = self.numbers.and_then(|all| all.of_items.get(&block.group));
        block.ordinal = own.copied().or(block.ordinal);
        let mut body = body(page, first, unit);
        let typed = self.typed(&block, &mut body);
        self.block(&block, note, task(is_done), &body);
        self.typed = typed;
    }

    /// The number of a paragraph that begins with one, `1\. Open the valve`, and the sign after it. It needs
    /// no escape, since an item of a list reads the same, unless it would continue another list.
    fn typed(&self, block: &Block, body: &mut String) -> Option<(u32, char)> {
        let digits = body
            .bytes()
            .take(MAX_TYPED)
            .take_while(u8::is_ascii_digit)
            .count();
        let mut rest = body[digits..].strip_prefix('\\')?.chars();
        let sign = rest.next().filter(|sign| matches!(sign, '.' | ')'))?;
        // an item would lose the first digit of `01.`
        let number = Some(&body[..digits]).filter(|number| !number.starts_with('0'))?;
        let number: u32 = number.parse().ok()?;
        let text = rest.as_str().strip_prefix(' ')?;
        // other signs may begin a list, heading or quote
        let is_text = text
            .trim_start_matches("**")
            .starts_with(char::is_alphabetic);
        let is_lone = self.typed.is_none() && self.items.is_empty();
        let is_next = self.typed == Some((number.wrapping_sub(1), sign));
        let is_paragraph = matches!(block.kind, Kind::Paragraph | Kind::Other);
        if !is_paragraph || !is_text || !(is_lone || is_next) {
            return None;
        }
        body.remove(digits);
        Some((number, sign))
    }

    /// Write the images between two blocks, each as a paragraph.
    fn images(&mut self, page: &Inlined<'_>, before: Option<&Block>, block: Option<&Block>) {
        for image in page.images_between(before, block) {
            if let Some(body) = page.linked_image(image) {
                self.block(&place_of(image), None, "", &body);
            }
        }
    }

    fn block(&mut self, block: &Block, note: Option<usize>, task: &str, body: &str) {
        let left = self.close_items(block);
        let prefix = self.prefix(block);
        let is_open = self.items.last().is_some_and(|item| {
            block.kind == Kind::ListItem && item.level == block.level && item.group == block.group
        });
        let is_item = block.kind == Kind::ListItem && !is_open;
        let is_ordered = is_numbered(block);
        let left = left.filter(|left| left.quotes == block.quotes);
        let begins = left.is_none();
        let is_next = left.as_ref().is_none_or(|left| left.list == block.list);
        let is_second = left.is_some_and(|left| {
            left.is_second == is_next && (is_next || left.is_ordered == is_ordered)
        });
        let is_second = match self.typed {
            Some((_, sign)) if begins && is_ordered => sign == '.',
            _ => is_second,
        };
        self.separate(block, &prefix, is_item && note.is_none() && is_next);
        self.outline.add(block, self.out.len());
        let (marker, indent) = match note {
            _ if !is_item => (String::new(), 0),
            Some(number) => (format!("[^{number}]: "), NOTE_INDENT),
            None => {
                let marker = marker(block, is_second);
                let indent = marker.len();
                (marker + task, indent)
            }
        };
        let indented = extended(&prefix, &" ".repeat(indent));
        self.lines(&format!("{prefix}{marker}"), &indented, body);
        if is_item {
            self.items.push(Item {
                level: block.level,
                group: block.group,
                quotes: block.quotes,
                prefix: indented,
                list: block.list,
                is_ordered,
                is_second,
            });
        }
        self.previous = Some(Written {
            block: *block,
            prefix,
            is_item: is_item && note.is_none(),
        });
    }

    /// Close the items that a block is not in.
    ///
    /// A block of another kind inside a list belongs to the previous item, except headings: they
    /// come first in their item, before any text could open it.
    ///
    /// Returns the item of the list that ends here or continues with the block, if there is one.
    fn close_items(&mut self, block: &Block) -> Option<Item> {
        let is_inside = |item: &Item| {
            let is_deep_enough = match block.kind {
                Kind::Heading => false,
                Kind::ListItem if item.level == block.level => item.group == block.group,
                Kind::Paragraph | Kind::Other => item.level < block.lists,
                _ => item.level <= block.lists,
            };
            is_deep_enough && item.quotes <= block.quotes
        };
        let mut left = None;
        while self.items.last().is_some_and(|item| !is_inside(item)) {
            left = self.items.pop();
        }
        left
    }

    fn prefix(&self, block: &Block) -> String {
        let item = self.items.last();
        let (prefix, quotes) = item.map_or(("", 0), |item| (item.prefix.as_str(), item.quotes));
        let mut prefix = prefix.to_owned();
        for _ in quotes..block.quotes.min(quotes.saturating_add(MAX_PREFIX as u8)) {
            prefix = extended(&prefix, "> ");
        }
        prefix
    }

    /// End the previous unit: with a line feed between items, else with a blank line.
    fn separate(&mut self, block: &Block, prefix: &str, is_item: bool) {
        let Some(previous) = &self.previous else {
            return;
        };
        self.out.push('\n');
        // CommonMark takes a nested list for text of its item unless it starts at 1
        let is_hidden =
            block.level > previous.block.level && block.ordinal.is_some_and(|ordinal| ordinal != 1);
        let is_tight = is_item
            && previous.block.kind == Kind::ListItem
            && previous.block.quotes == block.quotes
            && (previous.is_item || block.level < previous.block.level)
            && !is_hidden;
        if is_tight {
            return;
        }
        let is_other_quote = previous.block.kind == Kind::Quote
            && block.kind == Kind::Quote
            && previous.block.quotes == block.quotes
            && previous.block.group != block.group;
        let mut shared = common(&previous.prefix, prefix).trim_end();
        if is_other_quote {
            // a line without its sign ends a quote
            shared = shared.strip_suffix('>').unwrap_or(shared).trim_end();
        }
        self.out.push_str(shared);
        self.out.push('\n');
    }

    fn lines(&mut self, first: &str, others: &str, body: &str) {
        for (number, line) in body.split('\n').enumerate() {
            let prefix = if number == 0 { first } else { others };
            if number > 0 {
                self.out.push('\n');
            }
            let prefix = if line.is_empty() {
                prefix.trim_end()
            } else {
                prefix
            };
            self.out.push_str(prefix);
            self.out.push_str(line);
        }
    }
}

fn extended(prefix: &str, by: &str) -> String {
    if prefix.len() + by.len() > MAX_PREFIX {
        prefix.to_owned()
    } else {
        format!("{prefix}{by}")
    }
}

/// The common start of two prefixes, which are ASCII.
fn common<'text>(left: &'text str, right: &str) -> &'text str {
    let same = left.bytes().zip(right.bytes());
    let length = same.take_while(|(left, right)| left == right).count();
    left.get(..length).unwrap_or("")
}

fn is_numbered(block: &Block) -> bool {
    block.ordinal.is_some_and(|ordinal| ordinal <= MAX_ORDINAL)
}

fn marker(block: &Block, is_second: bool) -> String {
    match block.ordinal.filter(|_| is_numbered(block)) {
        Some(ordinal) if is_second => format!("{ordinal}) "),
        Some(ordinal) => format!("{ordinal}. "),
        None if is_second => "* ".to_owned(),
        None => "- ".to_owned(),
    }
}

fn task(is_done: Option<bool>) -> &'static str {
    match is_done {
        None => "",
        Some(false) => "[ ] ",
        Some(true) => "[x] ",
    }
}

/// The block that text in the place of an image would make.
fn place_of(image: &Image) -> Block {
    Block {
        kind: Kind::Paragraph,
        lists: image.lists,
        quotes: image.quotes,
        ..Block::default()
    }
}

/// A unit without the prefixes of its lines.
fn body<'page>(page: &Inlined<'page>, first: &Part<'page>, unit: &[Part<'page>]) -> String {
    match first.block.kind {
        Kind::Heading => heading(page, first),
        Kind::Code => code(page, unit),
        Kind::TableCell if grid::has_columns(unit) => grid::write(page, unit),
        Kind::Caption => {
            let mut out = String::new();
            page.write(first, Place::Line, &mut out);
            // else its strong parts would merge with it
            let sign = if out.starts_with('*') || out.ends_with('*') {
                '_'
            } else {
                '*'
            };
            format!("{sign}{out}{sign}")
        }
        _ => {
            if let Some(formula) = display(page, first) {
                return formula;
            }
            let mut out = String::new();
            page.write(first, Place::Line, &mut out);
            out
        }
    }
}

/// A formula that is a separate paragraph.
fn display(page: &Inlined<'_>, part: &Part<'_>) -> Option<String> {
    let ([piece], Some(inline)) = (part.pieces, page.inline()) else {
        return None;
    };
    let text = piece.text(page.table);
    if let Some(formula) = tex::only(text, inline.draws_formulas).filter(|only| only.is_display) {
        let tex = text
            .get(formula.inner)
            .unwrap_or("")
            .trim()
            .replace('\n', " ");
        let is_safe = piece.marked.is_none() && !tex.contains('$') && !tex.ends_with('\\');
        return is_safe.then(|| format!("$$\n{tex}\n$$"));
    }
    let wanted = style::FORMULA | style::DISPLAY;
    let [run] = inline.runs_of(piece.start, piece.end) else {
        return None;
    };
    let is_formula = run.style & wanted == wanted && run.at <= piece.start;
    let text = piece.text(page.table).replace('\n', " ");
    let is_safe = piece.marked.is_none() && !text.contains('$') && !text.ends_with('\\');
    (is_formula && is_safe).then(|| format!("$$\n{text}\n$$"))
}

fn heading<'page>(page: &Inlined<'page>, part: &Part<'page>) -> String {
    let level = part.block.level.clamp(1, 6);
    let mut out = "#".repeat(usize::from(level));
    out.push(' ');
    page.write(part, Place::Inline, &mut out);
    if out.ends_with('#') {
        // else the last of them would read as the end of the heading
        out.pop();
        out.push_str("\\#");
    }
    out
}

/// Code between fences longer than any run of back ticks in it.
fn code(page: &Inlined<'_>, unit: &[Part<'_>]) -> String {
    let mut code = String::new();
    let mut language = "";
    for (number, part) in unit.iter().enumerate() {
        if number > 0 {
            code.push('\n');
        }
        part.write(page.table, &mut code, |text, out| out.push_str(text));
        language = page
            .inline()
            .map_or("", |inline| inline.language(part.block.group));
    }
    let runs = code.split(|character| character != '`').map(str::len);
    let fence = "`".repeat(runs.max().map_or(MIN_FENCE, |run| MIN_FENCE.max(run + 1)));
    format!("{fence}{language}\n{code}\n{fence}")
}
