//! Reads the numbers of a parameter file, with every value checked.

use std::fmt;

/// Why a parameter file is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Damage {
    /// It ends too soon, or has bytes after its end.
    Length,
    /// It does not start like a parameter file.
    Foreign,
    /// It has another version of the format or of the features.
    Version,
    /// Its bytes do not match the checksum.
    Checksum,
    /// A number is out of range.
    Range(&'static str),
}

impl fmt::Display for Damage {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length => write!(out, "truncated, or longer than it says"),
            Self::Foreign => write!(out, "no parameter file of the hybrid engine"),
            Self::Version => write!(out, "written for another version of the features"),
            Self::Checksum => write!(out, "corrupt: its checksum does not match"),
            Self::Range(what) => write!(out, "out of range: {what}"),
        }
    }
}

/// A cursor over little-endian numbers.
pub struct Reader<'bytes> {
    rest: &'bytes [u8],
}

impl<'bytes> Reader<'bytes> {
    /// Starts at the first byte.
    #[must_use]
    pub fn new(bytes: &'bytes [u8]) -> Self {
        Self { rest: bytes }
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], Damage> {
        let (head, rest) = self.rest.split_first_chunk::<N>().ok_or(Damage::Length)?;
        self.rest = rest;
        Ok(*head)
    }

    /// # Errors
    /// [`Damage::Length`] at the end of the bytes; the same for the other methods.
    pub fn u8(&mut self) -> Result<u8, Damage> {
        Ok(self.take::<1>()?[0])
    }

    /// # Errors
    /// See [`Reader::u8`].
    pub fn i8(&mut self) -> Result<i8, Damage> {
        Ok(i8::from_le_bytes(self.take()?))
    }

    /// # Errors
    /// See [`Reader::u8`].
    pub fn u32(&mut self) -> Result<u32, Damage> {
        Ok(u32::from_le_bytes(self.take()?))
    }

    /// # Errors
    /// See [`Reader::u8`].
    pub fn u64(&mut self) -> Result<u64, Damage> {
        Ok(u64::from_le_bytes(self.take()?))
    }

    /// # Errors
    /// See [`Reader::u8`]; [`Damage::Range`] for a value that is not a number.
    pub fn f32(&mut self) -> Result<f32, Damage> {
        let value = f32::from_le_bytes(self.take()?);
        if value.is_nan() {
            return Err(Damage::Range("not a number"));
        }
        Ok(value)
    }

    /// The unread bytes.
    #[must_use]
    pub fn rest(&self) -> &'bytes [u8] {
        self.rest
    }
}
