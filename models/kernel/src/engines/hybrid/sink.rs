//! Receivers of features: one list of names and values, so that no column can be mixed up.

/// Receives the features of a block, always in the same order.
pub trait Sink {
    fn put(&mut self, name: &'static str, value: f32);

    /// A boolean: 1 for yes.
    fn claim(&mut self, name: &'static str, holds: bool) {
        self.put(name, f32::from(u8::from(holds)));
    }

    /// The same value under several names.
    fn fill(&mut self, names: &[&'static str], value: f32) {
        for name in names {
            self.put(name, value);
        }
    }
}

/// Records the names.
#[derive(Default)]
pub struct Names(pub Vec<&'static str>);

impl Sink for Names {
    fn put(&mut self, name: &'static str, _value: f32) {
        self.0.push(name);
    }
}

/// A share; 0 of nothing.
#[inline]
#[must_use]
pub fn share(part: f32, whole: f32) -> f32 {
    if whole > 0.0 { part / whole } else { 0.0 }
}
