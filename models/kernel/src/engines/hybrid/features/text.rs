//! Features of the text of the block itself.

use crate::engines::hybrid::context::Context;
use crate::engines::hybrid::sink::{Sink, share};

pub fn shape(context: &Context<'_, '_>, block: usize, out: &mut impl Sink) {
    let shape = &context.shapes[block];
    let span = &context.page.spans[block];
    let chars = shape.chars as f32;
    let words = shape.words as f32;
    let links = span.link_chars as f32;
    out.put("link_share", share(links, chars));
    out.put("plain_chars", chars - links);
    out.put("tokens", shape.tokens());
    out.put("links", span.links as f32);
    out.put("link_chars_mean", share(links, span.links as f32));
    out.put("upper_share", share(shape.upper_words as f32, words));
    out.put(
        "uppercase_share",
        share(shape.uppercase as f32, shape.letters as f32),
    );
    out.put("letter_share", share(shape.letters as f32, chars));
    out.put("function_share", share(shape.function_words as f32, words));
    out.put("function_words", shape.function_words as f32);
    out.put("word_length", share(chars, words));
    out.put("punctuation", shape.punctuation as f32);
    out.put("commas", shape.commas as f32);
    out.put("bars", shape.bars as f32);
    out.put("brackets", shape.brackets as f32);
    out.claim("ends_sentence", shape.ends_sentence);
}

pub fn overlap(context: &Context<'_, '_>, block: usize, out: &mut impl Sink) {
    let overlap = &context.overlaps[block];
    let distinct = overlap.distinct as f32;
    let words = context.shapes[block].words as f32;
    let description = if context.has_description {
        share(overlap.in_description as f32, distinct)
    } else {
        -1.0
    };
    out.put("distinct_share", share(distinct, words));
    out.put(
        "title_recall",
        share(overlap.in_title as f32, context.title_words as f32),
    );
    out.put("title_precision", share(overlap.in_title as f32, distinct));
    out.put("description_precision", description);
    out.put("copies", overlap.copies as f32);
    out.claim("copied_before", (overlap.first_copy as usize) < block);
}
