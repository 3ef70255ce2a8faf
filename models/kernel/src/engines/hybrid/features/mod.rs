//! Features of a block: one list of named numbers.
//!
//! Shares and counts are of characters or blocks; a missing value has a number outside the usual
//! range. A parameter file holds a digest of all names, so a change of names needs a new file.

mod around;
mod containers;
pub mod page;
mod place;
mod text;

use std::sync::LazyLock;

use super::context::Context;
use super::outline::{Outline, Span};
use super::sink::{Names, Sink};

/// Writes the features of one block.
pub fn write(context: &Context<'_, '_>, block: usize, out: &mut impl Sink) {
    text::shape(context, block, out);
    text::overlap(context, block, out);
    place::order(context, block, out);
    place::tags(context, block, out);
    place::groups(context, block, out);
    place::ancestors(context, block, out);
    around::windows(context, block, out);
    around::biggest(context, block, out);
    around::headline(context, block, out);
    around::heading(context, block, out);
    around::prose(context, block, out);
    containers::hints(context, block, out);
    containers::scores(context, block, out);
    page::repeated_siblings(context, block, out);
    page::whole(context, out);
}

/// The names of the features, in the order of their columns.
#[must_use]
pub fn names() -> Vec<&'static str> {
    let mut page = Outline::of_body();
    page.spans.push(Span::default());
    let mut names = Names::default();
    write(&Context::of(&page), 0, &mut names);
    names.0
}

/// The number of features of a block.
#[must_use]
pub fn names_count() -> usize {
    static COUNT: LazyLock<usize> = LazyLock::new(|| names().len());
    *COUNT
}
