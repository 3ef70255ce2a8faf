//! Dates in the formats of pages -> RFC 3339.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::calendar::{Day, Time, number, weekday_named};
use super::date_labels::last_bytes;
use super::lines::is_longer;
use super::mail_dates;
use super::months::month_of;
use super::patterns::pattern;

const MAX_CHARS: usize = 64;
/// Visible dates: the year must have four digits, or its position is ambiguous.
static SEEN: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"(?P<y1>[0-9]{4})(?P<s1>[-/.])(?P<m1>[0-9]{1,2})(?P<t1>[-/.])(?P<d1>[0-9]{1,2})",
        r"|(?P<y2>[0-9]{4})\s?[年년]\s?(?P<m2>[0-9]{1,2})\s?[月월]\s?(?P<d2>[0-9]{1,2})\s?[日일]",
        r"|(?P<a3>[0-9]{1,2})(?P<s3>[-/.])\s?(?P<b3>[0-9]{1,2})(?P<t3>[-/.])\s?(?P<y3>[0-9]{4})",
        r"|(?P<d4>[0-9]{1,2})(?i:st|nd|rd|th|er|[.ºª°])?[\s-]{1,2}(?:de\s|of\s|d['’])?",
        r"(?P<m4>[\p{L}\p{M}]{2,14}(?:\sال(?:[أا]ول|ثاني))?)(?:/[^\x00-\x7f\s]{2,12})?[.,]{0,2}[\s-]{1,2}(?:de\s|del\s|of\s|พ\.ศ\.\s?)?(?P<y4>[0-9]{4})",
        r"|(?P<m5>\p{L}{3,12})[.,]?\s{1,2}(?P<d5>[0-9]{1,2})(?:st|nd|rd|th)?,?\s{1,2}(?P<y5>[0-9]{4})",
        r"|(?P<y7>[0-9]{4})\.\s?gada\s(?P<d7>[0-9]{1,2})\.\s(?P<m7>\p{L}{3,12})",
        r"|(?P<y6>[0-9]{4})(?:[.,]|\sm\.|ko)?\s(?P<m6>\p{L}{3,12})[.,]?\s(?P<d6>[0-9]{1,2})",
        r"|(?P<e9>令和|平成|民國|民国)\s?(?P<y9>[0-9]{1,3})\s?年\s?(?P<m9>[0-9]{1,2})\s?月\s?(?P<d9>[0-9]{1,2})\s?日",
        r"|(?P<d8>[0-9]{1,2})\s(?i:tháng|thg)\s(?P<m8>[0-9]{1,2})(?:,|\snăm)?\s(?P<y8>[0-9]{4})",
    ))
});
/// The years of the web.
pub const YEARS: Range<u32> = 1990..2100;
/// Eras with their last year before the first.
const ERAS: [(&str, u32); 4] = [
    ("令和", 2018),
    ("平成", 1988),
    ("民國", 1911),
    ("民国", 1911),
];
/// Bytes before a date that may name its day.
const MAX_WEEKDAY: usize = 16;
/// Years by which the Buddhist era is ahead.
const BUDDHIST_YEARS: u32 = 543;
const MONTH_FIRST: [&str; 2] = ["us", "ph"];
const DAY_FIRST: [&str; 13] = [
    "gb", "uk", "ie", "au", "nz", "in", "za", "sg", "hk", "my", "ke", "ng", "pk",
];
/// Host names reserved for institutions of the United States.
const OF_US: [&str; 4] = ["us", "gov", "edu", "mil"];

/// The date, with the time if there are one and a zone; empty for an invalid date.
///
/// It accepts ISO 8601, RFC 2822, and seconds or milliseconds since 1970. A time without a zone is
/// dropped, because its meaning is unknown; the date is kept. Software writes the year 1, or the
/// first second of 1970 in some zone, for a missing date.
#[must_use]
pub fn rfc3339(text: &str) -> String {
    let text = text.trim();
    if text.is_empty() || is_longer(text, MAX_CHARS) {
        return String::new();
    }
    let Some((day, time)) = iso(text)
        .or_else(|| since_1970(text))
        .or_else(|| mail_dates::read(text))
    else {
        return String::new();
    };
    let written = day.written();
    if day.year == 1 || written == "1970-01-01" || written == "1969-12-31" && time.is_some() {
        return String::new();
    }
    match time.and_then(|time| Some((time, time.offset?))) {
        None => written,
        Some((time, offset)) => {
            let Time {
                hour,
                minute,
                second,
                ..
            } = time;
            format!(
                "{written}T{hour:02}:{minute:02}:{second:02}{}",
                zone(offset)
            )
        }
    }
}

fn zone(offset: i32) -> String {
    let sign = if offset < 0 { '-' } else { '+' };
    match offset.unsigned_abs() {
        0 => "Z".to_owned(),
        minutes => format!("{sign}{:02}:{:02}", minutes / 60, minutes % 60),
    }
}

/// Seconds or milliseconds since 1970, in the usual form: ten digits or thirteen.
fn since_1970(text: &str) -> Option<(Day, Option<Time>)> {
    let is_one = matches!(text.len(), 10 | 13)
        && text.starts_with('1')
        && text.bytes().all(|byte| byte.is_ascii_digit());
    let seconds: u32 = text.get(..10).filter(|_| is_one)?.parse().ok()?;
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    // days since the first of March of the year 0, in eras of 400 years
    let (era, day) = ((days + 719_468) / 146_097, (days + 719_468) % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let of_year = day - (365 * year + year / 4 - year / 100);
    let from_march = (5 * of_year + 2) / 153;
    let month = if from_march < 10 {
        from_march + 3
    } else {
        from_march - 9
    };
    let year = year + era * 400 + u32::from(month <= 2);
    let day = Day::of(year, month, of_year - (153 * from_march + 2) / 5 + 1)?;
    let time = Time::of(second / 3600, second / 60 % 60, second % 60, Some(0));
    Some((day, time))
}

/// A date in ISO 8601 or similar, followed by a time if it is valid.
fn iso(text: &str) -> Option<(Day, Option<Time>)> {
    let (year, rest) = number(text, 4, 4)?;
    let separator = rest.chars().next().filter(|sign| "-/.".contains(*sign));
    let digits = if separator.is_some() { 1 } else { 2 };
    let rest = &rest[usize::from(separator.is_some())..];
    let (month, rest) = number(rest, digits, 2)?;
    let rest = match separator {
        Some(_) => rest.strip_prefix(['-', '/', '.'])?,
        None => rest,
    };
    let (day, rest) = number(rest, digits, 2)?;
    if rest.starts_with(|sign: char| sign.is_ascii_digit()) {
        // `20250503100000`
        let is_clock = separator.is_none() && rest.len() == 6;
        return match clock(rest) {
            Clock::Time(time) if is_clock => Some((Day::of(year, month, day)?, Some(time))),
            _ => None,
        };
    }
    let is_whole = separator.is_some() || rest.is_empty() || rest.starts_with(['T', 't', ' ']);
    let day = Day::of(year, month, day).filter(|_| is_whole)?;
    let time = rest
        .strip_prefix(['T', 't', ' '])
        .filter(|rest| rest.contains(':') || separator.is_none());
    match time.map(clock) {
        None => Some((day, None)),
        Some(Clock::Time(time)) => Some((day, Some(time))),
        Some(Clock::Unreadable) => Some((day, None)),
        Some(Clock::Wrong) => None,
    }
}

enum Clock {
    Time(Time),
    /// A zone with seconds, which RFC 3339 does not allow.
    Wrong,
    Unreadable,
}

/// A time of ISO 8601: `10:00`, `10:00:00.5Z`, `10:00:00+0200`.
fn clock(text: &str) -> Clock {
    let read = || {
        let (hour, rest) = number(text, 2, 2)?;
        let colon = if rest.starts_with(':') { ":" } else { "" };
        let (minute, rest) = number(rest.strip_prefix(colon)?, 2, 2)?;
        let (second, rest) = match rest.strip_prefix(colon) {
            Some(rest) if rest.starts_with(|sign: char| sign.is_ascii_digit()) => {
                number(rest, 2, 2)?
            }
            _ => (0, rest),
        };
        let rest = match rest.strip_prefix(['.', ',']) {
            Some(parts) => parts.trim_start_matches(|sign: char| sign.is_ascii_digit()),
            None => rest,
        };
        Some((Time::of(hour, minute, second, None)?, rest.trim_start()))
    };
    let Some((time, rest)) = read() else {
        return Clock::Unreadable;
    };
    if rest.is_empty() {
        return Clock::Time(time);
    }
    if matches!(rest, "Z" | "z") {
        return Clock::Time(Time {
            offset: Some(0),
            ..time
        });
    }
    let ahead = match rest.as_bytes()[0] {
        b'+' => 1,
        b'-' => -1,
        _ => return Clock::Unreadable,
    };
    let zone = || {
        let (hours, rest) = number(&rest[1..], 2, 2)?;
        let rest = rest.strip_prefix(':').unwrap_or(rest);
        if rest.is_empty() {
            return Some((hours, 0, rest));
        }
        let (minutes, rest) = number(rest, 2, 2)?;
        Some((hours, minutes, rest))
    };
    match zone() {
        Some((hours, minutes, "")) if hours < 24 && minutes < 60 => Clock::Time(Time {
            offset: Some(ahead * (hours * 60 + minutes) as i32),
            ..time
        }),
        Some((_, _, rest)) if rest.trim_start_matches([':', '.']).parse::<f64>().is_ok() => {
            Clock::Wrong
        }
        _ => Clock::Unreadable,
    }
}

/// Whether `3/4/2025` is the 4th of March on a page; `None` if the page does not show it.
#[must_use]
pub fn is_month_first(lang: &str, host: &str) -> Option<bool> {
    let tag = lang.replace('_', "-").to_lowercase();
    let (language, region) = tag.split_once('-').unwrap_or((&tag, ""));
    let region = region.rsplit('-').next().unwrap_or_default();
    let ending = host.rsplit('.').next().unwrap_or_default();
    if MONTH_FIRST.contains(&region) || OF_US.contains(&ending) {
        return Some(true);
    }
    let is_other = DAY_FIRST.contains(&region) || DAY_FIRST.contains(&ending);
    (is_other || !matches!(language, "" | "en")).then_some(false)
}

/// The first visible date in a text, empty if there is none.
///
/// `month_first` is the result of [`is_month_first`]; without it ambiguous numbers are skipped.
#[must_use]
pub fn seen_date(text: &str, lang: &str, month_first: Option<bool>) -> String {
    let first = seen_dates(text, lang, month_first).next();
    first.map_or_else(String::new, |(day, _)| day)
}

/// The visible dates in a text, and their positions.
pub fn seen_dates(
    text: &str,
    lang: &str,
    month_first: Option<bool>,
) -> impl Iterator<Item = (String, Range<usize>)> {
    // most lines have no date, and this check is fast
    let mut from = has_year(text).then_some(0);
    std::iter::from_fn(move || {
        while let Some(found) = SEEN.captures_at(text, from?) {
            let span = found.get_match();
            if stands_alone(text, span.range(), &found) {
                from = Some(span.end());
                let month_first = order_by_weekday(&text[..span.start()], &found, month_first);
                if let Some(day) = day(&found, lang, month_first) {
                    return Some((day.written(), span.range()));
                }
            } else {
                let first = text[span.start()..].chars().next();
                from = Some(span.start() + first.map_or(1, char::len_utf8));
            }
        }
        None
    })
}

/// The first digits of scripts whose numbers date pages: Arabic, Persian, Devanagari, Bengali, Thai,
/// full width.
const ZEROS: [char; 6] = [
    '\u{660}', '\u{6f0}', '\u{966}', '\u{9e6}', '\u{e50}', '\u{ff10}',
];

/// A text whose digits are all of ASCII, without marks of direction.
#[must_use]
pub fn with_plain_digits(text: &str) -> Cow<'_, str> {
    let digit = |sign: char| {
        let mut places = ZEROS
            .iter()
            .map(|zero| (sign as u32).wrapping_sub(*zero as u32));
        places.find(|place| *place < 10)
    };
    let is_mark = |sign: char| matches!(sign, '\u{61c}' | '\u{200e}' | '\u{200f}');
    if text.is_ascii() || !text.contains(|sign: char| is_mark(sign) || digit(sign).is_some()) {
        return text.into();
    }
    let signs = text.chars().filter(|sign| !is_mark(*sign)).map(|sign| {
        digit(sign)
            .and_then(|place| char::from_digit(place, 10))
            .unwrap_or(sign)
    });
    signs.collect::<String>().into()
}

/// The position of the first date of a text, in any language.
#[must_use]
pub fn date_span(text: &str) -> Option<Range<usize>> {
    let found = has_year(text).then(|| SEEN.captures(text))??;
    let span = found.get_match().range();
    let is_one = ["m4", "m5", "m6", "m7"]
        .into_iter()
        .find_map(|name| found.name(name))
        .is_none_or(|month| month_of(month.as_str(), "").is_some());
    (is_one && stands_alone(text, span.clone(), &found)).then_some(span)
}

/// Whether a text has a year of an era, or four digits that may be a year of the web.
#[must_use]
pub fn has_year(text: &str) -> bool {
    let bytes = text.as_bytes();
    let has_era = || text.contains('年') && ERAS.iter().any(|(name, _)| text.contains(name));
    memchr::memchr2_iter(b'1', b'2', bytes).any(|at| {
        matches!(
            bytes[at..],
            [b'2', b'0' | b'5', b'0'..=b'9', b'0'..=b'9', ..]
                | [b'1', b'9', b'8' | b'9', b'0'..=b'9', ..]
        )
    }) || !text.is_ascii() && has_era()
}

/// Whether a match is a date and not part of a longer number, version or word.
fn stands_alone(text: &str, span: Range<usize>, found: &Captures<'_>) -> bool {
    let before = text[..span.start].chars().next_back();
    let mut after = text[span.end..].chars();
    let is_part = match after.next() {
        Some('.') => after.next().is_some_and(|sign| sign.is_numeric()),
        next => next.is_some_and(|sign| sign.is_numeric()),
    };
    let is_same = |one: &str, other: &str| {
        let [one, other] = [one, other].map(|name| found.name(name).map(|part| part.as_str()));
        one == other
    };
    let is_led = before.is_some_and(|sign| sign.is_numeric() || ".,/-".contains(sign));
    let is_in_word = found.name("m5").is_some() && before.is_some_and(char::is_alphabetic);
    !is_part && !is_led && !is_in_word && is_same("s1", "t1") && is_same("s3", "t3")
}

/// The order of day and month that fits the day of the week before a date: `Tue, 07/12/2022`.
///
/// If both fit, the order of the page counts, else the one of software that writes such dates.
fn order_by_weekday(before: &str, found: &Captures<'_>, month_first: Option<bool>) -> Option<bool> {
    let number = |name: &str| found.name(name)?.as_str().parse::<u32>().ok();
    let fitting = || {
        let (year, first, second) = (number("y3")?, number("a3")?, number("b3")?);
        let before = last_bytes(before, MAX_WEEKDAY).trim_end_matches([' ', ',', '.']);
        let day = weekday_named(before.rsplit(' ').next()?)?;
        let fits = |month, of_month| {
            of_web(year, month, of_month).is_some_and(|date| date.weekday() == day)
        };
        match (fits(first, second), fits(second, first)) {
            (true, true) => Some(month_first.unwrap_or(true)),
            (false, false) => None,
            (is_month_first, _) => Some(is_month_first),
        }
    };
    fitting().or(month_first)
}

fn day(found: &Captures<'_>, lang: &str, month_first: Option<bool>) -> Option<Day> {
    let number = |name: &str| {
        found
            .name(name)
            .and_then(|part| part.as_str().parse::<u32>().ok())
    };
    for (year, month, day) in [("y1", "m1", "d1"), ("y2", "m2", "d2"), ("y8", "m8", "d8")] {
        if let Some(year) = number(year) {
            return of_web(year, number(month)?, number(day)?);
        }
    }
    if let (Some(year), Some(era)) = (number("y9"), found.name("e9")) {
        let (_, before) = ERAS.iter().find(|(name, _)| *name == era.as_str())?;
        return of_web(before + year, number("m9")?, number("d9")?);
    }
    if let Some(year) = number("y3") {
        let has_points = found.name("s3").is_some_and(|sign| sign.as_str() == ".");
        let month_first = if has_points { Some(false) } else { month_first };
        return by_order(year, number("a3")?, number("b3")?, month_first);
    }
    for (year, month, day) in [
        ("y4", "m4", "d4"),
        ("y5", "m5", "d5"),
        ("y6", "m6", "d6"),
        ("y7", "m7", "d7"),
    ] {
        if let Some(year) = number(year) {
            return of_web(
                of_our_era(year, lang),
                month_of(found.name(month)?.as_str(), lang)?,
                number(day)?,
            );
        }
    }
    None
}

/// A year of the Buddhist era, used in Thailand, converted to our era.
fn of_our_era(year: u32, lang: &str) -> u32 {
    let is_thai = lang
        .get(..2)
        .is_some_and(|start| start.eq_ignore_ascii_case("th"));
    if is_thai && year > BUDDHIST_YEARS + YEARS.start {
        year - BUDDHIST_YEARS
    } else {
        year
    }
}

fn by_order(year: u32, first: u32, second: u32, month_first: Option<bool>) -> Option<Day> {
    if first > 12 || first == second {
        return of_web(year, second, first);
    }
    if second > 12 {
        return of_web(year, first, second);
    }
    match month_first? {
        true => of_web(year, first, second),
        false => of_web(year, second, first),
    }
}

/// A date in the years of the web.
#[must_use]
pub fn of_web(year: u32, month: u32, day: u32) -> Option<Day> {
    Day::of(year, month, day).filter(|day| YEARS.contains(&day.year))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_is_kept_with_what_it_says_and_no_more() {
        for (text, expected) in [
            ("2024-03-05T10:00:00Z", "2024-03-05T10:00:00Z"),
            ("2024-03-05T10:00:00+00:00", "2024-03-05T10:00:00Z"),
            ("2024-03-05T10:00:00+0200", "2024-03-05T10:00:00+02:00"),
            (
                "2024-03-05 10:00:00.123 -05:45",
                "2024-03-05T10:00:00-05:45",
            ),
            ("2024-03-05T10:00Z", "2024-03-05T10:00:00Z"),
            ("2024-03-05T10:00:00", "2024-03-05"),
            ("2024-03-05-10-15", "2024-03-05"), // 15 minutes, not 15 hours from UTC
            ("2024-03-05", "2024-03-05"),
            ("20240305", "2024-03-05"),
            ("202403051", ""),
            ("20240305T100000Z", "2024-03-05T10:00:00Z"),
            ("20240305T1000+0100", "2024-03-05T10:00:00+01:00"),
            ("1709632800", "2024-03-05T10:00:00Z"),
            ("1709632800123", "2024-03-05T10:00:00Z"),
            ("1709164800", "2024-02-29T00:00:00Z"),
            ("1709251200", "2024-03-01T00:00:00Z"),
            ("1735689599", "2024-12-31T23:59:59Z"),
            ("2709632800", ""),
            ("170963280012", ""),
            ("2024/3/5 at noon", "2024-03-05"),
            ("Tue, 05 Mar 2024 10:00:00 GMT", "2024-03-05T10:00:00Z"),
            ("2024-13-45", ""),
            ("2023-02-29", ""),
            ("2024-02-29", "2024-02-29"),
            ("yesterday", ""),
            ("", ""),
            ("1 Jan 99999999999 00:00:00 GMT", ""),
            ("Mon, 1 Jan 2020 00:00:00 +999999999999999999999999", ""),
            ("2024-03-05T10:00:00+01:23:45", ""),
            ("0001-01-01T00:00:00", ""),
            ("0001-01-01T00:00:00Z", ""),
            ("0001-1-1", ""),
            ("1970-01-01T00:00:00Z", ""),
            ("1969-12-31T19:00:00-05:00", ""),
            ("1969-12-31", "1969-12-31"),
            ("1970-01-02", "1970-01-02"),
        ] {
            assert_eq!(rfc3339(text), expected, "{text}");
            assert_eq!(rfc3339(expected), expected, "{text}");
        }
        assert_eq!(rfc3339(&format!("2024-03-05{}x", " ".repeat(80))), "");
    }

    #[test]
    fn digits_of_other_scripts_are_plain() {
        for (text, expected) in [
            ("3 May 2025", "3 May 2025"),
            ("\u{663} May \u{662}\u{660}\u{662}\u{665}", "3 May 2025"),
            ("\u{6f9}\u{96f}\u{9ef}\u{e59}\u{ff19}", "99999"),
            (
                "\u{65f}\u{66a}\u{2077}\u{e3f}",
                "\u{65f}\u{66a}\u{2077}\u{e3f}",
            ),
            ("\u{200e}3\u{200f} May 2025", "3 May 2025"),
            ("", ""),
        ] {
            assert_eq!(with_plain_digits(text), expected);
        }
    }

    #[test]
    fn shown_dates_are_read_in_the_language_of_the_page() {
        for (text, lang, expected) in [
            ("May 3rd, 2025", "en", "2025-05-03"),
            ("3. Mai 2025", "de", "2025-05-03"),
            ("le 3 février 2025", "fr", "2025-02-03"),
            ("3 de mayo de 2025", "es", "2025-05-03"),
            ("3 de março de 2025", "pt-BR", "2025-03-03"),
            ("3 set 2025", "it", "2025-09-03"),
            ("3 set 2025", "en", ""),
            ("3 d’abril de 2025", "ca", "2025-04-03"),
            ("3 mai 2025", "ro", "2025-05-03"),
            ("3. května 2025", "cs", "2025-05-03"),
            ("3. mája 2025", "sk", "2025-05-03"),
            ("3. listopada 2025.", "hr", "2025-10-03"),
            ("令和7年5月3日", "ja", "2025-05-03"),
            ("平成31年 4月 30日", "ja", "2019-04-30"),
            ("中華民國114年5月3日", "zh-TW", "2025-05-03"),
            ("令和7年5月", "ja", ""),
            ("วันเสาร์ที่ 3 พฤษภาคม พ.ศ. 2568", "th", "2025-05-03"),
            ("3 أيار 2025", "ar", "2025-05-03"),
            ("3 أيار/مايو 2025", "ar", "2025-05-03"),
            ("3 marec 2025", "sl", "2025-03-03"),
            ("3 наурыз 2025", "kk", "2025-03-03"),
            ("3 மே 2025", "ta", "2025-05-03"),
            ("3 May/June 2025", "en", ""),
            ("3 listopada 2025", "pl", "2025-11-03"),
            ("3 травня 2025 року", "uk", "2025-05-03"),
            ("3. toukokuuta 2025", "fi", "2025-05-03"),
            ("2025. május 3.", "hu", "2025-05-03"),
            ("2025 m. gegužės 3 d.", "lt", "2025-05-03"),
            ("2025. gada 3. maijs", "lv", "2025-05-03"),
            ("2025ko maiatzaren 3a", "eu", "2025-05-03"),
            ("3 Mayıs 2025", "tr", "2025-05-03"),
            ("Ngày 3 tháng 5 năm 2025", "vi", "2025-05-03"),
            ("3 مايو 2025", "ar", "2025-05-03"),
            ("3 במאי 2025", "he", "2025-05-03"),
            ("3 मई 2025", "hi", "2025-05-03"),
            ("3 พฤษภาคม 2568", "th", "2025-05-03"),
            ("3 May 2568", "en", ""),
            ("3 maja 2025", "pl", "2025-05-03"),
            ("3 мая 2025", "ru", "2025-05-03"),
            ("3 Μαΐου 2025", "el", "2025-05-03"),
            ("2025年5月3日", "ja", "2025-05-03"),
            ("2025.05.03", "zh", "2025-05-03"),
            ("2025.05/03", "zh", ""),
            ("03.05.2025", "en", "2025-05-03"),
            ("03/05/2025", "de", "2025-05-03"),
            ("05/03/2025", "en-US", "2025-05-03"),
            ("05/03/2025", "en-GB", "2025-03-05"),
            ("05/03/2025", "en", ""),
            ("25/03/2025", "en", "2025-03-25"),
            ("31 February 2025", "en", ""),
            ("3 May 9999", "en", ""),
            ("version 1.2.2025.4", "en", ""),
            ("12 apples 2025", "en", ""),
        ] {
            let month_first = is_month_first(lang, "sample.invalid");
            assert_eq!(seen_date(text, lang, month_first), expected, "{text}");
        }
    }
}
