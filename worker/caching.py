"""Settings -> the result cache: shared in Redis, or local to this process."""

import time
from collections.abc import Callable

from winnow.streams.cache.redis_cache import CacheEvent, RedisCache, RedisCacheLimits
from winnow.streams.cache.redis_client import open_client, parse_address
from winnow.streams.cache.results import MemoryCache, MemoryCacheLimits, ResultCache
from winnow.streams.cache.values import ValueAuthentication
from winnow.worker.settings import Settings


def build_cache(
    settings: Settings,
    on_event: Callable[[CacheEvent], None],
    on_outage: Callable[[CacheEvent | None], None],
) -> ResultCache:
    """Return the cache. It connects later; an unreachable Redis is not an error."""
    if not settings.redis_url:
        return MemoryCache(MemoryCacheLimits(ttl_s=settings.cache_ttl), time.monotonic)
    limits = RedisCacheLimits(ttl_s=settings.cache_ttl)
    password = settings.redis_password_file
    client = open_client(
        parse_address(settings.redis_url), password.path if password else None, limits.timeout_s
    )
    key = settings.cache_key_file
    authentication = ValueAuthentication(key.secret.reveal().encode()) if key else None
    return RedisCache(
        client, limits, time.monotonic, on_event, on_outage, authentication=authentication
    )
