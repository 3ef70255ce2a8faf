//! Binary formats and archives, recognised by their first bytes.

use super::is_control;
use crate::page::refusal::{Reason, Refusal};

/// First bytes of formats that are not pages, and their positions.
const MAGIC: [(usize, &[u8], &str); 41] = [
    (0, b"%PDF-", "PDF"),
    (0, b"%!PS", "PostScript"),
    (0, b"{\\rtf", "RTF"),
    (0, b"\x89PNG\r\n", "PNG image"),
    (0, b"\xFF\xD8\xFF", "JPEG image"),
    (0, b"II*\0", "TIFF image"),
    (0, b"MM\0*", "TIFF image"),
    (0, b"\0\0\x01\0", "icon"),
    (0, b"PK\x03\x04", "ZIP archive, such as EPUB or DOCX"),
    (0, b"PK\x05\x06", "ZIP archive, such as EPUB or DOCX"),
    (0, b"\x1F\x8B\x08", "gzip archive"),
    (0, b"BZh91AY&SY", "bzip2 archive"),
    (0, b"7z\xBC\xAF\x27\x1C", "7z archive"),
    (0, b"\xFD7zXZ\0", "xz archive"),
    (0, b"\x28\xB5\x2F\xFD", "zstd archive"),
    (0, b"Rar!\x1A\x07", "RAR archive"),
    (257, b"ustar\0", "tar archive"),
    (257, b"ustar  \0", "tar archive"),
    (0, b"\x7FELF", "program"),
    (0, b"MZ\x90\0", "program"),
    (0, b"\xCA\xFE\xBA\xBE", "program"),
    (0, b"\0asm", "program"),
    (0, b"\xD0\xCF\x11\xE0\xA1\xB1", "office document"),
    (0, b"SQLite format 3\0", "database"),
    (0, b"wOFF", "font"),
    (0, b"wOF2", "font"),
    (0, b"OTTO\0", "font"),
    (0, b"\0\x01\0\0\0", "font"),
    (0, b"\xFF\xFB", "sound"),
    (0, b"OggS\0", "sound or film"),
    (0, b"fLaC\0", "sound"),
    (0, b"\x1A\x45\xDF\xA3", "film"),
    (0, b"FLV\x01", "film"),
    (0, b"\x04\x22\x4D\x18", "lz4 archive"),
    (0, b"PAR1\x15", "Parquet file"),
    (0, b"bplist00", "property list"),
    (0, b"WARC/1.", "WARC archive, not a page"),
    (
        0,
        b"filedesc://",
        "ARC archive, which must be converted to WARC",
    ),
    (
        0,
        b" CDX ",
        "CDX index, which has no pages: read the WARC files that it lists",
    ),
    (0, b"From: <Saved by ", "MHTML archive"),
    (0, b"MIME-Version: 1.0", "MHTML archive or mail"),
];

/// Bytes after the name of a GIF with its size and drawing method.
const GIF_SIZES: usize = 7;
/// Refuse bodies that begin like a binary format or an archive.
///
/// # Errors
/// `NotHtml`.
pub fn check_magic(body: &[u8]) -> Result<(), Refusal> {
    let is_at = |at: usize, magic| body.get(at..).is_some_and(|rest| rest.starts_with(magic));
    let found = MAGIC.iter().find(|&&(at, magic, _)| is_at(at, magic));
    let format = found.map(|&(_, _, format)| format);
    format
        .or_else(|| worded(body))
        .map_or(Ok(()), |format| Err(Refusal::new(Reason::NotHtml, format)))
}

/// Formats whose first bytes are words or almost: texts may begin with them too, but continue
/// differently.
fn worded(body: &[u8]) -> Option<&'static str> {
    match body {
        [b'R', b'I', b'F', b'F', _, _, _, _, rest @ ..] => {
            let kinds: [&[u8]; 3] = [b"WAVE", b"WEBP", b"AVI "];
            let is_kind = kinds.iter().any(|kind| rest.starts_with(kind));
            is_kind.then_some("RIFF image, sound or film")
        }
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', rest @ ..] => {
            let mut sizes = rest.iter().take(GIF_SIZES);
            sizes.any(|&byte| is_control(byte)).then_some("GIF image")
        }
        [b'I', b'D', b'3', 2..=4, ..] => Some("sound"),
        // the length of a first part of less than 64 KB
        [0, 0, _, _, b'f', b't', b'y', b'p', ..] => Some("film"),
        [b'\t'..=b'\r' | b' ', ..] if body.trim_ascii_start().starts_with(b"%PDF-") => Some("PDF"),
        _ => of_lines(body),
    }
}

/// First bytes of a first line that are read.
const LINE: usize = 4096;
/// Headers that mails begin with, and texts do not.
const HEADERS: [&[u8]; 6] = [
    b"Return-Path: ",
    b"Received: from ",
    b"Received: by ",
    b"Delivered-To: ",
    b"X-Original-To: ",
    b"X-Mozilla-Status: ",
];
const DAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/// Formats of lines of text, recognised by the first line.
fn of_lines(body: &[u8]) -> Option<&'static str> {
    if HEADERS.iter().any(|header| body.starts_with(header)) {
        return Some("mail, not a page: save its HTML part as a file");
    }
    let head = &body[..body.len().min(LINE)];
    let line = head.split(|byte| *byte == b'\n').next()?;
    let line = std::str::from_utf8(line).ok()?;
    let mut words = line.split_ascii_whitespace();
    let (key, second) = (words.next()?, words.next()?);
    // `From ann@hive.invalid Sat May  3 10:00:00 2025`
    let is_dated = |rest: &[&str]| {
        let has_day = rest.first().is_some_and(|day| DAYS.contains(day));
        has_day && rest.iter().any(|word| word.contains(':'))
    };
    if key == "From" && body.starts_with(b"From ") {
        let rest: Vec<&str> = words.take(6).collect();
        return is_dated(&rest).then_some("mailbox, not a page: save the HTML parts of its mails");
    }
    // `org,example)/a 20250503100000 {"url": ...}`
    let is_time = second.len() == 14 && second.bytes().all(|byte| byte.is_ascii_digit());
    let names_page = words.next()?.starts_with(['{', 'h']);
    (is_time && key.contains(')') && names_page)
        .then_some("CDX index, which has no pages: read the WARC files that it lists")
}
