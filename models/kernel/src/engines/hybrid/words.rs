//! Hashed words: a 32-bit hash per lower-case word, and the short word lists of the features.

use std::sync::LazyLock;

/// Frequent function words of the large languages of the web.
const FUNCTION_WORDS: &str = "the of and to a in is it you that he was for on are with as i his they be at one have this \
from or had by but what all were we when your can said there an each which she do how their if will up other about out \
many then them these so some her would make like him into time has look two more not no my been who its did than \
der die das und ist nicht ein eine den dem des zu mit sich auf für im von werden auch es als wie bei oder wir aus sie er \
le la les et des un une est que dans pour qui sur pas au plus par ce il ne se son avec sont mais ou nous vous cette \
el los las y del se por con una para como más su al lo pero sus le ya este fue ha sin sobre \
il di che è per non del della da si con sono anche alla nel dei ma più gli come \
o os as e do da em um uma não para com na no dos mais foi ao pelo \
het een van en niet zijn op aan met voor dat te er maar om ook naar \
w z na i do się nie to jest że o jak za od po przez dla tym był tak ale co już oraz być ich jego \
и в не на я что он с как это а по но из у за от же о для все так его было бы мы вы она они до \
και το να του η της με που την από για είναι στο ο οι στην τα των δεν σε θα τον ότι τη αυτό \
och att det som en på är av för med den till inte om har de ett var jag \
a se na je že v s z do to by pro jako za po ale i ve který \
bir ve bu için ile da de çok olarak daha ne \
ja on ei se että oli mutta kun";

/// Mixes one byte into a word hash (FNV-1a).
#[inline]
#[must_use]
pub fn mix(hash: u32, byte: u8) -> u32 {
    (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
}

/// Mixes the first `length` of eight bytes, little-endian, into a word hash.
///
/// It mixes all eight and takes the state after `length`: the time does not depend on the length.
#[inline]
#[must_use]
pub fn mix_prefix(hash: u32, eight: u64, length: usize) -> u32 {
    let mut hashes = [hash; 9];
    for (at, byte) in eight.to_le_bytes().into_iter().enumerate() {
        hashes[at + 1] = mix(hashes[at], byte);
    }
    hashes[length.min(8)]
}

/// The empty word.
pub const EMPTY: u32 = 0x811c_9dc5;

/// Hash of a word, ASCII letters lower-cased.
#[must_use]
pub fn hash(word: &str) -> u32 {
    word.bytes()
        .fold(EMPTY, |hash, byte| mix(hash, byte.to_ascii_lowercase()))
}

/// A small set of hashes: buckets of four, a power of two of them.
///
/// Few buckets are full, so a look-up compares one bucket, both for a hit and for a miss.
pub struct HashSet32 {
    buckets: Vec<[u32; 4]>,
}

impl HashSet32 {
    /// The set of `hashes`, at most a quarter full.
    pub fn of(hashes: impl Iterator<Item = u32>) -> Self {
        let hashes: Vec<u32> = hashes.collect();
        let mut set = Self {
            buckets: vec![[0; 4]; hashes.len().next_power_of_two().max(2)],
        };
        for hash in hashes {
            set.insert(hash);
        }
        set
    }

    fn insert(&mut self, hash: u32) {
        let mask = self.buckets.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let free = |slot: &&mut u32| **slot == 0 || **slot == hash;
            if let Some(slot) = self.buckets[at].iter_mut().find(free) {
                *slot = hash;
                return;
            }
            at = (at + 1) & mask;
        }
    }

    /// How many of `hashes` the set holds.
    #[must_use]
    pub fn count(&self, hashes: &[u32]) -> usize {
        if self.buckets.iter().all(|bucket| *bucket == [0; 4]) {
            return 0;
        }
        hashes.iter().filter(|hash| self.contains(**hash)).count()
    }

    /// Whether the set holds `hash`; it never holds 0.
    #[inline]
    #[must_use]
    pub fn contains(&self, hash: u32) -> bool {
        let mask = self.buckets.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let bucket = &self.buckets[at];
            let found = bucket
                .iter()
                .fold(false, |found, &slot| found | (slot == hash));
            if bucket[3] == 0 {
                return found & (hash != 0);
            }
            if found {
                return true;
            }
            at = (at + 1) & mask;
        }
    }
}

static FUNCTION_SET: LazyLock<HashSet32> =
    LazyLock::new(|| HashSet32::of(FUNCTION_WORDS.split_whitespace().map(hash)));

/// Function words of all listed languages.
#[must_use]
pub fn function_words() -> &'static HashSet32 {
    &FUNCTION_SET
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_holds_what_it_was_made_of_and_nothing_else() {
        let spread = (1..400_u32).map(|n| n.wrapping_mul(0x9e37_79b9));
        // all of them belong to one bucket
        let crowded = (1..40_u32).map(|n| n << 20);
        for hashes in [
            vec![],
            vec![7],
            vec![0, 9],
            spread.collect(),
            crowded.collect(),
        ] {
            let set = HashSet32::of(hashes.iter().copied());

            assert!(hashes.iter().all(|&hash| set.contains(hash) == (hash != 0)));
            let held = hashes.iter().filter(|&&hash| hash != 0).count();
            assert_eq!(set.count(&hashes), held);
            let others = (0..5000).filter(|other| !hashes.contains(other));
            assert!(others.into_iter().all(|other| !set.contains(other)));
        }
    }
}
