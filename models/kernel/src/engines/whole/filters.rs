//! Filters of a list of products, jobs or results: what they are called, and their values with the
//! number of results for each.

use std::sync::LazyLock;

use super::controls::is_control;
use super::{Decider, Page, TEXT_WORDS};
use crate::page::blocks::Kind;
use crate::text::lines::Lines;

/// Names of filters and of orders in lower case, by language, separated by `|`.
const NAMES: &[&str] = &[
    "filter|filters|filter by|filter by brand|filter by price|filter by color|filter by colour",
    "filter by size|filter by category|filter by type|filter by rating|filter by date|filter by topic",
    "filter results|filter products|filter your results|filter your search|product filters|all filters",
    "refine|refine by|refine results|refine your results|refine search|refine your search|narrow by",
    "narrow results|narrow your results|narrow your search|sort|sort by|sort by price|sort by relevance",
    "sort by popularity|sort by date|sort results|order by|default sorting|clear all|clear filters",
    "clear all filters|reset filters|reset all|apply filters|show filters|hide filters|availability",
    "filtern|filtern nach|filtern nach marke|filtern nach preis|filtern nach größe|filtern nach farbe",
    "filtern nach kategorie|nach marke filtern|nach preis filtern|ergebnisse filtern|alle filter",
    "filter zurücksetzen|filter löschen|alle filter löschen|sortieren|sortieren nach|sortierung",
    "filtrer|filtrer par|filtrer par marque|filtrer par prix|filtrer par couleur|filtrer par taille",
    "filtrer par catégorie|filtres|tous les filtres|effacer les filtres|réinitialiser les filtres",
    "affiner|affiner par|affiner la recherche|affiner votre recherche|trier|trier par|tri",
    "filtrar|filtrar por|filtrar por marca|filtrar por precio|filtrar por preço|filtrar por color",
    "filtrar por categoría|filtrar por categoria|filtros|todos los filtros|borrar filtros",
    "limpiar filtros|quitar filtros|limpar filtros|refinar|refinar por|ordenar|ordenar por|ordena per",
    "filtra|filtra per|filtra per marca|filtra per prezzo|filtri|tutti i filtri|rimuovi filtri|ordina per",
    "filteren|filter op|filteren op|filter op merk|filter op prijs|filters wissen|wis filters|verfijn",
    "sorteren|sorteer op|sorteren op|filtrera|filtrera efter|filtrera på|rensa filter|sortera|sortera efter",
    "filtrer efter|nulstil filtre|sorter efter|sortér efter|sorter|filtrer etter|sorter etter",
    "suodata|suodattimet|tyhjennä suodattimet|järjestä|lajittele|filtruj|filtry|wyczyść filtry|sortuj",
    "sortuj według|sortuj wg|filtrovat|zrušit filtry|řadit podle|seřadit podle|filtrovať|zoradiť podľa",
    "szűrés|szűrők|rendezés|filtrează|filtre|sortează după|sortează|filtrele|filtreler|sırala|sıralama",
    "φίλτρα|φιλτράρισμα|ταξινόμηση|ταξινόμηση κατά|фильтр|фильтры|сортировка|сортировать по",
    "сбросить фильтры|фільтри|сортувати за|скинути фільтри|филтри|филтър|сортиране|подреди по",
    "筛选|篩選|排序|排序方式|清除筛选|絞り込み|絞り込む|並べ替え|並び替え|필터|정렬|تصفية|ترتيب حسب|סינון|מיון לפי",
];
/// Blocks next to a name among which another one or a value is.
const NEXT: usize = 2;
/// Most words of a name or a value.
const MOST_WORDS: f32 = 6.0;
/// Most digits of a number of results.
const MOST_DIGITS: usize = 6;

static KNOWN: LazyLock<Lines> =
    LazyLock::new(|| Lines::of(NAMES.iter().flat_map(|line| line.split('|'))));

/// Drop names of filters next to others or to values, and the values below them.
pub fn settle(page: &mut Page<'_>) {
    let mut block = 0;
    while block < page.verdicts.len() {
        if !page.is_kept(block) || !is_name(page, block) || !is_of_several(page, block) {
            block += 1;
            continue;
        }
        let end = end_of_values(page, block);
        for dropped in block..end {
            page.drop(dropped, Decider::Promotion);
        }
        block = end;
    }
}

/// The end of the names and values from a name on, with a label between them: `Brand`.
fn end_of_values(page: &Page<'_>, name: usize) -> usize {
    let is_part = |block: usize| is_name(page, block) || is_value(page, block);
    let blocks = page.verdicts.len();
    let mut end = name + 1;
    while end < blocks {
        let is_label =
            || end + 1 < blocks && page.weights[end] <= MOST_WORDS && is_value(page, end + 1);
        if !is_part(end) && !is_label() {
            break;
        }
        end += 1;
    }
    end
}

fn is_of_several(page: &Page<'_>, name: usize) -> bool {
    let is_short = |block: &usize| page.weights[*block] < TEXT_WORDS;
    let end = (name + 1 + NEXT).min(page.verdicts.len());
    let above = (name.saturating_sub(NEXT)..name).rev();
    let below = (name + 1..end).take_while(is_short);
    let mut near = above.take_while(is_short).chain(below);
    near.any(|block| is_name(page, block) || is_value(page, block))
}

fn is_name(page: &Page<'_>, block: usize) -> bool {
    let of = &page.table.blocks[block];
    let may_be = matches!(of.kind, Kind::Heading | Kind::Paragraph | Kind::Other);
    if !may_be || of.table > 0 || page.weights[block] > MOST_WORDS {
        return false;
    }
    let text = page
        .text(block)
        .trim_matches(|sign: char| !sign.is_alphanumeric());
    KNOWN.may_have(text) && KNOWN.has(&text.to_lowercase())
}

/// Whether a block is a value with the number of its results: `Oak (12)`.
fn is_value(page: &Page<'_>, block: usize) -> bool {
    let of = &page.table.blocks[block];
    let may_be = matches!(of.kind, Kind::ListItem | Kind::Paragraph | Kind::Other) && of.table == 0;
    may_be && page.weights[block] <= MOST_WORDS && ends_with_number(page.text(block))
}

/// Whether a text ends with a number in brackets that is not a year.
fn ends_with_number(text: &str) -> bool {
    let inside = text.strip_suffix([')', ']', '）']);
    let parted = inside.and_then(|text| text.rsplit_once(['(', '[', '（']));
    parted.is_some_and(|(before, number)| {
        let is_year = number.len() == 4 && number.starts_with(['1', '2']);
        let digits = number.bytes().filter(u8::is_ascii_digit).count();
        let is_number = number
            .bytes()
            .all(|byte| byte.is_ascii_digit() || b",. ".contains(&byte));
        !before.is_empty() && is_number && (1..=MOST_DIGITS).contains(&digits) && !is_year
    }) && !is_control(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_ends_with_the_number_of_its_results() {
        for (text, expected) in [
            ("Oak (12)", true),
            ("Oak & ash [1,204]", true),
            ("Eiche（3）", true),
            ("A book (1999)", false),
            ("A note (see 3)", false),
            ("(12)", false),
            ("Oak 12", false),
            ("", false),
        ] {
            assert_eq!(ends_with_number(text), expected, "{text}");
        }
    }

    #[test]
    fn every_name_is_in_the_form_that_is_looked_up() {
        for name in NAMES.iter().flat_map(|line| line.split('|')) {
            assert!(
                KNOWN.may_have(name) && KNOWN.has(&name.to_lowercase()),
                "{name}"
            );
        }
    }
}
