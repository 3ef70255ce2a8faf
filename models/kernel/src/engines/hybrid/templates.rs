//! Statistics from training about page templates.
//!
//! Pages of one content system share the labels of their elements. For such a template the file
//! holds its share of content, and the error of network and trees on sites that they had not seen.
//! A forest computes a correction from that; blocks of other templates keep exactly their
//! probability.

use super::context::Context;
use super::forest::{Forest, log_odds, sigmoid};
use super::outline::NO_NODE;
use super::reader::{Damage, Reader};
use super::rows::{HELD, Rows};
use super::sink::{Names, Sink};
use crate::text::map::HashedMap;

/// The value for blocks without a template.
pub const NONE: u32 = 0;

/// The mean over the pages with the template, in integer steps.
#[derive(Clone, Copy, Debug)]
struct Known {
    /// Label less probability, in steps of 1/127.
    surprise: i8,
    /// Share of content, in steps of 1/255.
    content: u8,
    pages: u8,
}

/// The templates of a parameter file.
pub struct Templates {
    known: HashedMap<u32, Known>,
    forest: Forest,
}

/// The template of a block: a hash of its element and the nearest two labelled ones.
///
/// A block with fewer labels around it has [`NONE`]: a bare table cell does not reveal its
/// template.
#[must_use]
pub fn template(context: &Context<'_, '_>, block: usize) -> u32 {
    let [inner, outer] = context.own_path(block).inner_labels;
    if outer == NO_NODE {
        return NONE;
    }
    let hash_of = |node: u32| context.nodes[node as usize].own_hash;
    let own = context.own(block).own_hash;
    blend(blend(own, hash_of(inner)), hash_of(outer))
}

fn blend(hash: u32, other: u32) -> u32 {
    (hash.rotate_left(5) ^ other).wrapping_mul(0x9e37_79b1)
}

fn write(known: Known, probability: f32, words: f32, row: &mut impl Sink) {
    row.put("template_odds", log_odds(probability));
    row.put("template_words", words);
    row.put("template_surprise", f32::from(known.surprise));
    row.put("template_content", f32::from(known.content));
    row.put("template_pages", f32::from(known.pages));
}

/// The names of the forest's input, in the order of its columns.
#[must_use]
pub fn names() -> Vec<&'static str> {
    let nothing = Known {
        surprise: 0,
        content: 0,
        pages: 0,
    };
    let mut names = Names::default();
    write(nothing, 0.5, 0.0, &mut names);
    names.0
}

impl Templates {
    /// Reads a count, this many rows in ascending order of the template, and the forest.
    ///
    /// # Errors
    /// [`Damage`] if the bytes end too soon, or templates are out of order.
    pub fn read(reader: &mut Reader<'_>) -> Result<Self, Damage> {
        let mut known = HashedMap::default();
        let mut last = NONE;
        for _ in 0..reader.u32()? {
            let template = reader.u32()?;
            if template <= last {
                return Err(Damage::Range("template"));
            }
            last = template;
            let row = Known {
                surprise: reader.i8()?,
                content: reader.u8()?,
                pages: reader.u8()?,
            };
            known.insert(template, row);
        }
        Ok(Self {
            known,
            forest: Forest::read(reader, names().len())?,
        })
    }

    /// Changes the probabilities of the blocks whose template is known.
    pub fn adjust(&self, context: &Context<'_, '_>, probabilities: &mut [f32]) {
        let found: Vec<(usize, Known)> = (0..context.blocks())
            .filter_map(|block| Some((block, *self.known.get(&template(context, block))?)))
            .collect();
        for part in found.chunks(HELD) {
            let mut rows = Rows::new(part.len());
            for (row, (block, known)) in part.iter().enumerate() {
                let columns = &mut rows.columns(row, 0);
                write(
                    *known,
                    probabilities[*block],
                    context.weights[*block],
                    columns,
                );
            }
            for ((block, _), change) in part.iter().zip(self.forest.log_odds(&rows)) {
                let before = log_odds(probabilities[*block]);
                probabilities[*block] = sigmoid(before + change);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Templates `first` and 9, and an empty forest that adds 2.
    fn file(first: u32) -> Vec<u8> {
        let mut bytes = 2_u32.to_le_bytes().to_vec();
        for template in [first, 9] {
            bytes.extend(template.to_le_bytes());
            bytes.extend([128, 255, 1]);
        }
        bytes.extend(2.0_f32.to_le_bytes());
        bytes.extend(0_u32.to_le_bytes());
        bytes
    }

    #[test]
    fn templates_are_refused_when_they_are_cut_off_or_out_of_order() {
        let whole = file(4);
        for end in 0..whole.len() {
            assert!(Templates::read(&mut Reader::new(&whole[..end])).is_err());
        }

        for first in [NONE, 9, 10] {
            let found = Templates::read(&mut Reader::new(&file(first))).err();
            assert_eq!(found, Some(Damage::Range("template")));
        }
        assert!(Templates::read(&mut Reader::new(&whole)).is_ok());
    }
}
