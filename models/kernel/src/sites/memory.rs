//! On how many pages of a host each block was seen, in memory of a fixed size.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hasher;
use std::sync::{Mutex, PoisonError};

use siphasher::sip::SipHasher24;

use super::table::{Host, Options};

/// Remembers blocks per host. Thread-safe; pages of threads then arrive in any order.
///
/// For each block it remembers the set of pages that showed it, up to the number that makes it
/// seen, so seeing a page again changes nothing. Blocks and pages are identified by 64 bits of
/// SipHash-2-4 (Aumasson and Bernstein, 2012) under a secret key, so nobody can construct a
/// colliding text.
#[derive(Debug)]
pub struct SiteMemory {
    key: [u8; 16],
    options: Options,
    hosts: Mutex<Hosts>,
}

/// Tables by host, and by the time of each host's last page.
#[derive(Debug, Default)]
struct Hosts {
    by_name: HashMap<String, (u64, Host)>,
    by_age: BTreeMap<u64, String>,
    visits: u64,
}

impl SiteMemory {
    /// An empty memory; the table of a host is created with its first page.
    #[must_use]
    pub fn new(key: [u8; 16], options: Options) -> Self {
        Self {
            key,
            options,
            hosts: Mutex::default(),
        }
    }

    /// How many hosts are remembered.
    #[must_use]
    pub fn hosts(&self) -> usize {
        let hosts = self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
        hosts.by_name.len()
    }

    /// For each block of a page whether it was seen on enough other pages of the host; remembers
    /// the blocks of this page. Equal blocks count once.
    #[must_use]
    pub fn meet<'t>(
        &self,
        host: &str,
        page: &str,
        blocks: impl Iterator<Item = &'t [u8]>,
    ) -> Vec<bool> {
        let digests: Vec<u64> = blocks.map(|text| self.digest(text)).collect();
        let mut distinct = digests.clone();
        distinct.sort_unstable();
        distinct.dedup();
        let seen = {
            let mut hosts = self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
            let table = hosts.visit(host, &self.options);
            table.meet(self.digest(page.as_bytes()), &distinct, &self.options)
        };
        let place = |digest| distinct.partition_point(|each| each < digest);
        digests.iter().map(|digest| seen[place(digest)]).collect()
    }

    fn digest(&self, text: &[u8]) -> u64 {
        let mut hasher = SipHasher24::new_with_key(&self.key);
        hasher.write(text);
        hasher.finish()
    }
}

impl Hosts {
    /// The table of a host; a new one replaces the host without new pages for longest.
    fn visit(&mut self, name: &str, options: &Options) -> &mut Host {
        self.visits += 1;
        match self.by_name.get(name) {
            Some((last, _)) => drop(self.by_age.remove(last)),
            None if self.by_name.len() >= options.hosts => {
                if let Some((_, oldest)) = self.by_age.pop_first() {
                    self.by_name.remove(&oldest);
                }
            }
            None => {}
        }
        self.by_age.insert(self.visits, name.to_owned());
        let entry = self.by_name.entry(name.to_owned());
        let (last, host) = entry.or_insert_with(|| (0, Host::new(options)));
        *last = self.visits;
        host
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPTIONS: Options = Options {
        pages: 1,
        hosts: 2,
        blocks: 64,
        forget_after: 3,
    };

    fn memory(options: Options) -> SiteMemory {
        SiteMemory::new([0; 16], options)
    }

    fn shown(memory: &SiteMemory, host: &str, page: &str, blocks: &[&str]) -> Vec<bool> {
        memory.meet(host, page, blocks.iter().map(|text| text.as_bytes()))
    }

    #[test]
    fn a_block_is_seen_when_enough_other_pages_had_it() {
        let memory = memory(Options {
            pages: 2,
            ..OPTIONS
        });
        let pages = ["1", "2", "3", "3", "1"];
        let found = pages.map(|page| shown(&memory, "a", page, &["menu", page, "menu"]));
        let menu = [false, false, true, true, false];
        for (found, menu) in found.iter().zip(menu) {
            assert_eq!(found, &[menu, false, menu]);
        }
    }

    #[test]
    fn the_host_without_a_page_for_longest_is_forgotten() {
        let memory = memory(OPTIONS);
        for host in ["a", "b", "a", "c"] {
            assert_eq!(shown(&memory, host, "1", &["menu"]), [false]);
        }
        assert_eq!(shown(&memory, "a", "2", &["menu"]), [true]);
        assert_eq!(shown(&memory, "b", "2", &["menu"]), [false]);
        assert_eq!(memory.hosts(), 2);
    }

    #[test]
    fn a_text_has_another_digest_under_another_key() {
        let digests: Vec<u64> = (0..2)
            .map(|key| SiteMemory::new([key; 16], OPTIONS).digest(b"menu"))
            .collect();
        assert_ne!(digests[0], digests[1]);
    }
}
