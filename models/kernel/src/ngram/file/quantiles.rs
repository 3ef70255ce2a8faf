//! Quantiles of the perplexity of held-out sentences from a model's own corpus. They make
//! perplexities of different models comparable.

/// Steps between the least and the greatest.
const STEPS: usize = 200;
/// With fewer sentences the shares of the tails mean nothing.
const LEAST_SENTENCES: usize = 100;

/// Perplexities of held-out sentences at every half per cent, ascending; empty for a model that
/// held out too little.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Quantiles {
    values: Vec<f32>,
}

impl Quantiles {
    /// The quantiles of the perplexities of sentences.
    #[must_use]
    pub fn of(mut perplexities: Vec<f32>) -> Self {
        if perplexities.len() < LEAST_SENTENCES {
            return Self::default();
        }
        perplexities.sort_by(f32::total_cmp);
        let last = perplexities.len() - 1;
        let at = |step: usize| perplexities[(step * last + STEPS / 2) / STEPS];
        Self {
            values: (0..=STEPS).map(at).collect(),
        }
    }

    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.values
            .iter()
            .flat_map(|each| each.to_le_bytes())
            .collect()
    }

    /// The quantiles in a section, which may be empty, or None if they are invalid.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let each = bytes.chunks_exact(4).filter_map(<[u8]>::first_chunk);
        let values: Vec<f32> = each.map(|four| f32::from_le_bytes(*four)).collect();
        let is_whole = bytes.len() == 4 * (STEPS + 1);
        let is_rising = values.is_sorted() && values.iter().all(|each| each.is_finite());
        (bytes.is_empty() || is_whole && is_rising).then_some(Self { values })
    }

    /// The perplexity that this share of the held-out sentences does not exceed.
    #[must_use]
    pub fn perplexity(&self, share: f64) -> Option<f32> {
        let at = share.clamp(0.0, 1.0) * STEPS as f64;
        let below = *self.values.get(at as usize)?;
        let above = *self.values.get(at.ceil() as usize)?;
        Some(below + (above - below) * at.fract() as f32)
    }

    /// The share of the held-out sentences with a higher perplexity than this.
    #[must_use]
    pub fn stranger(&self, perplexity: f64) -> Option<f64> {
        let (least, most) = (*self.values.first()?, *self.values.last()?);
        let perplexity = perplexity as f32;
        if perplexity <= least {
            return Some(1.0);
        }
        if perplexity >= most {
            return Some(0.0);
        }
        let next = self.values.partition_point(|&value| value <= perplexity);
        let (below, above) = (self.values[next - 1], self.values[next]);
        let part = f64::from((perplexity - below) / (above - below));
        Some(1.0 - (next as f64 - 1.0 + part) / STEPS as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_gives_a_perplexity_and_a_perplexity_the_share_that_is_stranger() {
        let quantiles = Quantiles::of((1..=1001).rev().map(|each| each as f32).collect());

        assert_eq!(quantiles.perplexity(0.95), Some(951.0));
        assert_eq!(quantiles.perplexity(0.0), Some(1.0));
        assert_eq!(quantiles.perplexity(1.0), Some(1001.0));
        let stranger = |perplexity| quantiles.stranger(perplexity).unwrap();
        assert!((stranger(951.0) - 0.05).abs() < 1e-6);
        assert!((stranger(953.5) - 0.0475).abs() < 1e-6);
        assert_eq!([stranger(0.5), stranger(2000.0)], [1.0, 0.0]);
    }

    #[test]
    fn equal_perplexities_are_no_trouble() {
        let quantiles = Quantiles::of(vec![5.0; 300]);
        assert_eq!(quantiles.stranger(5.0), Some(1.0));
        assert_eq!(quantiles.stranger(6.0), Some(0.0));
        assert_eq!(quantiles.perplexity(0.3), Some(5.0));
    }

    #[test]
    fn few_sentences_have_no_quantiles() {
        let none = Quantiles::of(vec![3.0; LEAST_SENTENCES - 1]);
        assert_eq!(none, Quantiles::default());
        assert_eq!((none.perplexity(0.5), none.stranger(3.0)), (None, None));
    }

    #[test]
    fn a_section_is_whole_and_rising_or_empty() {
        let quantiles = Quantiles::of((0..400).map(|each| each as f32).collect());
        let bytes = quantiles.to_bytes();
        assert_eq!(Quantiles::from_bytes(&bytes), Some(quantiles));
        assert_eq!(Quantiles::from_bytes(&[]), Some(Quantiles::default()));
        assert_eq!(Quantiles::from_bytes(&bytes[..bytes.len() - 1]), None);
        assert_eq!(Quantiles::from_bytes(&bytes[4..]), None);
        let mut wrong = bytes;
        wrong[400..404].copy_from_slice(&f32::NAN.to_le_bytes());
        assert_eq!(Quantiles::from_bytes(&wrong), None);
    }
}
