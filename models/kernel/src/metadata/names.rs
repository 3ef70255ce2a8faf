//! Names of authors, extracted from fields and bylines.

use std::sync::LazyLock;

use regex::Regex;

use super::calendar::{DAYS, LEAST_DAY};
use super::date_labels::{Dated, dated};
use super::dates::date_span;
use super::lines::{folded, is_longer, line};
use super::months::month_of;
use super::patterns::pattern;
use super::placeholders::{begins_sentence, is_placeholder};
use crate::ngram::chars::{is_digit, is_letter};
use crate::page::emoji;

const MAX_CHARS: usize = 100;
const MAX_NAME_WORDS: usize = 6;
/// A longer line that begins with `by` and a lower-case letter is a sentence.
const MAX_ACCOUNT_LINE: usize = 60;
/// Words before a name, in the languages whose bylines are read. [`lead`] checks that the last word
/// ends there, because a word border in the pattern is slow beyond ASCII.
static LEAD: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"(?i)^\W*(?:byline:?|as told to|(?:posted|filed) (?:in|under) \S{1,24}(?: \S{1,24}){0,2}? by|(?:words|reporter|journalist|skribent|toimittaja|dziennikarz):|(?:words?|text|story)\s+(?:and|&|\+)\s+(?:photos?|photograph[sy]|pictures?|images?|videos?):",
        r"|(?:(?:article|blog|post|story|words?|text|recipe|guest (?:post|column|essay)|report(?:ing)?",
        r"|review|column|opinion|analysis|interview)\s+(?:(?:and|&)\s+(?:photos?|photograph[sy]|pictures?",
        r"|images?|videos?)\s+)?)?",
        r"(?:(?:medically |fact )?(?:written|posted|published|authored|created|contributed|submitted",
        r"|compiled|asked|started|updated|reported)\s+)?by:?",
        r"|(?:view|see|read)\s+(?:all|more)\s+(?:posts|articles|stories|entries)\s+by",
        r"|(?:about the )?authors?(?:\(s\))?:|author name:|writer:",
        r"|(?:ein (?:artikel|beitrag|kommentar|gastbeitrag) )?von:?|autore?n?(?:in)?:",
        r"|verfasst von:?|(?:écrit |publié |rédigé |propos recueillis )?par:?|auteure?:|a cura di|scris de|escrit per|door:|a[vf]:",
        r"|(?:escrito |publicado |redactado |elaborado )?por:?|texto de|autora?:|(?:scritto |pubblicato |articolo |testo )?d[ai]:?",
        r"|te(?:ks|x)t[ei]?:|te[sx]to:|yaza[rn]:|szerző:|írta:|kirjoittaja:|συντάκτης:|författare:|tác giả:|penulis:|автор[ыи]?:?|текст:",
        r"|geschreven door:?|skrevet a[fv]:?|skriven av:?|بقلم\s*:?|מאת\s*:?|oleh:",
        r"|(?:كتبت?|الكاتب|إعداد|نویسنده|लेखक|লেখক|எழுதியவர்|ผู้เขียน|โดย)\s*[:：]|(?:بواسطة|به قلم|द्वारा|ผู้เขียน|โดย)\s",
        r"|γράφ(?:ει|ουν)\s(?:[οη]|οι)\s|(?:ρεπορτάζ|κείμενο|συντάκτρια):",
        r"|(?:本报|本刊|本報)?(?:记者|記者)\s|(?:(?:取材|構成|写真|撮影)・)?(?:文|著者|筆者|執筆者?|ライター|作者|记者|記者)\s*[:：／/・|｜＝=]|글(?:쓴이)?\s?[:：])\s*",
    ))
});
/// Words before a name of several parts that elsewhere begin other lines, or are names themselves.
const BY: [&str; 7] = ["door", "av", "af", "oleh", "του", "τησ", "των"];
/// Words that make a short line of names a byline: `Του Γιώργου Παππά`.
const OF: [&str; 6] = ["Του", "Της", "Των", "Av", "Af", "Oleh"];
const MAX_OF_WORDS: usize = 5;
/// Where a byline continues with something else.
static END: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"(?i)\s[a-z0-9._+-]{1,64}@|\s?(?:기자|記者|报道|報導)(?:\s|$)|\s*[|•·●∙⋅▪—–／*<>@(\[\p{Co}\p{So}]|\s+-\s|,?\s\(?\d|\s(?:on|in|at|for|with|avec|mit|published|posted|updated|last",
        r"|min|minutes?|am|le|il|el|em)\s|\s(?:责任编辑|責任編輯|责编|責編|编辑|編輯|校对|来源|來源|摄影|攝影)(?:\s|[:：/])|\s(?:写真|撮影|構成|編集)\s?[:：/＝=]|\s?[;,.]\s?(?:and\s)?(?:additional\s|further\s)?(?:photo|pictur",
        r"|imag|video|graphic|illustrat|report|translat|edit)(?:e?s|graph[sy]|ed|ing|ions?)?\sby\s|\s?,\s?(?:senior|staff|chief|contributing|contributor",
        r"|editor|writer|reporter|correspondent|director|founder|co-founder|ceo|head|the)\b",
        r"|[,;.]?\s(?:photo(?:graph)?s?|photography|fotos?|foto's|bild(?:er)?|billed(?:er)?|kuvat?|valokuvat?|illustration(?:en|s)?",
        r"|grafik|videos?|immagini|imágenes|imagens|zdjęcia|фото|editing|redaktion|lektorat)\s?[:：/]",
    ))
});
/// What the writer is to the newspaper: `onze verslaggever Ann Bee`.
static OURS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"(?i)^(?:our|unser(?:e[rmn])?|onze|notre|nuestr[oa]|(?:il |la |dal |dalla )?nostr[oa]|vår|vores|nosso|nossa|нашего?)\s(?:\S{1,24}\s)?",
        r"(?:(?:\S{1,24}-)?(?:reporter(?:in)?|correspondent(?:e|in)?|korrespondent(?:en|in)?|redakteur(?:in)?|redacteur|redactrice|verslaggever|verslaggeefster",
        r"|medewerker|journalist[ae]?|envoyée? spéciale?|corresponsal|enviad[oa] especial|inviat[oa]|corrispondente|корреспондента?))\s",
    ))
});
/// Links to an author below the name.
const NETWORKS: [&str; 15] = [
    "linkedin",
    "twitter",
    "facebook",
    "instagram",
    "bluesky",
    "mastodon",
    "youtube",
    "tiktok",
    "telegram",
    "whatsapp",
    "github",
    "email",
    "e-mail",
    "follow",
    "bio",
];
/// A time after the date in a byline: `à 10h05`.
static TIME: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"(?i)^,?\s(?:(?:at|à|um|a las|alle|ore|às|om|kl\.?)\s)?[0-9]{1,2}(?:\s?[:.h]\s?[0-9]{2}|\s?[ap]\.?m)",
        r"(?:\s?[ap]\.?m\.?|\suhr|h)?(?:\s\(?(?:[a-z]{2,3}t|utc|msk)\)?\b)?",
    ))
});
const MAX_LABEL: usize = 40;
const REPORTERS: [&str; 3] = ["기자", "記者", "记者"];
static REPORTER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"^[\[(\s]{0,2}(?:\S{2,10}[\s=])?(?P<ko>[가-힣]{2,4})\s",
        r"(?:(?:선임|수석|전문|인턴|객원)\s?)?기자(?:\W|$)",
        r"|^[〔【\[(\s]{0,2}\p{Han}{0,6}?(?:記者|记者)\s?(?P<zh>\p{Han}{2,4}?)\s?[／/|｜]",
    ))
});
static ADDRESS: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^/|https?:|//|www\.|@|\S\.(?:com|net|org|html?|php)\b"));
/// Endings of company names; companies do not write.
const LEGAL_FORMS: [&str; 8] = [
    "inc",
    "llc",
    "ltd",
    "limited",
    "corp",
    "corporation",
    "gmbh",
    "plc",
];
const SMALL: [&str; 29] = [
    "de", "da", "do", "dos", "das", "del", "della", "di", "du", "la", "le", "van", "von", "der",
    "den", "ter", "ten", "zu", "zum", "y", "e", "and", "und", "et", "i", "&", "the", "of", "al",
];
const SMALL_TOO: [&str; 4] = ["bin", "ibn", "el", "ap"];
const ROLES: [&str; 23] = [
    "writer",
    "editor",
    "reporter",
    "correspondent",
    "columnist",
    "journalist",
    "critic",
    "analyst",
    "producer",
    "presenter",
    "director",
    "founder",
    "consultant",
    "former",
    "senior",
    "staff",
    "contributor",
    "contributing",
    "specialist",
    "manager",
    "updated",
    "published",
    "posted",
];
const ROLES_TOO: [&str; 2] = ["last", "sign"];
/// Words in the names of employers.
const OF_EMPLOYERS: [&str; 44] = [
    "university",
    "universität",
    "université",
    "universidad",
    "universidade",
    "università",
    "institute",
    "institut",
    "instituto",
    "college",
    "school",
    "department",
    "dept",
    "faculty",
    "laboratory",
    "laboratories",
    "lab",
    "center",
    "centre",
    "hospital",
    "clinic",
    "academy",
    "society",
    "foundation",
    "association",
    "agency",
    "ministry",
    "news",
    "times",
    "gazette",
    "herald",
    "tribune",
    "magazine",
    "journal",
    "newspaper",
    "press",
    "media",
    "reuters",
    "bloomberg",
    "afp",
    "ap",
    "dpa",
    "cnn",
    "bbc",
];
/// How names of Korean newspapers end.
const PAPERS: [&str; 9] = [
    "일보",
    "신문",
    "뉴스",
    "방송",
    "경제",
    "투데이",
    "타임스",
    "닷컴",
    "통신",
];
/// Letters of a town after a name; `Ann Bee, Jr` is a name.
const MIN_PLACE: usize = 4;
/// Verbs of sentences that begin like a byline.
const VERBS: [&str; 6] = ["is", "are", "was", "were", "has", "had"];
/// Months that are also names of people.
const NAMES_TOO: [&str; 12] = [
    "may", "april", "june", "august", "jun", "jan", "mar", "augusto", "mai", "maj", "juli", "juni",
];
const EDGES: &str = " \t,;:|-–—·•»«›‹";

/// The names in an author field; empty if it refers to an author instead.
///
/// Addresses, handles and numbers refer to an author; so do default names of software, such as
/// `admin`.
#[must_use]
pub fn declared_author(text: &str) -> String {
    if text.is_empty() {
        return String::new(); // most fields of most pages
    }
    let text = line(text, 4 * MAX_CHARS);
    let text = without_mailbox(&text);
    let name = trimmed(&text[lead(text)..]);
    let name = without_employer(trimmed(before_date(name)));
    if is_no_name(&name) {
        String::new()
    } else {
        name
    }
}

/// The name of a mail address: `Ann Bee <ann@bee.org>`, or `ann@bee.org (Ann Bee)` as RSS has it.
fn without_mailbox(text: &str) -> &str {
    let is_mailbox = |part: &str| part.contains('@') && !part.trim().contains(' ');
    let parted = text.strip_suffix('>').and_then(|text| text.split_once('<'));
    if let Some((name, _)) = parted.filter(|(_, address)| is_mailbox(address)) {
        return name.trim();
    }
    let parted = text.strip_suffix(')').and_then(|text| text.split_once('('));
    let named = parted.filter(|(address, _)| is_mailbox(address));
    named.map_or(text, |(_, name)| name.trim())
}

/// The names in a byline, `By Ann Bee | 3 May 2025`; empty if it is not a byline.
#[must_use]
pub fn seen_author(text: &str) -> String {
    let whole = line(text, 2 * MAX_CHARS);
    if is_of_name(&whole) {
        return marked_line(&whole);
    }
    if let Some(name) = reporter(&whole) {
        return name.to_owned();
    }
    let byline = match lead(&whole) {
        0 => after_date(&whole),
        _ => &whole,
    };
    if byline.is_empty() {
        return String::new(); // most lines around a headline
    }
    let name = match lead(byline) {
        0 => return String::new(),
        end => named(&byline[end..]),
    };
    // `By knowing where bees fly, ...` names no account, and `Written by Ann Bee, the book was ...`
    // is about her
    let is_prose = is_longer(byline, MAX_ACCOUNT_LINE) && (is_login(&name) || says(byline, &name));
    if is_prose { String::new() } else { name }
}

/// The name before or after the word for a reporter: `항구일보 김철수 기자`, `記者王小明／台北報導`.
fn reporter(line: &str) -> Option<&str> {
    let is_one = !line.is_ascii() && REPORTERS.iter().any(|word| line.contains(word));
    let found = is_one.then(|| REPORTER.captures(line))??;
    let name = found.name("ko").or_else(|| found.name("zh"))?;
    Some(name.as_str())
}

/// Whether a short line is names after a word such as `of`.
fn is_of_name(line: &str) -> bool {
    let mut words = line.split(' ');
    let names_one = words.next().is_some_and(|first| OF.contains(&first));
    names_one
        && (2..MAX_OF_WORDS).contains(&words.clone().count())
        && words.all(|word| word.starts_with(char::is_uppercase) && word.ends_with(is_of_word))
}

/// Whether a sentence with a verb continues after a name.
fn says(byline: &str, name: &str) -> bool {
    let rest = byline.split_once(name).map_or("", |(_, rest)| rest);
    let mut words = rest.split(' ');
    (rest.starts_with(',') || rest.starts_with(" in ")) && words.any(|word| VERBS.contains(&word))
}

/// The text after a date, or after the last separator of a line: `3 May 2025 | By Ann Bee`.
fn after_date(line: &str) -> &str {
    let is_plain = line.is_ascii();
    let parted = if is_plain {
        line.rsplit_once('|')
    } else {
        line.rsplit_once(['|', '•', '·', '–', '—'])
    };
    if let Some((_, rest)) = parted {
        return rest;
    }
    let label = if is_plain { None } else { line.find("作者") };
    if let Some(at) = label {
        return &line[at..];
    }
    match date_span(line) {
        Some(span) if is_label(&line[..span.start]) => {
            let rest = &line[span.end..];
            &rest[TIME.find(rest).map_or(0, |time| time.end())..]
        }
        _ => "",
    }
}

/// Whether a text before a date is nothing, or short and labels it: `Published on`.
fn is_label(text: &str) -> bool {
    text.is_empty() || text.len() <= MAX_LABEL && dated(text, "") != Dated::Other
}

/// The names in an element that its markup marks as an author.
///
/// Line feeds separate the elements in it: after a name, they begin something else.
#[must_use]
pub fn marked_author(text: &str) -> String {
    if is_longer(text, 2 * MAX_CHARS) {
        return String::new();
    }
    let mut byline = String::new();
    for part in text.split('\n') {
        if is_named(&byline) && !leads_on(&byline) && !goes_on(part) {
            break;
        }
        if !byline.is_empty() {
            byline.push(' ');
        }
        byline.push_str(part);
    }
    marked_line(&byline)
}

fn marked_line(text: &str) -> String {
    let byline = line(text, 2 * MAX_CHARS);
    let rest = &byline[lead(&byline)..];
    let rest = &rest[lead(rest)..];
    let (first, name) = rest.trim_start().split_once(' ').unwrap_or_default();
    if is_one_of(first, &BY) && name.trim().contains(' ') {
        named(name)
    } else {
        named(rest)
    }
}

/// Whether a text has a complete name: two words, or an account.
fn is_named(text: &str) -> bool {
    let name = marked_line(text);
    name.contains(' ') || is_login(&name)
}

/// Words that join names, at the end of one element or the start of the next.
const JOINTS: [char; 5] = [',', '&', ';', '、', '+'];

const JOINING: [&str; 8] = ["and", "und", "et", "y", "e", "og", "och", "i"];

fn goes_on(part: &str) -> bool {
    let first = part.split_whitespace().next().unwrap_or_default();
    part.starts_with(JOINTS) || is_one_of(first, &JOINING)
}

fn leads_on(text: &str) -> bool {
    let last = text.split_whitespace().next_back().unwrap_or_default();
    text.ends_with(JOINTS) || is_one_of(last, &JOINING)
}

/// Whether a name is an account: one word in lower-case letters and digits.
#[must_use]
pub fn is_login(name: &str) -> bool {
    let is_sign = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let bytes = name.as_bytes();
    let ends_well = bytes.first().is_some_and(is_sign) && bytes.last().is_some_and(is_sign);
    let is_joint = |pair: &[u8]| is_sign(&pair[0]) || is_sign(&pair[1]);
    ends_well
        && bytes
            .iter()
            .all(|byte| is_sign(byte) || b"._-".contains(byte))
        && bytes.windows(2).all(is_joint)
}

/// The end of the words before a name, 0 if there are none.
fn lead(text: &str) -> usize {
    let end = LEAD.find(text).map_or(0, |found| found.end());
    let (lead, rest) = text.split_at(end);
    // `bye`, `party` and `Авторизация` do not begin a byline, nor do `by-line` and `by-product`
    let is_part = lead.ends_with(is_letter) && rest.starts_with(is_of_word);
    let is_joined = rest.starts_with('-') && lead.to_ascii_lowercase().ends_with("by");
    if is_part || is_joined { 0 } else { end }
}

fn is_of_word(sign: char) -> bool {
    is_letter(sign) || is_digit(sign)
}

fn named(text: &str) -> String {
    let text = &text[OURS.find(text).map_or(0, |ours| ours.end())..];
    let dated = before_date(text);
    let end = END.find(dated).map_or(dated.len(), |end| end.start());
    let shown = without_employer(without_paper_of(trimmed(&dated[..end])));
    let shown = without_place(without_paper(&shown, &dated[end..]));
    let mut words: Vec<&str> = shown.split_whitespace().collect();
    let ends = |word: &&str| ends_name(word) || is_one_of(word, &NETWORKS);
    if let Some(at) = words.iter().skip(1).position(ends) {
        words.truncate(at + 1);
    }
    let is_before_number = text[end..]
        .trim_start()
        .starts_with(|sign: char| sign.is_ascii_digit());
    if is_before_number && words.len() > 1 && words.last().is_some_and(|word| is_month(word)) {
        words.pop(); // `Ann Bee May 3`
    }
    if matches!(words[..], [name, letter] if is_initial(name, letter)) {
        words.truncate(1); // the picture of a member without one
    }
    let joined = words.join(" ");
    let name = joined.trim_matches(|sign| is_edge(sign) || sign == '.');
    if is_no_name(name)
        || begins_sentence(name)
        || words.len() > 2 * MAX_NAME_WORDS
        || ends_name(words[0])
    {
        return String::new();
    }
    let is_written_as_name = words.iter().all(|word| {
        !word.starts_with(char::is_lowercase)
            || is_one_of(word, &SMALL)
            || is_one_of(word, &SMALL_TOO)
    });
    if is_written_as_name || words.len() == 1 {
        name.to_owned()
    } else {
        String::new()
    }
}

/// Whether a text is of code, a version or a path through a site: `String::from`, `v1.11`, `Home »`.
fn is_of_code(name: &str) -> bool {
    let version = name.trim_start_matches(['v', 'V']);
    let is_version = version.contains('.')
        && version
            .bytes()
            .all(|byte| byte == b'.' || byte.is_ascii_digit());
    is_version || name.contains("::") || name.contains('»')
}

/// A text up to the first date in it.
fn before_date(text: &str) -> &str {
    &text[..date_span(text).map_or(text.len(), |span| span.start)]
}

/// A person, or several, without their employer or what they are: `Ann Bee, Harbour College`,
/// `Ann Bee, a nurse`, `Ann Bee, Science Editor`.
fn without_employer(names: &str) -> String {
    let names = match names.rsplit_once("; ") {
        Some((first, last)) if has_word(last, is_role) => first,
        _ => names,
    };
    let mut parts = names.split(", ");
    let first = parts.next().unwrap_or_default();
    if !first.contains(' ') {
        return names.to_owned();
    }
    let is_name = |part: &str| {
        !part.starts_with(char::is_lowercase)
            || part
                .split(' ')
                .next()
                .is_some_and(|word| is_one_of(word, &JOINING))
            || !first.starts_with(char::is_uppercase)
    };
    let mut kept = vec![first];
    let parts = parts.take_while(|part| !has_word(part, is_role));
    kept.extend(parts.filter(|part| !has_word(part, is_of_employer) && is_name(part)));
    kept.join(", ")
}

/// A full name without the newspaper after it: `Ann Bee of the Harbour Times`, `ANN BEE Harbour
/// Times`.
fn without_paper_of(name: &str) -> &str {
    let is_full = |name: &str| name.contains(' ') && !has_word(name, is_of_employer);
    let is_paper = |rest: &str| rest.starts_with("the ") || has_word(rest, is_of_employer);
    let parted = name.split_once(" of ");
    if let Some((first, _)) = parted.filter(|(first, rest)| is_full(first) && is_paper(rest)) {
        return first;
    }
    let is_capital = |word: &str| !word.contains(char::is_lowercase);
    let rest = name.split(' ').position(|word| !is_capital(word));
    let rest = rest.and_then(|words| name.match_indices(' ').nth(words.checked_sub(1)?));
    let parted = rest.map(|(at, _)| (&name[..at], &name[at + 1..]));
    let parted = parted.filter(|(first, rest)| is_full(first) && has_word(rest, is_of_employer));
    parted.map_or(name, |(first, _)| first)
}

/// One or several full names without the town or the agency after them: `Ann Bee, Hamburg`, `Ann Bee
/// / AFP`.
fn without_place(names: &str) -> &str {
    let is_source = |last: &str| !last.contains(' ') || has_word(last, is_of_employer);
    if let Some((first, last)) = names.rsplit_once(" / ") {
        if first.contains(' ') && is_source(last) {
            return first;
        }
    }
    let is_place = |last: &str| {
        let mut signs = last.chars();
        last.is_ascii()
            && signs.next().is_some_and(char::is_uppercase)
            && last.len() >= MIN_PLACE
            && signs.all(char::is_lowercase)
    };
    match names.rsplit_once(", ") {
        Some((first, last)) if first.contains(' ') && is_place(last) => first,
        _ => names,
    }
}

/// A Korean reporter without the newspaper: `항구일보 김철수 기자`.
fn without_paper<'a>(name: &'a str, after: &str) -> &'a str {
    match name.rsplit_once(' ') {
        Some((paper, name))
            if after.trim_start().starts_with("기자")
                && PAPERS.iter().any(|end| paper.ends_with(end)) =>
        {
            name
        }
        _ => name,
    }
}

fn has_word(part: &str, is_asked: fn(&str) -> bool) -> bool {
    let mut words = part.split(|sign: char| !sign.is_alphanumeric());
    words.any(is_asked)
}

fn is_of_employer(word: &str) -> bool {
    is_one_of(word, &OF_EMPLOYERS)
}

/// Whether a word says what one or several people are.
fn is_role(word: &str) -> bool {
    is_one_of(word.strip_suffix('s').unwrap_or(word), &ROLES)
}

fn is_month(word: &str) -> bool {
    let plain = word.trim_matches([',', '.', ':', ';']);
    word.starts_with(char::is_uppercase) && month_of(plain, "").is_some()
}

fn ends_name(word: &str) -> bool {
    let plain = word.trim_matches([',', '.', ':', ';']);
    is_one_of(plain, &ROLES)
        || is_one_of(plain, &ROLES_TOO)
        || DAYS
            .iter()
            .any(|day| is_one_of(plain, &[*day, &day[..LEAST_DAY]]))
        || is_month(word) && !is_one_of(plain, &NAMES_TOO)
}

fn is_no_name(name: &str) -> bool {
    is_of_code(name)
        || name.chars().nth(1).is_none()
        || is_longer(name, MAX_CHARS)
        || !name.contains(char::is_alphabetic)
        || is_placeholder(name)
        || ends_company(name)
        || ADDRESS.is_match(name)
}

fn ends_company(name: &str) -> bool {
    let last = name.rsplit([' ', ',']).next().unwrap_or_default();
    last.len() < name.len() && is_one_of(last.trim_end_matches('.'), &LEGAL_FORMS)
}

/// Whether a word is the first letter of the previous one, as a capital.
fn is_initial(name: &str, letter: &str) -> bool {
    let mut first = name.chars().flat_map(char::to_uppercase);
    letter.chars().nth(1).is_none() && first.next() == letter.chars().next()
}

/// A name without signs around it, and without half of a pair of brackets.
fn trimmed(name: &str) -> &str {
    let name = name.trim_matches(is_edge);
    let name = match name.strip_suffix('）') {
        Some(inside) if !inside.contains('（') => inside,
        _ => name,
    };
    name.trim_matches(is_edge)
}

fn is_edge(sign: char) -> bool {
    EDGES.contains(sign) || emoji::is_sign(sign)
}

fn is_one_of(text: &str, words: &[&str]) -> bool {
    words.iter().any(|word| folded(text).eq(word.chars()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_versions_and_paths_are_no_names() {
        for text in [
            "By String::from",
            "By v1.11.1",
            "By Home » Harbour Services",
        ] {
            assert_eq!(seen_author(text), "", "{text}");
            assert_eq!(marked_author(&text[3..]), "", "{text}");
            assert_eq!(declared_author(&text[3..]), "", "{text}");
        }
        for text in ["By V. Bee", "By Ann Bee II.", "By Vic Bee"] {
            assert!(!seen_author(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn names_are_found_in_what_pages_write() {
        for (text, expected) in [
            ("By Ann Bee | 3 May 2025", "Ann Bee"),
            (
                "Written by Ann van der Bee, Senior Editor",
                "Ann van der Bee",
            ),
            ("Von Ännchen Biene", "Ännchen Biene"),
            ("著者：蜂花子", "蜂花子"),
            ("By Ann Bee March 3", "Ann Bee"),
            ("By June May", "June May"),
            ("3 May 2025 | By Ann Bee", "Ann Bee"),
            ("News • 5 min read • by Ann Bee", "Ann Bee"),
            ("May 3, 2025 by Ann Bee", "Ann Bee"),
            ("Bees – by the sea", ""),
            ("3 May 2025 bees fly by Ann", ""),
            ("By Ann Bee ann.bee@hive.invalid", "Ann Bee"),
            ("By Ann Bee @annbee", "Ann Bee"),
            ("文・蜂花子", "蜂花子"),
            ("来源：蜂房 作者：蜂花子", "蜂花子"),
            ("Yazar: Ann Bee", "Ann Bee"),
            ("Text and photos: Ann Bee", "Ann Bee"),
            ("Texts and the photos: nine bees", ""),
            ("Propos recueillis par Ann Bee", "Ann Bee"),
            ("Skrevet av Ann Bee", "Ann Bee"),
            ("Teksti: Ann Bee", "Ann Bee"),
            ("بقلم: آن نحلة", "آن نحلة"),
            ("מאת אן דבורה", "אן דבורה"),
            ("本报记者 蜂花子 报道", "蜂花子"),
            ("By Ann Bee with Bob Wasp", "Ann Bee"),
            ("Szerző: Ann Bee", "Ann Bee"),
            ("By Ann Bee May 3, 2016", "Ann Bee"),
            ("By Ann Bee, Harbour College", "Ann Bee"),
            (
                "By Ann Bee and Bob Wasp, Harbour Times",
                "Ann Bee and Bob Wasp",
            ),
            ("By Ann Bee Friday 3 May 2025", "Ann Bee"),
            ("By In the", ""),
            ("By In the City", ""),
            ("By participating you agree to our terms", ""),
            ("By-product of bees", ""),
            ("By: Ann Bee", "Ann Bee"),
            ("Byline Ann Bee", "Ann Bee"),
            ("Written by: Änn Bee", "Änn Bee"),
            ("Bye Ann Bee", ""),
            ("Byörn Bee", ""),
            ("Party Ann Bee", ""),
            ("Données Anne Abeille", ""),
            ("Scritto da Anna Ape", "Anna Ape"),
            ("Dalì Anna Ape", ""),
            ("By admin", ""),
            ("By annbee7 on 3 May 2025", "annbee7"),
            (
                "By knowing where the bees of your garden fly in summer, you can help",
                "",
            ),
            ("By", ""),
            ("Written by Ann Bee, a nurse at the hospital.", "Ann Bee"),
            ("By Ann Bee, professor of history at Leeds", "Ann Bee"),
            ("By Ann Bee, science editor", "Ann Bee"),
            ("By Ann Bee, Health and Science Editor", "Ann Bee"),
            ("By Ann Bee, Science correspondent", "Ann Bee"),
            ("By Ann Bee, Digital Producer", "Ann Bee"),
            ("By Ann Bee, Former Director, Leeds, Kent", "Ann Bee"),
            ("By Hive's Editorial Writers", "Hive's Editorial Writers"),
            (
                "By Ann Bee and Bob Wasp, Science correspondents",
                "Ann Bee and Bob Wasp",
            ),
            ("By Ann Bee, Bob Wasp", "Ann Bee, Bob Wasp"),
            ("Guest column by Ann Bee", "Ann Bee"),
            ("As told to Ann Bee", "Ann Bee"),
            ("Posted in News by Ann Bee", "Ann Bee"),
            ("Posted in the garden", ""),
            ("Words: Ann Bee | Pictures: Bob Wasp", "Ann Bee"),
            ("Words: 842", ""),
            ("Journalist: Ann Bee", "Ann Bee"),
            ("Redactado por Ann Bee", "Ann Bee"),
            ("Texto de Ann Bee", "Ann Bee"),
            ("Articolo di Anna Ape", "Anna Ape"),
            ("文＝蜂花子　写真＝虫一郎", "蜂花子"),
            ("取材・文：蜂花子", "蜂花子"),
            ("记者 王小明 编辑 李雷", "王小明"),
            ("Monday May 3, 2025 10:05 am by Juli Bee", "Juli Bee"),
            ("By Ann Bee of the Harbour Times", "Ann Bee"),
            ("By Ann Bee of Reuters", "Ann Bee"),
            ("By Ann of the Hill", "Ann of the Hill"),
            ("By Society of the Bees", "Society of the Bees"),
            (
                "By National Institute of the Bees",
                "National Institute of the Bees",
            ),
            ("By Ann Bee of Kent", "Ann Bee of Kent"),
            ("By ANN BEE Associated Press", "ANN BEE"),
            ("By ANN McBEE", "ANN McBEE"),
            ("By BBC News", "BBC News"),
            ("Por Ana Abeja / Madrid", "Ana Abeja"),
            ("Par Anne Abeille / AFP", "Anne Abeille"),
            ("By Ann Bee / Bob Wasp", "Ann Bee / Bob Wasp"),
            ("Text: Ann Bee, Fotos: Bob Wasp", "Ann Bee"),
            ("Teksti: Ann Bee Kuvat: Bob Wasp", "Ann Bee"),
            ("By Ann Bee LinkedIn Twitter", "Ann Bee"),
            ("By Ann Bee Email", "Ann Bee"),
            ("Von unserer Reporterin Ann Biene", "Ann Biene"),
            ("Par notre envoyée spéciale Anne Abeille", "Anne Abeille"),
            ("By our bees", ""),
            ("Text: Ann Bee", "Ann Bee"),
            ("Testo: Anna Ape", "Anna Ape"),
            ("Text size", ""),
            ("Story by Ann Bee; photos by Bob Wasp", "Ann Bee"),
            ("Story and photos by Ann Bee", "Ann Bee"),
            ("Reporting by Ann Bee; Editing by Bob Wasp", "Ann Bee"),
            ("By Ann Bee, photographs by Bob Wasp", "Ann Bee"),
            ("By Ann Bee. Photographs by Bob Wasp", "Ann Bee"),
            ("By Ann Bee. Additional reporting by Bob Wasp", "Ann Bee"),
            ("By A. Bee and B. Wasp", "A. Bee and B. Wasp"),
            ("By Ann Bee; Bob Wasp", "Ann Bee; Bob Wasp"),
            ("Reporting on bees", ""),
            (
                "Written by Ann Bee, a nurse, the book about hives was printed twice",
                "",
            ),
            (
                "Written by Ann Bee in 1913, the book is still read by many people",
                "",
            ),
            ("Ann Bee", ""),
        ] {
            assert_eq!(seen_author(text), expected, "{text}");
        }
        assert_eq!(marked_author("Article by: By Ann Bee"), "Ann Bee");
        assert_eq!(marked_author("Ann Bee (editor)"), "Ann Bee");
        assert_eq!(marked_author(" - "), "");
        assert_eq!(
            marked_author("Ann Bee\nNew York Times\nMay 3, 2016"),
            "Ann Bee"
        );
        assert_eq!(
            marked_author("Written by\nAnn Bee\n,\nBob Wasp"),
            "Ann Bee , Bob Wasp"
        );
        assert_eq!(marked_author("Ann\nBee\nEditor"), "Ann Bee");
        assert_eq!(
            marked_author("Ann Bee and\nBob Wasp"),
            "Ann Bee and Bob Wasp"
        );
        assert_eq!(marked_author("Ann Bee \u{e718} Comments"), "Ann Bee");
        assert_eq!(marked_author("Ann Bee\nBob Wasp"), "Ann Bee");
        assert_eq!(marked_author("annbee7\nMember"), "annbee7");
        assert_eq!(marked_author("annbee7 »"), "annbee7");
        assert_eq!(marked_author("홍길동 기자"), "홍길동");
        assert_eq!(marked_author("Topic Author"), "");
        assert_eq!(marked_author("Av Ann Bee"), "Ann Bee");
        assert_eq!(marked_author("Av Bee"), "Av Bee");
        assert_eq!(marked_author("Door onze verslaggever Ann Bee"), "Ann Bee");
        assert_eq!(seen_author("Door Ann Bee"), "");
        assert_eq!(declared_author("Редакция"), "");
        assert_eq!(marked_author("annbee7 A"), "annbee7");
        assert_eq!(marked_author("Ann A."), "Ann A");
        assert_eq!(marked_author("Ann B"), "Ann B");
        assert_eq!(declared_author("Hives & Co, Ltd."), "");
        assert_eq!(declared_author("Ann Limited Bee"), "Ann Limited Bee");
        assert_eq!(
            declared_author("By Ann Bee, Bob Wasp;"),
            "Ann Bee, Bob Wasp"
        );
        assert_eq!(declared_author("https://a.invalid/ann"), "");
        assert_eq!(declared_author("/authors/ann-bee"), "");
        assert_eq!(declared_author("hive/ann"), "hive/ann"); // two agencies
        assert_eq!(declared_author("Ann Bee \u{2764}\u{fe0f}"), "Ann Bee");
        assert_eq!(declared_author("\u{1f41d} Ann Bee"), "Ann Bee");
        assert_eq!(declared_author("262588213843476"), "");
        assert_eq!(declared_author("Ann Bee July 10, 2015"), "Ann Bee");
        assert_eq!(declared_author("Ann Bee, Reuters"), "Ann Bee");
        assert_eq!(declared_author("Ann Bee; Film Editor"), "Ann Bee");
        assert_eq!(declared_author("Ann Bee; Bob Wasp"), "Ann Bee; Bob Wasp");
        assert_eq!(declared_author("{{ page.author }}"), "");
        for mailbox in ["ann@hive.invalid (Ann Bee)", "Ann Bee <ann@hive.invalid>"] {
            assert_eq!(declared_author(mailbox), "Ann Bee", "{mailbox}");
        }
        assert_eq!(declared_author("ann@hive.invalid"), "");
    }

    #[test]
    fn accounts_have_names_of_their_own() {
        for name in ["ann", "ann-bee7", "a.b_c"] {
            assert!(is_login(name), "{name}");
        }
        for name in ["Ann", "ann bee", "ann-", "ann--bee", ""] {
            assert!(!is_login(name), "{name}");
        }
    }
}
