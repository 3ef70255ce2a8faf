//! Arguments and results with their own Python form.

use std::convert::Infallible;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::engines::contrast::Parameters;
use crate::engines::hybrid::roles::Convention;
use crate::ngram::file::facts::Smoothing;
use crate::ngram::tokens::Tokeniser;
use crate::page::render::Format;

/// Values that are names in Python.
macro_rules! named {
    ($type:ident, $what:literal: $($name:literal = $variant:ident),+) => {
        impl FromPyObject<'_, '_> for $type {
            type Error = PyErr;

            fn extract(name: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
                match name.extract::<&str>()? {
                    $($name => Ok(Self::$variant),)+
                    other => {
                        let known = [$($name),+].join(", ");
                        let message = format!("unknown {} {other:?}: one of {known}", $what);
                        Err(PyValueError::new_err(message))
                    }
                }
            }
        }
    };
}

named!(Convention, "convention": "auto" = Auto, "keep" = Keep, "drop" = Drop);
named!(Format, "format": "text" = Text, "markdown" = Markdown);
named!(Smoothing, "smoothing": "interpolated" = Interpolated, "backoff" = Backoff);

impl<'py> IntoPyObject<'py> for Smoothing {
    type Target = PyString;
    type Output = Bound<'py, PyString>;
    type Error = Infallible;

    fn into_pyobject(self, py: Python<'py>) -> Result<Self::Output, Infallible> {
        let name = match self {
            Self::Interpolated => "interpolated",
            Self::Backoff => "backoff",
        };
        name.into_pyobject(py)
    }
}

impl FromPyObject<'_, '_> for Tokeniser {
    type Error = PyErr;

    fn extract(number: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        let number = number.extract()?;
        Self::from_id(number)
            .ok_or_else(|| PyValueError::new_err(format!("unknown tokeniser {number}")))
    }
}

impl<'py> IntoPyObject<'py> for Tokeniser {
    type Target = <u32 as IntoPyObject<'py>>::Target;
    type Output = <u32 as IntoPyObject<'py>>::Output;
    type Error = <u32 as IntoPyObject<'py>>::Error;

    fn into_pyobject(self, py: Python<'py>) -> Result<Self::Output, Self::Error> {
        (self as u32).into_pyobject(py)
    }
}

/// `winnow.models.engines.contrast.ContrastParameters`: one object for all parts.
impl FromPyObject<'_, '_> for Parameters {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        Ok(Self {
            weights: given.extract()?,
            chain: given.extract()?,
            least_share: given.getattr("least_share")?.extract()?,
        })
    }
}

/// Numbers in `bytes`, little-endian.
#[derive(Default)]
pub struct Packed<T>(pub Vec<T>);

impl<T> FromIterator<T> for Packed<T> {
    fn from_iter<I: IntoIterator<Item = T>>(numbers: I) -> Self {
        Self(numbers.into_iter().collect())
    }
}

macro_rules! packed {
    ($($number:ty),+) => {$(
        impl FromPyObject<'_, '_> for Packed<$number> {
            type Error = PyErr;

            fn extract(bytes: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
                let numbers = bytes.extract::<&[u8]>()?.chunks_exact(size_of::<$number>());
                if !numbers.remainder().is_empty() {
                    return Err(PyValueError::new_err("the last number is truncated"));
                }
                let numbers = numbers.filter_map(|each| each.try_into().ok());
                Ok(numbers.map(<$number>::from_le_bytes).collect())
            }
        }

        impl<'py> IntoPyObject<'py> for Packed<$number> {
            type Target = PyBytes;
            type Output = Bound<'py, PyBytes>;
            type Error = Infallible;

            fn into_pyobject(self, py: Python<'py>) -> Result<Self::Output, Infallible> {
                let bytes: Vec<u8> = self.0.iter().flat_map(|each| each.to_le_bytes()).collect();
                Ok(PyBytes::new(py, &bytes))
            }
        }
    )+};
}

packed!(f32, f64, i32, u8, u32);
