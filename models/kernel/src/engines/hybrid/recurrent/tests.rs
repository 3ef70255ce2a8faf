//! The network compared with its definition, and parts of pages.

use super::*;
use crate::engines::hybrid::sink::Sink;

/// Columns of a row; every other one is used.
const COLUMNS: usize = 2 * READ;

/// Small different numbers.
fn numbers(count: usize, seed: usize) -> Vec<f32> {
    (0..count)
        .map(|at| (((at + seed) * 7919 % 1009) as f32 - 504.0) / 2000.0)
        .collect()
}

fn bytes(share: f32) -> Vec<u8> {
    let weights = READ * INPUT
        + INPUT
        + (INPUT + 1) * PROJECTED
        + 2 * STATE * GATES
        + BOTH
        + 2 * BOTH * JOINT
        + JOINT
        + 1;
    let columns = (0..READ as u8).map(|at| 2 * at + 1);
    let scales = (0..READ).map(|at| 0.5 + at as f32);
    let mut bytes = share.to_le_bytes().to_vec();
    bytes.extend(columns);
    let numbers = scales.chain(numbers(weights, 3));
    bytes.extend(numbers.flat_map(f32::to_le_bytes));
    bytes.extend([0; 8]); // no words
    bytes
}

fn network(share: f32) -> Network {
    Network::read(&mut Reader::new(&bytes(share)), COLUMNS).unwrap()
}

fn rows(blocks: usize) -> Rows {
    let mut rows = Rows::new(blocks);
    for block in 0..blocks {
        let mut columns = rows.columns(block, 0);
        for column in 0..COLUMNS {
            columns.put("", ((block * 31 + column * 17) % 23) as f32 - 6.0);
        }
    }
    rows
}

/// Layer by layer, block by block, with standard library functions.
fn expected(blocks: &Rows) -> Vec<f32> {
    let bytes = bytes(0.0);
    let all: Vec<f32> = bytes[4 + READ..bytes.len() - 8]
        .chunks_exact(4)
        .map(|number| f32::from_le_bytes(number.try_into().unwrap()))
        .collect();
    let mut rest = &all[..];
    let mut take = |count: usize| {
        let (head, tail) = rest.split_at(count);
        rest = tail;
        head
    };
    let scales = take(READ);
    let (input, input_bias) = (take(READ * INPUT), take(INPUT));
    let (projected, projection_bias) = (take(INPUT * PROJECTED), take(PROJECTED));
    let units = [take(STATE * GATES), take(STATE * GATES)];
    let attention = take(BOTH);
    let (joint, whole) = (take(BOTH * JOINT), take(BOTH * JOINT));
    let (output, output_bias) = (take(JOINT), take(1)[0]);
    assert!(rest.is_empty());
    let times = |values: &[f32], weights: &[f32], bias: &[f32]| -> Vec<f32> {
        (0..bias.len())
            .map(|at| {
                let products = values.iter().enumerate();
                bias[at]
                    + products
                        .map(|(row, value)| value * weights[row * bias.len() + at])
                        .sum::<f32>()
            })
            .collect()
    };
    let positive =
        |values: Vec<f32>| -> Vec<f32> { values.into_iter().map(|value| value.max(0.0)).collect() };
    let projected: Vec<Vec<f32>> = blocks
        .iter()
        .map(|row| {
            let squeezed: Vec<f32> = scales
                .iter()
                .zip(row.iter().skip(1).step_by(2))
                .map(|(scale, value)| value / (value.abs() + scale))
                .collect();
            times(
                &positive(times(&squeezed, input, input_bias)),
                projected,
                projection_bias,
            )
        })
        .collect();
    let logistic = |value: f32| 1.0 / (1.0 + (-value).exp());
    let walk = |way: usize, order: Vec<usize>| {
        let mut states = vec![vec![0.0; STATE]; projected.len()];
        let mut state = vec![0.0; STATE];
        for block in order {
            let projected = &projected[block][way * GATES..(way + 1) * GATES];
            let sums = times(&state, units[way], &[0.0; GATES]);
            state = (0..STATE)
                .map(|at| {
                    let reset = logistic(projected[at] + sums[at]);
                    let update = logistic(projected[STATE + at] + sums[STATE + at]);
                    let new = (projected[2 * STATE + at] + reset * sums[2 * STATE + at]).tanh();
                    (1.0 - update) * new + update * state[at]
                })
                .collect();
            states[block] = state.clone();
        }
        states
    };
    let there = walk(0, (0..projected.len()).collect());
    let back = walk(1, (0..projected.len()).rev().collect());
    let both: Vec<Vec<f32>> = there
        .into_iter()
        .zip(back)
        .map(|(there, back)| [there, back].concat())
        .collect();
    let shares: Vec<f32> = both
        .iter()
        .map(|state| {
            state
                .iter()
                .zip(attention)
                .map(|(value, weight)| value * weight)
                .sum::<f32>()
                .exp()
        })
        .collect();
    let sum: f32 = shares.iter().sum();
    let mean: Vec<f32> = (0..BOTH)
        .map(|at| {
            both.iter()
                .zip(&shares)
                .map(|(state, share)| state[at] * share / sum)
                .sum()
        })
        .collect();
    let of_whole = times(&mean, whole, &[0.0; JOINT]);
    both.iter()
        .zip(&projected)
        .map(|(state, projected)| {
            let of_state = times(state, joint, &projected[2 * GATES..]);
            let sums = of_state
                .iter()
                .zip(&of_whole)
                .map(|(state, whole)| state + whole);
            let values = positive(sums.collect());
            output_bias
                + values
                    .iter()
                    .zip(output)
                    .map(|(value, weight)| value * weight)
                    .sum::<f32>()
        })
        .collect()
}

/// The first layer's sums for blocks without words.
fn inputs(network: &Network, blocks: &Rows) -> Vec<Inputs> {
    let mut inputs = vec![network.input_bias; blocks.len()];
    network.read_rows(blocks, &mut inputs);
    inputs
}

fn found(network: &Network, blocks: &Rows) -> Vec<f32> {
    network.odds(&inputs(network, blocks))
}

#[test]
fn log_odds_are_those_of_the_definition() {
    for blocks in [1, 2, 16, 17, 50] {
        let rows = rows(blocks);

        let found = found(&network(0.5), &rows);

        assert_eq!(found.len(), blocks);
        for (found, expected) in found.iter().zip(expected(&rows)) {
            assert!((found - expected).abs() < 2e-3, "{found} {expected}");
        }
    }
}

#[test]
fn every_processor_finds_the_same_bits() {
    let (network, rows) = (network(0.5), rows(37));
    let inputs = inputs(&network, &rows);
    let mut portable = vec![network.input_bias; 37];
    network.read_rows_anywhere::<false>(&rows, &mut portable);

    let odds = network.odds_anywhere::<false>(&inputs);
    assert_eq!(inputs, portable);
    assert_eq!(network.odds(&inputs), odds);
    #[cfg(target_arch = "x86_64")]
    if processor::has_avx2() {
        let mut eight = vec![network.input_bias; 37];
        // SAFETY: the processor has the features that the function is compiled for.
        unsafe { network.read_rows_avx2(&rows, &mut eight) };
        assert_eq!(eight, portable);
        // SAFETY: as above.
        assert_eq!(unsafe { network.odds_avx2(&inputs) }, odds);
    }
}

#[test]
fn probabilities_become_the_mean_of_log_odds() {
    let odds = [-3.0, 0.0, 0.5];
    for share in [0.0, 0.25, 1.0] {
        let mut probabilities = vec![0.8; 3];

        network(share).mix(&odds, &mut probabilities);

        for (found, odds) in probabilities.iter().zip(odds) {
            let expected = (1.0 - share) * log_odds(0.8) + share * odds;
            assert!((found - sigmoid(expected)).abs() < 1e-6);
        }
    }
}

#[test]
fn a_long_page_is_read_in_equal_parts_that_know_nothing_of_each_other() {
    let network = network(1.0);
    let inputs = inputs(&network, &rows(2 * WINDOW + 2));
    let third = inputs.len() / 3;

    let whole = network.log_odds(&inputs);

    let parts = inputs.chunks(third).map(|part| network.log_odds(part));
    assert!(whole == parts.collect::<Vec<_>>().concat());
    assert!(network.log_odds(&[]).is_empty());
}

#[test]
fn a_network_is_refused_when_it_is_cut_off_or_out_of_range() {
    let whole = bytes(0.5);
    let read = |bytes: &[u8]| Network::read(&mut Reader::new(bytes), COLUMNS).err();
    for end in (0..whole.len()).step_by(1009) {
        assert!(read(&whole[..end]).is_some());
    }
    assert_eq!(read(&whole), None);
    assert_eq!(read(&bytes(1.5)), Some(Damage::Range("share")));
    let changed = |at: usize, number: [u8; 4]| {
        let mut bytes = whole.clone();
        bytes[at..at + 4].copy_from_slice(&number);
        read(&bytes)
    };
    let scales = 4 + READ;
    assert_eq!(
        changed(4, [COLUMNS as u8; 4]),
        Some(Damage::Range("column"))
    );
    for scale in [0.0, -1.0, f32::INFINITY] {
        let number = scale.to_le_bytes();
        assert_eq!(changed(scales, number), Some(Damage::Range("scale")));
    }
}
