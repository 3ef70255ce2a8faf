//! Features for the page type: of the whole page, of its declared metadata, and of its likely
//! content.

use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::context::Context;
use super::features;
use super::neighbourhood::Whole;
use super::outline::{Outline, Span};
use super::sink::{Names, Sink, share};
use super::tag::Tag;
use crate::engines::page_type::{ByPageType, PageType};

/// Names of schema.org types, and parts of `og:type`, that indicate a page type.
const TYPES: [(&str, &[&str]); 7] = [
    (
        "says_article",
        &["Article\"", "BlogPosting\"", "Report\"", "Recipe\""],
    ),
    ("says_product", &["Product\"", "Offer\"", "ProductGroup\""]),
    (
        "says_list",
        &[
            "ItemList\"",
            "CollectionPage\"",
            "OfferCatalog\"",
            "SearchResultsPage\"",
        ],
    ),
    (
        "says_forum",
        &[
            "QAPage\"",
            "DiscussionForumPosting\"",
            "Question\"",
            "Answer\"",
        ],
    ),
    (
        "says_service",
        &[
            "Service\"",
            "LocalBusiness\"",
            "FAQPage\"",
            "SoftwareApplication\"",
        ],
    ),
    ("says_documentation", &["TechArticle\"", "APIReference\""]),
    ("says_video", &["VideoObject\"", "Event\"", "JobPosting\""]),
];

/// Finders of those names, by what they indicate.
static FINDERS: LazyLock<[(&str, Vec<Finder<'_>>); TYPES.len()]> =
    LazyLock::new(|| TYPES.map(|(tells, names)| (tells, names.iter().map(Finder::new).collect())));

/// Names of the page type scores from words.
const LEXICON: [&str; PageType::COUNT] = [
    "words_article",
    "words_forum",
    "words_product",
    "words_collection",
    "words_listing",
    "words_documentation",
    "words_service",
];

/// Writes the features of a page, given the probabilities of its blocks and the scores of its
/// words.
pub fn write(
    context: &Context<'_, '_>,
    probabilities: &[f32],
    scores: &ByPageType,
    out: &mut impl Sink,
) {
    features::page::whole(context, out);
    declared(context, out);
    content(context, probabilities, out);
    Whole::of(context, probabilities).write(out);
    for (name, score) in LEXICON.iter().zip(scores) {
        out.put(name, *score);
    }
}

fn declared(context: &Context<'_, '_>, out: &mut impl Sink) {
    let page = context.page;
    let linked_data = page.linked_data.as_bytes();
    for (name, types) in &*FINDERS {
        let hits: usize = types
            .iter()
            .map(|of_type| of_type.find_iter(linked_data).count())
            .sum();
        out.put(name, hits as f32);
    }
    out.claim("og_article", page.og_type.contains("article"));
    out.claim("og_product", page.og_type.contains("product"));
    out.claim("og_website", page.og_type.contains("website"));
    let generator = page.generator.to_ascii_lowercase();
    let has = |word: &str| generator.contains(word);
    out.claim(
        "made_by_forum",
        ["discourse", "vbulletin", "phpbb", "xenforo"]
            .iter()
            .any(|word| has(word)),
    );
    out.claim(
        "made_by_manual",
        ["sphinx", "docusaurus", "mkdocs", "doxygen"]
            .iter()
            .any(|word| has(word)),
    );
}

/// Shares of the content, by kind of block.
fn content(context: &Context<'_, '_>, probabilities: &[f32], out: &mut impl Sink) {
    let mut all = 0.0;
    let mut sums = [0.0; 10];
    for (block, (weight, p)) in context.weights.iter().zip(probabilities).enumerate() {
        let expected = weight * p;
        let node = &context.page.nodes[context.page.spans[block].node as usize];
        let facts = context.own(block);
        let shape = &context.shapes[block];
        let inside = |tag: Tag| facts.path_tags >> tag as u8 & 1 == 1;
        let links = context.page.spans[block].link_chars as f32;
        let holds = [
            node.tag == Tag::P,
            inside(Tag::Pre),
            inside(Tag::Li),
            inside(Tag::Table),
            node.tag.is_heading(),
            facts.label.hints.is_comment(),
            shape.has_price,
            shape.ends_sentence,
            facts.siblings > 2,
        ];
        all += expected;
        for (sum, holds) in sums.iter_mut().zip(holds) {
            *sum += if holds { expected } else { 0.0 };
        }
        sums[9] += share(links, shape.chars as f32) * expected;
    }
    const NAMES: [&str; 10] = [
        "c_paragraphs",
        "c_code",
        "c_items",
        "c_tables",
        "c_headings",
        "c_comments",
        "c_prices",
        "c_sentences",
        "c_series",
        "c_links",
    ];
    for (name, sum) in NAMES.iter().zip(sums) {
        out.put(name, share(sum, all));
    }
    let prices = context
        .shapes
        .iter()
        .filter(|shape| shape.has_price)
        .count();
    out.put("prices", prices as f32);
    out.put(
        "comment_nodes",
        context
            .nodes
            .iter()
            .filter(|node| node.label.hints.is_comment())
            .count() as f32,
    );
}

/// The names of the features, in the order of their columns.
#[must_use]
pub fn names() -> Vec<&'static str> {
    let mut page = Outline::of_body();
    page.spans.push(Span::default());
    let mut names = Names::default();
    write(
        &Context::of(&page),
        &[0.5],
        &[0.0; PageType::COUNT],
        &mut names,
    );
    names.0
}

/// The number of features of a page.
#[must_use]
pub fn names_count() -> usize {
    static COUNT: LazyLock<usize> = LazyLock::new(|| names().len());
    *COUNT
}
