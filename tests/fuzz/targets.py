"""What is fuzzed in Python: readers of what others wrote, each with seeds and a check."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final

import cramjam
import orjson

from tests.raw_batches import raw_batch, raw_record
from tests.unit.lab.train.web2text.builders import joint_weights
from winnow.lab.train.web2text.kernel import leaf_labels, model_of
from winnow.lab.train.web2text.weights import pack, unpack
from winnow.models._kernel import Web2TextNetworks
from winnow.models._kernel.lab import leaves, web2text_labels
from winnow.models.errors import InvalidPage, ModelError
from winnow.models.page import tree_of
from winnow.streams import pages
from winnow.streams.kafka import batch_records, record_reading, unpacking
from winnow.streams.kafka.batch_records import FetchedBatches
from winnow.streams.kafka.record_reading import MAX_READ_BYTES
from winnow.streams.pages import Fetched, arrival_from, is_url
from winnow.streams.pass_through import PassThrough
from winnow.streams.records import Incoming, UnreadValue

MAX_RECORDS: Final = 64
MAX_PAGE_BYTES: Final = 4096
_DIGEST_BYTES: Final = 32
_LEAVES: Final = leaves(tree_of("<h1>Bees</h1><p>They find flowers.</p><a href=/>Home</a>"))


@dataclass(frozen=True, slots=True)
class Target:
    """One reader.

    Attributes:
        run: reads one input; any exception is a finding.
        seeds: inputs to begin with.
        sources: files whose lines are counted.
    """

    name: str
    run: Callable[[bytes], None]
    seeds: tuple[bytes, ...]
    sources: tuple[str, ...]


def read_batch(content: bytes) -> None:
    """Read a batch whose header the broker has checked: the first two bytes say codec and count."""
    if len(content) < 2:
        return
    codec, records = content[0] % 8, 1 + content[1] % MAX_RECORDS
    fetched = FetchedBatches(raw_batch(content[2:], records, codec))
    found = [record for record in fetched.next_batch() if not isinstance(record.value, UnreadValue)]

    assert not fetched.has_next()
    assert len(found) <= records
    for record in found:
        assert record.value is None or len(record.value) <= MAX_READ_BYTES
        assert all(isinstance(name, str) for name, _ in record.headers)


def _batch_seeds() -> tuple[bytes, ...]:
    plain = b"".join(
        raw_record(number, b"<p>page %d" % number, headers=[(b"url", b"https://a.invalid/")] * 2)
        for number in range(3)
    )
    strange = raw_record(0, None, key=None) + raw_record(1, b"", headers=[(b"\xff", None)])
    packed: dict[int, Callable[[bytes], Any]] = {
        0: bytes,
        1: cramjam.gzip.compress,
        2: cramjam.snappy.compress_raw,
        3: cramjam.lz4.compress,
        4: cramjam.zstd.compress,
    }
    return tuple(
        bytes([codec, count - 1]) + bytes(pack_(records))
        for codec, pack_ in packed.items()
        for count, records in ((3, plain), (2, strange))
    )


def read_message(content: bytes) -> None:
    """Decode a record: the first lines are key, `url` and `content-type`, then comes the value."""
    key, url, content_type, value = (content.split(b"\n", 3) + [b""] * 3)[:4]
    headers = [
        (name, held) for name, held in (("url", url), ("content-type", content_type)) if held
    ]
    record = Incoming("winnow.pages", 0, 0, key or None, value, tuple(headers))
    try:
        arrival = arrival_from(record, MAX_PAGE_BYTES)
    except InvalidPage as error:
        assert len(error.detail) < 200  # noqa: PT017 - it must not quote the page
        return

    passed = PassThrough().passed(record, arrival.meta)
    assert is_url(arrival.url)
    assert not passed.meta or isinstance(orjson.loads(passed.meta), dict)
    if isinstance(arrival, Fetched):
        assert arrival.page.body.strip()
        assert len(arrival.page.body) <= MAX_PAGE_BYTES


def _message_seeds() -> tuple[bytes, ...]:
    url, html = "https://a.invalid/b?c=d", "<title>Bees</title><p>They find flowers."
    json = (
        {"url": url, "html": html, "fetched_at": "2026-11-24T08:00:00Z", "status": 200},
        {"url": url, "body_base64": "PHA+Qm/DqXM=", "content_type": "text/html; charset=x"},
        {"url": url, "html": html, "links": [{"a": [1, -2.5e300, None, True]}] * 3},
        {"url": "https://蜂.invalid/", "html": "\x00\x7f\u2028", "status": "200"},
        {"url": url, "status": 404, "meta": {"crawl": ["蜂", 1e300, {"a": None}]}},
    )
    as_json = b"\n\napplication/json\n"
    return (
        *(as_json + orjson.dumps(each) for each in json),
        b"key\n\n\n\xef\xbb\xbf {" + orjson.dumps(json[0])[1:],
        b"https://a.invalid/key\n\ntext/html; charset=latin-1\n" + html.encode(),
        b"key\nhttps://a.invalid/header\n\n" + html.encode(),
        as_json + b'{"url": "https://a.invalid/", "html": "\\ud800"}',
        as_json + b"[" * 200,
    )


def read_weights(content: bytes) -> None:
    """Read a weight file with a right checksum and any contents, and label a page with it."""
    with suppress(ModelError):
        weights = unpack(content + sha256(content).digest())
        labels = leaf_labels(model_of(weights), _LEAVES)
        assert set(labels.tolist()) <= {0, 1}


def read_weights_in_kernel(content: bytes) -> None:
    """Have the kernel read the same; what it takes, the training's reader takes alike."""
    file = content + sha256(content).digest()
    with suppress(ModelError):
        networks = Web2TextNetworks.read(file, 0.0)
        weights = unpack(file)
        assert web2text_labels(networks, _LEAVES) == web2text_labels(
            model_of(weights).networks, _LEAVES
        )


def _weight_seeds() -> tuple[bytes, ...]:
    return (pack(joint_weights())[:-_DIGEST_BYTES],)


def targets() -> tuple[Target, ...]:
    """Return all that is fuzzed here."""
    batch_sources = tuple(str(each.__file__) for each in (batch_records, record_reading, unpacking))
    weights_source = str(unpack.__code__.co_filename)
    return (
        Target("batches", read_batch, _batch_seeds(), batch_sources),
        Target("messages", read_message, _message_seeds(), (str(pages.__file__),)),
        Target("weights", read_weights, _weight_seeds(), (weights_source,)),
        Target("weights-kernel", read_weights_in_kernel, _weight_seeds(), (weights_source,)),
    )
