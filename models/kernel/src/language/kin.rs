//! Related languages: the model of one fits short text in another.

const KIN: [&[&str]; 9] = [
    &["da", "nb", "nn", "sv", "fo"],
    &["es", "pt", "ca", "gl", "ast", "an", "ext", "oc"],
    &["it", "co", "scn", "fur", "sc"],
    &["ru", "uk", "bg", "be", "mk", "sr", "rue"],
    &["ar", "fa", "ur", "ps", "arz", "ary", "apc", "ckb", "prs"],
    &["cs", "sk"],
    &["id", "ms", "jv", "su"],
    &["nl", "af", "fy", "nds"],
    &["hi", "mr", "ne", "bho", "mai", "sa"],
];

/// The languages that are related to one, itself included; none for most.
#[must_use]
pub fn kin_of(language: &str) -> &'static [&'static str] {
    KIN.into_iter()
        .find(|kin| kin.contains(&language))
        .unwrap_or_default()
}

/// Whether two different languages are related.
#[must_use]
pub fn are_kin(one: &str, other: &str) -> bool {
    one != other && kin_of(one).contains(&other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_kin_and_no_language_is_its_own() {
        assert!(are_kin("da", "nb") && are_kin("gl", "es") && are_kin("id", "ms"));
        let mut all = KIN.concat();
        all.sort_unstable();
        assert!(all.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(!are_kin("da", "da") && !are_kin("en", "de") && !are_kin("", ""));
    }
}
