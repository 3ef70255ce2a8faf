//! Web2Text (Vogels, Ganea, Eickhoff 2018): alignment of gold text, collapsed DOM, features, networks.

pub mod align;
pub mod segment;
