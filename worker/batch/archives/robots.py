"""Decide by a robots.txt whether a page may be fetched (RFC 9309)."""

import re
from codecs import BOM_UTF8
from collections.abc import Iterator
from typing import Final

MAX_ROBOTS_BYTES: Final = 500 << 10  # the rest is not read

_OTHERS: Final = re.compile(rb"[^A-Za-z0-9._~%/:?#\[\]@!$&'()*+,;=-]+")
_ESCAPE: Final = re.compile(r"%([0-9A-Fa-f]{2})")
_UNRESERVED: Final = re.compile(r"[A-Za-z0-9._~-]")
_PRODUCT: Final = re.compile(rb"[A-Za-z_-]+")


class Robots:
    """The rules of a robots.txt for one robot; rules for other robots are not kept."""

    def __init__(self, content: bytes, agent: str) -> None:
        """Read the rules for the robot with this name, or for `*` if it has no rules."""
        groups: dict[str, dict[str, bool]] = {}
        for names, rule in _lines(content[:MAX_ROBOTS_BYTES], frozenset({agent.lower(), "*"})):
            for name in names:
                rules = groups.setdefault(name, {})
                if rule:
                    pattern, is_allowed = rule
                    rules[pattern] = is_allowed or rules.get(pattern, False)
        self._rules = groups.get(agent.lower(), groups.get("*", {}))

    def allows(self, path: str) -> bool:
        """Whether the robot may fetch a path with its query.

        The longest matching pattern decides; of equally long ones, the one that allows.
        """
        normal = _normal(path.encode())
        fitting = (
            (len(pattern), is_allowed)
            for pattern, is_allowed in self._rules.items()
            if _fits(pattern, normal)
        )
        return max(fitting, default=(0, True))[1]


def _lines(
    content: bytes, wanted: frozenset[str]
) -> Iterator[tuple[set[str], tuple[str, bool] | None]]:
    """Yield each rule of a wanted robot with its names; None once per group."""
    names: set[str] = set()
    is_open = False  # names may still be added to the group
    for line in content.removeprefix(BOM_UTF8).splitlines():
        field, _, value = line.partition(b"#")[0].partition(b":")
        field, value = field.strip().lower(), value.strip()
        if field == b"user-agent":
            names = names if is_open else set()
            names |= wanted & {_product(value)}
            is_open = True
            yield names, None
        elif field in {b"allow", b"disallow"}:
            is_open = False
            if value and names:
                yield names, (_normal(value), field == b"allow")


def _product(value: bytes) -> str:
    found = _PRODUCT.match(value)
    return "*" if value.startswith(b"*") else found[0].decode().lower() if found else ""


def _normal(path: bytes) -> str:
    """Return a path with a normalized spelling of every octet."""

    def escaped(found: re.Match[bytes]) -> bytes:
        return f"%{found[0].hex('%')}".encode()

    def rewritten(found: re.Match[str]) -> str:
        char = chr(int(found[1], 16))
        return char if _UNRESERVED.fullmatch(char) else found[0].upper()

    return _ESCAPE.sub(rewritten, _OTHERS.sub(escaped, path).decode("ascii"))


def _fits(pattern: str, path: str) -> bool:
    """Whether a pattern with `*` matches the beginning of a path; with a final `$`, all of it."""
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
