//! The starts of a text's units, which a chunk must not cut.

use crate::page::blocks::{Block, Kind};

/// Six bytes per unit: its start in the text (four bytes, the lowest first), the code of its kind,
/// and its level. A table is one unit, and so is a piece of code.
#[derive(Debug, Default)]
pub struct Outline {
    pub packed: Vec<u8>,
    last: Option<Block>,
}

impl Outline {
    /// Note that a block is written from byte `at` on.
    pub fn add(&mut self, block: &Block, at: usize) {
        let is_same = self.last.is_some_and(|last| are_one(&last, block));
        self.last = Some(*block);
        if !is_same {
            self.packed.extend((at as u32).to_le_bytes());
            let kind = if block.table > 0 && block.kind != Kind::Heading {
                Kind::TableCell
            } else {
                block.kind
            };
            self.packed.extend([kind as u8, block.level]);
        }
    }
}

fn are_one(left: &Block, right: &Block) -> bool {
    let is_in_table = |block: &Block| block.table > 0 && block.kind != Kind::Heading;
    if is_in_table(left) || is_in_table(right) {
        return is_in_table(left) && is_in_table(right) && left.table == right.table;
    }
    left.kind == Kind::Code && right.kind == Kind::Code && left.group == right.group
}
