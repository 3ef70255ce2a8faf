"""A `ResultCache` that all workers share, in Redis; it never holds the stream up.

One round trip reads a batch and one writes it. What Redis may answer to a batch, and what that may
unpack to, is bounded, whoever wrote the values. Whatever goes wrong is a miss: past a few failures
in a row a circuit breaker keeps requests away from Redis until a probe gets through. Reads and
writes have a breaker each, as a full Redis still reads.
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from redis.exceptions import (
    AuthenticationError,
    BusyLoadingError,
    ResponseError,
)
from redis.exceptions import TimeoutError as RedisTimeoutError

from winnow.streams.cache.breaker import BreakerLimits, BreakerState, CircuitBreaker
from winnow.streams.cache.redis_client import RedisClient
from winnow.streams.cache.results import CachedResult, CacheKey
from winnow.streams.cache.values import PackedResult, ValueAuthentication, ValueCodec
from winnow.streams.errors import DamagedValue

# every key begins with it, so that an access list can allow `~winnow:*` alone; the number is
# the version of the value's layout
KEY_PREFIX: Final = "winnow:2:"
# failures that follow each other sooner are told as one outage
TOLD_AFTER_S: Final = 10.0


class CacheEvent(StrEnum):
    """What keeps results out of reach: one closed set for metrics and logs."""

    SLOW = "slow"  # no answer in time
    UNREACHABLE = "unreachable"  # no connection, or it broke
    REFUSED = "refused"  # Redis answered with an error: full, loading, no permission
    BYPASSED = "bypassed"  # not asked, as the breaker is open
    DAMAGED = "damaged"  # a value that is none of ours
    OVERSIZED = "oversized"  # a result too large to store, or for what a batch may read


@dataclass(frozen=True, slots=True)
class RedisCacheLimits:
    """Bounds of each request and value.

    Attributes:
        ttl_s: seconds for which a result is given out.
        timeout_s: a batch waits this long for Redis at most.
        value_bytes: results of more bytes, document and stats together, are not stored. Decoding
            the worst JSON of so many takes 35 times as much memory.
        batch_bytes: what Redis may answer to a batch, and what that may unpack to. Keys share it
            evenly: with 128 of them no stored value above 256 KiB is read.
    """

    ttl_s: float = 7 * 24 * 3600.0
    timeout_s: float = 0.25
    value_bytes: int = 1 << 20
    batch_bytes: int = 32 << 20
    breaker: BreakerLimits = field(default_factory=BreakerLimits)


class RedisCache:
    """A `ResultCache` behind a client, which it owns from now on."""

    def __init__(  # noqa: PLR0913 - its parts
        self,
        client: RedisClient,
        limits: RedisCacheLimits,
        clock: Callable[[], float],
        on_event: Callable[[CacheEvent], None],
        on_outage: Callable[[CacheEvent | None], None] = lambda _: None,
        *,
        authentication: ValueAuthentication | None = None,
    ) -> None:
        """Connect to nothing yet.

        Args:
            client: from `open_client`.
            limits: bounds in time and bytes.
            clock: seconds that never run backwards, for the breakers.
            on_event: is told of each batch bypassed and each value not used or not stored, from
                any thread.
            on_outage: is told why requests begin to be kept from Redis, and None when all of them
                have been answered again for a while.
            authentication: with it only values count that its secret has signed.
        """
        self._client = client
        self._limits = limits
        self._clock = clock
        self._on_event = on_event
        self._on_outage = on_outage
        self._reads = CircuitBreaker(limits.breaker, clock)
        self._writes = CircuitBreaker(limits.breaker, clock)
        self._codec = ValueCodec(limits.value_bytes, authentication)
        self._prefix = KEY_PREFIX + (f"{authentication.name}:" if authentication else "")
        self._is_outage_told = False
        self._failed_at = 0.0

    @property
    def is_bypassed(self) -> bool:
        """Whether reads are kept away from Redis."""
        return self._reads.state is not BreakerState.CLOSED

    async def ask(self) -> None:
        """Learn whether Redis answers: if not, that is told now, and not with the first pages."""
        while not self.is_bypassed:
            replies = await self._request(self._reads, [("GETRANGE", self._prefix, 0, 0)])
            if any(not isinstance(reply, Exception) for reply in replies):
                return

    async def get_many(self, keys: Sequence[CacheKey]) -> list[PackedResult | None]:
        """Return one result a key in the order of `keys`, None where there is none."""
        if not keys:
            return []
        share = self._limits.batch_bytes // len(keys)
        commands = (("GETRANGE", self._prefix + key, 0, share - 1) for key in keys)
        replies = await self._request(self._reads, commands)
        if not replies:
            return [None] * len(keys)
        left = self._limits.batch_bytes
        found: list[PackedResult | None] = []
        for key, reply in zip(keys, replies, strict=True):
            packed = self._read(key, reply, share)
            if packed and packed.content_bytes > left:
                self._on_event(CacheEvent.OVERSIZED)
                packed = None
            left -= packed.content_bytes if packed else 0
            found.append(packed)
        return found

    def count_damaged(self) -> None:
        """Count a result that turned out to be none of ours; from any thread."""
        self._on_event(CacheEvent.DAMAGED)

    async def put_many(self, items: Mapping[CacheKey, CachedResult]) -> None:
        """Store results; one that is too large is left out."""
        fitting = {key: result for key, result in items.items() if self._fits(result)}
        ttl_ms = max(1, int(self._limits.ttl_s * 1000))
        commands = (
            ("SET", self._prefix + key, self._codec.pack(key, result), "PX", ttl_ms)
            for key, result in fitting.items()
        )  # not compressed before the breaker lets them through
        if fitting:
            await self._request(self._writes, commands)

    async def forget_many(self, keys: Sequence[CacheKey]) -> bool:
        """Hold nothing under these keys; return whether Redis has said so of each."""
        if not keys:
            return True
        commands = (("DEL", self._prefix + key) for key in keys)
        replies = await self._request(self._writes, commands)
        return bool(replies) and all(isinstance(reply, int) for reply in replies)

    async def close(self) -> None:
        """Close all connections, without waiting for a server that does not answer."""
        try:
            async with asyncio.timeout(self._limits.timeout_s):
                await self._client.aclose()
        except Exception as error:  # noqa: BLE001 - see `_request`
            self._on_event(_event_of(error))

    async def _request(
        self, breaker: CircuitBreaker, commands: Iterable[tuple[str | bytes | int, ...]]
    ) -> list[object]:
        """Return one reply a command, errors included; nothing if Redis was not asked or failed."""
        if not breaker.allows():
            self._on_event(CacheEvent.BYPASSED)
            return []
        asked = list(commands)
        replies: list[object] = []
        event: CacheEvent | None = None  # not the error: its traceback holds what was to be stored
        try:
            async with asyncio.timeout(self._limits.timeout_s):
                replies = await self._execute(asked)
            errors = (reply for reply in replies if isinstance(reply, Exception))
            event = next(map(_event_of, errors), None)
        # redis-py trusts the replies of a server: what it did not expect raises anything in it
        except Exception as error:  # noqa: BLE001
            event = _event_of(error)
        finally:
            # one node of a cluster, or one key of another type, must not cost all the others;
            # a request that was cancelled has no replies
            if any(not isinstance(reply, Exception) for reply in replies):
                breaker.succeeded()
            else:
                breaker.failed()
        if event is not None:
            self._on_event(event)
        self._tell_outage(event)
        return replies

    def _tell_outage(self, event: CacheEvent | None) -> None:
        """Tell once when a breaker opens, and once when both have been closed for a while."""
        if any(each.state is not BreakerState.CLOSED for each in (self._reads, self._writes)):
            self._failed_at = self._clock()
            if event is not None and not self._is_outage_told:
                self._is_outage_told = True
                self._on_outage(event)
        elif self._is_outage_told and self._clock() >= self._failed_at + TOLD_AFTER_S:
            self._is_outage_told = False
            self._on_outage(None)

    async def _execute(self, commands: Iterable[tuple[str | bytes | int, ...]]) -> list[object]:
        async with self._client.commands.pipeline(transaction=False) as pipeline:
            for command in commands:
                pipeline.execute_command(*command)
            replies: list[object] = await pipeline.execute(raise_on_error=False)
            return replies

    def _fits(self, result: CachedResult) -> bool:
        if len(result.document) + len(result.stats) <= self._limits.value_bytes:
            return True
        self._on_event(CacheEvent.OVERSIZED)
        return False

    def _read(self, key: CacheKey, reply: object, share: int) -> PackedResult | None:
        if not isinstance(reply, bytes) or not reply:  # an error, or nothing under the key
            return None
        try:
            if len(reply) >= share and self._codec.stored_bytes(reply) > share:
                self._on_event(CacheEvent.OVERSIZED)
                return None
            return self._codec.read(key, reply)
        except DamagedValue:
            self._on_event(CacheEvent.DAMAGED)
            return None


def _event_of(failure: Exception) -> CacheEvent:
    if isinstance(failure, TimeoutError | RedisTimeoutError):
        return CacheEvent.SLOW
    if isinstance(failure, ResponseError | AuthenticationError | BusyLoadingError):
        return CacheEvent.REFUSED
    return CacheEvent.UNREACHABLE
