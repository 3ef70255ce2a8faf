//! Directives of a page for machine readers: robots directives, TDM reservation, links.
//!
//! They are only reported; just the option `noindex=skip` acts on one.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;

use super::lines::{first_chars, line};
use super::patterns::pattern;
use crate::page::blocks::{BlockTable, LinkWishes};

/// The reported directives, in output order.
pub const DIRECTIVES: [&str; 8] = [
    "noindex",
    "nofollow",
    "nosnippet",
    "noarchive",
    "noimageindex",
    "notranslate",
    "noai",
    "noimageai",
];
/// Crawler names used by `meta` elements; headers may use any.
const AGENTS: [&str; 27] = [
    "googlebot",
    "googlebot-news",
    "googlebot-image",
    "google-extended",
    "bingbot",
    "msnbot",
    "slurp",
    "yandex",
    "yandexbot",
    "baiduspider",
    "duckduckbot",
    "applebot",
    "applebot-extended",
    "gptbot",
    "oai-searchbot",
    "chatgpt-user",
    "ccbot",
    "claudebot",
    "anthropic-ai",
    "perplexitybot",
    "facebookbot",
    "meta-externalagent",
    "bytespider",
    "amazonbot",
    "cohere-ai",
    "teoma",
    "otherbot",
];
/// Directives with a value after a colon, which are therefore not crawler names.
const VALUED: [&str; 4] = [
    "max-snippet",
    "max-image-preview",
    "max-video-preview",
    "unavailable_after",
];
static AGENT: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^\s*(?P<name>[A-Za-z0-9][\w.-]{0,63})\s*:(?P<number>\s*-?[0-9])?"));
const MAX_HEADER: usize = 4096;
const MAX_AGENTS: usize = 16;
const MAX_POLICY: usize = 2048;

/// A set of [`DIRECTIVES`], one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Directives(u8);

impl Directives {
    /// The directives in a list separated by commas or semicolons.
    fn of(text: &str) -> Self {
        let mut found = Self::default();
        for word in text.split([',', ';']) {
            let word = word.split_whitespace().collect::<String>().to_lowercase();
            match word.as_str() {
                "none" => found.add("noindex").add("nofollow"),
                "max-snippet:0" => found.add("nosnippet"),
                "nocache" => found.add("noarchive"),
                word => found.add(word),
            };
        }
        found
    }

    fn add(&mut self, name: &str) -> &mut Self {
        if let Some(at) = DIRECTIVES.iter().position(|directive| *directive == name) {
            self.0 |= 1 << at;
        }
        self
    }

    /// Their names in order.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        let all = DIRECTIVES.into_iter().enumerate();
        all.filter(move |(at, _)| self.0 & 1 << at != 0)
            .map(|(_, name)| name)
    }
}

/// The directives of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wishes {
    pub directives: Directives,
    /// The ones for single crawlers, by lower-case name.
    pub agents: BTreeMap<String, Directives>,
    pub tdm_reservation: Option<bool>,
    pub tdm_policy: String,
    pub parts: LinkWishes,
}

impl Wishes {
    /// Read them; `robots_tag` is the page's `X-Robots-Tag` headers, one per line.
    #[must_use]
    pub fn of(table: &BlockTable, robots_tag: &str) -> Self {
        let mut found = Found::default();
        let mut reservation = None;
        let mut policy = None;
        for (name, value) in table.declared.pairs() {
            let Some(word) = name.strip_prefix("meta:") else {
                continue;
            };
            match word {
                "robots" => found.add("", Directives::of(value)),
                "tdm-reservation" => _ = reservation.get_or_insert(value),
                "tdm-policy" => _ = policy.get_or_insert(value),
                word if AGENTS.contains(&word) => found.add(word, Directives::of(value)),
                _ => {}
            }
        }
        for header in first_chars(robots_tag, MAX_HEADER).lines() {
            found.header(header);
        }
        let directives = found.agents.remove("").unwrap_or_default();
        found
            .agents
            .retain(|_, wanted| *wanted != Directives::default());
        Self {
            directives,
            agents: found.agents,
            tdm_reservation: match reservation {
                Some("0") => Some(false),
                Some("1") => Some(true),
                _ => None,
            },
            tdm_policy: line(policy.unwrap_or_default(), MAX_POLICY),
            parts: table.wishes,
        }
    }

    /// Whether noindex applies to every reader.
    #[must_use]
    pub fn forbid_index(&self) -> bool {
        self.directives.names().any(|name| name == DIRECTIVES[0])
    }
}

/// Directives by crawler; the empty name is every reader.
#[derive(Default)]
struct Found {
    agents: BTreeMap<String, Directives>,
}

impl Found {
    fn add(&mut self, agent: &str, wanted: Directives) {
        if self.agents.len() < MAX_AGENTS || self.agents.contains_key(agent) {
            self.agents.entry(agent.to_owned()).or_default().0 |= wanted.0;
        }
    }

    /// A header: directives, and names of the crawlers for the directives after them.
    fn header(&mut self, header: &str) {
        let mut agent = String::new();
        for part in header.split(',') {
            let named = AGENT
                .captures(part)
                .filter(|named| named.name("number").is_none());
            let mut rest = part;
            if let Some(named) = named {
                let name = named["name"].to_lowercase();
                if !VALUED.contains(&name.as_str()) {
                    rest = &part[named.get_match().end()..];
                    agent = name;
                }
            }
            self.add(&agent, Directives::of(rest));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::declared::Declared;

    #[test]
    fn what_elements_and_headers_ask_adds_up() {
        let mut table = BlockTable::default();
        let mut declared = Declared::default();
        declared.add("meta:", b"robots", b"NONE; x");
        declared.add("meta:", b"GPTBot", b"noai");
        declared.add("meta:", b"ccbot", b"x");
        declared.add("meta:", b"tdm-reservation", b"1");
        table.declared = declared;

        let header = "max-snippet:0, gptbot: no index, unavailable_after: 3 May 2025\nnocache";
        let wishes = Wishes::of(&table, header);

        let names: Vec<&str> = wishes.directives.names().collect();
        assert_eq!(names, ["noindex", "nofollow", "nosnippet", "noarchive"]);
        let agents: Vec<&str> = wishes.agents.keys().map(String::as_str).collect();
        assert_eq!(agents, ["gptbot"]);
        assert_eq!(
            wishes.agents["gptbot"].names().collect::<Vec<_>>(),
            ["noindex", "noai"]
        );
        assert_eq!(wishes.tdm_reservation, Some(true));
    }

    #[test]
    fn crawlers_are_bounded() {
        let header: Vec<String> = (0..40).map(|at| format!("bot{at}: noai")).collect();
        let wishes = Wishes::of(&BlockTable::default(), &header.join("\n"));
        assert_eq!(wishes.agents.len(), MAX_AGENTS);
    }
}
