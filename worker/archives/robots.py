"""A robots.txt -> whether a page may be fetched, by RFC 9309."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote

MAX_ROBOTS_BYTES: Final = 500 << 10  # what is behind them is not read

_RESERVED: Final = "%/:?#[]@!$&'()*+,;=~"
_ESCAPE: Final = re.compile(r"%([0-9A-Fa-f]{2})")
_UNRESERVED: Final = re.compile(r"[A-Za-z0-9._~-]")
_PRODUCT: Final = re.compile(r"[A-Za-z_-]+")


@dataclass(frozen=True, slots=True)
class _Rule:
    pattern: str
    is_allowed: bool


def allows(robots: bytes, agent: str, path: str) -> bool:
    """Whether the robot of this name may fetch a path with its query.

    The longest pattern that fits decides, and between equals the one that allows.
    """
    groups = dict[str, list[_Rule]]()
    for names, rule in _rules(robots[:MAX_ROBOTS_BYTES].decode("utf-8", errors="replace")):
        for name in names:
            groups.setdefault(name, []).extend([rule] if rule else [])
    rules = groups.get(agent.lower(), groups.get("*", []))
    normal = _normal(path)
    fitting = [rule for rule in rules if _fits(rule.pattern, normal)]
    best = max(fitting, key=lambda rule: (len(rule.pattern), rule.is_allowed), default=None)
    return best is None or best.is_allowed


def _rules(text: str) -> Iterator[tuple[list[str], _Rule | None]]:
    """Yield each rule with the robots it is for; None once for each group."""
    names: list[str] = []
    is_open = False  # names may still be added to the group
    for line in text.removeprefix("\ufeff").splitlines():
        field, _, value = line.partition("#")[0].partition(":")
        field, value = field.strip().lower(), value.strip()
        if field == "user-agent":
            names = names if is_open else []
            product = _PRODUCT.match(value)
            names.append("*" if value.startswith("*") else product[0].lower() if product else "")
            is_open = True
            yield names, None
        elif field in {"allow", "disallow"}:
            is_open = False
            if value:
                yield names, _Rule(_normal(value), field == "allow")


def _normal(path: str) -> str:
    """Return a path with every octet written in one way."""

    def rewritten(found: re.Match[str]) -> str:
        char = chr(int(found[1], 16))
        return char if _UNRESERVED.fullmatch(char) else found[0].upper()

    return _ESCAPE.sub(rewritten, quote(path, safe=_RESERVED))


def _fits(pattern: str, path: str) -> bool:
    """Whether a pattern with `*` fits the beginning of a path, or with `$` behind it all."""
    is_anchored = pattern.endswith("$")
    first, *others = pattern.removesuffix("$").split("*")
    if not path.startswith(first):
        return False
    at = len(first)
    if not others:
        return not is_anchored or at == len(path)
    *middle, last = others
    for part in middle:
        found = path.find(part, at)
        if found < 0:
            return False
        at = found + len(part)
    return len(path) - len(last) >= at and path.endswith(last) if is_anchored else (
        path.find(last, at) >= 0
    )  # fmt: skip
