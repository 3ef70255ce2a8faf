"""The weight file of feature version 2: a checked header and the networks.

Layout: magic, length of the header (little-endian uint32), header (JSON), vectors as
little-endian float32, weights and biases of all layers as little-endian float16, SHA-256 of
everything before.
"""

import hashlib
import json
import math
import operator
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from winnow.lab.train.web2text.network import Floats, Layer, Network
from winnow.models._kernel.lab import (
    WEB2TEXT_MAGIC,
    WEB2TEXT_MAX_BYTES,
    WEB2TEXT_MAX_WIDTH,
    WEB2TEXT_VERSION,
    web2text_column_names,
)
from winnow.models.errors import ModelError

_DIGEST_BYTES: Final = 32
_SCORES: Final = 6


@dataclass(frozen=True, slots=True)
class JointWeights:
    """Networks whose scores are averaged; six scores per block.

    Attributes:
        means, deviations: mean and standard deviation of each column, float32; a column is
            scaled by them and cut off at `limit` standard deviations.
        content_bias: added to the score of label 1 of every block.
        agreement: how strongly blocks with the same class path attract each other to one label:
            the score of label 1 grows by `agreement * (2 * mean probability of label 1 - 1)`.
            provenance: the training, in words.
    """

    means: Floats
    deviations: Floats
    limit: float
    content_bias: float
    agreement: float
    members: tuple[Network, ...]
    provenance: str


def columns_digest() -> str:
    """Return the hex SHA-256 of the names of the columns."""
    return hashlib.sha256("\n".join(web2text_column_names()).encode()).hexdigest()


def pack(weights: JointWeights) -> bytes:
    """Return the weight file; weights and biases are rounded to float16.

    Raises:
        ModelError: the file would be larger than `WEB2TEXT_MAX_BYTES`.
    """
    vectors = [weights.means, weights.deviations]
    header = {
        "provenance": weights.provenance,
        "feature_version": WEB2TEXT_VERSION,
        "columns": columns_digest(),
        "limit": weights.limit,
        "content_bias": weights.content_bias,
        "agreement": weights.agreement,
        "networks": [
            [[layer.width, *layer.weights.shape] for layer in network.layers]
            for network in weights.members
        ],
        "vectors": [len(vector) for vector in vectors],
    }
    packed = json.dumps(header, sort_keys=True).encode()
    layers = [layer for network in weights.members for layer in network.layers]
    arrays = [vector.astype("<f4").tobytes() for vector in vectors]
    arrays += [array.astype("<f2").tobytes() for x in layers for array in (x.weights, x.biases)]
    body = b"".join([WEB2TEXT_MAGIC, len(packed).to_bytes(4, "little"), packed, *arrays])
    if len(body) + _DIGEST_BYTES > WEB2TEXT_MAX_BYTES:
        raise ModelError(f"weights of {len(body)} bytes; a file holds at most {WEB2TEXT_MAX_BYTES}")
    return body + hashlib.sha256(body).digest()


def load(path: Path) -> JointWeights:
    """Read a weight file.

    Raises:
        ModelError: the file is missing, too large, truncated, damaged or not a weight file.
    """
    try:
        with path.open("rb") as file:
            packed = file.read(WEB2TEXT_MAX_BYTES + 1)
    except OSError as error:
        raise ModelError(f"{path}: {error.strerror or error}") from error
    try:
        return unpack(packed)
    except ModelError as error:
        raise ModelError(f"{path}: {error}") from error


def unpack(packed: bytes) -> JointWeights:
    """Return the arguments of `pack`, with the precision of float16.

    Raises:
        ModelError: truncated, damaged, for other columns or not a weight file.
    """
    header, numbers = _checked(packed)
    reader = _Reader(numbers)
    try:
        vectors = [reader.floats((int(size),), "<f4") for size in header["vectors"]]
        networks = tuple(_network(shapes, reader) for shapes in header["networks"])
        weights = _weights(header, vectors, networks)
    except (ValueError, KeyError, TypeError, OverflowError) as error:
        raise ModelError(f"the header does not describe the weights: {error}") from error
    reader.end()
    return weights


def _checked(packed: bytes) -> tuple[Mapping[str, Any], bytes]:
    """Return the header and numbers of a complete file."""
    if not packed.startswith(WEB2TEXT_MAGIC):
        raise ModelError("not a weight file of the web2text engine")
    if len(packed) > WEB2TEXT_MAX_BYTES:
        raise ModelError(f"larger than {WEB2TEXT_MAX_BYTES} bytes")
    body, digest = packed[:-_DIGEST_BYTES], packed[-_DIGEST_BYTES:]
    if hashlib.sha256(body).digest() != digest:
        raise ModelError("truncated or damaged: the checksum does not match")
    start = len(WEB2TEXT_MAGIC) + 4
    end = start + int.from_bytes(body[len(WEB2TEXT_MAGIC) : start], "little")
    try:
        header = json.loads(body[start:end])
    except (ValueError, RecursionError) as error:
        raise ModelError(f"the header is not JSON: {error}") from error
    if not isinstance(header, dict):
        raise ModelError("the header is not a JSON object")
    return header, body[end:]


def _weights(
    header: Mapping[str, Any], vectors: Sequence[Floats], networks: tuple[Network, ...]
) -> JointWeights:
    version, provenance = header["feature_version"], str(header["provenance"])
    if version != WEB2TEXT_VERSION:
        raise ModelError(f"feature version {version}, not {WEB2TEXT_VERSION}")
    if header["columns"] != columns_digest():
        raise ModelError("trained on other columns than this version computes")
    means, deviations = vectors
    for network in networks:
        _check(network, len(means))
    limit, bias, agreement = (float(header[x]) for x in ("limit", "content_bias", "agreement"))
    return JointWeights(means, deviations, limit, bias, agreement, networks, provenance)


@dataclass(slots=True)
class _Reader:
    """Takes arrays off the front of the numbers."""

    rest: bytes

    def floats(self, shape: tuple[int, ...], kind: str) -> Floats:
        if min(shape) < 0:
            raise ValueError(f"a size of {min(shape)}")
        size = math.prod(shape) * np.dtype(kind).itemsize
        values = np.frombuffer(self.rest[:size], dtype=kind).reshape(shape)
        if not np.isfinite(values).all():
            raise ValueError("a weight is not a number")
        self.rest = self.rest[size:]
        return values.astype(np.float32)

    def end(self) -> None:
        if self.rest:
            raise ModelError(f"{len(self.rest)} bytes too many")


def _check(network: Network, inputs: int) -> None:
    """Raise `ValueError` unless the layers fit each other, the columns and the scores."""
    for layer in network.layers:
        rows, filters = layer.weights.shape
        if layer.width % 2 != 1 or not 0 < layer.width <= WEB2TEXT_MAX_WIDTH:
            raise ValueError(f"a layer that sees {layer.width} blocks")
        if rows != layer.width * inputs:
            raise ValueError(f"a layer of {rows} rows over {inputs} columns")
        inputs = filters
    if inputs != _SCORES:
        raise ValueError(f"{inputs} scores per block; {_SCORES} are needed")


def _network(shapes: Sequence[Sequence[int]], reader: _Reader) -> Network:
    return Network(tuple(_layers(shapes, reader)))


def _layers(shapes: Sequence[Sequence[int]], reader: _Reader) -> Iterator[Layer]:
    for width, rows, filters in shapes:
        weights = reader.floats((rows, filters), "<f2")
        yield Layer(weights, reader.floats((filters,), "<f2"), operator.index(width))
