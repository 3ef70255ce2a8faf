//! Hand-made forests.

#[cfg(target_arch = "x86_64")]
use super::tree::LEAVES;
use super::*;
use crate::engines::hybrid::sink::Sink;

/// A forest of one tree: `row[1] <= 0.5` gives -1, else 2.
fn stump() -> Vec<u8> {
    let mut bytes = Vec::new();
    bytes.extend(0.25_f32.to_le_bytes());
    bytes.extend(1_u32.to_le_bytes());
    bytes.extend([1, 1]);
    bytes.extend(0.5_f32.to_le_bytes());
    bytes.extend([1, 1, 2]);
    bytes.extend((-1.0_f32).to_le_bytes());
    bytes.extend(2.0_f32.to_le_bytes());
    bytes
}

#[test]
fn rows_fall_to_the_same_leaves_alone_and_side_by_side() {
    let forest = Forest::read(&mut Reader::new(&stump()), 2).ok();
    let mut rows = Rows::new(37);
    for row in 0..37 {
        rows.columns(row, 1).put("", row as f32 / 36.0);
    }

    let sums = forest.map(|forest| forest.log_odds(&rows));

    let expected = (0..37).map(|at| if at <= 18 { -0.75 } else { 2.25 });
    assert_eq!(sums, Some(expected.collect()));
}

#[test]
fn a_row_alone_has_the_sum_that_it_has_among_others() {
    let mut forests = vec![(stump(), 2)];
    #[cfg(target_arch = "x86_64")]
    forests.push((chains(), 5));
    for (bytes, columns) in forests {
        let many = Forest::read(&mut Reader::new(&bytes), columns)
            .ok()
            .unwrap();
        let one = alone::Forest::read(&mut Reader::new(&bytes), columns)
            .ok()
            .unwrap();
        let mut rows = Rows::new(LANES);
        for row in 0..rows.len() {
            let mut values = rows.columns(row, 0);
            (0..5).for_each(|column| values.put("", (row * 7 + column * 5) as f32 * 0.3 - 4.0));
        }
        rows.columns(3, 1).put("", f32::NAN);

        let alone = rows.iter().map(|row| one.log_odds(&row).to_bits());

        assert!(alone.eq(many.log_odds(&rows).into_iter().map(f32::to_bits)));
    }
}

#[test]
fn rows_that_are_asked_for_have_the_value_that_all_together_give_them() {
    let forest = Forest::read(&mut Reader::new(&stump()), 2).ok().unwrap();
    let mut rows = Rows::new(3 * LANES + 1);
    for row in 0..rows.len() {
        rows.columns(row, 1).put("", (row % 2) as f32);
    }
    let is_asked = |row: usize| row == LANES + 2 || row == 3 * LANES;

    let some = forest.probabilities_where(&rows, is_asked);

    let all = forest.probabilities(&rows);
    assert_eq!(some.len(), all.len());
    for row in (0..rows.len()).filter(|&row| is_asked(row)) {
        assert_eq!(some[row].to_bits(), all[row].to_bits());
    }
}

/// Trees of every size up to the largest, each a chain to the right.
#[cfg(target_arch = "x86_64")]
fn chains() -> Vec<u8> {
    let mut bytes = Vec::new();
    bytes.extend(0.0_f32.to_le_bytes());
    bytes.extend((LEAVES as u32).to_le_bytes());
    for inner in 0..LEAVES as u8 {
        bytes.extend([16, inner]);
        for node in 0..inner {
            let right = if node + 1 < inner {
                node + 1
            } else {
                2 * inner
            };
            bytes.extend((f32::from(node) * 0.7).to_le_bytes());
            bytes.extend([node % 5, inner + node, right]);
        }
        for leaf in 0..=inner {
            bytes.extend((f32::from(leaf) * 0.37 - f32::from(inner)).to_le_bytes());
        }
    }
    bytes
}

#[test]
#[cfg(target_arch = "x86_64")]
fn wide_registers_give_the_sums_of_others() {
    let forest = Forest::read(&mut Reader::new(&chains()), 5).ok().unwrap();
    let mut rows = Rows::new(2 * LANES);
    for row in 0..rows.len() {
        let mut columns = rows.columns(row, 0);
        (0..5).for_each(|column| columns.put("", (row * 7 + column * 5) as f32 * 0.3 - 4.0));
    }
    rows.columns(3, 2).put("", f32::NAN);
    let lanes = [&rows.lanes()[0], &rows.lanes()[1]];
    let mut narrow = [[0.1; LANES]; 2];
    for (lanes, sums) in lanes.into_iter().zip(&mut narrow) {
        forest.trees.iter().for_each(|tree| tree.add(lanes, sums));
    }
    assert_eq!(forest.trees.len(), LEAVES);
    let bits = |sums: [[f32; LANES]; 2]| sums.map(|sums| sums.map(f32::to_bits));

    if processor::has_avx2() {
        let mut wide = [[0.1; LANES]; 2];
        // SAFETY: the processor has the features that the function is compiled for.
        unsafe { avx2::add_all(&forest.trees, lanes, &mut wide) };
        assert_eq!(bits(wide), bits(narrow));
    }
    #[cfg(avx512)]
    if processor::has_avx512() {
        let mut wide = [[0.1; LANES]; 2];
        // SAFETY: as above.
        unsafe { avx512::add_all(&forest.trees, lanes, &mut wide) };
        assert_eq!(bits(wide), bits(narrow));
    }
}

#[test]
fn a_tree_is_refused_when_it_is_cut_off_or_points_outside() {
    let whole = stump();
    let is_refused = |bytes: &[u8]| {
        let alone = alone::Forest::read(&mut Reader::new(bytes), 2).is_err();
        assert_eq!(Forest::read(&mut Reader::new(bytes), 2).is_err(), alone);
        alone
    };
    for end in 0..whole.len() {
        assert!(is_refused(&whole[..end]));
    }
    for (place, value) in [(8, 99), (9, 40), (14, 2), (15, 0), (16, 3)] {
        let mut broken = whole.clone();
        broken[place] = value;
        assert!(is_refused(&broken), "{place}");
    }
}

#[test]
fn a_tree_is_refused_when_no_branch_leads_to_a_node() {
    let mut bytes = 0.0_f32.to_le_bytes().to_vec();
    bytes.extend(1_u32.to_le_bytes());
    bytes.extend([1, 2]);
    for children in [[2, 3], [200, 201]] {
        bytes.extend(0.5_f32.to_le_bytes());
        bytes.push(0);
        bytes.extend(children);
    }
    bytes.extend([0; 3 * 4]);

    let found = Forest::read(&mut Reader::new(&bytes), 1).err();

    assert_eq!(found, Some(Damage::Range("tree shape")));
}
