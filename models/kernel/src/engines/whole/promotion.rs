//! Lines that promote other pages, by a lead-in such as "Read more:", and lines that are a control.

use std::borrow::Cow;
use std::cell::LazyCell;
use std::collections::HashSet;
use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, Anchored, Input, MatchKind, StartKind};

use super::controls::{
    are_controls, asks_for_scripts, is_about_others, is_labelled_address, is_of_post, is_rank,
};
use super::phrases::{
    APPEALS, CALLS, LABELS, LETTERS, NEWSLETTERS, NOTICES, OFFERS, OPENINGS, RIGHTS, SUBSCRIPTIONS,
};
use super::{Decider, Page, TEXT_WORDS, WIDE};
use crate::metadata::dates::has_year;
use crate::page::blocks::{Block, Kind};
use crate::page::elements::{Concealed, Element};
use crate::page::tags::{DIV, P};
use crate::text::map::Secret;
use crate::units::{Span, UnitKind, is_post};

/// Most words and bytes of such a line.
const MOST_WORDS: f32 = 40.0;
const MOST_BYTES: usize = 600;
/// Characters of the longest lead-in, with the mark at its end.
const MOST_OPENING: usize = 48;
/// Most words between a lead-in and its mark.
const MOST_BETWEEN: usize = 4;
/// Most characters of a request to follow or subscribe.
const MOST_CALL: usize = 160;
/// Share of the characters after a lead-in inside links: without a mark, and with one.
const LINKED: f32 = 0.8;
const MARKED: f32 = 0.5;
/// Share of the characters of a request for support inside links.
const APPEALING: f32 = 0.15;
/// Most bytes of a line that says who has the rights.
const MOST_RIGHTS: usize = 120;
/// Declarations with the name of the site, and most characters of each that are read.
const MOST_SITE: usize = 400;
const SITES: [&str; 2] = ["meta:og:site_name", "title"];
/// Most words of controls of a post, and of a label with an address.
const CONTROL_WORDS: f32 = 24.0;
/// Most words of the rank of a member of a forum.
const RANK_WORDS: f32 = 4.0;
/// Most elements from a control to the post that it is in.
const MOST_AROUND: usize = 6;
/// Most blocks of links that belong to the lead-in above them, apart from lists.
const MOST_BELOW: usize = 8;
/// Mean log-odds from which such a list is content, for example of a front page.
const SURE: f32 = 1.5;
/// Most words of a block of a card, most blocks per link, and most blocks of all cards.
const CARD_WORDS: f32 = 20.0;
const CARD_BLOCKS: usize = 8;
const MOST_CARDS: usize = 400;
/// Most words of a card with a lead, and mean log-odds from which such cards are content.
const MOST_TEASER: f32 = 60.0;
const SURE_LEADS: f32 = 2.5;
/// Log-odds from which a line is an item among others.
const ITEM: f32 = 1.0;
/// Blocks next to a headline among which others are, and fewest of them.
const AROUND: usize = 8;
const LEAST_HEADLINES: usize = 2;

#[expect(clippy::expect_used, reason = "constants, and the tests compile them")]
static PHRASES: LazyLock<AhoCorasick> = LazyLock::new(|| {
    AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .match_kind(MatchKind::LeftmostLongest)
        .start_kind(StartKind::Anchored)
        .build(phrases())
        .expect("a few phrases")
});

/// The number of the first phrase of what a subscription offers.
const OFFERED: usize =
    OPENINGS.len() + LABELS.len() + CALLS.len() + APPEALS.len() + SUBSCRIPTIONS.len();

/// The numbers of calls to subscribe, and of requests to subscribe or to log in.
const CALLED: Range<usize> =
    OPENINGS.len() + LABELS.len()..OPENINGS.len() + LABELS.len() + CALLS.len();
const SUBSCRIBED: Range<usize> = OFFERED - SUBSCRIPTIONS.len()..OFFERED;

/// The number of the first beginning of a notice that links earn money.
const NOTICED: usize = OFFERED + OFFERS.len();

/// The number of the first request that must name a newsletter.
const LETTERED: usize = NOTICED + NOTICES.len();

/// The first two letters of all phrases: most other texts begin with others.
static BEGINNINGS: LazyLock<HashSet<[char; 2], Secret>> =
    LazyLock::new(|| phrases().filter_map(|phrase| beginning(phrase)).collect());

/// The first three of those that begin with three of ASCII, a bit for each, in any case.
static PLAIN: LazyLock<[u32; 1024]> = LazyLock::new(|| {
    let mut plain = [0; 1024];
    for (row, bit) in phrases().filter_map(|phrase| plain_beginning(phrase)) {
        plain[row] |= bit;
    }
    plain
});

fn phrases() -> impl Iterator<Item = &'static &'static str> {
    let promotion = OPENINGS.iter().chain(LABELS).chain(CALLS);
    let requests = promotion.chain(APPEALS).chain(SUBSCRIPTIONS);
    requests.chain(OFFERS).chain(NOTICES).chain(LETTERS)
}

/// The first two letters of a text in lower case.
fn beginning(text: &str) -> Option<[char; 2]> {
    let mut letters = lowered(text);
    Some([letters.next()?, letters.next()?])
}

/// The place of the first three letters of ASCII of a text in [`PLAIN`].
fn plain_beginning(text: &str) -> Option<(usize, u32)> {
    let first: &[u8; 3] = text.as_bytes().first_chunk()?;
    let [one, two, three] = first.map(|byte| usize::from(byte & 31));
    first.is_ascii().then_some((one << 5 | two, 1 << three))
}

/// Whether a text may begin with a phrase.
fn may_begin(text: &str) -> bool {
    match plain_beginning(text) {
        Some((row, bit)) => PLAIN[row] & bit != 0,
        None => beginning(text).is_some_and(|letters| BEGINNINGS.contains(&letters)),
    }
}

/// The kind of a block that begins with a lead-in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line {
    /// It contains the links as well.
    Whole,
    /// It is above them.
    Label,
    /// It is above the first of them, in one block.
    Head,
    /// It is a part of what a subscription offers.
    Offer,
    /// It says that links earn money.
    Notice,
}

/// Whether a label is of a box of links to other pages, or of controls.
fn is_of_others(label: &str) -> bool {
    const WORDS: [&str; 16] = [
        "relat",
        "promo",
        "newsletter",
        "teaser",
        "recom",
        "advert",
        "share",
        "social",
        "more",
        "cta",
        "subscri",
        "sponsor",
        "card",
        "tag",
        "nav",
        "next",
    ];
    let label = label.to_ascii_lowercase();
    WORDS.iter().any(|word| label.contains(word))
}

/// Keep a paragraph or a division that is only a link between kept paragraphs of the same element,
/// such as a source or a download.
pub fn keep_links(page: &mut Page<'_>) {
    let Some(elements) = page.table.elements.as_ref() else {
        return;
    };
    let around = |block: usize, may_be_div: bool| {
        let row = elements.rows.get(*elements.of_block.get(block)? as usize)?;
        let is_plain = || elements.links[block] == 1 && !is_of_others(elements.text(row.label));
        (row.tag == P || may_be_div && row.tag == DIV && is_plain()).then_some(row.parent)
    };
    let links: Vec<usize> = (1..page.verdicts.len().saturating_sub(1))
        .filter(|block| !page.is_kept(*block) && page.odds[*block] > -WIDE)
        .filter(|block| {
            let (of, text) = (&page.table.blocks[*block], page.text(*block));
            let is_link = of.link_chars > 0 && text.len() <= MOST_BYTES;
            let is_text = |other: usize| {
                page.is_kept(other)
                    && page.weights[other] >= TEXT_WORDS
                    && around(other, false) == around(*block, true)
            };
            is_link
                && around(*block, true).is_some()
                && is_text(block - 1)
                && is_text(block + 1)
                && share(of, text.chars().count()) >= LINKED
        })
        .collect();
    for block in links {
        page.keep(block, Decider::Link);
    }
}

/// Drop promotion and controls; returns the blocks that are what a subscription offers.
pub fn settle(page: &mut Page<'_>) -> Vec<usize> {
    let mut offers = Vec::new();
    for block in 0..page.verdicts.len() {
        if page.weights[block] > MOST_WORDS {
            continue;
        }
        let of = &page.table.blocks[block];
        if !page.is_kept(block) {
            // what it announces goes too
            let is_line = matches!(of.kind, Kind::Heading | Kind::Paragraph | Kind::Other);
            if is_line && is_about_others(page.text(block)) {
                let member = page.members()[block];
                drop_below(page, block, member);
            }
            continue;
        }
        let line = match of.kind {
            Kind::Heading | Kind::Paragraph | Kind::Other if is_about_others(page.text(block)) => {
                Some(Line::Label)
            }
            Kind::Heading if of.link_chars == 0 && !names_rank(page, block) => None,
            _ if is_of_page(page, block, of) => Some(Line::Whole),
            _ => line(of, page.text(block), page.is_hidden(block)).filter(|line| {
                *line != Line::Whole || !is_headline(page, block) && !is_item(page, block)
            }),
        };
        let member = match line {
            Some(Line::Label | Line::Head) => page.members()[block],
            _ => Span::default(),
        };
        match line {
            Some(Line::Whole) => page.drop(block, Decider::Promotion),
            Some(Line::Label) => drop_below(page, block, member),
            Some(Line::Head) if links_below(page, block, member).is_empty() => {
                page.drop(block, Decider::Promotion);
            }
            // lists of links are recognised as lists
            Some(Line::Head) | None => {}
            Some(Line::Offer) => offers.push(block),
            Some(Line::Notice) if is_about_notices(page.title()) => {}
            Some(Line::Notice) => page.drop(block, Decider::Promotion),
        }
    }
    offers
}

/// Drop lists of which only controls are kept, such as the buttons of a shop.
pub fn drop_controls(page: &mut Page<'_>) {
    let lists = page.units.all.iter();
    let lists = lists.filter(|unit| unit.kind == UnitKind::List);
    // lists may be in lists
    let mut known = vec![None; page.verdicts.len()];
    let mut goes = |block: usize| {
        let is_control = || !page.is_kept(block) || are_controls(page.text(block));
        *known[block].get_or_insert_with(is_control)
    };
    let spans: Vec<Span> = lists
        .map(|unit| unit.span)
        .filter(|span| span.blocks().all(&mut goes))
        .collect();
    for block in spans.into_iter().flat_map(Span::blocks) {
        page.drop(block, Decider::Promotion);
    }
}

/// Drop the lines below the text that say that the site has the rights to it; an agency and an author
/// are part of the text.
pub fn drop_rights(page: &mut Page<'_>) {
    let table = page.table;
    let sites = LazyCell::new(|| {
        let declared = table.declared.pairs();
        let names = declared.filter(|(name, _)| SITES.contains(name));
        let short = names.map(|(_, name)| name.chars().take(MOST_SITE));
        let names = short.map(|name| name.flat_map(char::to_lowercase).collect());
        names.take(SITES.len()).collect::<Vec<String>>()
    });
    let names_site = |owner: &str| sites.iter().any(|name| name.contains(owner));
    for block in (0..page.verdicts.len()).rev() {
        if !page.is_kept(block) {
            continue;
        }
        let of = &page.table.blocks[block];
        let is_line = matches!(of.kind, Kind::Paragraph | Kind::Other) && of.table == 0;
        if is_line && states_rights(page.text(block), names_site) {
            page.drop(block, Decider::Promotion);
        } else if page.weights[block] >= TEXT_WORDS || of.kind == Kind::Heading {
            return;
        }
    }
}

/// Whether a text only reserves rights, for nobody or for the site: `© 2025 The Hive`.
fn states_rights(text: &str, names_site: impl Fn(&str) -> bool) -> bool {
    if text.len() > MOST_RIGHTS {
        return false;
    }
    let text = text.to_lowercase();
    let signs = ["©", "ⓒ", "(c)", "（c）", "copyright"];
    let is_signed = signs.iter().any(|sign| text.starts_with(sign));
    if !is_signed && !RIGHTS.iter().any(|words| text.starts_with(words)) {
        return false;
    }
    let reserved = RIGHTS.iter().find(|words| text.contains(**words));
    let rest = reserved.map_or_else(|| text.clone(), |words| text.replacen(words, "", 1));
    let is_of_owner = |sign: char| sign.is_alphanumeric() && !sign.is_ascii_digit();
    let rest = signs
        .iter()
        .fold(rest, |rest, sign| rest.replacen(sign, "", 1));
    let owner = rest.trim_matches(|sign: char| !is_of_owner(sign));
    let owner = owner.strip_prefix("the ").unwrap_or(owner);
    let is_dated = is_signed && has_year(&text);
    if owner.is_empty() {
        return reserved.is_some();
    }
    (is_dated || is_signed && reserved.is_some()) && names_site(owner)
}

/// Whether a page is about links that earn money, and may quote such notices.
fn is_about_notices(title: &str) -> bool {
    let title = title.to_lowercase();
    ["affiliat", "afiliad", "アフィリエイト"]
        .iter()
        .any(|word| title.contains(word))
}

/// Whether a line is surely an item of a list of other things: "See also listening" in a list of works.
fn is_item(page: &Page<'_>, block: usize) -> bool {
    let of = |at: usize| page.table.blocks.get(at);
    let own = &page.table.blocks[block];
    let is_other = |at: usize| {
        let is_like = of(at).is_some_and(|other| other.path == own.path) && page.is_kept(at);
        is_like && line(&page.table.blocks[at], page.text(at), page.is_hidden(at)).is_none()
    };
    own.kind == Kind::ListItem
        && page.odds[block] > ITEM
        && !page.text(block).contains([':', '：'])
        && (is_other(block + 1) || block.checked_sub(1).is_some_and(is_other))
}

/// Whether a link is one of several in the same elements, and the others do not promote: "Video: Fire
/// in the port" in a list of headlines.
fn is_headline(page: &Page<'_>, block: usize) -> bool {
    let of = &page.table.blocks[block];
    let is_like = |other: &usize| page.table.blocks[*other].path == of.path && page.is_kept(*other);
    let before = (block.saturating_sub(AROUND)..block).rev().filter(is_like);
    let after = block + 1..page.verdicts.len().min(block + 1 + AROUND);
    let mut others = before.take(2).chain(after.filter(is_like).take(2));
    let is_link = |other: usize| {
        let (like, text) = (&page.table.blocks[other], page.text(other));
        let linked = share(like, text.chars().count());
        linked >= LINKED && line(like, text, page.is_hidden(other)).is_none()
    };
    let text = page.text(block);
    let lead = phrase(text.trim_start_matches(|c: char| !c.is_alphanumeric()));
    let is_label = lead.is_some_and(|(number, ..)| number >= OPENINGS.len());
    is_label
        && is_whole_link(of, text)
        && others.clone().count() >= LEAST_HEADLINES
        && others.all(is_link)
}

fn is_whole_link(of: &Block, text: &str) -> bool {
    let is_line = of.link_chars > 0 && text.len() <= MOST_BYTES;
    is_line && share(of, text.chars().count()) >= LINKED
}

/// The number of the phrase at the beginning of a text, the text from there on as it is compared, and
/// the length of the phrase in it.
fn phrase(text: &str) -> Option<(usize, Cow<'_, str>, usize)> {
    if !may_begin(text) {
        return None;
    }
    let lowered = opening(text);
    let found = PHRASES.find(Input::new(lowered.as_bytes()).anchored(Anchored::Yes))?;
    let (number, end) = (found.pattern().as_usize(), found.end());
    (!is_inside_word(&lowered[..end], &lowered[end..])).then_some((number, lowered, end))
}

/// Whether a text asks to subscribe or to log in.
pub(super) fn is_subscription(text: &str) -> bool {
    let text = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    phrase(text).is_some_and(|(number, ..)| SUBSCRIBED.contains(&number))
}

/// Whether a text asks to subscribe to or to log in to the site, or to subscribe to its newsletter.
pub(super) fn is_request(text: &str) -> bool {
    let text = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    phrase(text).is_some_and(|(number, ..)| {
        let is_call = number >= LETTERED || CALLED.contains(&number);
        SUBSCRIBED.contains(&number) || is_call && is_of_newsletter(text)
    })
}

/// Whether a text names a newsletter.
pub(super) fn is_of_newsletter(text: &str) -> bool {
    let text = text.to_lowercase();
    NEWSLETTERS.iter().any(|name| text.contains(name))
}

/// Whether a block is a control of the page, or a notice about scripts on a page about other things.
fn is_of_page(page: &Page<'_>, block: usize, of: &Block) -> bool {
    let text = page.text(block);
    let is_line = matches!(of.kind, Kind::Paragraph | Kind::Other | Kind::Quote) && of.table == 0;
    let is_for_others = page.concealed(block) == Concealed::NoScript;
    page.weights[block] <= CONTROL_WORDS && is_post_control(page, block, of)
        || is_line
            && (are_controls(text)
                || page.weights[block] <= CONTROL_WORDS && is_labelled_address(text)
                || asks_for_scripts(text, is_for_others) && !asks_for_scripts(page.title(), true))
}

/// Whether a block is only the rank of a member.
fn names_rank(page: &Page<'_>, block: usize) -> bool {
    page.weights[block] <= RANK_WORDS && is_rank(page.text(block))
}

/// Whether a block is only controls of the post or the review around it, links or in a box of their
/// own: a paragraph of one word may be a label in the text.
fn is_post_control(page: &Page<'_>, block: usize, of: &Block) -> bool {
    let is_rank = names_rank(page, block);
    let is_other = matches!(of.kind, Kind::Heading | Kind::Code | Kind::TableCell);
    let elements = page.table.elements.as_ref();
    let Some(elements) = elements.filter(|_| is_rank || !is_other) else {
        return false;
    };
    let row = |at: u32| elements.rows.get(at as usize);
    let own = elements.of_block.get(block).and_then(|at| row(*at));
    let is_box = own.is_some_and(|own| {
        own.tag == DIV || own.has_role() && elements.text(own.role).contains("button")
    });
    let text = page.text(block);
    let is_of_post =
        || (is_box || of.link_chars > 0) && is_of_post(text) && !text.ends_with([':', '：']);
    if !is_rank && !is_of_post() {
        return false;
    }
    let mut around = std::iter::successors(own, |each| row(each.parent)).take(MOST_AROUND);
    let names = |each: &Element| is_post(elements.text(each.label), elements.text(each.role));
    let is_lone = || is_box || is_rank || share(of, text.chars().count()) >= MARKED;
    is_lone() && around.any(names)
}

/// Drop a label with the links below it. Without any it may be text, except a heading above nothing
/// that is kept.
fn drop_below(page: &mut Page<'_>, label: usize, member: Span) {
    let mut links = links_below(page, label, member);
    if is_about_others(page.text(label)) {
        let end = cards_below(page, label);
        if end > links.last().map_or(label, |last| last + 1) {
            links = (label + 1..end).collect();
        }
    }
    let is_last = label + 1 == member.end as usize && (member.first as usize) < label;
    let is_heading = page.table.blocks[label].kind == Kind::Heading;
    let is_above_text = || label + 1 < page.verdicts.len() && page.is_kept(label + 1);
    if links.is_empty() && !is_last && (!is_heading || is_above_text()) {
        return;
    }
    for block in std::iter::once(label).chain(links) {
        page.drop(block, Decider::Promotion);
    }
}

/// The blocks after a label that are only a link, and the rest of their list; none if the list has
/// text too or is clearly content.
fn links_below(page: &Page<'_>, label: usize, member: Span) -> Vec<usize> {
    // "Read more" at the end of a card does not announce the next one
    let is_end = (member.first as usize) < label && !member.is_empty();
    let end = if is_end {
        member.end as usize
    } else {
        page.verdicts.len()
    };
    let rest = label + 1..end.min(label + 1 + MOST_BELOW);
    let is_link = |block: &usize| is_whole_link(&page.table.blocks[*block], page.text(*block));
    let mut links: Vec<usize> = rest.take_while(is_link).collect();
    // a title is not dropped without its lead
    let is_above_lead = |link: &usize| {
        let lead = *link + 1;
        let card = page.members().get(lead).copied().unwrap_or_default();
        let is_title = card.first as usize == *link && !card.is_empty();
        is_title && page.is_kept(lead) && !is_link(&lead)
    };
    if links.last().is_some_and(is_above_lead) {
        links.pop();
    }
    let list = links.first().and_then(|first| page.list_from(*first));
    let Some(list) = list.filter(|list| list.blocks().len() > links.len()) else {
        return links;
    };
    let is_of_links = page.linked(list) >= MARKED && page.mean_odds(list) <= SURE;
    list.blocks().filter(|_| is_of_links).collect()
}

/// The end of the cards below a label, in its box or in the one below it: a few words each with links,
/// such as products with their prices, or titles with leads. 0 without any.
fn cards_below(page: &Page<'_>, label: usize) -> usize {
    let of_label = page.boxes_from(label);
    let of_label = of_label.map(|span| Span::new(label as u32 + 1, span.end));
    let boxes = of_label.chain(page.boxes_from(label + 1));
    let boxes = boxes.chain(page.list_from(label + 1));
    let are_cards = |span: &Span| {
        let count = span.blocks().len();
        let is_link = |block: &usize| page.table.blocks[*block].link_chars > 0;
        count <= MOST_CARDS
            && count <= CARD_BLOCKS * span.blocks().filter(is_link).count()
            && span.blocks().all(|block| page.weights[block] <= CARD_WORDS)
            && page.mean_odds(*span) <= SURE
    };
    // the first of several items is not all
    let item = page.members().get(label + 1).copied().unwrap_or_default();
    let is_item = |span: &Span| item.first == span.first && item.holds(*span);
    let ends = boxes.filter(|span| !span.is_empty() && !is_item(span) && are_cards(span));
    let ends = ends.map(|span| span.end as usize);
    ends.chain([teasers_from(page, label + 1)])
        .max()
        .unwrap_or(0)
}

/// The end of the list that begins with a block, if each item is a title with a lead and a link. 0 if
/// none does.
fn teasers_from(page: &Page<'_>, first: usize) -> usize {
    let Some(list) = page.units_from(first).find(|unit| unit.kind.is_list()) else {
        return 0;
    };
    // comments have links to their authors
    let is_titled = |block: usize| {
        let of = &page.table.blocks[block];
        of.kind == Kind::Heading || list.kind != UnitKind::Thread && of.link_chars > 0
    };
    let is_teaser = |member: &Span| {
        let has_link = member
            .blocks()
            .any(|block| page.table.blocks[block].link_chars > 0);
        has_link && page.words(*member).0 <= MOST_TEASER && member.blocks().any(is_titled)
    };
    let members = page.units.members(list);
    let are_all = list.span.blocks().len() <= MOST_CARDS
        && members.len() > 1
        && members.iter().all(is_teaser)
        && page.mean_odds(list.span) <= SURE_LEADS;
    if are_all { list.span.end as usize } else { 0 }
}

/// Share of the characters inside links.
fn share(block: &Block, chars: usize) -> f32 {
    block.link_chars as f32 / (chars.max(1) as f32)
}

/// The kind of a block by its lead-in, if it has one.
fn line(block: &Block, text: &str, is_hidden: bool) -> Option<Line> {
    let is_other = matches!(block.kind, Kind::Code | Kind::TableCell);
    let is_heading = block.kind == Kind::Heading;
    if is_other || text.len() > MOST_BYTES {
        return None;
    }
    let text = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    let (number, lowered, end) = phrase(text)?;
    let after = &lowered[end..];
    if number >= LETTERED {
        let is_call = !is_heading && block.link_chars > 0 && text.chars().count() <= MOST_CALL;
        return (is_call && is_of_newsletter(text)).then_some(Line::Whole);
    }
    if number >= NOTICED {
        return (!is_heading).then_some(Line::Notice);
    }
    if number >= OFFERED {
        return (block.kind == Kind::ListItem).then_some(Line::Offer);
    }
    let chars = text.chars().count();
    if number >= OPENINGS.len() + LABELS.len() {
        // a request in a closed dialog has a form
        let is_linked = block.link_chars > 0 || is_hidden;
        let is_appeal = number >= OPENINGS.len() + LABELS.len() + CALLS.len();
        // in a quotation, or in a story about members
        let is_told = is_appeal
            && (after.starts_with([',', '"', '”', '“', '»']) || share(block, chars) < APPEALING);
        let is_call = !is_heading && is_linked && chars <= MOST_CALL && !is_told;
        return is_call.then_some(Line::Whole);
    }
    let rest = after.trim_start();
    let is_marked = rest.starts_with(is_mark);
    if !rest.contains(char::is_alphanumeric) {
        // prose and menus have short labels too
        let is_label = is_marked || number < OPENINGS.len();
        let line = [Line::Label, Line::Whole][usize::from(block.link_chars > 0)];
        return (is_label && !is_heading).then_some(line);
    }
    // the link of a note or a post: "Video: https://..."
    if is_address(rest.trim_start_matches(is_space_or_mark)) {
        return None;
    }
    let linked = chars.saturating_sub(lowered[..end].chars().count());
    let share = share(block, linked);
    // prose may begin with the same words: "Related: the debt of the town, which ..."
    let is_linked = share >= LINKED && (is_marked || !is_heading) && number < OPENINGS.len();
    let is_above = after.trim_start_matches(' ').starts_with('\n');
    let is_whole = is_linked || (is_marked && share >= MARKED);
    let line = [Line::Whole, Line::Head][usize::from(is_above)];
    let is_whole =
        is_whole || (number < OPENINGS.len() && is_below_mark(block, rest, chars, &lowered));
    is_whole.then_some(line)
}

/// Whether a few words and a mark follow a lead-in, and all after them is a link: "Read more about
/// this: Ten beaches".
fn is_below_mark(block: &Block, rest: &str, chars: usize, lowered: &str) -> bool {
    let Some((words, after)) = rest.split_once([':', '：']) else {
        return false;
    };
    let from_mark = rest[words.len()..].chars().count();
    let head = lowered.chars().count() - from_mark;
    // an address has a colon too
    !after.starts_with("//")
        && words.split_whitespace().count() <= MOST_BETWEEN
        && share(block, chars.saturating_sub(head + 1)) >= LINKED
        && (block.link_chars as usize) < chars
}

/// The beginning of a text, in lower case if it is not only ASCII.
fn opening(text: &str) -> Cow<'_, str> {
    let plain = text.get(..text.len().min(MOST_OPENING));
    if let Some(plain) = plain.filter(|plain| plain.is_ascii()) {
        return plain.into();
    }
    let end = text.char_indices().nth(MOST_OPENING);
    let head = end.map_or(text, |(end, _)| &text[..end]);
    lowered(head).collect::<String>().into()
}

fn lowered(text: &str) -> impl Iterator<Item = char> {
    // the small letter of the Turkish "İ" has a dot of its own
    let letters = text.chars().flat_map(char::to_lowercase);
    letters.filter(|c| *c != '\u{307}')
}

/// Whether a text begins with an address.
fn is_address(text: &str) -> bool {
    ["http://", "https://", "www."]
        .iter()
        .any(|start| text.starts_with(start))
}

fn is_space_or_mark(c: char) -> bool {
    c.is_whitespace() || is_mark(c)
}

/// Characters that end a lead-in, before its target.
fn is_mark(c: char) -> bool {
    matches!(
        c,
        ':' | '：'
            | '|'
            | '｜'
            | '>'
            | '»'
            | '›'
            | '→'
            | '▶'
            | '►'
            | '–'
            | '—'
            | '-'
            | '+'
            | '】'
            | ']'
            | '」'
            | '.'
            | '…'
            | '!'
    )
}

/// Whether a lead-in ends inside a word of a script with spaces: "Relatedness".
fn is_inside_word(opening: &str, after: &str) -> bool {
    let is_spaced = |c: char| c.is_alphanumeric() && !('\u{2e80}'..='\u{ffdc}').contains(&c);
    opening.ends_with(is_spaced) && after.starts_with(is_spaced)
}
