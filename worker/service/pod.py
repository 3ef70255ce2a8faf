"""Metrics of each process of a worker -> their sum: one scrape for the whole pod.

A sum with a process missing would look like counters that were reset, and then like a burst. So
when one process does not answer, there is no sum. The supervisor ends all processes with the first,
so their counters begin together.
"""

import asyncio
from collections.abc import Iterable, Sequence
from typing import Final

import aiohttp
from prometheus_client import CollectorRegistry, Metric, generate_latest
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.registry import Collector

from winnow.models.errors import WinnowError

TIMEOUT_S: Final = 5.0
_ANY_HOST: Final = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}  # noqa: S104 - not bound
_INFO: Final = "_info"


class NoSumError(WinnowError):
    """A process of the worker does not answer; the text says which."""


async def fetch_metrics(host: str, ports: Sequence[int]) -> list[str]:
    """Return the metrics of the processes that listen on these ports of this host.

    Raises:
        NoSumError: one of them does not answer.
    """
    address = _ANY_HOST.get(host, host)
    name = f"[{address}]" if ":" in address else address
    timeout = aiohttp.ClientTimeout(total=TIMEOUT_S)
    async with aiohttp.ClientSession(timeout=timeout) as client:
        urls = [f"http://{name}:{port}/metrics" for port in ports]
        return list(await asyncio.gather(*(_fetch(client, url) for url in urls)))


async def _fetch(client: aiohttp.ClientSession, url: str) -> str:
    try:
        async with client.get(url, raise_for_status=True) as answer:
            return await answer.text()
    except (aiohttp.ClientError, TimeoutError) as error:
        raise NoSumError(f"{url} does not answer: {type(error).__name__}") from error


def summed(expositions: Iterable[str]) -> bytes:
    """Return one exposition whose samples are the sums of samples of equal name and labels.

    Information, which is 1 for what is so, stays 1.
    """
    registry = CollectorRegistry()
    registry.register(_Sum(expositions))
    return generate_latest(registry)


class _Sum(Collector):
    """Families of all expositions, samples added up."""

    def __init__(self, expositions: Iterable[str]) -> None:
        self._expositions = expositions

    def collect(self) -> Iterable[Metric]:
        families: dict[str, Metric] = {}
        values: dict[str, dict[tuple[str, tuple[tuple[str, str], ...]], float]] = {}
        for exposition in self._expositions:
            for family in text_string_to_metric_families(exposition):
                families.setdefault(
                    family.name, Metric(family.name, family.documentation, family.type)
                )
                sums = values.setdefault(family.name, {})
                for sample in family.samples:
                    key = (sample.name, tuple(sample.labels.items()))
                    before = 0.0 if sample.name.endswith(_INFO) else sums.get(key, 0.0)
                    sums[key] = before + sample.value
        for name, family in families.items():
            for (sample_name, labels), value in values[name].items():
                family.add_sample(sample_name, dict(labels), value)
        return families.values()
