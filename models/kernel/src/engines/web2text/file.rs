//! The weight file, feature version 2, as the training writes it.
//!
//! `WNWSTRU1`, length of the header (little-endian u32), header (JSON), vectors as little-endian
//! f32, weights and biases of all layers as little-endian f16, SHA-256 of all previous bytes.

use serde_json::Value;
use sha2::{Digest, Sha256};

use super::names;
use super::network::{Ensemble, Layer, Leaning, Mismatch, Scaling};

pub const MAGIC: &[u8] = b"WNWSTRU1";
const LENGTH_BYTES: usize = 4;
const DIGEST_BYTES: usize = 32;
pub const MAX_BYTES: usize = 1 << 20;
pub const VERSION: u64 = 2;
/// Most blocks that one output may see.
pub const MAX_WIDTH: usize = 63;

/// Why a file cannot be used.
#[derive(Debug, PartialEq, Eq)]
pub struct Unusable(pub String);

impl From<Mismatch> for Unusable {
    fn from(mismatch: Mismatch) -> Self {
        Self(format!("the weights do not fit: {}", mismatch.0))
    }
}

/// Reads a weight file. `threshold` is subtracted from the score of label 1 of every block.
///
/// # Errors
/// [`Unusable`]: foreign, truncated, damaged, of another version or other columns.
pub fn read(file: &[u8], threshold: f64) -> Result<Ensemble, Unusable> {
    let (header, numbers) = checked(file)?;
    check_version(&header)?;
    let mut numbers = Numbers(numbers);
    let mut vectors = sizes(member(&header, "vectors")?)?.into_iter();
    let (Some(means), Some(deviations), None) = (vectors.next(), vectors.next(), vectors.next())
    else {
        return Err(undescribed("vectors"));
    };
    let scaling = Scaling {
        means: numbers.singles(means)?,
        deviations: numbers.singles(deviations)?,
        limit: number(&header, "limit")? as f32,
    };
    let leaning = Leaning {
        content_bias: (number(&header, "content_bias")? - threshold) as f32,
        agreement: number(&header, "agreement")? as f32,
    };
    let members = array(member(&header, "networks")?)?
        .iter()
        .map(|network| {
            let layers = array(network)?.iter();
            layers.map(|shape| layer(shape, &mut numbers)).collect()
        })
        .collect::<Result<Vec<Vec<Layer>>, Unusable>>()?;
    if !numbers.0.is_empty() {
        return Err(Unusable(format!("{} bytes too many", numbers.0.len())));
    }
    Ok(Ensemble::new(
        scaling,
        leaning,
        &members,
        names::names().len(),
    )?)
}

/// The header and the numbers of a valid file.
fn checked(file: &[u8]) -> Result<(Value, &[u8]), Unusable> {
    if !file.starts_with(MAGIC) {
        return Err(Unusable(
            "not a weight file of the web2text engine".to_owned(),
        ));
    }
    if file.len() > MAX_BYTES {
        return Err(Unusable(format!("more than {MAX_BYTES} bytes")));
    }
    let damaged = || Unusable("truncated or damaged: the checksum does not match".to_owned());
    let (body, digest) = file
        .split_last_chunk::<DIGEST_BYTES>()
        .ok_or_else(damaged)?;
    if Sha256::digest(body).as_slice() != digest {
        return Err(damaged());
    }
    let rest = body.get(MAGIC.len()..).ok_or_else(damaged)?;
    let (length, rest) = rest
        .split_first_chunk::<LENGTH_BYTES>()
        .ok_or_else(damaged)?;
    let length = u32::from_le_bytes(*length) as usize;
    let (header, numbers) = rest.split_at_checked(length).ok_or_else(damaged)?;
    let header = serde_json::from_slice(header)
        .map_err(|error| Unusable(format!("the header is not JSON: {error}")))?;
    Ok((header, numbers))
}

fn check_version(header: &Value) -> Result<(), Unusable> {
    let version = member(header, "feature_version")?;
    if version.as_u64() != Some(VERSION) {
        let why = format!("feature version {version}; the engine runs version {VERSION}");
        return Err(Unusable(why));
    }
    if member(header, "columns")?.as_str() != Some(&columns_digest()) {
        let why = "trained on other columns than this version computes";
        return Err(Unusable(why.to_owned()));
    }
    Ok(())
}

/// The hex SHA-256 of the names of the columns.
fn columns_digest() -> String {
    let digest = Sha256::digest(names::names().join("\n"));
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn layer(shape: &Value, numbers: &mut Numbers<'_>) -> Result<Layer, Unusable> {
    let sizes = sizes(shape)?;
    let &[width, rows, filters] = sizes.as_slice() else {
        return Err(undescribed("networks"));
    };
    if width % 2 != 1 || width > MAX_WIDTH {
        let why = format!("layer width {width}: must be odd, 1 to {MAX_WIDTH}");
        return Err(Unusable(why));
    }
    Ok(Layer {
        width,
        inputs: rows / width,
        filters,
        weights: numbers.halves(rows.saturating_mul(filters))?,
        biases: numbers.halves(filters)?,
    })
}

fn undescribed(name: &str) -> Unusable {
    Unusable(format!("the header does not describe the weights: {name}"))
}

fn member<'header>(header: &'header Value, name: &str) -> Result<&'header Value, Unusable> {
    header.get(name).ok_or_else(|| undescribed(name))
}

fn number(header: &Value, name: &str) -> Result<f64, Unusable> {
    member(header, name)?
        .as_f64()
        .ok_or_else(|| undescribed(name))
}

fn array(value: &Value) -> Result<&[Value], Unusable> {
    let found = value.as_array().ok_or_else(|| undescribed("not a list"))?;
    Ok(found)
}

fn sizes(value: &Value) -> Result<Vec<usize>, Unusable> {
    let size = |value: &Value| value.as_u64().and_then(|size| usize::try_from(size).ok());
    let found: Option<Vec<usize>> = array(value)?.iter().map(size).collect();
    found.ok_or_else(|| undescribed("not a size"))
}

/// The numbers after the header; each call takes some from the front.
struct Numbers<'file>(&'file [u8]);

impl Numbers<'_> {
    fn singles(&mut self, count: usize) -> Result<Vec<f32>, Unusable> {
        self.taken(count, f32::from_le_bytes)
    }

    fn halves(&mut self, count: usize) -> Result<Vec<f32>, Unusable> {
        self.taken(count, |bytes| half(u16::from_le_bytes(bytes)))
    }

    fn taken<const BYTES: usize>(
        &mut self,
        count: usize,
        number: impl Fn([u8; BYTES]) -> f32,
    ) -> Result<Vec<f32>, Unusable> {
        let bytes = count.checked_mul(BYTES);
        let (front, rest) = bytes
            .and_then(|bytes| self.0.split_at_checked(bytes))
            .ok_or_else(|| undescribed("more numbers than the file holds"))?;
        self.0 = rest;
        let chunks = front.chunks_exact(BYTES);
        let numbers = chunks.filter_map(|chunk| chunk.try_into().ok()).map(number);
        let found: Vec<f32> = numbers.collect();
        if found.iter().all(|number| number.is_finite()) {
            return Ok(found);
        }
        Err(Unusable("a weight is not a finite number".to_owned()))
    }
}

/// A half-precision number of IEEE 754, exactly.
fn half(bits: u16) -> f32 {
    let sign = if bits & 0x8000 == 0 { 1.0 } else { -1.0 };
    let (exponent, fraction) = (i32::from((bits >> 10) & 0x1f), f32::from(bits & 0x3ff));
    let size = match exponent {
        0 => fraction * 2f32.powi(-24),
        31 if fraction > 0.0 => f32::NAN,
        31 => f32::INFINITY,
        _ => (1.0 + fraction / 1024.0) * 2f32.powi(exponent - 15),
    };
    sign * size
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sealed(header: &str, numbers: &[u8]) -> Vec<u8> {
        let length = (header.len() as u32).to_le_bytes();
        let body = [MAGIC, &length, header.as_bytes(), numbers].concat();
        let digest = Sha256::digest(&body);
        [body.as_slice(), digest.as_slice()].concat()
    }

    fn refusal(file: &[u8]) -> String {
        read(file, 0.0).err().map_or_else(String::new, |why| why.0)
    }

    fn a_header(networks: &str, columns: usize) -> String {
        let digest = columns_digest();
        format!(
            r#"{{"feature_version": 2, "columns": "{digest}", "limit": 4.0, "content_bias": 0.5,
            "agreement": 0, "vectors": [{columns}, {columns}], "networks": {networks}}}"#
        )
    }

    /// Scaling by one, and a layer without weights whose biases are `bias`.
    fn a_file(width: usize, bias: u16, more: &[u8]) -> Vec<u8> {
        let columns = names::names().len();
        let ones = 1f32.to_le_bytes().repeat(2 * columns);
        let weights = vec![0; 2 * width * columns * 6];
        let biases = bias.to_le_bytes().repeat(6);
        let numbers = [ones.as_slice(), &weights, &biases, more].concat();
        let shape = format!("[[[{width}, {}, 6]]]", width * columns);
        sealed(&a_header(&shape, columns), &numbers)
    }

    #[test]
    fn halves_are_read_exactly() {
        let known = [
            (0x0000, 0.0),
            (0x3c00, 1.0),
            (0xc000, -2.0),
            (0x7bff, 65504.0),
            (0x3555, 0.333_251_95),
            (0x0001, 5.960_464_5e-8),
            (0x83ff, -6.097_555e-5),
            (0x7c00, f32::INFINITY),
        ];

        for (bits, number) in known {
            assert_eq!(half(bits).to_bits(), f32::to_bits(number), "{bits:04x}");
        }
        assert!(half(0x7e01).is_nan());
    }

    #[test]
    fn a_whole_file_is_read() {
        let networks = read(&a_file(1, 0x3800, &[]), 0.0);

        let row = vec![0.0; names::names().len()];
        let scores = networks.map(|networks| networks.scores(row));
        assert_eq!(scores.ok(), Some(vec![[0.5; 6]]));
    }

    #[test]
    fn a_file_cut_anywhere_or_with_another_bit_is_refused() {
        let file = a_file(1, 0x3800, &[]);

        for end in [0, 7, 8, 11, 12, 40, 200, file.len() - 33, file.len() - 1] {
            assert!(read(&file[..end], 0.0).is_err(), "{end}");
        }
        let mut other = file;
        other[60] ^= 1;
        assert!(refusal(&other).contains("damaged"));
    }

    #[test]
    fn what_does_not_fit_is_refused_with_its_reason() {
        let columns = names::names().len();
        let nested = "[".repeat(200_000);
        let cases = [
            (a_file(2, 0, &[]), "layer width 2: must be odd"),
            (a_file(65, 0, &[]), "layer width 65: must be odd"),
            (a_file(1, 0x7c00, &[]), "not a finite number"),
            (a_file(1, 0, b"more"), "4 bytes too many"),
            (sealed(&a_header("[[]]", columns), &[0; 8]), "more numbers"),
            (sealed(&a_header("[[[1, 2]]]", 0), &[]), "networks"),
            (sealed(&a_header("[[[1, -2, 6]]]", 0), &[]), "not a size"),
            (sealed(&a_header("[[]]", 0), &[]), "scaling of 0 columns"),
            (
                sealed(r#"{"feature_version": 1}"#, &[]),
                "feature version 1",
            ),
            (
                sealed(r#"{"feature_version": 2, "columns": "ab"}"#, &[]),
                "other columns",
            ),
            (sealed("[1]", &[]), "feature_version"),
            (sealed(&nested, &[]), "not JSON"),
            (b"GIF89a".to_vec(), "not a weight file"),
            ([MAGIC, &[0; MAX_BYTES]].concat(), "more than"),
        ];

        for (file, why) in cases {
            let found = refusal(&file);
            assert!(found.contains(why), "{why}: {found:?}");
        }
    }
}
