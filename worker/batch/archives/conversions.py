"""Documents -> WARC conversion records, as in a WET file."""

import gzip
import re
from base64 import b32encode
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from hashlib import sha1
from importlib.metadata import version
from typing import Any, BinaryIO, Final
from uuid import NAMESPACE_URL, uuid5

import orjson

GZIP_LEVEL: Final = 6

_RECORD_ID: Final = re.compile(r"<[^\s<>\x00-\x1f\x7f]{1,1000}>")
_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?Z")


def _now() -> datetime:
    return datetime.now(UTC)


class Conversions:
    """Writes one gzip member per record; the first is a warcinfo record."""

    def __init__(self, file: BinaryIO, now: Callable[[], datetime] = _now) -> None:
        """Write to a file; `now` is the date of records without their own date."""
        self._file = file
        self._now = now().strftime("%Y-%m-%dT%H:%M:%SZ")
        about = (
            f"software: winnow {version('winnow-web')}\r\nformat: WARC File Format 1.1\r\n".encode()
        )
        self._write("warcinfo", f"warcinfo {self._now}", self._now, about, {
            "Content-Type": "application/warc-fields",
        })  # fmt: skip

    def write(self, value: bytes) -> None:
        """Write the text of a document; it refers to the record of its page, if known."""
        document: dict[str, Any] = orjson.loads(value)
        warc: dict[str, str] = document.get("warc", {})
        source = warc.get("record_id", "")
        date = document["fetched_at"]
        digests = (document["content_digest"], document["engine_digest"], document["model_digest"])
        self._write(
            "conversion",
            "\n".join((source, document["url"], *digests)),
            date if _DATE.fullmatch(date) else self._now,
            document["text"].encode(),
            {
                "WARC-Target-URI": document["url"],
                **({"WARC-Refers-To": source} if _RECORD_ID.fullmatch(source) else {}),
                "Content-Type": "text/plain; charset=utf-8",
            },
        )

    def finish(self) -> None:
        """Write nothing: every record is complete."""

    def _write(
        self, kind: str, identity: str, date: str, block: bytes, others: Mapping[str, str]
    ) -> None:
        """Write a record; equal identities give equal ids, so a run is reproducible."""
        digest = b32encode(sha1(block, usedforsecurity=False).digest()).decode()
        fields = {
            "WARC-Type": kind,
            "WARC-Record-ID": f"<urn:uuid:{uuid5(NAMESPACE_URL, identity)}>",
            "WARC-Date": date,
            **others,
            "WARC-Block-Digest": f"sha1:{digest}",
            "Content-Length": str(len(block)),
        }
        head = "".join(f"{name}: {field}\r\n" for name, field in fields.items())
        record = b"".join((b"WARC/1.1\r\n", head.encode(), b"\r\n", block, b"\r\n\r\n"))
        self._file.write(gzip.compress(record, GZIP_LEVEL, mtime=0))
