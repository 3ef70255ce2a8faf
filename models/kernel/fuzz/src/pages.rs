//! An input to a page: its first line is the crawler's metadata.

use _kernel::page::limits::Limits;

/// `models/page/limits.py`.
pub const LIMITS: Limits = Limits {
    page_bytes: 8 << 20,
    depth: 512,
    nodes: 1_000_000,
    steps: 64_000_000,
};

/// URL, content type and body: the first line is `URL content-type`, the rest is the body.
#[must_use]
pub fn page_of(input: &[u8]) -> (&str, &str, &[u8]) {
    let end = input.iter().position(|&byte| byte == b'\n');
    let (head, body) = match end {
        Some(end) => (&input[..end], &input[end + 1..]),
        None => (&[][..], input),
    };
    let head = std::str::from_utf8(head).unwrap_or_default();
    let (url, content_type) = head.split_once(' ').unwrap_or((head, ""));
    (url, content_type, body)
}
