//! Standfirsts: the summary between the headline of an article and its text.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use super::context::Context;
use super::labelled::is_labelled;

/// Parts of class and id names of standfirsts, in the languages of the press.
const PARTS: [&str; 34] = [
    "standfirst",
    "stand-first",
    "subtitle",
    "sub-title",
    "subheadline",
    "sub-headline",
    "subhead",
    "article-lead",
    "article__lead",
    "article_lead",
    "articlelead",
    "lead-text",
    "leadtext",
    "article-intro",
    "article__intro",
    "article_intro",
    "articleintro",
    "introtext",
    "intro-text",
    "article-summary",
    "article__summary",
    "article-dek",
    "__dek",
    "headline-dek",
    "strapline",
    "vorspann",
    "chapo",
    "entradilla",
    "bajada",
    "copete",
    "sottotitolo",
    "ingress",
    "manchet",
    "leadin",
];
static LABELS: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .build(PARTS)
        .ok()
});
/// Blocks below the headline among which it is.
const BELOW_HEADLINE: usize = 4;
/// Fewest tokens; shorter lines are sections and dates.
const LEAST_TOKENS: f32 = 5.0;
/// Fewest bytes of a text that repeats the declared description.
const LEAST_REPEATED: usize = 40;

/// Whether a block below the headline is a standfirst: its label says so, or it is a heading that
/// repeats the description of the page.
///
/// A plain first paragraph is text, even if it is the description.
#[must_use]
pub fn is_standfirst(context: &Context<'_, '_>, block: usize) -> bool {
    let headline = context.landmarks.headline;
    let is_near = headline.is_some_and(|at| at < block && block <= at + BELOW_HEADLINE);
    if !is_near || context.shapes[block].tokens() < LEAST_TOKENS {
        return false;
    }
    let span = &context.page.spans[block];
    let is_heading = context.page.nodes[span.node as usize].tag.is_heading();
    let is_named = |node: usize| {
        let label = context.page.nodes[node].label;
        LABELS.as_ref().is_some_and(|labels| labels.is_match(label))
    };
    (is_heading && repeats(span.text, context.page.description))
        || is_labelled(context, block, is_named)
}

/// Whether one of two texts begins with the other; descriptions are often cut.
fn repeats(text: &str, description: &str) -> bool {
    let description = description.trim().trim_end_matches(['.', '…']);
    let (short, long) = if text.len() < description.len() {
        (text, description)
    } else {
        (description, text)
    };
    short.len() >= LEAST_REPEATED && long.starts_with(short.trim_end_matches(['.', '…']))
}

#[cfg(test)]
mod tests {
    use super::repeats;

    #[test]
    fn a_description_may_be_cut_and_short_texts_repeat_nothing() {
        let text = "Bees find twelve kinds of flowers in the towns of the north.";
        for (description, expected) in [
            (text, true),
            ("Bees find twelve kinds of flowers in the towns...", true),
            (
                "Bees find twelve kinds of flowers in the towns of the north. More about bees.",
                true,
            ),
            ("Bees find twelve kinds", false),
            (
                "Twelve kinds of flowers in the towns of the north are found by bees.",
                false,
            ),
            ("", false),
        ] {
            assert_eq!(repeats(text, description), expected, "{description}");
        }
    }
}
