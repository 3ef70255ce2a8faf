//! Pictures that count readers: one pixel, or an address of a counting service.

use memchr::memmem;

use super::sources::file_name;
use crate::page::attributes::Name;
use crate::page::tags;
use crate::page::tree::Node;

/// Parts of the addresses of such services.
const SERVICES: [&[u8]; 18] = [
    b"facebook.com/tr?",
    b"google-analytics.com/",
    b"doubleclick.net/",
    b"googleadservices.com/",
    b"pixel.wp.com/",
    b"stats.wordpress.com/",
    b"scorecardresearch.com/",
    b"quantserve.com/",
    b"bat.bing.com/",
    b"px.ads.linkedin.com/",
    b"ct.pinterest.com/",
    b"analytics.twitter.com/",
    b"met.vgwort.de/",
    b"mc.yandex.ru/watch",
    b"counter.yadro.ru/",
    b"counter.rambler.ru/",
    b"statcounter.com/",
    b"sitemeter.com/",
];
/// Files that fill a place.
const FILLERS: [&[u8]; 7] = [
    b"blank.gif",
    b"spacer.gif",
    b"pixel.gif",
    b"clear.gif",
    b"1x1.gif",
    b"1x1.png",
    b"transparent.gif",
];

/// Whether an image shows nothing.
pub fn is_pixel(image: Node<'_>, address: &[u8]) -> bool {
    is_small(image) || is_filler(address) || is_service(address)
}

fn is_service(address: &[u8]) -> bool {
    let host = address.get(..address.len().min(64)).unwrap_or(address);
    SERVICES
        .iter()
        .any(|part| memmem::find(host, part).is_some())
}

fn is_filler(address: &[u8]) -> bool {
    let name = file_name(address);
    FILLERS
        .iter()
        .any(|filler| filler.eq_ignore_ascii_case(name))
}

/// Whether a side is 0 or 1 pixel long.
///
/// Pages give such sides also to pictures that grow by their style or load later.
fn is_small(image: Node<'_>) -> bool {
    let grows = [Name::SourceSet, Name::DataSource, Name::DataSourceSet];
    if image.tag() != tags::IMG || image.value(&grows).is_some() {
        return false;
    }
    let length = |value| pixels(value).unwrap_or(u32::MAX);
    let mut sides = [Name::Width, Name::Height].map(|name| image.value(&[name]).map(length));
    for declaration in image
        .value(&[Name::Style])
        .unwrap_or_default()
        .split(|byte| *byte == b';')
    {
        let mut parts = declaration.splitn(2, |byte| *byte == b':');
        let name = parts.next().unwrap_or_default().trim_ascii();
        let length = parts.next().map(length);
        for (side, called) in sides.iter_mut().zip([b"width".as_slice(), b"height"]) {
            if name.eq_ignore_ascii_case(called) {
                *side = length.or(*side);
            }
        }
    }
    let mut given = sides.iter().flatten();
    let has_one = given.clone().any(|side| *side <= 1);
    has_one && given.all(|side| *side < u32::MAX)
}

/// A length without a unit or in pixels.
pub fn pixels(value: &[u8]) -> Option<u32> {
    let value = value.split(|byte| *byte == b'!').next()?.trim_ascii();
    let value = value.strip_suffix(b"px").unwrap_or(value);
    std::str::from_utf8(value).ok()?.trim().parse().ok()
}
