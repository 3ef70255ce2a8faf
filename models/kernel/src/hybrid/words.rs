//! Hashed words: one 32-bit hash a lower-case word, and the short lists that the features ask.

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

/// The empty word.
pub const EMPTY: u32 = 0x811c_9dc5;

/// Hash of a word, ASCII letters lower-cased.
#[must_use]
pub fn hash(word: &str) -> u32 {
    word.bytes()
        .fold(EMPTY, |hash, byte| mix(hash, byte.to_ascii_lowercase()))
}

/// A small set of hashes: open addressing in a power of two.
pub struct HashSet32 {
    slots: Vec<u32>,
}

impl HashSet32 {
    /// The set of `hashes`, at most half full.
    pub fn of(hashes: impl Iterator<Item = u32>) -> Self {
        let hashes: Vec<u32> = hashes.collect();
        let size = (hashes.len() * 4).next_power_of_two().max(8);
        let mut set = Self {
            slots: vec![0; size],
        };
        for hash in hashes {
            set.insert(hash);
        }
        set
    }

    fn insert(&mut self, hash: u32) {
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        while self.slots[at] != 0 && self.slots[at] != hash {
            at = (at + 1) & mask;
        }
        self.slots[at] = hash;
    }

    /// Whether the set holds `hash`.
    #[inline]
    #[must_use]
    pub fn contains(&self, hash: u32) -> bool {
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        while self.slots[at] != 0 {
            if self.slots[at] == hash {
                return true;
            }
            at = (at + 1) & mask;
        }
        false
    }
}

static FUNCTION_SET: LazyLock<HashSet32> =
    LazyLock::new(|| HashSet32::of(FUNCTION_WORDS.split_whitespace().map(hash)));

/// Function words of all listed languages.
#[must_use]
pub fn function_words() -> &'static HashSet32 {
    &FUNCTION_SET
}
