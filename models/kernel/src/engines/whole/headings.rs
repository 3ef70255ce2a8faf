//! Headings: one is dropped when its whole section is dropped, or keeps text in doubt.

use std::collections::HashSet;

use super::controls::{is_about_others, is_control, is_see_also};
use super::copies::subject;
use super::pairs::are_badges;
use super::promotion::is_subscription;
use super::{DOUBT, Decider, INSIDE, Page, SURE, TEXT_WORDS, WIDE};
use crate::metadata::dates::date_span;
use crate::page::blocks::Kind;
use crate::text::map::{HashedMap, Secret};
use crate::units::{Span, Unit, UnitKind};

/// Most words in a heading; longer ones are text.
const MOST_WORDS: f32 = 12.0;
/// Fewest words below a heading, none of which is kept.
const LEAST_BELOW: f32 = 3.0;
/// From this share of kept headings without content on, they are a list of headings.
const MOST_EMPTY: f32 = 0.5;
/// Words of a heading that repeats the title of the page, like the heading of a recipe card.
const TITLE_WORDS: f32 = 2.0;
/// Deeper headings are just as often credits and captions.
const DEEPEST: u8 = 4;
/// Fewest headings without content in the same elements that form a list, and most words below each:
/// a teaser or some facts.
const LEAST_ENTRIES: usize = 3;
const MOST_BELOW: f32 = 48.0;
/// Fewest blocks of an element that is a menu.
const LEAST_LINKS: usize = 2;
/// Share of the characters of a list inside links, from which it is a menu.
const MENU: f32 = 0.8;
/// Log-odds from which a heading is of the text, also if links to its parts are dropped.
const SURE_ABOVE: f32 = 2.0;
/// Most items below "See also".
const MOST_ITEMS: usize = 24;
/// Mean log-odds above which entries of a list of headings keep the details below them.
const DETAILS: f32 = -0.5;
/// Headings of players in lower case, and most bytes of one.
const PLAYERS: [&str; 31] = [
    "video",
    "videos",
    "the video",
    "watch the video",
    "audio",
    "podcast",
    "trailer",
    "vidéo",
    "vidéos",
    "vídeo",
    "vídeos",
    "video’s",
    "video's",
    "wideo",
    "videó",
    "videók",
    "videoklip",
    "βίντεο",
    "видео",
    "відео",
    "视频",
    "影片",
    "動画",
    "ビデオ",
    "동영상",
    "비디오",
    "영상",
    "فيديو",
    "ویدیو",
    "וידאו",
    "वीडियो",
];
const MOST_PLAYER: usize = 24;

pub fn settle(page: &mut Page<'_>) {
    let is_text = |block: &usize| page.is_kept(*block) && page.weights[*block] >= TEXT_WORDS;
    let Some(first) = (0..page.verdicts.len()).find(is_text) else {
        return;
    };
    let sections = page.units.all.iter();
    let is_section = |unit: &&Unit| {
        let level = page.table.blocks[unit.span.first as usize].level;
        unit.kind == UnitKind::Section && level <= DEEPEST
    };
    let sections = sections.filter(is_section);
    let sections = sections.filter_map(|unit| Some((heading(page, unit)?, *unit)));
    let kept: Vec<(Span, Unit)> = sections
        .filter(|(heading, _)| heading.blocks().any(|block| page.is_kept(block)))
        .collect();
    let lists = page.units.all.iter();
    let lists: HashedMap<u32, Span> = lists
        .filter(|unit| unit.kind == UnitKind::List)
        .map(|unit| (unit.span.first, unit.span))
        .collect();
    let menus = menus(page, &kept);
    let empty: Vec<(Span, Span)> = kept
        .iter()
        .filter(|(heading, unit)| {
            let heads = |list: &Span| is_dropped_menu(page, *heading, *list);
            let is_empty = || is_empty(page, *heading, unit);
            let below = || lists.get(&heading.end).or_else(|| menus.get(&heading.end));
            let first = first < heading.first as usize;
            first && (is_empty() || below().is_some_and(heads))
        })
        .map(|(heading, unit)| (*heading, Span::new(heading.end, unit.span.end)))
        .collect();
    let empty = keep_text(page, empty);
    let labels = labels(page, &lists, first);
    if empty.is_empty() && labels.is_empty() {
        return;
    }
    let title = page.title().to_lowercase();
    let without: Vec<&(Span, Unit)> = kept.iter().filter(|each| has_nothing(page, each)).collect();
    let is_empty = |heading: &Span| {
        let at = empty.binary_search_by_key(&heading.first, |empty| empty.0.first);
        at.is_ok()
    };
    let above_menus = without.iter().filter(|each| is_above_menu(page, each));
    let above_menus = above_menus.map(|each| each.0).filter(is_empty);
    let dropped: Vec<Span> = above_menus.chain(labels).collect();
    let are_titles = without.len().max(empty.len()) as f32 > MOST_EMPTY * kept.len() as f32;
    let without: Vec<Span> = without.into_iter().map(|each| each.0).collect();
    let headings: Vec<Span> = empty.iter().map(|each| each.0).collect();
    let alike = alike(page, &without, &headings);
    let is_entry = |below: Span| {
        let is_copied = || page.deciders[below.first as usize] == Decider::Copy;
        page.words(below).0 <= MOST_BELOW && !is_copied()
    };
    let (entries, others): (Vec<_>, Vec<_>) = empty
        .into_iter()
        .zip(alike)
        .partition(|((_, below), alike)| (*alike || are_titles) && is_entry(*below));
    let others: Vec<(Span, Span)> = others.into_iter().map(|(empty, _)| empty).collect();
    let titles = titles(page, &others);
    let others = others.into_iter().zip(titles);
    let others = others.filter(|((_, below), is_title)| !is_title || !is_entry(*below));
    let others: Vec<Span> = others.map(|((heading, _), _)| heading).collect();
    let alike = entries.iter().filter(|(_, alike)| *alike);
    keep_details(page, alike.map(|(entry, _)| *entry).collect());
    for heading in dropped.into_iter().chain(others) {
        let text = page.text(heading.first as usize).to_lowercase();
        let is_title = page.words(heading).0 >= TITLE_WORDS && title.contains(&text);
        for block in heading.blocks().filter(|_| !is_title) {
            page.drop(block, Decider::Heading);
        }
    }
    drop_outer(page, &kept, &title);
}

/// Which headings without sections are titles of items of which most have theirs, such as books.
fn titles(page: &Page<'_>, headings: &[(Span, Span)]) -> Vec<bool> {
    if headings.is_empty() {
        return Vec::new();
    }
    let lists = page.lists();
    let place = |block: usize| (lists[block], page.table.blocks[block].path);
    let mut kept: HashedMap<(u32, u32), usize> = HashedMap::default();
    let is_empty = |block: usize| {
        let at = headings.binary_search_by_key(&(block as u32), |(heading, _)| heading.first);
        at.is_ok()
    };
    for block in 0..page.verdicts.len() {
        let is_heading = page.table.blocks[block].kind == Kind::Heading;
        if is_heading && page.is_kept(block) && !is_empty(block) {
            *kept.entry(place(block)).or_default() += 1;
        }
    }
    let is_title = |(heading, _): &(Span, Span)| {
        let is_likely = page.odds[heading.first as usize] > 0.0;
        let place = place(heading.first as usize);
        let unit = page.units.all.get(place.0 as usize);
        let members = unit.map_or(0, |unit| page.units.members(unit).len());
        is_likely
            && members >= LEAST_ENTRIES
            && 2 * kept.get(&place).copied().unwrap_or(0) > members
    };
    headings.iter().map(is_title).collect()
}

/// Drop headings below which nothing is left since the headings of their parts were dropped.
fn drop_outer(page: &mut Page<'_>, kept: &[(Span, Unit)], title: &str) {
    // a heading of a part comes after the heading of the whole
    for (heading, unit) in kept.iter().rev() {
        let below = Span::new(heading.end, unit.span.end);
        let mut deciders = below.blocks().map(|block| page.deciders[block]);
        let is_of_title = title.contains(&page.text(heading.first as usize).to_lowercase());
        if deciders.any(|by| by == Decider::Heading)
            && is_empty(page, *heading, unit)
            && !is_of_title
        {
            for block in heading.blocks() {
                page.drop(block, Decider::Heading);
            }
        }
    }
}

/// Keep "See also" above kept text, and the items below a kept one.
pub fn keep_see_also(page: &mut Page<'_>) {
    let is_lead = |block: &usize| page.kept_words(*block) >= TEXT_WORDS;
    let Some(first) = (0..page.verdicts.len()).find(is_lead) else {
        return;
    };
    for heading in first + 1..page.verdicts.len().saturating_sub(1) {
        let of = &page.table.blocks[heading];
        // the title of a note is a paragraph
        let is_title = matches!(of.kind, Kind::Heading | Kind::Paragraph);
        if !is_title || of.link_chars > 0 || !is_see_also(page.text(heading)) {
            continue;
        }
        let below = heading + 1;
        if page.is_kept(below) && page.table.blocks[below].kind != Kind::Heading {
            if page.odds[heading] > -WIDE {
                page.keep(heading, Decider::Heading);
            }
            continue;
        }
        let is_item = |block: &usize| {
            page.table.blocks[*block].lists > 0 && !page.is_hidden(*block) && !page.is_kept(*block)
        };
        let rest = below..page.verdicts.len().min(below + MOST_ITEMS);
        let items: Vec<usize> = rest.take_while(is_item).collect();
        let (words, odds) = page.sums(items.iter().copied());
        if page.is_kept(heading) && odds > INSIDE * words {
            for item in items {
                page.keep(item, Decider::Heading);
            }
        }
    }
}

/// Keep a heading in doubt below the first text of the page, above text most of which is kept; of
/// similar ones also less likely ones.
pub fn keep_above_text(page: &mut Page<'_>) {
    let mut words = 0.0;
    let is_lead = |block: &usize| {
        if page.table.blocks[*block].kind != Kind::Heading {
            words += page.kept_words(*block);
        }
        words >= TEXT_WORDS
    };
    let Some(first) = (0..page.verdicts.len()).find(is_lead) else {
        return;
    };
    let is_of_text = |block: usize| {
        let text = page.text(block);
        !is_control(text) && !is_about_others(text) && !is_subscription(text) && !subject(text).1
    };
    let is_doubted = |block: &usize| {
        page.table.blocks[*block].kind == Kind::Heading
            && page.deciders[*block] == Decider::Engine
            && !page.is_kept(*block)
            && page.odds[*block] > INSIDE
            && is_of_text(*block)
    };
    // the title above the first text may be one of several
    let blocks = first.saturating_sub(1)..page.verdicts.len().saturating_sub(1);
    let doubted: Vec<(usize, bool)> = blocks
        .clone()
        .filter(is_doubted)
        .map(|block| (block, is_above_text(page, block)))
        .collect();
    let path = |heading: &usize| page.table.blocks[*heading].path;
    // by path, the headings above text, and all
    let mut alike: HashedMap<u32, (usize, usize)> = HashedMap::default();
    for (heading, _) in doubted.iter().filter(|(_, is_above)| *is_above) {
        alike.entry(path(heading)).or_default().0 += 1;
    }
    if alike.is_empty() {
        return;
    }
    for block in blocks {
        if let Some((above, all)) = alike.get_mut(&path(&block)) {
            *all += 1;
            *above += usize::from(page.is_kept(block) && is_above_text(page, block));
        }
    }
    let is_likely = |(heading, is_above): &(usize, bool)| {
        let is_link = page.table.blocks[*heading].link_chars > 0;
        let is_lone = *is_above && !is_link && *heading > first && page.odds[*heading] > DOUBT;
        let (above, all) = alike.get(&path(heading)).copied().unwrap_or_default();
        let is_alike = above >= LEAST_ENTRIES && 2 * above > all;
        // the title of an item without a text is right above the next one
        let is_title = *is_above || path(&(heading + 1)) == path(heading);
        is_alike && is_title || is_lone && !page.is_below_dropped(*heading)
    };
    let likely: Vec<(usize, bool)> = doubted.into_iter().filter(is_likely).collect();
    for (heading, _) in likely {
        page.keep(heading, Decider::Heading);
    }
}

/// Drop a heading in doubt that would end the text below other text, such as "Contact us".
pub fn drop_last(page: &mut Page<'_>) {
    let mut kept = (0..page.verdicts.len())
        .rev()
        .filter(|block| page.is_kept(*block));
    let (Some(last), Some(text)) = (kept.next(), kept.next()) else {
        return;
    };
    let is_heading = |block: usize| page.table.blocks[block].kind == Kind::Heading;
    let is_doubted = page.deciders[last] == Decider::Engine && page.odds[last] < SURE;
    let is_short = page.weights[last] <= MOST_WORDS && page.table.blocks[last].link_chars == 0;
    let is_followed = last + 1 < page.verdicts.len();
    if is_heading(last) && !is_heading(text) && is_doubted && is_short && is_followed {
        page.drop(last, Decider::Heading);
    }
}

/// Drop headings of players that have no words below them: "Video".
pub fn drop_players(page: &mut Page<'_>) {
    let blocks = &page.table.blocks;
    let is_empty = |block: usize| {
        blocks
            .get(block + 1)
            .is_none_or(|next| next.kind == Kind::Heading && next.level <= blocks[block].level)
    };
    let is_player = |text: &str| {
        let text = text.trim_end_matches([':', '：']).trim_end();
        text.len() <= MOST_PLAYER && PLAYERS.contains(&text.to_lowercase().as_str())
    };
    for (block, of) in blocks.iter().enumerate() {
        let is_open = page.is_kept(block) && page.odds[block] < WIDE;
        if is_open && of.kind == Kind::Heading && is_empty(block) && is_player(page.text(block)) {
            page.drop(block, Decider::Heading);
        }
    }
}

/// Whether text right below a heading is kept, and most words to the next heading or to the end of
/// its section. The signs of a button may be between.
fn is_above_text(page: &Page<'_>, heading: usize) -> bool {
    let end = section_end(page, heading);
    let below = &page.table.blocks[heading + 1..end.max(heading + 1)];
    let rest = below.iter().take_while(|block| block.kind != Kind::Heading);
    let below = Span::new(heading as u32 + 1, (heading + 1 + rest.count()) as u32);
    let (all, kept) = page.words(below);
    let is_word = |block: &usize| page.text(*block).contains(char::is_alphanumeric);
    let is_text = |text: usize| {
        let text = Span::new(text as u32, text as u32 + 1);
        page.words(text).1 > 0.0 && page.linked(text) < MENU
    };
    let mut texts = below.blocks().filter(is_word);
    // below a likely one, the credit of a picture may be between
    let is_likely = page.odds[heading] > DOUBT && page.table.blocks[heading].link_chars == 0;
    let is_below_credit = |credit: usize, text: Option<usize>| {
        let is_next = |text: usize| is_text(text) && page.weights[text] >= TEXT_WORDS;
        is_likely
            && page.weights[credit] < TEXT_WORDS
            && !page.is_kept(credit)
            && text.is_some_and(is_next)
    };
    2.0 * kept > all
        && texts
            .next()
            .is_some_and(|text| is_text(text) || is_below_credit(text, texts.next()))
}

/// The end of the section of a heading, else of the page.
fn section_end(page: &Page<'_>, heading: usize) -> usize {
    let mut units = page.units_from(heading);
    let section = units.find(|unit| unit.kind == UnitKind::Section);
    section.map_or(page.verdicts.len(), |unit| unit.span.end as usize)
}

/// Keep the doubtful paragraphs right below headings that are surely of the text; returns the
/// headings without any.
fn keep_text(page: &mut Page<'_>, headings: Vec<(Span, Span)>) -> Vec<(Span, Span)> {
    let mut empty = Vec::with_capacity(headings.len());
    let mut kept = Vec::new();
    for (heading, section) in headings {
        let is_sure = |block: usize| page.odds[block] > SURE && !is_control(page.text(block));
        let is_doubted = |block: &usize| {
            let of = &page.table.blocks[*block];
            let is_plain = of.link_chars == 0 && of.lists == 0 && of.table == 0;
            let is_text = of.kind == Kind::Paragraph && is_plain && !page.is_hidden(*block);
            is_text && page.odds[*block] > DOUBT && page.deciders[*block] != Decider::Copy
        };
        let below = heading.end as usize..page.verdicts.len();
        // lines of cards are of these
        let is_own = |block: &usize| page.lists()[*block] == page.lists()[heading.first as usize];
        let below = below.take_while(is_doubted).take_while(is_own);
        let below: Vec<usize> = below.collect();
        if below.is_empty() || !heading.blocks().all(is_sure) {
            empty.push((heading, section));
            continue;
        }
        kept.extend(below);
    }
    for block in kept {
        page.keep(block, Decider::Heading);
    }
    empty
}

/// Keep the details right below similar entries, such as a unit below each price, unless they are
/// boilerplate or links.
fn keep_details(page: &mut Page<'_>, entries: Vec<(Span, Span)>) {
    let path = |heading: Span| page.table.blocks[heading.first as usize].path;
    let is_detail = |block: &usize| {
        let of = &page.table.blocks[*block];
        let is_open = matches!(
            page.deciders[*block],
            Decider::Engine | Decider::List | Decider::Series
        );
        let is_text = is_open && of.table == 0 && !page.is_hidden(*block);
        is_text && !is_control(page.text(*block))
    };
    let mut details: HashedMap<u32, Vec<Span>> = HashedMap::default();
    for (heading, below) in entries {
        let is_short = page.words(below).0 < TEXT_WORDS && page.linked(below) < MENU;
        if is_short && below.blocks().all(|block| is_detail(&block)) {
            details.entry(path(heading)).or_default().push(below);
        }
    }
    let mut kept: Vec<usize> = Vec::new();
    for details in details.values() {
        let blocks: Vec<usize> = details.iter().flat_map(|span| span.blocks()).collect();
        let texts: Vec<&str> = blocks.iter().map(|block| page.text(*block)).collect();
        let (words, odds) = page.sums(blocks.iter().copied());
        if odds > DETAILS * words && !are_badges(&texts) {
            kept.extend(blocks);
        }
    }
    for block in kept {
        page.keep(block, Decider::Heading);
    }
}

/// Keep the dates of posts, between their kept headings and texts, if several have them.
pub fn keep_dates(page: &mut Page<'_>) {
    let blocks = &page.table.blocks;
    let is_heading = |block: usize| page.is_kept(block) && blocks[block].kind == Kind::Heading;
    let is_text = |block: usize| {
        let is_long = page.weights[block] >= TEXT_WORDS && page.is_kept(block);
        is_long && blocks[block].kind != Kind::Heading
    };
    // the date is below the heading or below the text
    let heading_of = |block: usize| {
        let [first, second] = [block.checked_sub(1)?, block.checked_sub(2).unwrap_or(block)];
        let is_below = is_heading(first) && block + 1 < blocks.len() && is_text(block + 1);
        let is_last = is_text(first) && is_heading(second);
        if is_below {
            Some(first)
        } else {
            is_last.then_some(second)
        }
    };
    let mut found: HashedMap<(u32, u32), Vec<usize>> = HashedMap::default();
    for block in 1..blocks.len() {
        let of = &blocks[block];
        let is_doubted = !page.is_kept(block) && page.odds[block] > INSIDE;
        let is_open = is_doubted && page.weights[block] <= MOST_WORDS && !page.is_hidden(block);
        let is_line = matches!(of.kind, Kind::Paragraph | Kind::Other | Kind::ListItem);
        if !is_open || !is_line || of.table > 0 {
            continue;
        }
        let heading = heading_of(block).filter(|_| date_span(page.text(block)).is_some());
        if let Some(heading) = heading {
            let path = (blocks[heading].path, of.path);
            found.entry(path).or_default().push(block);
        }
    }
    for block in found
        .into_values()
        .filter(|dates| dates.len() > 1)
        .flatten()
    {
        page.keep(block, Decider::Heading);
    }
}

/// Whether all below a heading, which is dropped, is links.
fn is_above_menu(page: &Page<'_>, (heading, unit): &(Span, Unit)) -> bool {
    let below = Span::new(heading.end, unit.span.end);
    let is_link = heading
        .blocks()
        .any(|block| page.table.blocks[block].link_chars > 0);
    let is_menu = || below.blocks().len() >= LEAST_LINKS && page.linked(below) >= MENU;
    let next = unit.span.end as usize;
    let is_above_text = next < page.verdicts.len()
        && page.kept_words(next) >= TEXT_WORDS
        && page.table.blocks[next].kind != Kind::Heading;
    !is_link && !is_above_text && is_menu()
}

/// Short paragraphs with a colon above lists of links that are dropped.
fn labels(page: &Page<'_>, lists: &HashedMap<u32, Span>, first: usize) -> Vec<Span> {
    let is_label = |block: usize| {
        let is_line = matches!(page.table.blocks[block].kind, Kind::Paragraph | Kind::Other);
        let is_short = page.weights[block] <= MOST_WORDS && page.odds[block] < WIDE;
        is_line && is_short && page.is_kept(block) && page.text(block).ends_with([':', '：'])
    };
    let above = lists.values().filter_map(|list| {
        let label = Span::new(list.first.checked_sub(1)?, list.first);
        let is_empty = first < label.first as usize && is_label(label.first as usize);
        let is_menu = || page.words(*list).1 <= 0.0 && page.linked(*list) >= MENU;
        (is_empty && is_menu()).then_some(label)
    });
    above.collect()
}

/// The blocks of the elements right below headings that begin with a dropped link, by the first.
fn menus(page: &Page<'_>, headings: &[(Span, Unit)]) -> HashedMap<u32, Span> {
    let begins = |(heading, _): &(Span, Unit)| {
        let block = page.table.blocks.get(heading.end as usize);
        let is_link = block.is_some_and(|block| block.link_chars > 0);
        is_link && !page.is_kept(heading.end as usize)
    };
    let mut menus = HashedMap::default();
    let firsts: HashSet<u32, Secret> = headings
        .iter()
        .filter(|each| begins(each))
        .map(|each| each.0.end)
        .collect();
    if firsts.is_empty() {
        return menus;
    }
    for span in &page.units.spans {
        // outer elements come first
        if firsts.contains(&span.first) && span.blocks().len() >= LEAST_LINKS {
            menus.entry(span.first).or_insert(*span);
        }
    }
    menus.retain(|_, span| !has_picture(page, *span));
    menus
}

/// Whether a picture with a caption is in a span.
fn has_picture(page: &Page<'_>, span: Span) -> bool {
    let blocks = &page.table.blocks[span.blocks()];
    blocks.iter().any(|block| block.kind == Kind::Caption)
}

/// Whether nothing below a heading is kept.
fn has_nothing(page: &Page<'_>, (heading, unit): &(Span, Unit)) -> bool {
    page.words(Span::new(heading.end, unit.span.end)).1 <= 0.0
}

/// Which headings without sections are entries of a list of headings: others are in the same
/// elements, and have no sections; or those in a list or of links are among longer ones without
/// sections, which stay.
fn alike(page: &Page<'_>, without: &[Span], headings: &[Span]) -> Vec<bool> {
    let block = |heading: &Span| &page.table.blocks[heading.first as usize];
    let count = |headings: &[Span]| {
        let mut counts: HashedMap<u32, usize> = HashedMap::default();
        for heading in headings {
            *counts.entry(block(heading).path).or_default() += 1;
        }
        counts
    };
    let (of_all, counts) = (count(without), count(headings));
    let is_entry = |heading: &Span| {
        let of = block(heading);
        let same = counts.get(&of.path).copied().unwrap_or(0);
        let all = of_all.get(&of.path).copied().unwrap_or(0);
        let is_link = of.link_chars > 0 && page.linked(*heading) >= MENU;
        let is_title = (of.lists > 0 || is_link) && page.odds[heading.first as usize] > 0.0;
        let is_among_titles = is_title && all >= LEAST_ENTRIES.max(2 * same);
        is_among_titles || of.link_chars == 0 && same >= LEAST_ENTRIES
    };
    headings.iter().map(is_entry).collect()
}

fn heading(page: &Page<'_>, unit: &Unit) -> Option<Span> {
    let governed = page.units.members(unit).first()?;
    Some(Span::new(unit.span.first, governed.first))
}

/// Whether everything below a heading is dropped.
fn is_empty(page: &Page<'_>, heading: Span, unit: &Unit) -> bool {
    let below = Span::new(heading.end, unit.span.end);
    let (all, kept) = page.words(below);
    let is_short = page.words(heading).0 <= MOST_WORDS;
    let headings = below
        .blocks()
        .all(|block| page.table.blocks[block].kind == Kind::Heading);
    is_short && kept <= 0.0 && all >= LEAST_BELOW && !headings && !is_of_card(page, heading, below)
}

/// Whether a heading is in one box with its picture, such as a product, and its text comes after
/// the box.
fn is_of_card(page: &Page<'_>, heading: Span, below: Span) -> bool {
    let blocks = &page.table.blocks;
    let [own, next] = [heading.first as usize, below.end as usize];
    let is_likely = page.odds[own] > SURE && page.words(below).0 <= MOST_BELOW;
    let is_other = |block: usize| {
        let of = &blocks[block];
        of.kind != Kind::Heading || of.path != blocks[own].path && of.level >= blocks[own].level
    };
    let goes_on = next < blocks.len() && page.is_kept(next) && is_other(next);
    is_likely && goes_on && has_picture(page, below)
}

/// Whether the list right below a heading is links to other pages, and was dropped.
fn is_dropped_menu(page: &Page<'_>, heading: Span, list: Span) -> bool {
    let is_short = page.words(heading).0 <= MOST_WORDS;
    // "Share" above links is not part of the text, however sure the engine is
    let is_text = |block: usize| page.odds[block] > SURE_ABOVE && !is_control(page.text(block));
    let is_sure = heading.blocks().all(is_text);
    is_short && !is_sure && page.words(list).1 <= 0.0 && page.linked(list) >= MENU
}
