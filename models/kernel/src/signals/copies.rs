//! An index of fingerprints that finds near ones, with some differing bits, in limited memory.
//!
//! Fingerprints that differ in at most `n` bits are equal in one of `n + 1` bands of their bits
//! (Manku, Jain and Das Sarma 2007). Each band has a table of the fingerprints by its bits; only
//! entries in the same place of one of the tables are compared.

/// The most bits that may differ: more bits need narrow bands, and then most entries are compared.
pub const MAX_DISTANCE: u32 = 8;
/// Bits of a band that are a place in its table.
const MAX_PLACE_BITS: u32 = 16;

/// A fingerprint in a table.
#[derive(Clone, Copy, Debug)]
struct Seen {
    high: u32,
    low: u32,
    /// Its number in its generation.
    number: u32,
}

/// Remembered fingerprints. When they fill their memory, the older half is removed.
#[derive(Debug)]
pub struct Copies {
    distance: u32,
    /// Bytes of one generation.
    max_bytes: usize,
    young: Generation,
    old: Generation,
    forgotten: u64,
}

/// Fingerprints that are removed together.
#[derive(Debug, Default)]
struct Generation {
    /// Number of the first one.
    first: u64,
    count: u32,
    bands: Vec<Band>,
    bytes: usize,
}

#[derive(Debug)]
struct Band {
    shift: u32,
    places: Vec<Vec<Seen>>,
}

impl Copies {
    /// Remember fingerprints in about this many bytes, and find those that differ in at most
    /// `distance` bits.
    ///
    /// # Errors
    ///
    /// The distance is too large, or the memory is too small for empty tables.
    pub fn new(distance: u32, max_bytes: usize) -> Result<Self, String> {
        if distance > MAX_DISTANCE {
            return Err(format!("distance {distance}: must be 0 to {MAX_DISTANCE}"));
        }
        let young = Generation::new(distance, 0);
        let least = 4 * young.bytes;
        if max_bytes < least {
            return Err(format!("{max_bytes} bytes: must be at least {least}"));
        }
        Ok(Self {
            distance,
            max_bytes: max_bytes / 2,
            young,
            old: Generation::default(),
            forgotten: 0,
        })
    }

    /// The number of the nearest remembered fingerprint, and how many bits differ; the first among
    /// equally near ones.
    #[must_use]
    pub fn find(&self, fingerprint: u64) -> Option<(u64, u32)> {
        [&self.old, &self.young]
            .into_iter()
            .filter_map(|generation| generation.find(fingerprint, self.distance))
            .min_by_key(|&(number, bits)| (bits, number))
    }

    /// Add a fingerprint; returns its number, counted from 0.
    pub fn add(&mut self, fingerprint: u64) -> u64 {
        if self.young.bytes >= self.max_bytes || self.young.count == u32::MAX {
            let first = self.young.end();
            self.forgotten += u64::from(self.old.count);
            let full = std::mem::replace(&mut self.young, Generation::new(self.distance, first));
            self.old = full;
        }
        self.young.add(fingerprint)
    }

    /// How many were removed.
    #[must_use]
    pub fn forgotten(&self) -> u64 {
        self.forgotten
    }
}

impl Generation {
    fn new(distance: u32, first: u64) -> Self {
        let bands = distance + 1;
        let width = 64 / bands;
        let bands: Vec<Band> = (0..bands)
            .map(|band| Band::new(band * width, width.min(MAX_PLACE_BITS)))
            .collect();
        let places: usize = bands.iter().map(|band| band.places.len()).sum();
        Self {
            first,
            count: 0,
            bands,
            bytes: places * size_of::<Vec<Seen>>(),
        }
    }

    fn end(&self) -> u64 {
        self.first + u64::from(self.count)
    }

    fn find(&self, fingerprint: u64, distance: u32) -> Option<(u64, u32)> {
        let seen = self.bands.iter().flat_map(|band| band.like(fingerprint));
        let near = seen.map(|seen| (seen.differing(fingerprint), seen.number));
        let (bits, number) = near.filter(|&(bits, _)| bits <= distance).min()?;
        Some((self.first + u64::from(number), bits))
    }

    fn add(&mut self, fingerprint: u64) -> u64 {
        let number = self.end();
        let seen = Seen {
            high: (fingerprint >> 32) as u32,
            low: fingerprint as u32,
            number: self.count,
        };
        for band in &mut self.bands {
            self.bytes += band.add(fingerprint, seen);
        }
        self.count += 1;
        number
    }
}

impl Band {
    fn new(shift: u32, place_bits: u32) -> Self {
        Self {
            shift,
            places: vec![Vec::new(); 1 << place_bits],
        }
    }

    fn place(&self, fingerprint: u64) -> usize {
        (fingerprint >> self.shift) as usize & (self.places.len() - 1)
    }

    fn like(&self, fingerprint: u64) -> &[Seen] {
        let place = self.places.get(self.place(fingerprint));
        place.map(Vec::as_slice).unwrap_or_default()
    }

    /// Add a fingerprint; returns the bytes of memory that it took.
    fn add(&mut self, fingerprint: u64, seen: Seen) -> usize {
        let place = self.place(fingerprint);
        let Some(place) = self.places.get_mut(place) else {
            return 0;
        };
        let before = place.capacity();
        place.push(seen);
        (place.capacity() - before) * size_of::<Seen>()
    }
}

impl Seen {
    fn differing(self, fingerprint: u64) -> u32 {
        let own = u64::from(self.high) << 32 | u64::from(self.low);
        (own ^ fingerprint).count_ones()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MEMORY: usize = 64 << 20;

    /// Pseudo-random numbers, the same in every run.
    fn fingerprints() -> impl Iterator<Item = u64> {
        let mut state = 1_u64;
        std::iter::repeat_with(move || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            state ^ state >> 29
        })
    }

    #[test]
    fn what_is_found_is_what_a_comparison_with_all_finds() {
        for distance in 0..=MAX_DISTANCE {
            let mut copies = Copies::new(distance, MEMORY).unwrap();
            let mut seen: Vec<u64> = Vec::new();
            for (number, random) in fingerprints().take(600).enumerate() {
                // every second one is like an earlier one, up to two bits too far
                let fingerprint = match seen.get(number / 2) {
                    Some(earlier) if number % 2 == 1 => (0..random % 11)
                        .fold(*earlier, |bits, at| bits ^ 1 << ((random >> at) % 64)),
                    _ => random,
                };
                let expected = seen
                    .iter()
                    .zip(0..)
                    .map(|(&each, number)| ((each ^ fingerprint).count_ones(), number))
                    .filter(|&(bits, _)| bits <= distance)
                    .min();
                let found = copies.find(fingerprint);
                assert_eq!(found, expected.map(|(bits, number)| (number, bits)));
                assert_eq!(copies.add(fingerprint), number as u64);
                seen.push(fingerprint);
            }
        }
    }

    #[test]
    fn the_oldest_are_forgotten_when_the_memory_is_full() {
        let least = 4 * Generation::new(3, 0).bytes;
        let mut copies = Copies::new(3, least).unwrap();
        let many: Vec<u64> = fingerprints().take(400_000).collect();
        for &fingerprint in &many {
            copies.add(fingerprint);
            assert!(copies.young.bytes + copies.old.bytes <= least + 4 * 64);
        }

        assert!(copies.forgotten() > 0);
        let last = many.len() - 1;
        assert_eq!(copies.find(many[last]), Some((last as u64, 0)));
        let held = (many.len() as u64 - copies.forgotten()) as usize;
        assert_eq!(
            copies.find(many[last + 1 - held]),
            Some((copies.forgotten(), 0))
        );
        assert_eq!(copies.find(many[0]), None);
    }

    #[test]
    fn a_distance_or_a_memory_that_cannot_be_is_refused() {
        assert!(Copies::new(MAX_DISTANCE + 1, MEMORY).is_err());
        assert!(Copies::new(3, 1 << 20).is_err());
    }
}
