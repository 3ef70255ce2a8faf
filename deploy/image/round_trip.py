#!/app/.venv/bin/python
"""Publish one page, wait for its document and check it; exit 1 if it is wrong or missing.

`helm test` and the compose profile `test` run it against a deployment. It needs the settings of a
worker, but no consumer group, and leaves one document under a reserved host name.
"""

import argparse
import asyncio
import os
import sys
import uuid
from typing import Any

import orjson
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition

from winnow.worker.settings import Settings

POLL_MS = 1000
SENTENCE = "The committee met on Monday and agreed to repair the old bridge before the winter."
PAGE = f"""<!doctype html><html lang="en"><head><title>Bridge to be repaired</title></head><body>
<nav><a href="/">Home</a> <a href="/login">Login</a> <a href="/cart">Cart</a></nav>
<article><h1>Bridge to be repaired</h1><p>{SENTENCE} Work will begin in September, and the road
will stay open to buses while the builders replace the beams.</p></article>
<footer>Copyright Privacy Terms</footer></body></html>"""


async def round_trip(settings: Settings, url: str) -> dict[str, Any]:
    """Return the deployment's document of the page at `url`.

    Raises:
        LookupError: a topic is missing.
    """
    topics = settings.topics()
    options = settings.connection().client_options()
    async with (
        AIOKafkaConsumer(**options) as consumer,
        AIOKafkaProducer(acks="all", **options) as producer,
    ):
        for topic in (topics.pages, topics.documents):
            if not await producer.partitions_for(topic):
                raise LookupError(f"no topic {topic}: run winnow topics create")
        numbers = await producer.partitions_for(topics.documents)
        partitions = [TopicPartition(topics.documents, number) for number in sorted(numbers)]
        consumer.assign(partitions)
        for partition, end in (await consumer.end_offsets(partitions)).items():
            consumer.seek(partition, end)
        message = orjson.dumps({"url": url, "html": PAGE})
        await producer.send_and_wait(topics.pages, message, key=url.encode())
        while True:
            for records in (await consumer.getmany(timeout_ms=POLL_MS)).values():
                for record in records:
                    if record.key == url.encode():
                        document: dict[str, Any] = orjson.loads(record.value or b"{}")
                        return document


def complaint(document: dict[str, Any], url: str) -> str:
    """Return what is wrong with the document; empty if nothing is."""
    if document.get("url") != url:
        return f"the document has the URL {document.get('url')!r}"
    if SENTENCE not in " ".join(str(document.get("text")).split()):
        return "the document lacks the sentence that it should keep"
    return ""


def main() -> int:
    """Return the exit code: 0 for a right document, 1 for a wrong or late one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--timeout", type=float, default=60.0, metavar="SECONDS")
    timeout_s: float = parser.parse_args().timeout
    url = f"https://round-trip.invalid/{uuid.uuid4()}"
    settings = Settings.from_env(os.environ)
    try:
        document = asyncio.run(asyncio.wait_for(round_trip(settings, url), timeout_s))
    except TimeoutError:
        print(f"no document of {url} within {timeout_s:g} s", file=sys.stderr)
        return 1
    problem = complaint(document, url)
    print(problem or f"{url} came back as a document of {len(document['text'])} characters")
    return 1 if problem else 0


if __name__ == "__main__":
    sys.exit(main())
