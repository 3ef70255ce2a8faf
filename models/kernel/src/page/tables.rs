//! Separate data tables from layout tables, after the walk.

use super::blocks::{Block, Kind};
use super::paths::Paths;
use super::tags;

/// Longest block of a data cell in bytes, and most blocks in one; longer cells are prose set in a
/// grid. Tables with header cells are intended as tables, and may hold more, including headings, lines
/// of code, quotations and lists of links.
const MAX_CELL_BYTES: [u32; 2] = [400, 1600];
const MAX_CELL_BLOCKS: [u32; 2] = [3, 12];
/// Longest code of several lines in a cell, in bytes, and its most lines; longest block of a table in a
/// cell. Both only in tables with header cells.
const MAX_CODE_BYTES: usize = 400;
const MAX_CODE_LINES: usize = 5;
const MAX_INNER_BYTES: u32 = 120;
/// Most columns that one cell may claim, as in the HTML standard.
pub const MAX_SPAN: u16 = 1000;

/// Columns of a table whose cells may cover those below them.
const MAX_COVERED: usize = 64;

#[derive(Clone, Debug, Default)]
struct Table {
    rows: u32,
    /// The next free column of the current row.
    next_column: u16,
    /// Cells of that row so far, and columns that cells of other rows cover.
    next_place: u16,
    /// Columns that the cells of the current row claim, and the columns of the widest row.
    claimed: u16,
    columns: u16,
    /// By column: rows that its last cell still covers, including the current one.
    covered: Vec<u32>,
    is_layout: bool,
    /// The place of the cell around it, in another table that may be data.
    outer: Block,
    /// Whether a header cell was opened.
    has_header_cell: bool,
    /// The current cell, and the number of its blocks.
    cell: u32,
    cell_blocks: u32,
    /// The longest block in a cell, and the most blocks in one.
    most_bytes: u32,
    most_blocks: u32,
    has_header: bool,
    /// A heading, a quotation or a line of code.
    has_part: bool,
    has_linked_list: bool,
}

/// All tables of a page, numbered from 1.
#[derive(Default)]
pub struct Tables {
    tables: Vec<Table>,
}

impl Tables {
    /// Start a table, perhaps in a cell of another one, which is a layout table unless it has header
    /// cells and the inner one is as small as a list.
    pub fn open(&mut self, around: Block, is_layout: bool) -> u32 {
        let mut outer = Block::default();
        if let Some(table) = self.get(around.table) {
            // tables are not three deep
            let is_inner = table.outer.table > 0;
            table.is_layout |= is_layout || around.cell == 0 || is_inner || !table.has_header_cell;
            if !table.is_layout {
                outer = around;
            } else if is_inner {
                let outermost = table.outer.table;
                if let Some(table) = self.get(outermost) {
                    table.is_layout = true;
                }
            }
        }
        self.tables.push(Table {
            is_layout,
            outer,
            ..Table::default()
        });
        self.tables.len() as u32
    }

    /// Start a row; returns its number from 0.
    pub fn row(&mut self, number: u32) -> u32 {
        let Some(table) = self.get(number) else {
            return 0;
        };
        table.next_column = 0;
        table.next_place = 0;
        table.claimed = 0;
        for rows in &mut table.covered {
            *rows = rows.saturating_sub(1);
        }
        table.rows = table.rows.saturating_add(1);
        table.rows - 1
    }

    /// Start a cell; returns its first column from 0, and its place in the row.
    pub fn cell(&mut self, number: u32, is_header: bool, columns: u16, rows: u32) -> (u16, u16) {
        let Some(table) = self.get(number) else {
            return (0, 0);
        };
        table.has_header_cell |= is_header;
        table.claimed = table.claimed.saturating_add(columns);
        table.columns = table.columns.max(table.claimed);
        table.place(columns, rows)
    }

    fn get(&mut self, number: u32) -> Option<&mut Table> {
        self.tables.get_mut((number as usize).wrapping_sub(1))
    }

    /// Remove the layout tables from the blocks: their cells become normal blocks.
    pub fn settle(&mut self, blocks: &mut [Block], text: &str, paths: &Paths) {
        if self.tables.is_empty() {
            return;
        }
        for block in blocks.iter() {
            let Some(table) = self.get(block.table) else {
                continue;
            };
            table.take(block, text);
            if table.outer.table > 0 {
                self.take_inner(block, text);
            }
        }
        for block in blocks.iter_mut().filter(|block| block.table > 0) {
            if let Some(cell) = self.cell_around(block) {
                *block = placed(block, &cell);
                continue;
            }
            let is_data = self.get(block.table).is_some_and(|table| table.is_data());
            if !is_data {
                release(block, paths);
            } else if !matches!(block.kind, Kind::TableCell | Kind::Caption) {
                let is_quote = block.kind == Kind::Quote;
                block.quotes = block.quotes.saturating_sub(u8::from(is_quote));
                block.kind = Kind::TableCell;
                block.level = 0;
                block.group = block.cell;
                block.ordinal = None;
                block.lists = block.cell_lists;
            }
        }
    }
}

impl Tables {
    /// Note a block of a table in a cell of another one.
    fn take_inner(&mut self, block: &Block, text: &str) {
        let cell = self.get(block.table).map(|table| table.outer);
        let cell = cell.unwrap_or_default();
        if let Some(around) = self.get(cell.table).filter(|around| !around.is_layout) {
            let is_plain = block.kind == Kind::TableCell && !block.header;
            around.is_layout |= !is_plain || block.end - block.start > MAX_INNER_BYTES;
            around.take(&placed(block, &cell), text);
        }
    }

    /// The cell of a data table that the table of a block is in.
    fn cell_around(&mut self, block: &Block) -> Option<Block> {
        let table = self
            .get(block.table)
            .filter(|table| table.outer.table > 0)?;
        let cell = table.outer;
        let is_data = self.get(cell.table)?.is_data();
        is_data.then_some(cell)
    }
}

/// A block of a table in a cell, as a block of that cell.
fn placed(block: &Block, cell: &Block) -> Block {
    Block {
        kind: Kind::TableCell,
        start: block.start,
        end: block.end,
        link_chars: block.link_chars,
        path: block.path,
        group: cell.cell,
        level: 0,
        ordinal: None,
        lists: cell.cell_lists,
        ..*cell
    }
}

impl Table {
    /// Put a cell into the first free column of its row.
    fn place(&mut self, columns: u16, rows: u32) -> (u16, u16) {
        let is_covered = |column: u16| {
            let rows = self.covered.get(usize::from(column));
            rows.is_some_and(|&rows| rows > 0)
        };
        let mut column = self.next_column;
        while is_covered(column) {
            column += 1;
        }
        let place = self.next_place.saturating_add(column - self.next_column);
        self.next_place = place.saturating_add(1);
        self.next_column = column.saturating_add(columns);
        if rows > 1 {
            let end = usize::from(self.next_column).min(MAX_COVERED);
            let start = usize::from(column).min(end);
            self.covered.resize(self.covered.len().max(end), 0);
            self.covered[start..end].fill(rows);
        }
        (column, place)
    }

    /// Note a block; blocks come in document order.
    fn take(&mut self, block: &Block, text: &str) {
        match block.kind {
            Kind::Caption => return,
            Kind::TableCell | Kind::Heading | Kind::ListItem | Kind::Quote if block.cell > 0 => {}
            Kind::Code if block.cell > 0 && is_short(block, text) => {}
            _ => self.is_layout = true,
        }
        if block.cell != self.cell {
            self.cell = block.cell;
            self.cell_blocks = 0;
        }
        self.cell_blocks += 1;
        self.most_blocks = self.most_blocks.max(self.cell_blocks);
        self.most_bytes = self.most_bytes.max(block.end - block.start);
        self.has_header |= block.header;
        self.has_part |= matches!(block.kind, Kind::Heading | Kind::Quote | Kind::Code);
        self.has_linked_list |= block.kind == Kind::ListItem && block.link_chars > 0;
    }

    fn is_data(&self) -> bool {
        let bound = usize::from(self.has_header);
        !self.is_layout
            && self.rows > 1
            && self.columns > 1
            && self.most_bytes <= MAX_CELL_BYTES[bound]
            && self.most_blocks <= MAX_CELL_BLOCKS[bound]
            && (self.has_header || !(self.has_part || self.has_linked_list))
    }
}

/// Whether code is one line, as the calls in a table of a manual are, or a few short ones.
fn is_short(block: &Block, text: &str) -> bool {
    let code = text.get(block.start as usize..block.end as usize);
    code.is_some_and(|code| {
        let mut lines = code.lines().skip(1);
        let is_line = lines.next().is_none();
        is_line || code.len() <= MAX_CODE_BYTES && lines.nth(MAX_CODE_LINES - 2).is_none()
    })
}

fn release(block: &mut Block, paths: &Paths) {
    block.table = 0;
    block.row = 0;
    block.column = 0;
    block.header = false;
    if block.kind == Kind::TableCell {
        let is_paragraph = paths.tag(block.path) == tags::P;
        block.kind = if is_paragraph {
            Kind::Paragraph
        } else {
            Kind::Other
        };
    }
}
