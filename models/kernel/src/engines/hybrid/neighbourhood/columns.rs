//! The columns of the second stage.

use super::{Second, Sum};
use crate::engines::hybrid::sink::{Sink, share};

const FAR: f32 = 999.0;

impl Second<'_, '_, '_> {
    /// Writes what the second stage sees of one block.
    pub fn write(&self, block: usize, out: &mut impl Sink) {
        self.neighbours(block, out);
        self.page(block, out);
        self.ancestors(block, out);
        self.cuts(block, out);
        self.sure(block, out);
        self.copies(block, out);
        self.kept(block, out);
    }

    fn neighbours(&self, block: usize, out: &mut impl Sink) {
        const NAMES: [&str; 5] = ["p_back_2", "p_back_1", "p", "p_next_1", "p_next_2"];
        for (name, delta) in NAMES.iter().zip([-2, -1, 0, 1, 2]) {
            let at = block.checked_add_signed(delta);
            let p = at.and_then(|at| self.whole.probabilities.get(at));
            out.put(name, p.copied().unwrap_or(0.0));
        }
        for (width, name) in [(3, "p_3"), (8, "p_8"), (20, "p_20")] {
            let low = self.before[block.saturating_sub(width)];
            let high = self.before[(block + width + 1).min(self.whole.probabilities.len())];
            out.put(
                name,
                share(high.expected - low.expected, high.weight - low.weight),
            );
        }
    }

    fn page(&self, block: usize, out: &mut impl Sink) {
        let all = self.whole.all;
        let before = self.before[block].expected;
        let after = all.expected - self.before[block + 1].expected;
        out.put("p_page", all.mean());
        out.put("p_page_mean", self.whole.mean);
        out.put("p_before", share(before, all.expected));
        out.put("p_after", share(after, all.expected));
        out.put("p_words", all.expected);
        out.put("p_threshold", self.whole.threshold);
    }

    fn ancestors(&self, block: usize, out: &mut impl Sink) {
        const NAMES: [[&str; 2]; 6] = [
            ["p_a0", "e_a0"],
            ["p_a1", "e_a1"],
            ["p_a2", "e_a2"],
            ["p_a3", "e_a3"],
            ["p_a4", "e_a4"],
            ["p_a5", "e_a5"],
        ];
        let expected = self.whole.all.expected;
        let mut path = self.context.path(self.context.page.spans[block].node);
        let mut sum = Sum::default();
        for names in NAMES {
            // above the first node its own figures are repeated
            if let Some((index, _)) = path.next() {
                sum = self.whole.nodes[index as usize];
            }
            out.put(names[0], sum.mean());
            out.put(names[1], share(sum.expected, expected));
        }
        let label = self.context.own(block).label_path_hash;
        let group = self.by_label.get(&label).copied().unwrap_or_default();
        out.put("p_label", group.mean());
    }

    fn cuts(&self, block: usize, out: &mut impl Sink) {
        let context = self.context;
        let path = &self.paths[context.own(block).place as usize];
        let near = context
            .nodes
            .get(context.own_path(block).near_series as usize);
        let near = near.map(|node| self.twins[node.twin_group as usize]);
        out.put("p_near_twins", near.map_or(-1.0, Sum::mean));
        out.put("p_most_twins", near.map_or(-1.0, |_| path.series_purity));
        out.put("to_best_cut", path.to_best_cut);
        self.whole.write_best_cut(out);
        out.put("own_cut", share(path.cut_f, self.whole.best_f));
        out.put("own_cut_purity", path.cut_purity);
    }

    fn sure(&self, block: usize, out: &mut impl Sink) {
        let (last, next) = (self.last_sure[block], self.next_sure[block]);
        let levels = |other: usize| self.context.levels_up(block, other);
        let up = |other: Option<usize>| other.map_or(FAR, levels);
        out.put("last_sure", last.map_or(FAR, |last| (block - last) as f32));
        out.put("next_sure", next.map_or(FAR, |next| (next - block) as f32));
        out.put("last_sure_up", up(last));
        out.put("next_sure_up", up(next));
    }

    /// How likely equal texts are.
    fn copies(&self, block: usize, out: &mut impl Sink) {
        let overlap = &self.context.overlaps[block];
        let first = overlap.first_copy as usize;
        let [most, next] = self.copies[first];
        let other = if self.whole.probabilities[block] < most {
            most
        } else {
            next
        };
        let before = if first < block {
            self.whole.probabilities[first]
        } else {
            -1.0
        };
        out.put("p_copies", other);
        out.put("p_first_copy", before);
        out.put("copy_distance", (block - first) as f32);
    }

    /// Where the block stands among those that its page would keep.
    fn kept(&self, block: usize, out: &mut impl Sink) {
        let (first, last) = self.kept;
        let words = |from: usize, to: usize| self.before[to].weight - self.before[from].weight;
        out.put("p_rank", self.ranks[block]);
        out.put(
            "p_over",
            self.whole.probabilities[block] - self.whole.threshold,
        );
        out.put("from_first_kept", block as f32 - first as f32);
        out.put("to_last_kept", last as f32 - block as f32);
        out.put(
            "kept_place",
            share(words(first, block), words(first, last + 1)),
        );
        out.put("kept_share", self.kept_share);
    }
}
