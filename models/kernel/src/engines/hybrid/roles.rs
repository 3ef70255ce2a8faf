//! Rules for the roles of blocks next to the text: titles, standfirsts, bylines, captions.
//!
//! Labelled data sets disagree whether these are content. The rules are narrow: other blocks are
//! judged only by their text and place.

use std::sync::LazyLock;

use regex::Regex;

use super::context::Context;
use super::forest::{log_odds, sigmoid};
use super::labelled::is_labelled;
use super::outline::{Concealed, Outline};
use super::standfirst::is_standfirst;
use super::tag::Tag;
use crate::engines::decider::Decider;
use crate::engines::judgement::Judgement;
use crate::engines::page_type::{ByPageType, PageType};
use crate::metadata::date_labels::is_event;
use crate::metadata::dates::seen_date;
use crate::metadata::lines::first_chars;
use crate::metadata::months::month_of;
use crate::metadata::names::seen_author;
use crate::metadata::patterns::pattern;
use crate::text::verdict::Verdict;

/// The role of a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Role {
    #[default]
    Other,
    /// The headline of the page.
    Title,
    /// Author and date.
    Byline,
    /// The caption of a picture or a table.
    Caption,
    /// The summary between the headline and the text.
    Standfirst,
}

impl Role {
    /// The names, by code.
    pub const NAMES: [&str; 5] = ["other", "title", "byline", "caption", "standfirst"];
}

/// The policy for blocks of a role.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Convention {
    /// As in the labelled pages of the same kind.
    #[default]
    Auto,
    Keep,
    Drop,
}

/// The policies for the roles on which labelled data sets disagree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Conventions {
    pub title: Convention,
    pub bylines: Convention,
    pub captions: Convention,
    pub standfirst: Convention,
}

/// Most tokens of a block with a role.
const TITLE_TOKENS: f32 = 40.0;
const BYLINE_TOKENS: f32 = 25.0;
const CAPTION_TOKENS: f32 = 120.0;
const STANDFIRST_TOKENS: f32 = 120.0;
/// A block that is only a date, or whose first words name its author.
const BARE_TOKENS: f32 = 12.0;
/// Least share of the words of an `h1` in the title of the page.
const OF_TITLE: f32 = 0.6;
/// Words before the name of an author, in lower case.
const BY: [&str; 16] = [
    "by ",
    "posted by",
    "written by",
    "published by",
    "posted on",
    "published on",
    "published:",
    "updated:",
    "last updated",
    "von ",
    "par ",
    "por ",
    "door ",
    "автор",
    "publié le",
    "veröffentlicht",
];
/// Characters of a text in which they are.
const HEAD_CHARS: usize = 24;
/// Most characters of a name on its own.
const LEAST_NAME: usize = 4;
/// Most words between the name of a month and a year: a day, an article.
const BY_YEAR: usize = 2;
/// Characters of a text that are checked.
const MOST_CHARS: usize = 1000;
/// Most tokens of a caption recognised only by the name of a photographer or an agency.
const CREDITED_TOKENS: f32 = 60.0;
/// Picture credits: a label at the start of a text or after a sentence, or an agency. `\b` would
/// search texts beyond ASCII without an automaton, twenty times slower.
static CREDIT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"(?i)(?:^|[.!?|)\]–—\n])[\s(\[]*(?:photos?|photograph|pictures?|images?|fotos?|fotografía",
        r"|bild(?:er|quelle)?|symbolbild|imagen|imagem|immagine|cr[ée]dit[os]?|zdjęcie|fot\.|фото",
        r"|φωτο(?:γραφία)?|ảnh|写真)(?:\s(?:by|credits?|courtesy(?: of)?|von|source))?",
        r"\s?[:©]\s*\p{L}",
        r"|[(|\n]\s*(?:photo|image|picture)s? (?:by|courtesy of) (?-i:\p{Lu})",
        r"|^\W*(?:getty images|shutterstock|picture alliance)(?:\W|$)",
        r"|(?:^|\W)(?:reuters|ap photo|afp|imago|epa)\s?/\s?(?-i:\p{Lu})",
        r"|/\s?(?:afp|getty(?: images)?)(?:\W|$)",
    ))
});

/// Fewest tokens of a kept block that marks the beginning or end of the text.
const TEXT_TOKENS: f32 = 8.0;
/// Blocks after the text that may belong to it.
const BEHIND: usize = 2;
/// Decrease of the log-odds of bylines and captions on pages made for phones too, and the range of
/// probabilities in which it may change the verdict.
const LESS: f32 = 1.0;
const DOUBTFUL: std::ops::Range<f32> = 0.25..0.8;
/// Probability from which a page is an article.
const ARTICLE: f32 = 0.5;
/// Blocks after the first of an article's text among which its author and date are; later ones
/// belong to other texts.
const INTO_ARTICLE: usize = 2;

impl Conventions {
    /// Lowers the probability of doubtful bylines and captions with policy `Auto` on pages made for
    /// phones too: data sets of newer pages leave them out more often than older ones.
    pub fn doubt(self, context: &Context<'_, '_>, probabilities: &mut [f32]) {
        if !context.page.has_viewport {
            return;
        }
        for (block, probability) in probabilities.iter_mut().enumerate() {
            if !DOUBTFUL.contains(probability) {
                continue;
            }
            let role = role(context, block);
            let is_doubted = matches!(role, Role::Byline | Role::Caption);
            if is_doubted && self.of(role) == Convention::Auto {
                *probability = sigmoid(log_odds(*probability) - LESS);
            }
        }
    }

    /// Drops headlines and bylines that are left to `Auto` from articles made for phones too:
    /// headlines above the text, and bylines at its beginning.
    pub fn settle(self, context: &Context<'_, '_>, types: &ByPageType, judgement: &mut Judgement) {
        let is_article = types[PageType::Article as usize] >= ARTICLE;
        if !is_article || !context.page.has_viewport {
            return;
        }
        let kept = |judgement: &Judgement, block: usize| {
            judgement.verdicts.get(block) == Some(&Verdict::Kept)
        };
        let is_text = |block: &usize| {
            kept(judgement, *block)
                && context.weights[*block] >= TEXT_TOKENS
                && role(context, *block) == Role::Other
        };
        let Some(first) = (0..context.blocks()).find(is_text) else {
            return;
        };
        // a table of data is kept or dropped whole
        let in_table = |block: usize| {
            let blocks = context.page.table.map(|table| &table.blocks);
            blocks.is_some_and(|blocks| blocks[block].table > 0)
        };
        for block in 0..context.blocks().min(first + INTO_ARTICLE + 1) {
            let is_left_out = match role(context, block) {
                Role::Title => self.title == Convention::Auto && block < first,
                Role::Byline => self.bylines == Convention::Auto,
                Role::Caption | Role::Standfirst | Role::Other => false,
            };
            if is_left_out && !in_table(block) && kept(judgement, block) {
                judgement.decide(block, Verdict::Boilerplate, Decider::Role);
            }
        }
    }

    /// Drops blocks of unwanted roles everywhere, and keeps blocks of wanted ones from the headline
    /// to the end of the kept text; bylines of an article only at its beginning.
    pub fn apply(self, context: &Context<'_, '_>, types: &ByPageType, verdicts: &mut [Verdict]) {
        if self == Self::default() {
            return;
        }
        let roles: Vec<Role> = (0..context.blocks())
            .map(|block| role(context, block))
            .collect();
        let is_text = |block: &usize| {
            verdicts[*block] == Verdict::Kept
                && roles[*block] == Role::Other
                && context.weights[*block] >= TEXT_TOKENS
        };
        let first = (0..roles.len()).find(is_text);
        let last = (0..roles.len()).rfind(is_text);
        if let (Some(first), Some(last)) = (first, last) {
            let is_title =
                |block: &usize| roles[*block] == Role::Title && !is_hidden(context, *block);
            let headline = (0..first).rfind(is_title);
            let has_title = (0..last).any(|at| is_title(&at) && verdicts[at] == Verdict::Kept);
            let title = headline.or_else(|| (first..last).find(is_title));
            let is_article = types[PageType::Article as usize] >= ARTICLE;
            let is_by_text = |block: usize| !is_article || block <= first + INTO_ARTICLE;
            for block in headline.unwrap_or(first)..roles.len().min(last + BEHIND + 1) {
                let is_wanted = match roles[block] {
                    Role::Title => !has_title && title == Some(block),
                    Role::Byline => is_by_text(block) && !is_hidden(context, block),
                    _ => !is_hidden(context, block),
                };
                if is_wanted && self.of(roles[block]) == Convention::Keep {
                    verdicts[block] = Verdict::Kept;
                }
            }
        }
        for (verdict, role) in verdicts.iter_mut().zip(&roles) {
            if *verdict == Verdict::Kept && self.of(*role) == Convention::Drop {
                *verdict = Verdict::Boilerplate;
            }
        }
    }

    fn of(self, role: Role) -> Convention {
        match role {
            Role::Other => Convention::Auto,
            Role::Title => self.title,
            Role::Byline => self.bylines,
            Role::Caption => self.captions,
            Role::Standfirst => self.standfirst,
        }
    }
}

fn is_hidden(context: &Context<'_, '_>, block: usize) -> bool {
    let node = context.page.spans[block].node;
    context.page.nodes[node as usize].concealed != Concealed::No
}

/// The role of a block.
#[must_use]
pub fn role(context: &Context<'_, '_>, block: usize) -> Role {
    let tokens = context.shapes[block].tokens();
    if tokens <= TITLE_TOKENS && is_title(context, block) {
        Role::Title
    } else if tokens <= CAPTION_TOKENS && is_caption(context, block) {
        Role::Caption
    } else if tokens <= BYLINE_TOKENS && is_byline(context, block, tokens) {
        Role::Byline
    } else if tokens <= STANDFIRST_TOKENS && is_standfirst(context, block) {
        Role::Standfirst
    } else {
        Role::Other
    }
}

fn is_title(context: &Context<'_, '_>, block: usize) -> bool {
    let overlap = &context.overlaps[block];
    let headline = context.landmarks.headline;
    let is_h1 = context.own(block).path_tags >> Tag::H1 as u8 & 1 == 1;
    headline == Some(block)
        || headline.is_some_and(|at| context.overlaps[at].first_copy == overlap.first_copy)
        || (is_h1 && overlap.in_title as f32 > OF_TITLE * overlap.distinct as f32)
}

fn is_caption(context: &Context<'_, '_>, block: usize) -> bool {
    let tags = context.own(block).path_tags;
    let inside = |tag: Tag| tags >> tag as u8 & 1 == 1;
    let is_other = inside(Tag::Pre) || inside(Tag::Blockquote) || inside(Tag::Td);
    inside(Tag::Caption)
        || (inside(Tag::Figure) && !is_other)
        || is_labelled(context, block, |node| {
            context.nodes[node].label.hints.is_caption()
        })
        || (!inside(Tag::Pre) && is_credited(context, block))
}

fn is_byline(context: &Context<'_, '_>, block: usize, tokens: f32) -> bool {
    let span = &context.page.spans[block];
    if context.page.nodes[span.node as usize].tag.is_heading() {
        return false;
    }
    if signs_post(span.text) {
        return false;
    }
    let text = head(span.text);
    let is_author = || names_author(text) || is_declared(context.page, text);
    let is_dated = || has_date(text) && !is_event(text) && !is_among_dates(context, block);
    let is_bare = tokens <= BARE_TOKENS && (is_author() || is_dated());
    is_bare
        || is_labelled(context, block, |node| {
            context.nodes[node].label.hints.is_byline()
        })
}

/// Whether dates of the same elements are next to a date, as in a list of events.
fn is_among_dates(context: &Context<'_, '_>, block: usize) -> bool {
    let place = |block: usize| {
        let node = context.page.spans[block].node as usize;
        (context.page.nodes[node].tag, context.own(block).path_tags)
    };
    let near = block.saturating_sub(2)..context.blocks().min(block + 3);
    let is_alike = |other: &usize| {
        place(*other) == place(block)
            && context.shapes[*other].tokens() <= BARE_TOKENS
            && has_date(head(context.page.spans[*other].text))
    };
    near.filter(is_alike).count() > 2
}

/// Whether a text is short enough for a role: few tokens may still be one endless word.
fn head(text: &str) -> &str {
    first_chars(text, MOST_CHARS)
}

/// Whether a text is a picture credit.
fn is_credited(context: &Context<'_, '_>, block: usize) -> bool {
    let span = &context.page.spans[block];
    let is_short = context.shapes[block].tokens() <= CREDITED_TOKENS;
    let is_heading = || context.page.nodes[span.node as usize].tag.is_heading();
    is_short && !is_heading() && CREDIT.is_match(head(span.text))
}

/// Whether a text is the last line of an embedded post: `— Ann Bee (@ann) May 3, 2025`.
fn signs_post(text: &str) -> bool {
    text.starts_with(['—', '–', '-']) && text.contains("(@")
}

/// Whether a text is exactly the declared author of the page.
fn is_declared(page: &Outline<'_>, text: &str) -> bool {
    let name = text.trim_matches(|c: char| !c.is_alphanumeric());
    let name = name.strip_prefix("By ").unwrap_or(name);
    name.chars().count() >= LEAST_NAME && page.authors.iter().any(|author| author.trim() == name)
}

fn names_author(text: &str) -> bool {
    let mut head = String::with_capacity(4 * HEAD_CHARS);
    head.extend(text.chars().take(HEAD_CHARS).flat_map(char::to_lowercase));
    let Some(by) = BY.into_iter().find(|by| head.starts_with(by)) else {
        return !seen_author(text).is_empty();
    };
    // after a single lower-case word a name follows, or the sentence continues
    let next = text
        .chars()
        .skip(by.chars().count())
        .find(|c| !c.is_whitespace());
    by.contains(|c: char| !c.is_alphabetic()) && !by.ends_with(' ')
        || next.is_some_and(|c| c.is_uppercase() || c.is_numeric())
}

/// Whether there is a recent year near the name of a month, or a numeric date.
fn has_date(text: &str) -> bool {
    // a year of four digits
    if memchr::memchr2(b'1', b'2', text.as_bytes()).is_none() {
        return false;
    }
    let words: Vec<&str> = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let is_month = |word: &&str| month_of(word, "").is_some();
    let is_of_month = |at: usize| {
        let near = at.saturating_sub(BY_YEAR)..words.len().min(at + BY_YEAR + 1);
        words[near].iter().any(is_month)
    };
    words.iter().any(|word| is_date_of_ideographs(word))
        || (0..words.len()).any(|at| is_year(words[at]) && is_of_month(at))
        || !seen_date(text, "", Some(true)).is_empty()
}

fn is_year(word: &str) -> bool {
    let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
    is_number && word.len() == 4 && (word.starts_with("19") || word.starts_with("20"))
}

/// Whether a word begins like `2020年`.
fn is_date_of_ideographs(word: &str) -> bool {
    word.starts_with("20") && word.chars().nth(4).is_some_and(|c| c == '年' || c == '년')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engines::hybrid::outline::{Node, Span};

    type Blocks = [(&'static str, &'static str, &'static str)];

    /// Blocks by tag, label and text, each in a separate element inside `body`.
    fn page(title: &'static str, blocks: &Blocks) -> Outline<'static> {
        let mut page = Outline::of_body();
        page.title = title;
        for (tag, label, text) in blocks {
            page.nodes.push(Node {
                parent: 0,
                tag: Tag::named(tag),
                label,
                ..Node::default()
            });
            page.spans.push(Span {
                node: page.nodes.len() as u32 - 1,
                text,
                ..Span::default()
            });
        }
        page
    }

    /// The roles of blocks.
    fn roles(title: &'static str, blocks: &Blocks) -> Vec<Role> {
        let page = page(title, blocks);
        let context = Context::of(&page);
        (0..blocks.len())
            .map(|block| role(&context, block))
            .collect()
    }

    const TEXT: &str = "Bees find twelve kinds of flowers in towns of the north.";

    /// Which blocks of an article are kept if the ones with an `x` were kept before.
    fn kept(page_type: PageType, before: &str, conventions: Conventions) -> String {
        let page = page(
            "Bees like towns",
            &[
                ("p", "byline", "A teaser by Ann Grain"),
                ("h1", "", "Bees like towns"),
                ("p", "byline", "By Ann Grain"),
                ("p", "", TEXT),
                ("figcaption", "", "A bee on a flower"),
                ("h2", "", "Bees like towns"),
                ("p", "", TEXT),
                ("p", "byline", "March 3, 2020"),
                ("p", "", "All rights"),
                ("p", "", "are reserved"),
                ("p", "byline", "By the next author"),
            ],
        );
        let context = Context::of(&page);
        let verdict = |mark| match mark {
            'x' => Verdict::Kept,
            _ => Verdict::Boilerplate,
        };
        let mut verdicts: Vec<Verdict> = before.chars().map(verdict).collect();
        let mut types = [0.0; PageType::COUNT];
        types[page_type as usize] = 1.0;
        conventions.apply(&context, &types, &mut verdicts);
        let kept = verdicts.iter().map(|verdict| *verdict == Verdict::Kept);
        kept.map(|is_kept| if is_kept { 'x' } else { '.' })
            .collect()
    }

    #[test]
    fn roles_are_kept_from_the_headline_to_the_end_of_the_text_and_dropped_everywhere() {
        let of = |title, bylines, captions| Conventions {
            title,
            bylines,
            captions,
            ..Conventions::default()
        };
        use Convention::{Auto, Drop, Keep};
        for (before, conventions, after) in [
            ("...x..x....", of(Auto, Auto, Auto), "...x..x...."),
            ("...x..x....", of(Keep, Auto, Auto), ".x.x..x...."),
            ("...x.xx....", of(Keep, Auto, Auto), "...x.xx...."),
            (".x.x.xx....", of(Drop, Auto, Auto), "...x..x...."),
            ("...x..x....", of(Auto, Keep, Auto), "..xx..xx..."),
            ("x.xx..xx..x", of(Auto, Drop, Auto), "...x..x...."),
            ("...x..x....", of(Auto, Auto, Keep), "...xx.x...."),
            ("...xx.x....", of(Auto, Auto, Drop), "...x..x...."),
            (".......x...", of(Keep, Keep, Keep), ".......x..."),
        ] {
            let found = kept(PageType::Forum, before, conventions);
            assert_eq!(found, after, "{before} {conventions:?}");
        }
    }

    #[test]
    fn articles_made_for_phones_have_no_headline_and_no_byline_above_their_text() {
        let mut page = page(
            "Bees like towns",
            &[
                ("h1", "", "Bees like towns"),
                ("p", "byline", "By Ann Grain"),
                ("p", "", TEXT),
                ("h2", "", "Bees like towns"),
                ("p", "", TEXT),
                ("p", "byline", "March 3, 2020"),
            ],
        );
        let settled = |page: &Outline<'_>, page_type: PageType, before: &str, title| {
            let mut judgement = Judgement::of_content(before.chars().map(|mark| mark == 'x'));
            let mut types = [0.0; PageType::COUNT];
            types[page_type as usize] = 1.0;
            let conventions = Conventions {
                title,
                ..Conventions::default()
            };
            conventions.settle(&Context::of(page), &types, &mut judgement);
            let kept = judgement.verdicts.iter().map(|each| *each == Verdict::Kept);
            kept.map(|is_kept| if is_kept { 'x' } else { '.' })
                .collect::<String>()
        };
        use Convention::{Auto, Keep};
        for (has_viewport, page_type, title, before, after) in [
            (false, PageType::Article, Auto, "xxxxxx", "xxxxxx"),
            (true, PageType::Article, Auto, "xx....", "xx...."),
            (true, PageType::Article, Auto, "xxxxxx", "..xxxx"),
            (true, PageType::Article, Keep, "xxxxxx", "x.xxxx"),
            (true, PageType::Forum, Auto, "xxxxxx", "xxxxxx"),
        ] {
            page.has_viewport = has_viewport;
            let found = settled(&page, page_type, before, title);
            assert_eq!(found, after, "{has_viewport} {page_type:?} {before}");
        }
    }

    #[test]
    fn bylines_of_an_article_are_kept_at_its_beginning_alone() {
        let keep = Conventions {
            bylines: Convention::Keep,
            ..Conventions::default()
        };

        let found = kept(PageType::Article, "...x..x....", keep);

        assert_eq!(found, "..xx..x....");
    }

    #[test]
    fn doubtful_bylines_and_captions_of_pages_for_phones_are_less_likely() {
        let mut page = page(
            "",
            &[
                ("p", "byline", "By Ann Grain"),
                ("figcaption", "", "A bee on a flower"),
                ("p", "", TEXT),
            ],
        );
        let doubted = |page: &Outline<'_>, conventions: Conventions, all: f32| {
            let mut probabilities = [all; 3];
            conventions.doubt(&Context::of(page), &mut probabilities);
            probabilities.map(|p| (p * 1000.0).round() / 1000.0)
        };
        let kept_bylines = Conventions {
            bylines: Convention::Keep,
            ..Conventions::default()
        };

        assert_eq!(doubted(&page, Conventions::default(), 0.5), [0.5; 3]);
        page.has_viewport = true;
        for (conventions, before, after) in [
            (Conventions::default(), 0.5, [0.269, 0.269, 0.5]),
            (Conventions::default(), 0.7, [0.462, 0.462, 0.7]),
            (Conventions::default(), 0.8, [0.8; 3]),
            (Conventions::default(), 0.2, [0.2; 3]),
            (kept_bylines, 0.5, [0.5, 0.269, 0.5]),
        ] {
            assert_eq!(doubted(&page, conventions, before), after);
        }
    }

    #[test]
    fn the_headline_its_copies_and_an_h1_of_its_words_are_titles() {
        let found = roles(
            "Bees like towns | Daily Bee",
            &[
                ("h1", "", "Bees like towns"),
                ("div", "", "Bees like towns"),
                ("h1", "", "Daily Bee"),
                ("h2", "", "How they live"),
            ],
        );

        assert_eq!(found, [Role::Title, Role::Title, Role::Title, Role::Other]);
    }

    #[test]
    fn bylines_are_told_by_their_labels_and_words_and_dates() {
        for (tag, label, text) in [
            ("div", "article-byline", "Ann Grain"),
            ("p", "", "By Ann Grain"),
            ("p", "", "Von Anna Korn"),
            ("p", "", "March 3, 2020"),
            ("p", "", "3. März 2020 14:20 Uhr"),
            ("p", "", "2020-03-03"),
            ("div", "", "2020年3月3日 12:00"),
            ("p", "", "Publié par Anne Grain"),
            ("p", "", "5 stycznia 2012"),
            ("p", "", "Wednesday, March 2020"),
            ("p", "", "Ends the week: posted March 3, 2020"),
            ("p", "", "Joined March 2020"),
        ] {
            assert_eq!(roles("", &[(tag, label, text)]), [Role::Byline], "{text}");
        }
    }

    #[test]
    fn sentences_and_headings_are_no_bylines() {
        for (tag, label, text) in [
            ("p", "", "By then the bees had gone."),
            (
                "p",
                "",
                "In March 2020 all towns of the country that had bees counted them again.",
            ),
            ("h2", "", "March 2020"),
            ("p", "", "1999"),
            ("p", "", "Room 2020"),
            ("p", "", "The 2026 guide for marketers"),
            ("p", "", "— Ann Grain (@grain) May 3, 2020"),
            ("p", "", "*Deadline to apply: March 1st, 2026"),
            ("p", "", "Anmeldeschluss: 3. März 2026"),
            ("p", "", "締切：2026年3月3日"),
        ] {
            assert_eq!(roles("", &[(tag, label, text)]), [Role::Other], "{text}");
        }
    }

    #[test]
    fn dates_in_a_row_are_no_bylines() {
        let days = ["3 May 2031", "10 May 2031", "17 May 2031"];
        let listed = days.map(|day| ("li", "", day));
        assert_eq!(roles("", &listed), [Role::Other; 3]);

        let published = [
            ("p", "", "Published 3 May 2025"),
            ("p", "", "Updated 4 May 2025"),
        ];
        assert_eq!(roles("", &published), [Role::Byline; 2]);
    }

    #[test]
    fn a_name_that_the_page_declares_is_a_byline_where_nothing_else_stands() {
        let mut page = page(
            "",
            &[
                ("p", "", "Ann Grain"),
                ("p", "", "By Ann Grain |"),
                ("p", "", "Ann Grain likes bees"),
                ("p", "", "Ann Korn"),
            ],
        );
        page.authors = vec!["https://example.org/ann", "Ann Grain"];
        let context = Context::of(&page);

        let found: Vec<Role> = (0..4).map(|block| role(&context, block)).collect();

        assert_eq!(
            found,
            [Role::Byline, Role::Byline, Role::Other, Role::Other]
        );
    }

    #[test]
    fn captions_are_told_by_who_made_the_picture() {
        for (tag, text, expected) in [
            ("p", "Photo: Ann Grain", Role::Caption),
            ("p", "(Image credit: Ann Grain)", Role::Caption),
            ("p", "A bee on a flower. Foto: Ann Korn", Role::Caption),
            ("p", "A bee (photo by Ann Grain)", Role::Caption),
            ("p", "Getty Images / Ann Grain", Role::Caption),
            ("div", "A bee. REUTERS/Ann Grain", Role::Caption),
            ("p", "Ann Grain spricht. IMAGO/Ann Korn", Role::Caption),
            ("p", "Анна на лугу. IMAGO/Анна Зерно", Role::Caption),
            ("p", "Пчела на цветке /AFP", Role::Caption),
            ("h2", "Photo: Ann Grain", Role::Other),
            ("pre", "image: grain", Role::Other),
            ("p", "Łreuters/Ann", Role::Other),
            ("p", "Пчела на цветке /AFPя", Role::Other),
            ("p", "Reuters/ak Frankfurt", Role::Other),
            ("p", "Look at this when choosing images:", Role::Other),
            ("p", "Images by light are old.", Role::Other),
            ("p", "The shop of Getty Images has grown.", Role::Other),
        ] {
            assert_eq!(roles("", &[(tag, "", text)]), [expected], "{text}");
        }
    }

    #[test]
    fn captions_are_told_by_elements_and_labels() {
        for (tag, label, expected) in [
            ("figcaption", "", Role::Caption),
            ("figure", "", Role::Caption),
            ("p", "wp-caption-text", Role::Caption),
            ("div", "photoCredit", Role::Caption),
            ("p", "text", Role::Other),
        ] {
            assert_eq!(
                roles("", &[(tag, label, "A bee on a flower")]),
                [expected],
                "{tag} {label}"
            );
        }
    }
}
