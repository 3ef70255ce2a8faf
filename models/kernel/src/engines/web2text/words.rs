//! The English words that carry no topic, as Web2Text counts them.

const STOPWORDS: &str = "\
    a about above after again against all am an and any are as at be because been before being \
    below between both but by cannot could did do does doing down during each few for from \
    further had has have having he her here hers herself him himself his how i if in into is it \
    its itself me more most my myself no nor not of off on once only or other ought our ours \
    ourselves out over own same she should so some such than that the their theirs them \
    themselves then there these they this those through to too under until up very was we were \
    what when where which while who whom why with would you your yours yourself yourselves";

/// The longest stop word, in letters.
const LONGEST: usize = 10;

/// Slots of the table of stop words: four for each word, so that most other words meet an empty
/// one.
const SLOTS: usize = 512;

static TABLE: [u128; SLOTS] = table();

const fn table() -> [u128; SLOTS] {
    let mut table = [0; SLOTS];
    let mut rest = STOPWORDS.as_bytes();
    while !rest.is_empty() {
        let mut length = 0;
        while length < rest.len() && rest[length] != b' ' {
            length += 1;
        }
        let (word, behind) = rest.split_at(length);
        let word = key(word);
        let mut slot = slot_of(word);
        while table[slot] != 0 {
            slot = (slot + 1) % SLOTS;
        }
        table[slot] = word;
        rest = behind.trim_ascii_start();
    }
    table
}

/// The letters of a word in lower case, the first one lowest.
///
/// Digits stay, `_` becomes a non-letter.
const fn key(word: &[u8]) -> u128 {
    let mut key = 0;
    let mut at = word.len();
    while at > 0 {
        at -= 1;
        key = key << 8 | (word[at] | 0x20) as u128;
    }
    key
}

const fn slot_of(key: u128) -> usize {
    let folded = (key as u64) ^ ((key >> 64) as u64).rotate_left(29);
    (folded.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 55) as usize
}

/// Whether a word of ASCII letters, digits and `_` is in the list, in any case.
#[must_use]
pub fn is_stopword(word: &[u8]) -> bool {
    if word.len() > LONGEST {
        return false;
    }
    let key = key(word);
    let mut slot = slot_of(key);
    while TABLE[slot] != 0 {
        if TABLE[slot] == key {
            return true;
        }
        slot = (slot + 1) % SLOTS;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_every_word_of_the_list_whatever_its_case() {
        let words: Vec<&str> = STOPWORDS.split(' ').collect();
        assert_eq!(words.iter().map(|word| word.len()).max(), Some(LONGEST));
        for word in words {
            assert!(is_stopword(word.as_bytes()) && is_stopword(word.to_uppercase().as_bytes()));
        }
    }

    #[test]
    fn finds_nothing_else() {
        for word in ["", "th", "thee", "yourselvess", "_", "1", "committee"] {
            assert!(!is_stopword(word.as_bytes()), "{word}");
        }
    }
}
