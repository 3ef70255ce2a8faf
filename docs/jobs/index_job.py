"""Keep an index up to date: `python index_job.py BROKERS TOPIC GROUP http://HOST:9200/INDEX`.

Deletions of the topic delete. With `--once` it ends when nothing is left. The variable
INDEX_AUTHORIZATION is sent as the header `Authorization`.
"""

import hashlib
import json
import logging
import os
import sys
import time
import urllib.request
from collections.abc import Iterator
from typing import Any
from urllib.error import HTTPError

from confluent_kafka import Consumer, Message

RECORDS = 500
BULK_BYTES = 8 << 20  # an engine takes 100 MB at once, and a record of Kafka is smaller
FETCH_S = 1.0
ANSWER_S = 60
BUSY = {429, 502, 503, 504}
# deleted before; and: the index has a newer version
FINE = {404, 409}
FIRST_ERROR = 400


def lines(record: Message) -> Iterator[bytes]:
    """Yield the lines that the bulk API wants of a record.

    The offset is the version: a repeat or a late retry replaces nothing newer.
    """
    key, value = record.key() or b"", record.value()
    action = "delete" if value is None else "index"
    at = {"_id": hashlib.sha256(key).hexdigest(), "version": (record.offset() or 0) + 1}
    yield json.dumps({action: at | {"version_type": "external_gte"}}).encode()
    if value is not None:
        yield value


def parts(records: list[Message]) -> Iterator[list[Message]]:
    """Cut records into parts of some MB."""
    part: list[Message] = []
    size = 0
    for record in records:
        length = len(record.value() or b"")
        if part and size + length > BULK_BYTES:
            yield part
            part, size = [], 0
        part.append(record)
        size += length
    if part:
        yield part


def ask(index: str, body: bytes) -> list[dict[str, Any]] | None:
    """Return what became of each line, or None if the engine is busy or gone."""
    headers = {"Content-Type": "application/x-ndjson"}
    if authorization := os.environ.get("INDEX_AUTHORIZATION"):
        headers["Authorization"] = authorization
    request = urllib.request.Request(f"{index}/_bulk", body, headers)
    try:
        with urllib.request.urlopen(request, timeout=ANSWER_S) as answer:
            items = [each for item in json.load(answer)["items"] for each in item.values()]
    except HTTPError as error:
        if error.code not in BUSY:
            raise
        return None
    except OSError as error:
        logging.warning("again in a second: %s", error)
        return None
    return None if any(each["status"] in BUSY for each in items) else items


def send(index: str, records: list[Message]) -> None:
    """Write records to the index; ask again for as long as the engine is busy or gone."""
    body = b"".join(line + b"\n" for record in records for line in lines(record))
    while (items := ask(index, body)) is None:
        time.sleep(1)
    for record, item in zip(records, items, strict=True):
        if item["status"] >= FIRST_ERROR and item["status"] not in FINE:
            logging.error("not indexed: %r: %s", record.key(), item["error"])


def is_done(consumer: Consumer) -> bool:
    """Return whether all records of all partitions are written."""
    placed = consumer.committed(consumer.assignment(), timeout=ANSWER_S)
    ends = [consumer.get_watermark_offsets(each, timeout=ANSWER_S) for each in placed]
    return bool(placed) and all(
        max(each.offset, first) >= end for each, (first, end) in zip(placed, ends, strict=True)
    )


def main(brokers: str, topic: str, group: str, index: str, *flags: str) -> None:
    """Index until interrupted, or with `--once` until nothing is left."""
    settings = {"auto.offset.reset": "earliest", "enable.auto.commit": False}
    consumer = Consumer({"bootstrap.servers": brokers, "group.id": group, **settings})
    consumer.subscribe([topic])
    try:
        while True:
            found = consumer.consume(RECORDS, FETCH_S)
            for error in filter(None, (record.error() for record in found)):
                raise SystemExit(str(error))
            for part in parts(found):
                send(index, part)
            if found:
                consumer.commit(asynchronous=False)
            elif "--once" in flags and is_done(consumer):
                return
    finally:
        consumer.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
