"""The weight file: a checked header and the networks of one feature version.

Layout: `WNWSTRU1`, length of the header (little-endian uint32), header (JSON), all weights and
biases as little-endian float16, SHA-256 of everything before.
"""

import hashlib
import itertools
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from models.errors import ModelError
from models.structure.network import Floats, Layer, Network

_MAGIC: Final = b"WNWSTRU1"
_DIGEST_BYTES: Final = 32
MAX_BYTES: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Weights:
    """What training leaves behind.

    Attributes:
        feature_version: 1 as published, 2 ours.
        pairwise_weight: what the scores of pairs are multiplied with; lambda of the paper.
        blocks: network over the blocks of a page, 2 classes.
        edges: network over the pairs of neighbours, 4 classes.
        provenance: what trained it, in words.
    """

    feature_version: int
    pairwise_weight: float
    blocks: Network
    edges: Network
    provenance: str


def pack(weights: Weights) -> bytes:
    """Return the weight file; weights are rounded to float16.

    Raises:
        ModelError: the file would be larger than `MAX_BYTES`.
    """
    networks = {"blocks": weights.blocks, "edges": weights.edges}
    header = json.dumps(
        {
            "feature_version": weights.feature_version,
            "pairwise_weight": weights.pairwise_weight,
            "provenance": weights.provenance,
            **{
                name: [[layer.width, *layer.weights.shape] for layer in network.layers]
                for name, network in networks.items()
            },
        },
        sort_keys=True,
    ).encode()
    layers = itertools.chain.from_iterable(network.layers for network in networks.values())
    arrays = [array.astype("<f2").tobytes() for x in layers for array in (x.weights, x.biases)]
    body = b"".join([_MAGIC, len(header).to_bytes(4, "little"), header, *arrays])
    if len(body) + _DIGEST_BYTES > MAX_BYTES:
        raise ModelError(f"weights of {len(body)} bytes; a file holds at most {MAX_BYTES}")
    return body + hashlib.sha256(body).digest()


def load(path: Path) -> Weights:
    """Read a weight file.

    Raises:
        ModelError: the file is missing, too large, truncated, damaged or no weight file.
    """
    try:
        with path.open("rb") as file:
            packed = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise ModelError(f"{path}: {error.strerror or error}") from error
    try:
        return unpack(packed)
    except ModelError as error:
        raise ModelError(f"{path}: {error}") from error


def unpack(packed: bytes) -> Weights:
    """Return what `pack` was given, as far as float16 holds it.

    Raises:
        ModelError: truncated, damaged or no weight file.
    """
    if not packed.startswith(_MAGIC):
        raise ModelError("no weight file of the structure engine")
    if len(packed) > MAX_BYTES:
        raise ModelError(f"more than {MAX_BYTES} bytes")
    body, digest = packed[:-_DIGEST_BYTES], packed[-_DIGEST_BYTES:]
    if hashlib.sha256(body).digest() != digest:
        raise ModelError("truncated or damaged: the checksum does not fit")
    start = len(_MAGIC) + 4
    end = start + int.from_bytes(body[len(_MAGIC) : start], "little")
    try:
        header = json.loads(body[start:end])
        blocks, rest = _network(header["blocks"], body[end:])
        edges, rest = _network(header["edges"], rest)
        weights = Weights(
            feature_version=int(header["feature_version"]),
            pairwise_weight=float(header["pairwise_weight"]),
            blocks=blocks,
            edges=edges,
            provenance=str(header["provenance"]),
        )
    except (ValueError, KeyError, TypeError) as error:
        raise ModelError(f"the header does not describe the weights: {error}") from error
    if rest:
        raise ModelError(f"{len(rest)} bytes too many")
    return weights


def _network(shapes: Any, packed: bytes) -> tuple[Network, bytes]:  # noqa: ANN401 - JSON
    layers = []
    for width, rows, filters in shapes:
        weights, packed = _array((rows, filters), packed)
        biases, packed = _array((filters,), packed)
        layers.append(Layer(weights, biases, width))
    return Network(tuple(layers)), packed


def _array(shape: tuple[int, ...], packed: bytes) -> tuple[Floats, bytes]:
    size = 2 * int(np.prod(shape))
    values = np.frombuffer(packed[:size], dtype="<f2").reshape(shape)
    return values.astype(np.float32), packed[size:]
