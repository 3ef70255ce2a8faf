//! Networks that do not fit.

use super::*;

#[test]
fn an_ensemble_that_does_not_fit_is_refused() {
    let scaling = Scaling {
        means: vec![0.0; 2],
        deviations: vec![1.0; 2],
        limit: 4.0,
    };
    let leaning = Leaning {
        content_bias: 0.0,
        agreement: 0.0,
    };
    let layer = Layer {
        width: 1,
        inputs: 2,
        filters: 3,
        weights: vec![0.0; 6],
        biases: vec![0.0; 3],
    };
    assert_eq!(
        Ensemble::new(scaling, leaning, &[vec![layer]], 2).err(),
        Some(Mismatch("3 scores per block".to_owned()))
    );
}
