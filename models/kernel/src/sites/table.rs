//! The table of one host: buckets of slots, each with a block and the pages that showed it.

/// Slots of a bucket: their digests fill one cache line.
pub const WAYS: usize = 8;
const NO_PAGE: u32 = 0;
/// The value of a slot that the current page has filled.
const TAKEN: u64 = u64::MAX;

/// Size and duration of the memory.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Other pages of the host that must show a block before it counts as seen, from 1 on.
    pub pages: usize,
    pub hosts: usize,
    /// Blocks remembered per host, a multiple of `WAYS`; those on the fewest pages, then the
    /// oldest, are removed.
    pub blocks: usize,
    /// Pages of the host without a block after which it is forgotten.
    pub forget_after: u32,
}

#[derive(Debug)]
pub struct Host {
    /// The digest of the block of each slot.
    blocks: Vec<u64>,
    /// The pages of each slot, as many as make a block seen.
    pages: Vec<u32>,
    /// By slot, the number of the host's page that showed the block last; 0: a free slot.
    last_seen: Vec<u32>,
    clock: u32,
}

impl Host {
    #[must_use]
    pub fn new(options: &Options) -> Self {
        Self {
            blocks: vec![0; options.blocks],
            pages: vec![NO_PAGE; options.blocks * options.pages],
            last_seen: vec![0; options.blocks],
            clock: 0,
        }
    }

    /// Which blocks of a page were seen on enough other pages; remembers the blocks of this page.
    ///
    /// `page` and `blocks` are digests; blocks are in order, each once.
    pub fn meet(&mut self, page: u64, blocks: &[u64], options: &Options) -> Vec<bool> {
        self.clock = self.clock.saturating_add(1);
        let page = u32::try_from(page % u64::from(u32::MAX)).unwrap_or(NO_PAGE) + 1;
        let mut new = Vec::new();
        let mut seen = Vec::with_capacity(blocks.len());
        for block in blocks {
            let start = self.bucket(*block);
            let slots = start..start + WAYS;
            let holds = |slot: &usize| self.blocks[*slot] == *block && self.is_live(*slot, options);
            let found = slots.into_iter().find(holds);
            seen.push(found.is_some_and(|slot| self.add(slot, page, options)));
            if found.is_none() {
                new.push((start, *block));
            }
        }
        new.sort_unstable();
        for bucket in new.chunk_by(|one, other| one.0 == other.0) {
            self.insert(bucket, page, options);
        }
        seen
    }

    /// The first slot of the bucket of a block.
    fn bucket(&self, block: u64) -> usize {
        let buckets = self.blocks.len() / WAYS;
        usize::try_from(block % buckets as u64).unwrap_or_default() * WAYS
    }

    fn is_live(&self, slot: usize, options: &Options) -> bool {
        let last_seen = self.last_seen[slot];
        last_seen > 0 && self.clock - last_seen <= options.forget_after
    }

    fn pages(&mut self, slot: usize, options: &Options) -> &mut [u32] {
        &mut self.pages[slot * options.pages..][..options.pages]
    }

    /// Adds a page to the slot of a block; returns whether the slot was full without it.
    fn add(&mut self, slot: usize, page: u32, options: &Options) -> bool {
        self.last_seen[slot] = self.clock;
        let pages = self.pages(slot, options);
        if pages.contains(&page) {
            return false;
        }
        let free = pages.iter_mut().find(|each| **each == NO_PAGE);
        let Some(free) = free else { return true };
        *free = page;
        false
    }

    /// Gives each new block of one bucket a slot: the emptiest, among equal ones the oldest.
    ///
    /// Slots that this page has filled already are kept; blocks without a slot are dropped.
    fn insert(&mut self, blocks: &[(usize, u64)], page: u32, options: &Options) {
        let Some((start, _)) = blocks.first() else {
            return;
        };
        let slots = *start..*start + WAYS;
        let mut by_worth: Vec<(u64, usize)> = slots
            .map(|slot| (self.worth(slot, options), slot))
            .collect();
        by_worth.sort_unstable();
        let free = by_worth.into_iter().filter(|(worth, _)| *worth != TAKEN);
        for ((_, block), (_, slot)) in blocks.iter().zip(free) {
            self.blocks[slot] = *block;
            self.last_seen[slot] = self.clock;
            let pages = self.pages(slot, options);
            pages.fill(NO_PAGE);
            pages[0] = page;
        }
    }

    /// The value of a slot: first the number of its pages, then its age.
    fn worth(&mut self, slot: usize, options: &Options) -> u64 {
        let last_seen = self.last_seen[slot];
        if last_seen == self.clock {
            return TAKEN;
        }
        if !self.is_live(slot, options) {
            return 0;
        }
        let pages = self.pages(slot, options);
        let filled = pages.iter().filter(|each| **each != NO_PAGE).count();
        ((filled as u64) << 32) + u64::from(last_seen)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPTIONS: Options = Options {
        pages: 2,
        hosts: 1,
        blocks: 8,
        forget_after: 3,
    };

    #[test]
    fn a_block_is_forgotten_when_many_pages_came_without_it() {
        let options = Options {
            pages: 1,
            ..OPTIONS
        };
        let mut host = Host::new(&options);
        host.meet(1, &[7], &options);
        for page in 2..5 {
            host.meet(page, &[8], &options);
        }
        assert_eq!(host.meet(5, &[7, 8], &options), [false, true]);
        assert_eq!(host.meet(6, &[7], &options), [true]);
    }

    #[test]
    fn a_bucket_keeps_the_block_of_most_pages_when_new_ones_flood_it() {
        let options = Options {
            forget_after: 100,
            ..OPTIONS
        };
        let mut host = Host::new(&options);
        for page in 0..20_u64 {
            let mut blocks: Vec<u64> = (0..20).map(|block| 1000 + page * 20 + block).collect();
            blocks.insert(0, 7);
            assert_eq!(host.meet(page, &blocks, &options)[0], page > 1);
        }
    }

    #[test]
    fn a_page_fills_no_slot_twice() {
        let mut host = Host::new(&OPTIONS);
        let blocks: Vec<u64> = (0..20).collect();
        host.meet(1, &blocks, &OPTIONS);
        host.meet(2, &blocks, &OPTIONS);
        let seen = host.meet(3, &blocks, &OPTIONS);
        assert_eq!(seen.iter().filter(|seen| **seen).count(), 8);
    }

    #[test]
    fn the_oldest_of_equal_blocks_goes_first() {
        let options = Options {
            pages: 1,
            forget_after: 100,
            ..OPTIONS
        };
        let mut host = Host::new(&options);
        for block in 0..8 {
            host.meet(block, &[block], &options);
        }
        host.meet(8, &[8], &options);
        let seen = host.meet(9, &(0..9).collect::<Vec<u64>>(), &options);
        assert_eq!(seen, [&[false][..], &[true; 8]].concat());
    }
}
