//! Smoothing over the page: the likeliest path of a chain with two states.

/// The cost of a change between content and boilerplate, in bits.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "python", derive(pyo3::FromPyObject))]
pub struct Chain {
    /// Between two blocks.
    pub switch: f32,
    /// At both ends of the page, because boilerplate begins and ends a page.
    pub edge: f32,
}

impl Chain {
    /// Which blocks are content, from the bits for content of each block.
    ///
    /// Viterbi's algorithm. With two states and one cost, a single number tells the better of the
    /// two paths to a block, the lead of content: `lead = bits + clamp(previous lead, -switch,
    /// switch)`.
    #[must_use]
    pub fn content(&self, bits: impl Iterator<Item = f32>) -> Vec<bool> {
        let mut lead = -self.edge;
        let mut leads: Vec<f32> = Vec::with_capacity(bits.size_hint().0);
        for bit in bits {
            lead = bit + lead.max(-self.switch).min(self.switch);
            leads.push(lead);
        }
        let mut is_content = lead > self.edge;
        let mut kept = vec![false; leads.len()];
        for (at, kept) in kept.iter_mut().enumerate().rev() {
            *kept = is_content;
            let before = at.checked_sub(1).and_then(|at| leads.get(at));
            let least = if is_content {
                -self.switch
            } else {
                self.switch
            };
            is_content = before.is_some_and(|lead| *lead > least);
        }
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The best of all paths, by exhaustive search.
    fn best(chain: Chain, bits: &[f32]) -> f32 {
        let paths = 0..1_u32 << bits.len();
        paths
            .map(|path| worth(chain, bits, &states(path, bits.len())))
            .fold(f32::MIN, f32::max)
    }

    fn states(path: u32, length: usize) -> Vec<bool> {
        (0..length).map(|at| path >> at & 1 == 1).collect()
    }

    fn worth(chain: Chain, bits: &[f32], states: &[bool]) -> f32 {
        let gained: f32 = bits
            .iter()
            .zip(states)
            .filter(|(_, s)| **s)
            .map(|(b, _)| b)
            .sum();
        let switches = states.windows(2).filter(|pair| pair[0] != pair[1]).count() as f32;
        let ends = [states.first(), states.last()];
        let edges = ends.iter().filter(|end| **end == Some(&true)).count() as f32;
        gained - chain.switch * switches - chain.edge * edges
    }

    #[test]
    fn no_path_is_better_than_the_one_found() {
        let mut seed = 1_u64;
        let mut random = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 40) as f32 / 1e6 - 8.0
        };
        for _ in 0..300 {
            let bits: Vec<f32> = (0..8).map(|_| random()).collect();
            let chain = Chain {
                switch: random().abs(),
                edge: 0.0,
            };
            let found = chain.content(bits.iter().copied());

            assert!((worth(chain, &bits, &found) - best(chain, &bits)).abs() < 1e-3);
        }
    }

    #[test]
    fn the_edge_asks_for_more_evidence() {
        let bits = [3.0];
        let open = Chain {
            switch: 9.0,
            edge: 0.0,
        };
        let closed = Chain {
            switch: 9.0,
            edge: 2.0,
        };

        assert_eq!(open.content(bits.into_iter()), [true]);
        assert_eq!(closed.content(bits.into_iter()), [false]);
        assert_eq!(closed.content([].into_iter()), [false; 0]);
    }
}
