//! Listings of code between blocks of text stay with them, and signatures above what they do.

use super::stems::{MEMBERS, Rule};
use super::tables::is_caption_class;
use super::{BOX_LEVELS, Decider, INSIDE, NEAR, Page, TEXT_WORDS, WIDE};
use crate::page::blocks::{Block, Kind};
use crate::page::tags::{BODY, HTML, P};
use crate::units::Span;

/// Mean log-odds above which code below text is kept.
const BELOW: f32 = -1.0;
/// Most titles and controls between code and text, and most words of one.
const BARS: usize = 2;
const BAR_WORDS: f32 = 6.0;
/// Most words of the signature of a function.
const SIGNATURE_WORDS: f32 = 40.0;
/// Most words of a type, and of a link below a signature.
const TYPE_WORDS: usize = 12;
const LINK_WORDS: f32 = 2.0;
/// Most words after its parameters.
const RESULT_WORDS: usize = 4;
/// Most bytes of the ending of the name of a file.
const MOST_ENDING: usize = 5;
/// Most elements from code to the one with the text above it.
const LEVELS: usize = 4;

pub fn settle(page: &mut Page<'_>) {
    keep_signatures(page);
    keep_members(page);
    drop_prompts(page);
    // the end of the last kept listing, and its path
    let mut above = None;
    let mut first = 0;
    while first < page.verdicts.len() {
        let run = run_from(page, first);
        let end = run.last().map_or(first, |last| last.end as usize);
        let span = Span::new(first as u32, end as u32);
        let code = || run.iter().flat_map(|code| code.blocks());
        let (all, odds) = page.sums(code());
        let kept: f32 = code().map(|block| page.kept_words(block)).sum();
        let odds = odds / all.max(f32::MIN_POSITIVE);
        let is_beside = || {
            page.is_between_text(beyond_bars(page, span), |of| !is_listing(of))
                || odds > BELOW && (is_below_text(page, first) || is_headed(page, span))
                || above.is_some_and(|(end, path)| follows(page, first, end, path))
        };
        if kept < all && odds > INSIDE && is_beside() {
            for block in run.iter().flat_map(|code| code.blocks()) {
                page.keep(block, Decider::Listing);
            }
        }
        for code in run {
            let (first, end) = (code.first as usize, code.end as usize);
            if page.is_kept(end - 1) {
                keep_captions(page, code);
                above = Some((end, page.table.blocks[first].path));
            }
        }
        first = end.max(first + 1);
    }
}

/// The listings from a block on between which there are only dropped titles of these, such as `Out[1]:`.
fn run_from(page: &Page<'_>, first: usize) -> Vec<Span> {
    let mut run: Vec<Span> = Vec::new();
    let mut next = first;
    loop {
        let code = page.table.blocks[next..].iter();
        let end = next + code.take_while(|block| is_listing(block)).count();
        let is_titled = |last: &Span| {
            (last.end as usize..next).all(|bar| shares_box(page, bar, next, last.end as usize - 1))
        };
        if end == next || !run.last().is_none_or(is_titled) {
            return run;
        }
        run.push(Span::new(next as u32, end as u32));
        let bars = end..page.verdicts.len();
        next = end
            + bars
                .take(BARS)
                .take_while(|block| is_bar(page, *block))
                .count();
    }
}

/// Whether a block is a dropped title or control.
fn is_bar(page: &Page<'_>, block: usize) -> bool {
    let may_be = page.weights[block] <= BAR_WORDS || page.is_link(block);
    may_be && !is_listing(&page.table.blocks[block]) && !page.is_kept(block)
}

/// Whether only a few kept blocks are between code and a listing like it, which ends at `end`.
fn follows(page: &Page<'_>, first: usize, end: usize, path: u32) -> bool {
    first - end <= NEAR
        && page.table.blocks[first].path == path
        && (end..first).all(|block| page.is_kept(block))
}

/// Keep the captions of kept code, and the name of its file, in the box that it is in.
fn keep_captions(page: &mut Page<'_>, code: Span) {
    let (first, end) = (code.first as usize, code.end as usize);
    let blocks = page.verdicts.len();
    let is_lost = |block: usize| {
        let is_doubted = !page.is_kept(block) && page.odds[block] > INSIDE;
        is_doubted && page.weights[block] < TEXT_WORDS && !page.is_hidden(block)
    };
    let above = first.checked_sub(1).filter(|block| is_lost(*block));
    let above = above.filter(|block| {
        let is_name = is_caption(page, *block) || is_file_name(page.text(*block));
        is_name
            && block
                .checked_sub(1)
                .is_none_or(|text| shares_box(page, *block, first, text))
    });
    let below = Some(end).filter(|block| *block < blocks && is_lost(*block));
    let below = below.filter(|block| {
        let text = block + 1;
        is_caption(page, *block) && (text == blocks || shares_box(page, *block, end - 1, text))
    });
    for block in above.into_iter().chain(below) {
        page.keep(block, Decider::Listing);
    }
}

/// Whether a block is a caption by its element or its class.
fn is_caption(page: &Page<'_>, block: usize) -> bool {
    let is_named = || {
        let elements = page.table.elements.as_ref()?;
        let at = *elements.of_block.get(block)? as usize;
        // the class may be of the element around the line
        let own = elements.rows.get(at)?;
        let around = elements.rows.get(own.parent as usize)?;
        let mut labels = [own, around]
            .into_iter()
            .map(|row| elements.text(row.label));
        Some(labels.any(|label| label.split_ascii_whitespace().any(is_caption_class)))
    };
    page.table.blocks[block].kind == Kind::Caption || is_named() == Some(true)
}

/// Whether a text is the name of a file: `src/pier.rs`, `File: pier.rs`.
fn is_file_name(text: &str) -> bool {
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || "_-./".contains(c);
    let mut words = text.rsplit(char::is_whitespace);
    let name = words.next().unwrap_or("");
    let end = name.rsplit_once('.');
    let has_ending = end.is_some_and(|(stem, end)| {
        let is_ending = |byte: u8| byte.is_ascii_alphanumeric();
        !stem.is_empty() && (1..=MOST_ENDING).contains(&end.len()) && end.bytes().all(is_ending)
    });
    let is_labelled = words.next().is_none_or(|label| label.ends_with(':'));
    has_ending && name.chars().all(is_of_name) && is_labelled && words.next().is_none()
}

/// Code with the dropped titles and controls next to it, which are in a box with it, but without the
/// text around.
fn beyond_bars(page: &Page<'_>, code: Span) -> Span {
    let is_bar = |block: &usize| is_bar(page, *block);
    let (first, end) = (code.first as usize, code.end as usize);
    let above = (0..first).rev().take(BARS).take_while(is_bar).count();
    let below = end..page.verdicts.len();
    let below = below.take(BARS).take_while(is_bar).count();
    let is_boxed = |bar: usize, text: usize| shares_box(page, bar, first, text);
    let above = match (first - above).checked_sub(1) {
        Some(text) if above > 0 && is_boxed(text + 1, text) => above,
        _ => 0,
    };
    let text = end + below;
    let is_below = below > 0 && text < page.verdicts.len() && is_boxed(text - 1, text);
    let below = if is_below { below } else { 0 };
    Span::new((first - above) as u32, (end + below) as u32)
}

/// Whether the element of a block, or the one around it, is around code too, but not around other
/// text.
fn shares_box(page: &Page<'_>, bar: usize, code: usize, text: usize) -> bool {
    let Some(elements) = page.table.elements.as_ref() else {
        return false;
    };
    let parent = |at: &u32| elements.rows.get(*at as usize).map(|row| row.parent);
    let of = |block: usize| elements.of_block.get(block).copied();
    let own = of(bar);
    let is_in = |block: usize, around: u32| {
        let above = std::iter::successors(of(block), parent);
        above.take(BOX_LEVELS).any(|at| at == around)
    };
    let mut boxes = own.into_iter().chain(own.and_then(|own| parent(&own)));
    boxes.any(|around| is_in(code, around) && !is_in(text, around))
}

/// Keep the signatures of functions right above kept text, or above other kept signatures.
fn keep_signatures(page: &mut Page<'_>) {
    for block in (0..page.verdicts.len().saturating_sub(1)).rev() {
        if !is_doubted_signature(page, block) {
            continue;
        }
        let below = block + 1 + links_at(page, block + 1);
        if below < page.verdicts.len()
            && page.is_kept(below)
            && (page.table.blocks[below].kind != Kind::Heading || is_heading_of(page, block, below))
        {
            page.keep(block, Decider::Listing);
        }
    }
    keep_like_signatures(page);
}

/// The dropped links right below a signature, such as the one to its source.
fn links_at(page: &Page<'_>, first: usize) -> usize {
    let blocks = first..page.verdicts.len();
    let is_link = |block: &usize| {
        !page.is_kept(*block) && page.weights[*block] <= LINK_WORDS && page.is_link(*block)
    };
    blocks.take(BARS).take_while(is_link).count()
}

/// Whether a heading is of a signature that is the heading below it: `impl Boat`.
fn is_heading_of(page: &Page<'_>, block: usize, below: usize) -> bool {
    page.table.blocks[block].kind == Kind::Heading && is_signature(page.text(below))
}

fn is_doubted_signature(page: &Page<'_>, block: usize) -> bool {
    if page.is_kept(block) || page.odds[block] <= -WIDE {
        return false;
    }
    let is_heading = page.table.blocks[block].kind == Kind::Heading;
    (is_heading || page.odds[block] > INSIDE)
        && page.weights[block] <= SIGNATURE_WORDS
        && (is_signature(page.text(block)) || is_heading && is_type(page.text(block)))
        && !page.is_hidden(block)
}

/// Keep headings that are signatures below others of the same level, with no dropped heading
/// between them: functions without a text.
fn keep_like_signatures(page: &mut Page<'_>) {
    let mut above = None;
    for block in 0..page.verdicts.len() {
        let Block { kind, level, .. } = page.table.blocks[block];
        if kind != Kind::Heading {
            continue;
        }
        if page.is_kept(block) {
            above = above.or_else(|| is_signature(page.text(block)).then_some(level));
        } else if above == Some(level) && is_doubted_signature(page, block) {
            page.keep(block, Decider::Listing);
        } else {
            above = None;
        }
    }
}

/// Keep the parts of functions that a reference names, if other parts next to them or the heading or
/// label right above is kept.
fn keep_members(page: &mut Page<'_>) {
    let named = page.named(Rule::Member, |mut words| {
        words.any(|name| MEMBERS.contains(&name))
    });
    let (Some(elements), Some(named)) = (page.table.elements.as_ref(), named) else {
        return;
    };
    let named = elements.within(named);
    let is_part = |block: usize| named[elements.of_block[block] as usize];
    let mut first = 0;
    while first < page.verdicts.len() {
        let parts = (first..page.verdicts.len()).take_while(|block| is_part(*block));
        let parts = Span::new(first as u32, (first + parts.count()) as u32);
        let is_headed = |heading: usize| {
            let is_label = page.weights[heading] <= BAR_WORDS;
            page.is_kept(heading) && (is_label || page.table.blocks[heading].kind == Kind::Heading)
        };
        let may_be = page.words(parts).1 > 0.0 || first.checked_sub(1).is_some_and(is_headed);
        if may_be && page.mean_odds(parts) > INSIDE {
            for block in parts.blocks() {
                if !page.is_hidden(block) {
                    page.keep(block, Decider::Listing);
                }
            }
        }
        first = (parts.end as usize).max(first + 1);
    }
}

/// Drop the prompts of notebooks above code and tables: `In [1]:`, `Out[1]:`.
fn drop_prompts(page: &mut Page<'_>) {
    let is_prompt = |text: &str| {
        let number = text.strip_prefix("In [").or(text.strip_prefix("Out["));
        let number = number.and_then(|rest| rest.strip_suffix("]:"));
        number.is_some_and(|number| {
            let mut signs = number.bytes();
            signs.all(|sign| sign.is_ascii_digit() || matches!(sign, b' ' | b'*'))
        })
    };
    for block in 0..page.verdicts.len().saturating_sub(1) {
        let below = &page.table.blocks[block + 1];
        if (below.kind == Kind::Code || below.table > 0) && is_prompt(page.text(block)) {
            page.drop(block, Decider::Listing);
        }
    }
}

/// Whether a heading declares a type: `impl Boat`.
fn is_type(text: &str) -> bool {
    const WORDS: [&str; 6] = ["impl", "struct", "enum", "trait", "class", "interface"];
    let (first, rest) = text.split_once([' ', '<']).unwrap_or_default();
    WORDS.contains(&first) && rest.split_whitespace().count() <= TYPE_WORDS
}

/// Whether a text calls or declares a function: `pier.sail(speed: int = 3) -> bool`.
fn is_signature(text: &str) -> bool {
    const WORDS: [&str; 9] = [
        "class ",
        "def ",
        "fn ",
        "func ",
        "function ",
        "public ",
        "static ",
        "void ",
        "async ",
    ];
    let Some((name, rest)) = text.split_once('(') else {
        return false;
    };
    let Some((inside, after)) = rest.rsplit_once(')') else {
        return false;
    };
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || "_.:$#<>".contains(c);
    let last = name.rsplit(char::is_whitespace).next().unwrap_or("");
    let is_sentence = |text: &str| text.contains(". ") || text.ends_with(['.', '!', '?']);
    let is_code = || {
        last.contains(['.', '_'])
            || inside.contains([':', '='])
            || after.trim_start().starts_with(['→', '-', ':'])
            || WORDS.iter().any(|word| name.contains(word))
    };
    last.len() > 1
        && last.chars().all(is_of_name)
        && !is_sentence(name)
        && !is_sentence(after)
        && after.split_whitespace().count() <= RESULT_WORDS
        && is_code()
}

/// Whether text near above code is kept and in an element around it, but not the whole page: only
/// its name and controls are between them.
fn is_below_text(page: &Page<'_>, first: usize) -> bool {
    let Some(elements) = page.table.elements.as_ref() else {
        return false;
    };
    let mut before = (0..first).rev().take(NEAR);
    let Some(text) = before.find(|block| page.weights[*block] >= TEXT_WORDS) else {
        return false;
    };
    let row = |at: u32| elements.rows.get(at as usize);
    let is_part = |at: &u32| row(*at).is_some_and(|own| !matches!(own.tag, HTML | BODY));
    let element = |block: usize| elements.of_block.get(block).copied();
    let of_text = element(text).map(|at| match row(at) {
        Some(own) if own.tag == P => own.parent,
        _ => at,
    });
    let above = std::iter::successors(element(first), |at| row(*at).map(|own| own.parent));
    page.is_kept(text)
        && of_text.as_ref().is_some_and(is_part)
        && above.skip(1).take(LEVELS).any(|at| Some(at) == of_text)
}

/// Whether code is between a kept heading and a kept paragraph on it: `<h3>open</h3> <pre> <p>`.
fn is_headed(page: &Page<'_>, span: Span) -> bool {
    let (Some(before), after) = ((span.first as usize).checked_sub(1), span.end as usize) else {
        return false;
    };
    let blocks = &page.table.blocks;
    after < blocks.len()
        && blocks[before].kind == Kind::Heading
        && blocks[after].kind == Kind::Paragraph
        && page.is_kept(before)
        && page.is_kept(after)
        && !page.is_link(after)
}

fn is_listing(block: &Block) -> bool {
    block.kind == Kind::Code && block.table == 0
}
