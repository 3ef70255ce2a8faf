"""What a page asks of those who read it by machine: robots directives, TDM reservation, links.

Nothing here decides: wishes are passed on, and only the option `noindex=skip` acts on one.
"""

import re
from collections.abc import Iterator
from typing import Final

from models._kernel import Blocks
from models.document import Wishes
from models.page.lines import line

DIRECTIVES: Final = (
    *("noindex", "nofollow", "nosnippet", "noarchive", "noimageindex", "notranslate"),
    *("noai", "noimageai"),
)
# the names that `meta` elements call single crawlers by; headers may name any
AGENTS: Final = frozenset(
    {
        *("googlebot", "googlebot-news", "googlebot-image", "google-extended", "bingbot", "msnbot"),
        *("slurp", "yandex", "yandexbot", "baiduspider", "duckduckbot", "applebot"),
        *("applebot-extended", "gptbot", "oai-searchbot", "chatgpt-user", "ccbot", "claudebot"),
        *("anthropic-ai", "perplexitybot", "facebookbot", "meta-externalagent", "bytespider"),
        *("amazonbot", "cohere-ai", "teoma", "otherbot"),
    }
)
_IMPLIED: Final = {
    "none": ("noindex", "nofollow"),
    "max-snippet:0": ("nosnippet",),
    "nocache": ("noarchive",),
}
# what has a value behind a colon, and so is no name of a crawler
_VALUED: Final = ("max-snippet", "max-image-preview", "max-video-preview", "unavailable_after")
_AGENT: Final = re.compile(r"\s*([A-Za-z0-9][\w.-]{0,63})\s*:(?!\s*-?\d)")
_MAX_HEADER: Final = 4096
_MAX_AGENTS: Final = 16
_MAX_POLICY: Final = 2048


def wishes_of(blocks: Blocks, robots_tag: str = "") -> Wishes:
    """Read the wishes of a page.

    Args:
        blocks: what it was cut into.
        robots_tag: values of its `X-Robots-Tag` headers, a header per line; empty if unknown.
    """
    found: dict[str, set[str]] = {}
    tdm: dict[str, str] = {}
    for name, value in blocks.declared:
        word = name.removeprefix("meta:")
        if word == "robots" or word in AGENTS:
            found.setdefault("" if word == "robots" else word, set()).update(_directives(value))
        elif word in {"tdm-reservation", "tdm-policy"}:
            tdm.setdefault(word, value)
    for agent, wanted in _header(robots_tag):
        if agent in found or len(found) < _MAX_AGENTS:
            found.setdefault(agent, set()).update(wanted)
    links, nofollow_links, nosnippet_parts = blocks.link_wishes
    return Wishes(
        directives=_ordered(found.pop("", set())),
        agents={agent: _ordered(wanted) for agent, wanted in sorted(found.items()) if wanted},
        tdm_reservation={"0": False, "1": True}.get(tdm.get("tdm-reservation", "").strip()),
        tdm_policy=line(tdm.get("tdm-policy", ""), _MAX_POLICY),
        links=links,
        nofollow_links=nofollow_links,
        nosnippet_parts=nosnippet_parts,
    )


def _header(robots_tag: str) -> Iterator[tuple[str, set[str]]]:
    """Yield crawlers, empty for all, with what each header asks of them."""
    for header in robots_tag[:_MAX_HEADER].splitlines():
        agent = ""
        for part in header.split(","):
            named = _AGENT.match(part)
            if named and named[1].lower() not in _VALUED:
                agent, part = named[1].lower(), part[named.end() :]  # noqa: PLW2901 - the rest of it
            yield agent, set(_directives(part))


def _directives(text: str) -> Iterator[str]:
    for word in re.split(r"[,;]", text.lower()):
        plain = "".join(word.split())
        yield from _IMPLIED.get(plain, (plain,) if plain in DIRECTIVES else ())


def _ordered(directives: set[str]) -> tuple[str, ...]:
    return tuple(each for each in DIRECTIVES if each in directives)
