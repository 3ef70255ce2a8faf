"""Add up the metrics of a worker's processes: one scrape for the whole pod.

A sum without one of the processes would look like a reset of the counters, and then like a burst.
So there is no sum while a process does not answer. The counters of all processes start together,
because the supervisor ends all processes when one ends.
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
    """A process of the worker does not answer; the message names it."""


async def fetch_metrics(host: str, ports: Sequence[int]) -> list[str]:
    """Return the summed metrics of the processes on these local ports.

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
    """Return one exposition; samples with the same name and labels are added up.

    Info metrics, which are 1, stay 1.
    """
    registry = CollectorRegistry()
    registry.register(_Sum(expositions))
    return generate_latest(registry)


class _Sum(Collector):
    """Metric families of all expositions, with samples added up."""

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
