"""Which requests are accepted: for our host, from our page, at a limited rate."""

import ipaddress
from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

_MOST_CLIENTS: Final = 1024


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a request is refused."""

    status: int
    why: str


class HostGuard:
    """Refuses requests that another site made a browser send.

    A site can point its own name at our address (DNS rebinding) and so become the same origin.
    Therefore only our own host names are answered. Numeric addresses are safe: a site cannot
    have one as its name.
    """

    def __init__(self, names: Collection[str]) -> None:
        """Accept requests for these names, for `localhost` and for numeric addresses."""
        self._names: Final = {name.lower() for name in names} | {"localhost"}

    def refusal(self, method: str, headers: Mapping[str, str]) -> Refusal | None:
        """Return why a request is refused, or None."""
        host = headers.get("Host", "")
        name = _name_in(host)
        if name not in self._names and not _is_address(name):
            return Refusal(421, "wrong host: use an address, localhost, or a name given at start")
        if method not in {"GET", "HEAD"} and not is_same_origin(headers):
            return Refusal(403, "sent by another site")
        return None


class RateLimit:
    """A token bucket per client: `burst` at once, then `rate` per second."""

    def __init__(self, rate: float, burst: float, clock: Callable[[], float]) -> None:
        """Start with full buckets; `clock` is monotonic, in seconds."""
        self._rate: Final = rate
        self._burst: Final = burst
        self._clock: Final = clock
        self._buckets: Final[OrderedDict[str, tuple[float, float]]] = OrderedDict()

    def wait_s(self, client: str) -> float:
        """Take a token and return 0, or return the seconds until there is one."""
        now = self._clock()
        tokens, since = self._buckets.pop(client, (self._burst, now))
        tokens = min(self._burst, tokens + (now - since) * self._rate)
        is_free = tokens >= 1
        self._buckets[client] = (tokens - is_free, now)
        if len(self._buckets) > _MOST_CLIENTS:
            self._buckets.popitem(last=False)
        return 0.0 if is_free else (1 - tokens) / self._rate


def _name_in(host: str) -> str:
    """Return the name or address of a `Host` header in lower case; empty if it is malformed."""
    try:
        parts = urlsplit(f"//{host}")
        _ = parts.port
    except ValueError:
        return ""
    return "" if parts.path or parts.username is not None else (parts.hostname or "")


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def is_same_origin(headers: Mapping[str, str]) -> bool:
    """Whether a post is from our page, or from a program, which sends neither header."""
    if headers.get("Sec-Fetch-Site", "same-origin") not in {"same-origin", "none"}:
        return False
    origin, host = headers.get("Origin"), headers.get("Host", "")
    return origin is None or origin.lower() in {f"http://{host}".lower(), f"https://{host}".lower()}
