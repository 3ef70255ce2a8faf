//! Titles before names, which end no sentence. Punkt learns only what its text has often enough, and
//! corpora whose sentences are cut already hold few of them.
//!
//! Types as Punkt has them: in lower case, without the last full stop; sorted by their bytes.

#[rustfmt::skip]
pub const ABBREVIATIONS: [&str; 26] = [
    "capt", "dott", "dr", "dra", "gov", "hab", "inż", "judr", "messrs", "mevr", "mgr", "mlle",
    "mme", "mr", "mrs", "ms", "mudr", "prof", "rev", "sgt", "srta", "δρ", "κα", "κκ", "акад",
    "проф",
];

/// Whether a type is among them.
#[must_use]
pub fn abbreviates(type_: &str) -> bool {
    ABBREVIATIONS.binary_search(&type_).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_are_found() {
        assert!(ABBREVIATIONS.is_sorted());
        assert!(ABBREVIATIONS.iter().all(|each| abbreviates(each)));
        assert!(!abbreviates("no") && !abbreviates(""));
    }
}
