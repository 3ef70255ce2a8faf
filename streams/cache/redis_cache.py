"""A `ResultCache` in Redis that all workers share; it never blocks the stream.

One round trip reads a batch and one writes it. The size of an answer and of its unpacked values is
limited, even if another client wrote the values. Every error is a miss. After a few failures in a
row a circuit breaker stops requests to Redis until a probe succeeds. Reads and writes have separate
breakers, because a full Redis can still be read.
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

# prefix of every key, so that an access list can allow only `~winnow:*`; the number is the layout
# version of the values
KEY_PREFIX: Final = "winnow:2:"
# failures closer together than this are reported as one outage
REPORTED_AFTER_S: Final = 10.0


class CacheEvent(StrEnum):
    """Why a cached result is not available: a closed set for metrics and logs."""

    SLOW = "slow"  # no answer in time
    UNREACHABLE = "unreachable"  # no connection, or it broke
    REFUSED = "refused"  # Redis answered with an error: full, loading, no permission
    BYPASSED = "bypassed"  # not asked, as the breaker is open
    DAMAGED = "damaged"  # not a value of this cache
    OVERSIZED = "oversized"  # the result is too large to store, or too large for one batch


@dataclass(frozen=True, slots=True)
class RedisCacheLimits:
    """Limits of each request and value.

    Attributes:
        ttl_s: seconds before a result expires.
        timeout_s: longest wait of a batch for Redis.
        value_bytes: larger results, document plus stats, are not stored. Decoding the worst JSON of
            this size takes 35 times as much memory.
        batch_bytes: limit of an answer, and of its unpacked values. Keys share it
            evenly: with 128 keys, values above 256 KiB are not read.
    """

    ttl_s: float = 7 * 24 * 3600.0
    timeout_s: float = 0.25
    value_bytes: int = 1 << 20
    batch_bytes: int = 32 << 20
    breaker: BreakerLimits = field(default_factory=BreakerLimits)


class RedisCache:
    """A `ResultCache` on top of a client, which it then owns."""

    def __init__(  # noqa: PLR0913 - one argument per part
        self,
        client: RedisClient,
        limits: RedisCacheLimits,
        clock: Callable[[], float],
        on_event: Callable[[CacheEvent], None],
        on_outage: Callable[[CacheEvent | None], None] = lambda _: None,
        *,
        authentication: ValueAuthentication | None = None,
    ) -> None:
        """Create the cache without connecting.

        Args:
            client: from `open_client`.
            limits: limits of time and bytes.
            clock: seconds that never run backwards, for the breakers.
            on_event: called for each bypassed batch and each value that is not used or stored, from
                any thread.
            on_outage: called with the reason when requests to Redis stop, and with None when all
                requests have been answered again for a while.
            authentication: if given, only values signed with its secret are used.
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
        self._is_outage_reported = False
        self._failed_at = 0.0

    @property
    def is_bypassed(self) -> bool:
        """Whether reads from Redis are stopped."""
        return self._reads.state is not BreakerState.CLOSED

    async def ask(self) -> None:
        """Check whether Redis answers, so that an outage is reported before the first pages."""
        while not self.is_bypassed:
            replies = await self._request(self._reads, [("GETRANGE", self._prefix, 0, 0)])
            if any(not isinstance(reply, Exception) for reply in replies):
                return

    async def get_many(self, keys: Sequence[CacheKey]) -> list[PackedResult | None]:
        """Return one result per key in the order of `keys`, None for a miss."""
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
        """Count a cached value rejected as damaged. Thread-safe."""
        self._on_event(CacheEvent.DAMAGED)

    async def put_many(self, items: Mapping[CacheKey, CachedResult]) -> None:
        """Store results; a result that is too large is skipped."""
        fitting = {key: result for key, result in items.items() if self._fits(result)}
        ttl_ms = max(1, int(self._limits.ttl_s * 1000))
        commands = (
            ("SET", self._prefix + key, self._codec.pack(key, result), "PX", ttl_ms)
            for key, result in fitting.items()
        )  # compress only when the breaker allows a write
        if fitting:
            await self._request(self._writes, commands)

    async def forget_many(self, keys: Sequence[CacheKey]) -> bool:
        """Delete these keys; return for each whether Redis has confirmed it."""
        if not keys:
            return True
        commands = (("DEL", self._prefix + key) for key in keys)
        replies = await self._request(self._writes, commands)
        return bool(replies) and all(isinstance(reply, int) for reply in replies)

    async def close(self) -> None:
        """Close all connections; does not wait for a server that does not answer."""
        try:
            async with asyncio.timeout(self._limits.timeout_s):
                await self._client.aclose()
        except Exception as error:  # noqa: BLE001 - see `_request`
            self._on_event(_event_of(error))

    async def _request(
        self, breaker: CircuitBreaker, commands: Iterable[tuple[str | bytes | int, ...]]
    ) -> list[object]:
        """Return one reply per command, errors included; empty if Redis was not asked or failed."""
        if not breaker.allows():
            self._on_event(CacheEvent.BYPASSED)
            return []
        asked = list(commands)
        replies: list[object] = []
        event: CacheEvent | None = None  # not the error: its traceback holds the values
        try:
            async with asyncio.timeout(self._limits.timeout_s):
                replies = await self._execute(asked)
            errors = (reply for reply in replies if isinstance(reply, Exception))
            event = next(map(_event_of, errors), None)
        # redis-py trusts the replies of a server: an unexpected one may raise any exception
        except Exception as error:  # noqa: BLE001
            event = _event_of(error)
        finally:
            # an error in one cluster node, or one key of another type, must not lose the other
            # replies; a cancelled request has no replies
            if any(not isinstance(reply, Exception) for reply in replies):
                breaker.succeeded()
            else:
                breaker.failed()
        if event is not None:
            self._on_event(event)
        self._tell_outage(event)
        return replies

    def _tell_outage(self, event: CacheEvent | None) -> None:
        """Report once when a breaker opens, and once when both have been closed for a while."""
        if any(each.state is not BreakerState.CLOSED for each in (self._reads, self._writes)):
            self._failed_at = self._clock()
            if event is not None and not self._is_outage_reported:
                self._is_outage_reported = True
                self._on_outage(event)
        elif self._is_outage_reported and self._clock() >= self._failed_at + REPORTED_AFTER_S:
            self._is_outage_reported = False
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
        if not isinstance(reply, bytes) or not reply:  # an error, or no value under the key
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
