use super::*;
use crate::engines::hybrid::model::{Model, Policy};
use crate::engines::hybrid::synthetic;

const SHIPPED: &[u8] = include_bytes!("../../../../../data/hybrid.bin");

/// A file whose forest has no tree.
fn a_file(log_odds: f32) -> Vec<u8> {
    let mut payload = log_odds.to_le_bytes().to_vec();
    payload.extend(0_u32.to_le_bytes());
    [header(&payload), payload].concat()
}

/// Values by name.
struct Named(Vec<(&'static str, f32)>);

impl Sink for Named {
    fn put(&mut self, name: &'static str, value: f32) {
        self.0.push((name, value));
    }
}

fn features(texts: &[&'static str], judgement: &Judgement, odds: &[f32]) -> Named {
    let mut page = Outline::of_body();
    page.spans = texts
        .iter()
        .map(|text| Span {
            text,
            ..Span::default()
        })
        .collect();
    let mut named = Named(Vec::new());
    put(&Context::of(&page), odds, judgement, &mut named);
    named
}

impl Named {
    fn of(&self, name: &str) -> f32 {
        let found = self.0.iter().find(|(other, _)| *other == name);
        found.map_or(f32::NAN, |(_, value)| *value)
    }
}

#[test]
fn the_columns_say_what_the_probabilities_promise() {
    let judgement = Judgement {
        verdicts: vec![Verdict::Kept, Verdict::Boilerplate, Verdict::Kept],
        probabilities: vec![0.9, 0.4, 0.6],
        threshold: Some(0.5),
        ..Judgement::default()
    };
    // four words each; the network alone would keep the first block only
    let texts = [
        "one two three four",
        "five six seven eight",
        "nine ten also one",
    ];

    let found = features(&texts, &judgement, &[3.0, -3.0, -3.0]);

    let near = |name: &str, expected: f32| {
        let value = found.of(name);
        assert!((value - expected).abs() < 1e-5, "{name}: {value}");
    };
    near("k_words", 8.0);
    near("k_share", 8.0 / 12.0);
    near("k_blocks", 2.0);
    near("k_precision", 0.75);
    near("k_recall", 1.5 / 1.9);
    near("k_f", 2.0 * 6.0 / (8.0 + 7.6));
    near("k_doubt", 0.9 / 3.0);
    near("k_close", 1.0);
    near("k_looser", 16.0 / 20.0);
    near("k_stricter", 8.0 / 12.0);
    near("k_network_f", 8.0 / 12.0);
    near("k_runs", 2.0);
    near("k_longest", 0.5);
    near("k_density", 8.0 / 12.0);
    near("k_container", 16.0 / 20.0);
}

#[test]
fn columns_have_names_of_their_own_that_fit_a_row() {
    let mut names = names();
    let count = names.len();
    names.sort_unstable();
    names.dedup();

    assert_eq!(names.len(), count);
    assert!(count <= super::super::rows::COLUMNS);
}

#[test]
fn a_model_with_confidence_has_the_same_verdicts_and_says_how_sure_it_is() {
    let model = Model::read(SHIPPED).unwrap();
    let sure = Model::read(SHIPPED).unwrap();
    let sure = sure.with_confidence(Confidence::read(&a_file(1.0)).unwrap());
    let promised = Model::read(SHIPPED).unwrap();
    let promised = promised.with_confidence(Confidence::read(&a_file(0.0)).unwrap());
    for seed in 0..10 {
        let page = synthetic::page(seed);
        let before = model.judge_outline(&page, Policy::default());
        let after = sure.judge_outline(&page, Policy::default());
        let plain = promised.judge_outline(&page, Policy::default());

        assert_eq!(before.confidence, None);
        let higher = after.confidence.unwrap();
        assert!((0.0..=1.0).contains(&higher));
        assert!((log_odds(higher) - log_odds(plain.confidence.unwrap()) - 1.0).abs() < 1e-2);
        assert_eq!(before.verdicts, after.verdicts);
    }
    let nothing = sure.judge_outline(&Outline::of_body(), Policy::default());
    assert_eq!(nothing.confidence, Some(0.0));
}

#[test]
fn damaged_files_are_refused() {
    let file = a_file(1.0);
    let changed = |at: usize| {
        let mut changed = file.clone();
        changed[at] ^= 1;
        Confidence::read(&changed).err()
    };

    assert_eq!(changed(0), Some(Damage::Foreign));
    assert_eq!(changed(8), Some(Damage::Version));
    assert_eq!(changed(24), Some(Damage::Checksum));
    assert_eq!(Confidence::read(&file[..20]).err(), Some(Damage::Length));
    assert_eq!(Confidence::read(SHIPPED).err(), Some(Damage::Length));
    assert_eq!(
        Confidence::read(&SHIPPED[..99]).err(),
        Some(Damage::Foreign)
    );
}
