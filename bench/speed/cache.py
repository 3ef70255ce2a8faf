"""Cost of unchanged pages: compare the second pass over a topic with the first.

Needs a real Kafka in `WINNOW_KAFKA_BOOTSTRAP` and a real Redis in `WINNOW_REDIS_URL`. Each round
publishes pages under new URLs, and cleans them twice, each time in a new worker with a new group.
The second pass must cost at most `MOST` of the first, and give the same documents, byte by byte.
"""

import argparse
import os
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from bench.speed.stream import (
    DEVELOPMENT_PAGES,
    cpu_us,
    create_topics,
    delete_topics,
    fill,
    median,
    page_bodies,
    run_variant,
)
from bench.speed.stream_variants import Plan
from winnow.streams.kafka.connection import Connection
from winnow.streams.operator.topic_reader import TopicReader
from winnow.worker.batch.inputs import SAMPLES

MOST: Final = 0.35


def main() -> None:
    """Run the rounds and print the ratio; fail if it is too high or a document differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=1500, help="pages per pass")
    parser.add_argument("--rounds", type=int, default=3)
    default = DEVELOPMENT_PAGES if DEVELOPMENT_PAGES.exists() else SAMPLES
    parser.add_argument("--source", type=Path, default=default, help="labelled pages or a folder")
    arguments = parser.parse_args()
    bodies = page_bodies(arguments.source)
    ratios = [_round(bodies, arguments.pages) for _ in range(arguments.rounds)]
    print(f"second pass / first pass, CPU per page: {median(ratios, 2)}")
    if sorted(ratios)[len(ratios) // 2] > MOST:
        raise SystemExit(f"must be at most {MOST}")


def _round(bodies: Sequence[bytes], pages: int) -> float:
    bootstrap = os.environ["WINNOW_KAFKA_BOOTSTRAP"]
    topics = create_topics(bootstrap)
    try:
        # the topic's name makes the URLs of a round unique
        fill(bootstrap, topics["pages"], bodies, pages, f"https://{topics['pages']}.example")
        first, second = (
            run_variant(
                "winnow-real",
                Plan(bootstrap, topics, f"{name}-{topics['pages']}", pages, redis_url=_redis()),
            )
            for name in ("first", "second")
        )
        documents = _compare(bootstrap, topics["documents"])
    finally:
        delete_topics(bootstrap, topics)
    print(
        f"first {cpu_us(first):6.0f} us, second {cpu_us(second):6.0f} us of CPU per page; "
        f"{documents} of {pages} pages gave a document, the same in both",
        flush=True,
    )
    return cpu_us(second) / cpu_us(first)


def _redis() -> str:
    return os.environ["WINNOW_REDIS_URL"]


def _compare(bootstrap: str, topic: str) -> int:
    """Return the number of documents; they must have the same bytes in both passes."""
    found: dict[bytes | None, list[bytes | None]] = defaultdict(list)
    with TopicReader(Connection((bootstrap,)), "bench-compare") as reader:
        for stored in reader.read(topic, reader.spans(topic)):
            found[stored.record.key].append(stored.record.value)
    different = [key for key, values in found.items() if len(values) != 2 or len(set(values)) != 1]
    if different or not found:
        raise SystemExit(f"{len(different)} of {len(found)} documents differ: {different[:3]}")
    return len(found)


if __name__ == "__main__":
    main()
