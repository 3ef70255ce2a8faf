//! Buttons between the headline and the text that are plain words, such as "Share", "Print" and
//! "Save": alone, such a word may be text. Numbers of slides and of votes.

use std::sync::LazyLock;

use super::controls::is_control;
use super::stems::{Rule, VOTE};
use super::{Decider, Page, TEXT_WORDS};
use crate::page::blocks::Kind;
use crate::text::lines::Lines;

/// In lower case, by language, separated by `|`.
const BUTTONS: &[&str] = &[
    "share|print|save|email|e-mail|mail|comment|comments|bookmark|listen|tweet|pin|follow|gift",
    "add to favorites|add to favourites",
    "text size|font size|a-|a+|a|aa|reading list|copy|link|download pdf|print page|email article",
    "facebook|twitter|x|whatsapp|linkedin|telegram|pinterest|reddit|messenger|bluesky|threads",
    "teilen|drucken|merken|speichern|kommentare|kommentieren|vorlesen|anhören|mailen|per mail",
    "schriftgröße|merkliste|artikel merken|versenden|verschicken|pdf",
    "partager|imprimer|enregistrer|sauvegarder|envoyer|commenter|commentaires|écouter|favoris|offrir",
    "taille du texte|réagir",
    "compartir|guardar|imprimir|comentar|comentarios|escuchar|enviar|tamaño de texto|comparteix|desa",
    "compartilhar|compartilhe|partilhar|salvar|comentários|ouvir|condividi|stampa|salva|commenta",
    "commenti|ascolta|invia|delen|deel|printen|afdrukken|bewaar|bewaren|opslaan|reageer|reacties",
    "luister|gem|udskriv|lyt|kommentarer|lagre|skriv ut|lytt|kommenter|dela|spara|lyssna|kommentera",
    "jaa|tallenna|tulosta|kuuntele|kommentoi|udostępnij|drukuj|zapisz|skomentuj|komentarze|posłuchaj",
    "sdílet|tisk|vytisknout|uložit|diskuse|zdieľať|tlačiť|uložiť|diskusia|megosztás|nyomtatás|mentés",
    "distribuie|printează|tipărește|salvează|comentarii|paylaş|yazdır|kaydet|dinle|yorumlar|yorum yap",
    "κοινοποίηση|εκτύπωση|αποθήκευση|поделиться|печать|распечатать|сохранить|в закладки|комментарии",
    "слушать|поділитися|друк|зберегти|коментарі|сподели|запази|принтирай",
    "共有|シェア|シェアする|印刷|保存|コメント|ブックマーク|공유|공유하기|인쇄|저장|댓글|스크랩|글자크기",
    "分享|打印|列印|收藏|评论|評論|字号|字體|مشاركة|طباعة|حفظ|چاپ|اشتراک‌گذاری|ذخیره|שיתוף|הדפסה|שמירה",
    "bagikan|cetak|simpan|chia sẻ|lưu|in bài|bình luận|शेयर करें|प्रिंट|แชร์|พิมพ์",
];
/// Most blocks below a headline, and most bytes of one with buttons.
const BELOW: usize = 14;
const MOST_BYTES: usize = 96;
/// Most digits of a number, and fewest numbers one after the other.
const MOST_DIGITS: usize = 4;
const LEAST_NUMBERS: usize = 5;
/// Elements around a number of votes one of which is named for it, and blocks of its post.
const VOTE_LEVELS: usize = 2;
const VOTE_BLOCKS: usize = 16;
/// Fewest buttons.
const LEAST: usize = 2;

static KNOWN: LazyLock<Lines> =
    LazyLock::new(|| Lines::of(BUTTONS.iter().flat_map(|line| line.split('|'))));

pub fn settle(page: &mut Page<'_>) {
    drop_numbers(page);
    drop_votes(page);
    drop_buttons(page);
}

/// Drop blocks that are only numbers one after the other: 1, 2, 3, of slides or of lines of code.
fn drop_numbers(page: &mut Page<'_>) {
    let mut first = 0;
    while first < page.verdicts.len() {
        let count = number(page, first).map_or(1, |from| {
            let rest = first..page.verdicts.len();
            let numbers = rest.map_while(|block| number(page, block)).zip(from..);
            numbers.take_while(|(own, next)| own == next).count()
        });
        for block in (first..first + count).filter(|_| count >= LEAST_NUMBERS) {
            page.drop(block, Decider::Promotion);
        }
        first += count;
    }
}

/// Drop the numbers above or below posts that are named for votes.
fn drop_votes(page: &mut Page<'_>) {
    let named = page.named(Rule::Vote, |mut words| {
        words.any(|name| name.contains(VOTE))
    });
    let (Some(elements), Some(named)) = (page.table.elements.as_ref(), named) else {
        return;
    };
    let is_named = |block: usize| {
        let own = elements.of_block[block];
        let mut around = elements.with_parents(own).take(VOTE_LEVELS);
        around.any(|at| named[at as usize])
    };
    let is_count = |block: usize| {
        let digits = page.text(block).trim_start_matches(['-', '−', '+']);
        page.table.blocks[block].table == 0
            && !digits.is_empty()
            && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    let is_of_post = |block: usize| {
        let member = page.members()[block].blocks().take(VOTE_BLOCKS);
        let mut others = member.filter(|other| page.kept_words(*other) >= TEXT_WORDS);
        others.next().is_some()
    };
    let votes = (0..page.verdicts.len()).filter(|block| page.is_kept(*block));
    let votes = votes.filter(|block| is_count(*block) && is_named(*block) && is_of_post(*block));
    for block in votes.collect::<Vec<usize>>() {
        page.drop(block, Decider::Promotion);
    }
}

/// The number that a kept block outside of tables is.
fn number(page: &Page<'_>, block: usize) -> Option<u32> {
    if page.weights[block] > 1.0 || !page.is_kept(block) || page.table.blocks[block].table > 0 {
        return None;
    }
    let text = page.text(block);
    let is_number = text.len() <= MOST_DIGITS && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_number)
}

fn drop_buttons(page: &mut Page<'_>) {
    let blocks = &page.table.blocks;
    let is_text = |block: &usize| page.kept_words(*block) >= TEXT_WORDS;
    let mut texts = (0..blocks.len()).filter(is_text);
    let is_headline =
        |block: &usize| blocks[*block].kind == Kind::Heading && blocks[*block].level == 1;
    let above = |text: usize| (text.saturating_sub(BELOW)..text).rev().find(is_headline);
    // below a lead there may be buttons too
    let ends = [texts.next(), texts.next()];
    let Some(headline) = ends.into_iter().flatten().find_map(above) else {
        return;
    };
    let end = ends.into_iter().flatten().max().unwrap_or(headline);
    let end = end.min(headline + 1 + BELOW);
    let count = |block: &usize| match blocks[*block].kind {
        Kind::Heading | Kind::Code | Kind::TableCell => 0,
        _ => buttons(page.text(*block)),
    };
    let below = headline + 1..end;
    let counts = below.map(|block| (block, count(&block)));
    let found: Vec<(usize, usize)> = counts.filter(|(_, count)| *count > 0).collect();
    if found.iter().map(|(_, count)| count).sum::<usize>() >= LEAST {
        for (block, _) in found {
            page.drop(block, Decider::Promotion);
        }
    }
}

/// The number of buttons in a text; none if it has other words.
fn buttons(text: &str) -> usize {
    if text.len() > MOST_BYTES {
        return 0;
    }
    let mut sum = 0;
    for part in text.split(['|', '·', '•', '/', '\n', ',']) {
        let words = || part.split_whitespace();
        if is_button(part) || is_control(part) {
            sum += 1;
        } else if words().all(|word| is_button(word) || !word.contains(char::is_alphabetic)) {
            sum += words().filter(|word| is_button(word)).count();
        } else {
            return 0;
        }
    }
    sum
}

fn is_button(text: &str) -> bool {
    let text = text.trim().trim_end_matches([':', '…']);
    KNOWN.may_have(text) && KNOWN.has(&text.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buttons_are_counted_in_texts_without_other_words() {
        for (text, expected) in [
            ("Share", 1),
            ("Share | Print · Save", 3),
            ("Partager Imprimer Enregistrer", 3),
            ("A- A A+", 3),
            ("Comments 12", 1),
            ("Save the bees", 0),
            ("Share, print and save", 0),
            ("12", 0),
            ("", 0),
        ] {
            assert_eq!(buttons(text), expected, "{text}");
        }
    }

    #[test]
    fn every_button_is_in_the_form_that_is_looked_up() {
        for button in BUTTONS.iter().flat_map(|line| line.split('|')) {
            assert!(is_button(button), "{button}");
        }
    }
}
