//! Names of months to their numbers, in the languages whose visible dates are read.

use std::collections::HashMap;
use std::sync::LazyLock;

const NAMES: [&str; 10] = [
    "january february march april may june july august september october november december",
    "januar februar märz april mai juni juli august september oktober november dezember",
    "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada \
     grudnia",
    "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
    "ιανουαρίου φεβρουαρίου μαρτίου απριλίου μαΐου ιουνίου ιουλίου αυγούστου σεπτεμβρίου \
     οκτωβρίου νοεμβρίου δεκεμβρίου",
    "januari februari maart april mei juni juli augustus september oktober november december",
];
/// By month; no word of another language among these stands before or after a number and a year.
const SHORT: [&str; 12] = [
    "jan ene janv янв ιαν styczeń jänner",
    "feb febr fév févr fev лют февр φεβ luty",
    "mar mär mrz мар μαρ marzec",
    "apr avr abr апр απρ kwiecień",
    "май μαϊ μαΐ maj",
    "jun июн ιουν czerwiec",
    "jul juil июл ιουλ lipiec",
    "aug авг αυγ sierpień",
    "sep sept сен сент σεπ wrzesień",
    "oct okt окт οκτ październik",
    "nov ноя νοε listopad",
    "dec dez dic déc дек δεκ grudzień",
];
/// Words of English too: only where the page is in the language.
const SHORT_IN: [(&str, &[(&str, u32)]); 4] = [
    (
        "it",
        &[
            ("gen", 1),
            ("mag", 5),
            ("giu", 6),
            ("lug", 7),
            ("ago", 8),
            ("set", 9),
            ("ott", 10),
        ],
    ),
    ("pt", &[("mai", 5), ("ago", 8), ("set", 9), ("out", 10)]),
    ("es", &[("ago", 8), ("set", 9)]),
    (
        "pl",
        &[
            ("sty", 1),
            ("lut", 2),
            ("kwi", 4),
            ("cze", 6),
            ("lip", 7),
            ("sie", 8),
            ("wrz", 9),
            ("paź", 10),
        ],
    ),
];

static MONTHS: LazyLock<HashMap<&str, u32>> = LazyLock::new(|| {
    let long = NAMES.iter().flat_map(|names| (1..).zip(names.split(' ')));
    let short = (1..).zip(SHORT);
    let short = short.flat_map(|(month, names)| names.split(' ').map(move |name| (month, name)));
    long.chain(short)
        .map(|(month, name)| (name, month))
        .collect()
});

/// The number of a month by its name; `lang` decides on short names.
#[must_use]
pub fn month_of(name: &str, lang: &str) -> Option<u32> {
    let word = name.to_lowercase();
    if let Some(&month) = MONTHS.get(word.as_str()) {
        return Some(month);
    }
    let (_, names) = SHORT_IN.iter().find(|(language, _)| {
        let start = lang.get(..2).unwrap_or_default();
        start.eq_ignore_ascii_case(language)
    })?;
    let found = names.iter().find(|(name, _)| *name == word)?;
    Some(found.1)
}
