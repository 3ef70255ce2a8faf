//! Pictures that advertise another site or show a state: banners and badges.

use memchr::memmem;

use super::pixels::pixels;
use crate::page::attributes::Name;
use crate::page::near::around;
use crate::page::tags;
use crate::page::tree::Node;

/// Widths and heights of banners, as their trade has agreed.
const BANNERS: [(u32, u32); 7] = [
    (468, 60),
    (728, 90),
    (234, 60),
    (120, 600),
    (160, 600),
    (320, 50),
    (970, 250),
];
/// Parts of the addresses of services that draw badges and serve advertisements.
const SERVICES: [&[u8]; 11] = [
    b"shields.io/",
    b"badge.fury.io/",
    b"badgen.net/",
    b"badge.svg",
    b"/badge/",
    b"travis-ci.",
    b"codecov.io/",
    b"coveralls.io/",
    b"doubleclick.net/",
    b"googlesyndication.com/",
    b"amazon-adsystem.com/",
];

/// Whether a picture in a link is a banner, a badge, or paid for.
pub fn is_advert(image: Node<'_>, address: &[u8]) -> bool {
    let is_link = |node: Node<'_>| node.tag() == tags::A && node.is_html();
    let Some(link) = around(image, is_link) else {
        return false;
    };
    let rel = link.value(&[Name::Rel]).unwrap_or_default();
    let mut words = rel.split(u8::is_ascii_whitespace);
    if words.any(|word| word.eq_ignore_ascii_case(b"sponsored")) {
        return true;
    }
    let href = link.value(&[Name::Href]).unwrap_or_default();
    let leads_away = href.starts_with(b"http") || href.starts_with(b"//");
    let has = |address: &[u8], part: &[u8]| memmem::find(address, part).is_some();
    let is_served = || {
        SERVICES
            .iter()
            .any(|part| has(address, part) || has(href, part))
    };
    leads_away && (is_served() || is_banner(image))
}

fn is_banner(image: Node<'_>) -> bool {
    let side = |name| image.value(&[name]).and_then(pixels);
    match (side(Name::Width), side(Name::Height)) {
        (Some(width), Some(height)) => BANNERS.contains(&(width, height)),
        _ => false,
    }
}
