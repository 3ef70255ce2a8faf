//! Dates in the formats of mails, HTTP and `ctime`: `Tue, 05 Mar 2024 10:00:00 GMT`, `Tue Mar 5
//! 10:00:00 2024`, and of Drupal: `Tue, 03/05/2024 - 10:00`.

use super::calendar::{Day, LEAST_DAY, Time, number, weekday_named};

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];
/// Named zones, and the hours that they are ahead of UTC.
const ZONES: [(&str, i32); 14] = [
    ("UT", 0),
    ("UTC", 0),
    ("GMT", 0),
    ("Z", 0),
    ("AST", -4),
    ("ADT", -3),
    ("EST", -5),
    ("EDT", -4),
    ("CST", -6),
    ("CDT", -5),
    ("MST", -7),
    ("MDT", -6),
    ("PST", -8),
    ("PDT", -7),
];

/// The day and the time of a date that has both.
#[must_use]
pub fn read(text: &str) -> Option<(Day, Option<Time>)> {
    let mut words: Vec<&str> = text.split_whitespace().collect();
    let first = *words.first()?;
    if let Some(numbers) = words.get(1).filter(|numbers| numbers.contains('/')) {
        return Some((on_weekday(first, numbers)?, None));
    }
    if first.ends_with(',') || first.len() == LEAST_DAY && weekday_named(first).is_some() {
        words.remove(0);
    } else if let Some((_, after)) = first.rsplit_once(',') {
        words[0] = after;
    }
    if words.len() <= 3 {
        let parts: Vec<&str> = words.first()?.split('-').collect(); // 05-Mar-24
        if parts.len() != 3 {
            return None;
        }
        words.splice(..1, parts);
    }
    let [mut day, mut month, third, fourth, ..] = words[..] else {
        return None;
    };
    if month_of(month).is_none() {
        (day, month) = (month, day);
    }
    let month = month_of(month)?;
    let day = whole(day.trim_end_matches(','))?;
    let mut zone = words.get(4).copied().unwrap_or_default();
    let (mut year, mut time) = if third.contains(':') {
        (fourth, third)
    } else {
        (third, fourth)
    };
    if !year.starts_with(|sign: char| sign.is_ascii_digit()) {
        (year, zone) = (zone, year);
    }
    if let (true, Some(at)) = (zone.is_empty(), time.find(['+', '-'])) {
        (time, zone) = time.split_at(at);
    }
    let year = match whole(year.trim_end_matches(','))? {
        year @ 0..=68 => year + 2000,
        year @ 69..=99 => year + 1900,
        year => year,
    };
    let mut parts = time.trim_end_matches(',').split([':', '.']).map(whole);
    let (hour, minute) = (parts.next()??, parts.next()??);
    let second = parts.next().unwrap_or(Some(0))?;
    let time = Time::of(hour, minute, second, offset(zone)?)?;
    Some((Day::of(year, month, day)?, Some(time)))
}

/// The day with these numbers, month and day in the order that gives this day of the week.
fn on_weekday(name: &str, numbers: &str) -> Option<Day> {
    let wanted = weekday_named(name.get(..LEAST_DAY)?)?;
    let numbers: Option<Vec<u32>> = numbers.split('/').map(whole).collect();
    let [first, second, year] = numbers?[..] else {
        return None;
    };
    let orders = [Day::of(year, first, second), Day::of(year, second, first)];
    let found = orders.into_iter().flatten();
    let found: Vec<Day> = found.filter(|day| day.weekday() == wanted).collect();
    (found.first() == found.last()).then_some(*found.first()?)
}

fn month_of(name: &str) -> Option<u32> {
    let name = name.trim_end_matches(['.', ',']).to_ascii_lowercase();
    let at = MONTHS
        .iter()
        .position(|month| *month == name || month[..3] == name)?;
    Some(at as u32 + 1)
}

fn whole(digits: &str) -> Option<u32> {
    let (number, rest) = number(digits, 1, 4)?;
    rest.is_empty().then_some(number)
}

/// Minutes ahead of UTC of a valid zone; `None` for numbers that no zone has.
fn offset(zone: &str) -> Option<Option<i32>> {
    if let Some((_, hours)) = ZONES
        .iter()
        .find(|(name, _)| zone.eq_ignore_ascii_case(name))
    {
        return Some(Some(hours * 60));
    }
    let (sign, digits) = match zone.as_bytes().first() {
        Some(b'+') => (1, &zone[1..]),
        Some(b'-') => (-1, &zone[1..]),
        _ => (1, zone),
    };
    if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return Some(None);
    }
    let number = i32::try_from(whole(digits)?).ok()?;
    if number == 0 && sign < 0 {
        return Some(None); // the convention for an unknown zone
    }
    Some(Some(sign * (number / 100 * 60 + number % 100)))
}

#[cfg(test)]
mod tests {
    use super::super::dates::rfc3339;

    #[test]
    fn dates_of_mails_and_of_ctime_are_read() {
        for (text, expected) in [
            ("Tue, 05 Mar 2024 10:00:00 GMT", "2024-03-05T10:00:00Z"),
            ("5 Mar 24 10:00 +0530", "2024-03-05T10:00:00+05:30"),
            ("Tue Mar  5 10:00:00 2024", "2024-03-05"),
            ("Tue Mar 05 10:00:00 EST 2024", "2024-03-05T10:00:00-05:00"),
            ("Tuesday, 05-Mar-24 10:00:00 UTC", "2024-03-05T10:00:00Z"),
            ("5 March 2024 10:00:00-0500", "2024-03-05T10:00:00-05:00"),
            ("Tue, 05 Mar 2024 10:00:00 -0000", "2024-03-05"),
            ("Tue, 05 Mar 2024 25:00:00 GMT", ""),
            ("Tue, 05 Mar 2024", ""),
            ("Tue, 03/05/2024 - 10:00", "2024-03-05"),
            ("Fri, 03/05/2024 - 10:00", "2024-05-03"),
            ("Thursday, 29/02/2024", "2024-02-29"),
            ("Sat, 01/01/2000", "2000-01-01"),
            ("Wed, 03/05/2024", ""),
            ("Tue, 03/05/2024/1", ""),
            ("Sun, 01/10/2023", "2023-10-01"),
            ("Wed, 02/08/2023", ""),
            ("Mo, 03/05/2024", ""),
            ("Mon,", ""),
            ("", ""),
        ] {
            assert_eq!(rfc3339(text), expected, "{text}");
        }
    }
}
