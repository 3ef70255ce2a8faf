//! The meaning of a shown date, from the text around it.

use std::sync::LazyLock;

use regex::Regex;

use super::patterns::pattern;

/// A label for the date of a change, in the supported languages.
static CHANGE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        "(?i)updat|modif|revis|edited|review|aktualis|geändert|stand:|mise à jour|mis à jour",
        "|actualiz|atualiz|aggiorn|modific|обновл|更新|ενημερ|uppdater|oppdater|opdater|päivit|frissít",
        "|güncel|оновлен|ažurir|bijgewerkt|gewijzigd|zmienion|diperbarui|cập nhật|수정|bearbeitet|измен|修改|编辑",
    ))
});
/// A label for the date of a publication.
static PUBLICATION: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"(?i)publish|posted|released|issued|written|created|uploaded|submitted|(?:started|opened|asked) by|veröffentlicht",
        r"|erschienen|erstellt|publié|paru|publicad|publicat|pubblicat|opublikowan|dodano|опубликован",
        r"|размещен|公開|投稿|掲載|发布|發佈|发表|發表|δημοσιε|yayın|gepubliceerd|geplaatst",
        r"|publikován|publikovan|zveřejněn|julkaistu|publicerad|publisert|offentliggjort|udgivet",
        r"|опубліков|опубл|közzété|objavljen|diterbitkan|발행|등록|입력|đăng",
    ))
});
/// A label for a future event, or for the subject of a page.
static EVENT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"(?i)(?:^|\W)(?:when|dates? (?:and|&) times?|start(?:s|ing|ed)?|begin(?:s|ning)?|ends?|ending|event",
        r"|deadline|due|closing|closes?|apply|expir\w*|valid|doors|register|registration|until|funeral|visitation|memorial|(?:funeral|memorial) services?|trauerfeier|beisetzung|obsèques|uitvaart|born|died|built|founded|established|opened",
        r"|received|accepted|eingegangen|angenommen|tickets|joined|registered|member since|wann|beginn|termin|veranstaltung|anmeldeschluss|quand|début|cuándo|inicio|inizio|kiedy",
        r"|retrieved|accessed|abgerufen|consulté|consultado|geraadpleegd|обращени[ея]|когда|начало)(?:\W|$)|開催|開始|締切|日時|时间[:：]",
    ))
});
/// From an hour to another one, or from a year or a day to a date: the time of an event or a life.
static HOURS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"(?i)^\W*(?:\p{L}{1,4}\W+)?[0-9]{1,2}(?:[:.h][0-9]{2})?\s?(?:[ap]\.?m\.?|uhr|h|Uhr)?",
        r"\s?(?:-|–|—|to|bis|à|until|a|till?|do)\s?",
        r"[0-9]{1,2}(?:[:.h][0-9]{2}|\s?[ap]\.?m\b|\s?uhr|\s?h\b)",
    ))
});
static FROM: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?:^[0-9]{1,2}|(?:^|[^0-9])(?:1[0-9]{3}|20[0-9]{2}))\.?\s?(?:-|–|—)\s?$")
});
/// Words of bylines; other lower-case words make a sentence.
const OF_BYLINES: [&str; 62] = [
    "on",
    "at",
    "by",
    "in",
    "of",
    "the",
    "and",
    "for",
    "to",
    "from",
    "a",
    "an",
    "am",
    "pm",
    "min",
    "mins",
    "minute",
    "minutes",
    "read",
    "last",
    "first",
    "published",
    "posted",
    "updated",
    "edited",
    "modified",
    "reviewed",
    "written",
    "comments",
    "comment",
    "views",
    "shares",
    "hours",
    "ago",
    "von",
    "um",
    "uhr",
    "und",
    "veröffentlicht",
    "aktualisiert",
    "le",
    "la",
    "à",
    "par",
    "publié",
    "mis",
    "jour",
    "de",
    "del",
    "el",
    "por",
    "em",
    "il",
    "di",
    "da",
    "alle",
    "do",
    "o",
    "w",
    "r",
    "г",
    "в",
];
/// Fewest lower-case words in a sentence; bylines have fewer.
const LEAST_WORDS: usize = 2;
/// The same if the text does not end like a sentence.
const LEAST_OPEN_WORDS: usize = 4;
/// Letters of caseless scripts in a line with a full stop.
const LEAST_LETTERS: usize = 12;
/// Length of the text before a date that may be its label.
const MAX_LABEL: usize = 60;

/// The meaning of a shown date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dated {
    Publication,
    Change,
    /// An event, or a date in a sentence.
    Other,
}

/// The meaning of a date: `before` and `after` are the texts around it, up to the adjacent dates.
#[must_use]
pub fn dated(before: &str, after: &str) -> Dated {
    let label = last_bytes(before, MAX_LABEL);
    let place = |pattern: &Regex| pattern.find_iter(label).last().map(|found| found.end());
    match (place(&CHANGE), place(&PUBLICATION)) {
        (None, None) => {}
        (change, publication) if change > publication => return Dated::Change,
        _ => return Dated::Publication,
    }
    if EVENT.is_match(label)
        || FROM.is_match(label)
        || HOURS.is_match(first_bytes(after, MAX_LABEL))
        || is_sentence(before, after)
    {
        return Dated::Other;
    }
    // `9 May 2025 (updated)`
    if is_change(first_bytes(after, MAX_LABEL)) {
        Dated::Change
    } else {
        Dated::Publication
    }
}

/// Whether a text labels the date of a change.
#[must_use]
pub fn is_change(text: &str) -> bool {
    CHANGE.is_match(text)
}

/// Whether a text labels the date of a publication or a change.
#[must_use]
pub fn is_of_page(text: &str) -> bool {
    CHANGE.is_match(text) || PUBLICATION.is_match(text)
}

/// Since when somebody is a member, in the profile of an author.
static MEMBERSHIP: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)joined|registered|member since"));

/// Whether a text says what day something else is: a deadline, a birthday, the start of an event.
#[must_use]
pub fn is_event(text: &str) -> bool {
    let others = [&*CHANGE, &*PUBLICATION, &*MEMBERSHIP];
    EVENT.is_match(text) && !others.iter().any(|other| other.is_match(text))
}

/// Whether the texts around a date make a sentence with it.
fn is_sentence(before: &str, after: &str) -> bool {
    let words = before.split_whitespace().chain(after.split_whitespace());
    let small = words.filter(|word| {
        let word = word.trim_matches(|sign: char| !sign.is_alphanumeric());
        word.starts_with(char::is_lowercase) && !OF_BYLINES.contains(&word)
    });
    let small = small.take(LEAST_OPEN_WORDS).count();
    let is_ended = after.trim_end().ends_with(['.', '!', '?', '…', '。']);
    let is_caseless =
        |sign: &char| sign.is_alphabetic() && !sign.is_lowercase() && !sign.is_uppercase();
    let letters = || before.chars().chain(after.chars()).filter(is_caseless);
    small >= LEAST_OPEN_WORDS
        || is_ended && (small >= LEAST_WORDS || letters().nth(LEAST_LETTERS).is_some())
        || after.contains('。')
}

/// The end of a text, of about this many bytes at most.
#[must_use]
pub fn last_bytes(text: &str, bytes: usize) -> &str {
    let mut start = text.len().saturating_sub(bytes);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    &text[start..]
}

/// The start of a text, of about this many bytes at most.
#[must_use]
pub fn first_bytes(text: &str, bytes: usize) -> &str {
    let mut end = text.len().min(bytes);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_date_is_of_stands_around_it() {
        for (before, after, expected) in [
            ("", "", Dated::Publication),
            ("Published on ", " by Ann Bee in News", Dated::Publication),
            ("By Ann Bee | ", " | 5 min read", Dated::Publication),
            ("Updated ", "", Dated::Change),
            ("", " (updated)", Dated::Change),
            ("Published; updated ", "", Dated::Change),
            ("Updated. First published ", "", Dated::Publication),
            (
                "This text was first published on ",
                " and then again.",
                Dated::Publication,
            ),
            ("When: ", ", 10:00", Dated::Other),
            ("Deadline ", "", Dated::Other),
            ("On ", " a fire broke out in the town.", Dated::Other),
            ("The bees of ", " are gone.", Dated::Other),
            ("the bees came back to the town on ", "", Dated::Other),
            (
                "Am ",
                " brannten in der Stadt vier Häuser ab.",
                Dated::Other,
            ),
            ("", "、この町で大きな火事が起きました。", Dated::Other),
            ("Received: ", "", Dated::Other),
            ("", " at 6:00 PM to 8:30 PM CEST", Dated::Other),
            ("Friday, ", ", 19.30–21 Uhr", Dated::Other),
            ("", " · 6 - 9pm GMT", Dated::Other),
            ("", " 10:30 AM - 5 min read", Dated::Publication),
            ("", " at 10:30 | 4-6 comments", Dated::Publication),
            ("12 March 1931 – ", "", Dated::Other),
            ("3 – ", "", Dated::Other),
            ("10:30 - ", "", Dated::Publication),
            ("Bees – ", "", Dated::Publication),
            (
                "Discussion in 'Hives' started by ann, ",
                ".",
                Dated::Publication,
            ),
            ("Retrieved ", " from the archive.", Dated::Other),
            ("/ Accepted ", "", Dated::Other),
            ("Publikováno ", "", Dated::Publication),
            ("Päivitetty ", "", Dated::Change),
            ("Weekend: ", "", Dated::Publication),
        ] {
            assert_eq!(dated(before, after), expected, "{before}|{after}");
        }
    }
}
