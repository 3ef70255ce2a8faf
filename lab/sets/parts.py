"""Assign pages to parts and folds by site, so that training and test share no templates."""

import hashlib
import re
from collections import Counter
from enum import StrEnum
from typing import Final
from urllib.parse import urlsplit


class Part(StrEnum):
    """The use of a site's pages."""

    TRAIN = "train"
    TUNE = "tune"
    TEST = "test"


# upper ends of the parts in the range of site hashes: 70 %, 10 %, 20 % of the sites
_TRAIN_END: Final = 0.7
_TUNE_END: Final = 0.8

# second-level names under which country registries sell names
_REGISTRY_LABELS: Final = frozenset(
    {
        *("ac", "co", "com", "edu", "gob", "gov", "gr", "info", "ltd", "mil"),
        *("ne", "net", "nom", "or", "org", "plc", "sch"),
    }
)
# hosts of many authors: each name under them is a separate site
_PLATFORMS: Final = frozenset(
    {"blogspot.com", "wordpress.com", "typepad.com", "livejournal.com", "tumblr.com"}
)
# hosts that pages of any site link to; they do not show where a page comes from
_THIRD_PARTIES: Final = frozenset(
    {
        *("adobe.com", "addthis.com", "amazon.com", "del.icio.us", "delicious.com", "digg.com"),
        *("doubleclick.net", "facebook.com", "google-analytics.com", "google.com"),
        *("googleapis.com", "googlesyndication.com", "gravatar.com", "icnetwork.co.uk"),
        *("linkedin.com", "macromedia.com", "microsoft.com", "newsvine.com", "ogp.me"),
        *("quantserve.com", "reddit.com", "scorecardresearch.com", "stumbleupon.com"),
        *("twitter.com", "w3.org", "wikipedia.org", "yahoo.com", "youtube.com"),
    }
)
_HOST_IN_NAME: Final = re.compile(r"(?:^|/)\d{8}_([^_/]+\.[a-z]{2,})_")
_OWN_URL: Final = tuple(
    re.compile(pattern, re.IGNORECASE | re.DOTALL)
    for pattern in (
        rb"\A\s*<text\b[^>]*?\bid=[\"'](https?://[^\"']+)",
        rb"<link\b[^>]{0,500}\brel=[\"']?canonical\b[^>]{0,500}\bhref=[\"']?(https?://[^\"'\s>]+)",
        rb"<link\b[^>]{0,500}\bhref=[\"']?(https?://[^\"'\s>]+)[^>]{0,500}\brel=[\"']?canonical\b",
        rb"<meta\b[^>]{0,500}\bog:url[^>]{0,500}\bcontent=[\"']?(https?://[^\"'\s>]+)",
        rb"<base\b[^>]{0,500}\bhref=[\"']?(https?://[^\"'\s>]+)",
    )
)
_LINK: Final = re.compile(rb"(?:href|src|action)=[\"']?(https?://[^\"'\s>?#]+)", re.IGNORECASE)


def site_of_url(url: str) -> str:
    """Return the registered name of a URL's host (`news.bbc.co.uk` -> `bbc.co.uk`), or empty.

    An approximation without the public suffix list, good enough to keep the pages of one
    template together.
    """
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:  # a bracket outside of an IPv6 address
        return ""
    labels = [label for label in _in_ascii(host).removeprefix("www.").split(".") if label]
    if not labels or labels[-1].isdigit():  # an IPv4 address
        return ".".join(labels)
    wide = labels[-2:-1] and labels[-2] in _REGISTRY_LABELS
    wide = wide or ".".join(labels[-2:]) in _PLATFORMS
    return ".".join(labels[-3 if wide else -2 :])


def _in_ascii(host: str) -> str:
    """Return the name in ASCII (`münchen.de` -> `xn--mnchen-3ya.de`), if possible."""
    try:
        return host if host.isascii() else host.encode("idna").decode()
    except UnicodeError:
        return host


def site_of(page_id: str, markup: bytes, url: str = "") -> str:
    """Return the site of a labelled page, from the first source that has it.

    Sources are its URL, its name (`DATE_HOST_...`), its markup (wrapper, canonical link, `og:url`,
    base), and the site it links to most. Without any of them a page is its own site.
    """
    if site := site_of_url(url):
        return site
    if match := _HOST_IN_NAME.search(page_id):
        return site_of_url(f"http://{match[1]}/")
    for pattern in _OWN_URL:
        found = pattern.search(markup)
        site = site_of_url(found[1].decode("latin-1")) if found else ""
        if site and site not in _THIRD_PARTIES:
            return site
    return _most_linked(markup) or page_id


def part_of(site: str) -> Part:
    """Return the part of all pages of a site, the same on every machine."""
    position = _position("part", site)
    if position < _TRAIN_END:
        return Part.TRAIN
    return Part.TUNE if position < _TUNE_END else Part.TEST


def fold_of(site: str, folds: int) -> int:
    """Return the fold, 0 to folds - 1, of all pages of a site.

    Independent of `part_of`: for cross-validation over all sites or inside one part.
    """
    return int(_position("fold", site) * folds)


def _position(purpose: str, site: str) -> float:
    """Return a number in 0..1 that depends only on the text."""
    digest = hashlib.sha256(f"{purpose}:{site}".encode()).digest()
    return int.from_bytes(digest[:6]) / 2**48


def _most_linked(markup: bytes) -> str:
    sites = Counter(site_of_url(link.decode("latin-1")) for link in _LINK.findall(markup))
    own = [(site, links) for site, links in sites.items() if site and site not in _THIRD_PARTIES]
    return min(own, key=lambda entry: (-entry[1], entry[0]))[0] if own else ""
