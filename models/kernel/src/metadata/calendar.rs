//! Dates and times of day, and the numbers in them.

/// The English names of the days of the week.
pub const DAYS: [&str; 7] = [
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
];
/// Letters of the shortest name of a day.
pub const LEAST_DAY: usize = 3;

/// The number of a day of the week, 0 for Monday, by its English name or the start of it.
#[must_use]
pub fn weekday_named(name: &str) -> Option<usize> {
    let name = name.to_ascii_lowercase();
    let is_named = |day: &&str| name.len() >= LEAST_DAY && day.starts_with(name.as_str());
    DAYS.iter().position(is_named)
}

/// A calendar date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Day {
    pub year: u32,
    pub month: u32,
    pub day: u32,
}

impl Day {
    /// The date with these numbers, if it exists in the years 1 to 9999.
    #[must_use]
    pub fn of(year: u32, month: u32, day: u32) -> Option<Self> {
        let is_one = (1..=9999).contains(&year)
            && (1..=12).contains(&month)
            && (1..=days_of(year, month)).contains(&day);
        is_one.then_some(Self { year, month, day })
    }

    /// The day of the week, 0 for Monday.
    #[must_use]
    pub fn weekday(self) -> usize {
        // days before each month, as if a year ended with February
        const BEFORE: [u32; 12] = [0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4];
        let year = self.year - u32::from(self.month < 3);
        let days = year + year / 4 - year / 100 + year / 400;
        (days + BEFORE[self.month as usize - 1] + self.day + 6) as usize % DAYS.len()
    }

    #[must_use]
    pub fn written(self) -> String {
        format!("{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

fn days_of(year: u32, month: u32) -> u32 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// A time of day, with its zone if it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Time {
    pub hour: u32,
    pub minute: u32,
    pub second: u32,
    /// Minutes ahead of UTC.
    pub offset: Option<i32>,
}

impl Time {
    /// The time with these numbers, if it exists.
    #[must_use]
    pub fn of(hour: u32, minute: u32, second: u32, offset: Option<i32>) -> Option<Self> {
        let is_one = hour < 24 && minute < 60 && second < 60;
        (is_one && offset.is_none_or(|offset| offset.abs() < 24 * 60)).then_some(Self {
            hour,
            minute,
            second,
            offset,
        })
    }
}

/// A number of this many digits at the start of a text, and the rest.
pub fn number(text: &str, least: usize, most: usize) -> Option<(u32, &str)> {
    let digits = text
        .bytes()
        .take(most)
        .take_while(u8::is_ascii_digit)
        .count();
    if digits < least {
        return None;
    }
    let (digits, rest) = text.split_at(digits);
    Some((digits.parse().ok()?, rest))
}
