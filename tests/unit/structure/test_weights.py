import hashlib
import json
from pathlib import Path

import numpy as np
import pytest

from models.errors import ModelError
from models.structure.model import StructureModel
from models.structure.weights import (
    MAX_BYTES,
    JointWeights,
    PublishedWeights,
    load,
    pack,
    unpack,
)
from tests.unit.structure.builders import a_network, joint_weights, published_weights


def sealed(header: object, numbers: bytes = b"") -> bytes:
    packed = json.dumps(header).encode()
    body = b"WNWSTRU1" + len(packed).to_bytes(4, "little") + packed + numbers
    return body + hashlib.sha256(body).digest()


def test_joint_weights_come_back_as_they_were() -> None:
    weights = joint_weights()

    found = unpack(pack(weights))

    assert isinstance(found, JointWeights)
    assert found.provenance == weights.provenance
    assert (found.limit, found.content_bias) == (weights.limit, weights.content_bias)
    assert (found.means == weights.means).all()
    for kept, member in zip(found.members, weights.members, strict=True):
        for layer, original in zip(kept.layers, member.layers, strict=True):
            assert (layer.weights == original.weights).all()
            assert (layer.biases == original.biases).all()
            assert layer.width == original.width


def test_published_weights_come_back_as_they_were() -> None:
    weights = published_weights()

    found = unpack(pack(weights))

    assert isinstance(found, PublishedWeights)
    assert found.pairwise_weight == weights.pairwise_weight
    assert (found.edges.layers[1].weights == weights.edges.layers[1].weights).all()


def test_a_file_cut_anywhere_is_refused() -> None:
    packed = pack(joint_weights())

    for end in (0, 7, 8, 11, 12, 40, 200, len(packed) - 33, len(packed) - 1):
        with pytest.raises(ModelError):
            unpack(packed[:end])


def test_a_file_with_one_other_bit_is_refused() -> None:
    packed = bytearray(pack(joint_weights()))
    packed[len(packed) // 2] ^= 1

    with pytest.raises(ModelError, match="damaged"):
        unpack(bytes(packed))


@pytest.mark.parametrize(
    ("packed", "message"),
    [
        (b"GIF89a" + bytes(100), "no weight file"),
        (b"WNWSTRU1" + bytes(MAX_BYTES), "more than"),
        (sealed([1]), "no JSON object"),
        (sealed({"vectors": []}), "does not describe"),
        (sealed({"vectors": [9], "networks": []}, bytes(8)), "does not describe"),
        (sealed({"vectors": [-1], "networks": []}, bytes(8)), "does not describe"),
        (
            sealed({"vectors": [], "networks": [], "feature_version": 3, "provenance": ""}),
            "feature version 3",
        ),
        (
            sealed(
                {
                    "vectors": [],
                    "networks": [],
                    "feature_version": 2,
                    "provenance": "",
                    "columns": "ab",
                }
            ),
            "other columns",
        ),
    ],
)
def test_a_foreign_file_is_refused_with_its_reason(packed: bytes, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        unpack(packed)


def test_numbers_that_the_header_does_not_name_are_refused() -> None:
    packed = pack(published_weights())[:-32] + b"more"

    with pytest.raises(ModelError, match="4 bytes too many"):
        unpack(packed + hashlib.sha256(packed).digest())


def test_weights_beyond_the_limit_are_not_written() -> None:
    huge = PublishedWeights(1.0, a_network((1, 1000, 600)), a_network((1, 1, 1)), "")

    with pytest.raises(ModelError, match="at most"):
        pack(huge)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"none\.weights"):
        load(tmp_path / "none.weights")


def test_the_engine_refuses_weights_of_the_published_version(tmp_path: Path) -> None:
    path = tmp_path / "published.weights"
    path.write_bytes(pack(published_weights()))

    with pytest.raises(ModelError, match="feature version 1"):
        StructureModel.load(path)


def test_the_engine_refuses_networks_of_another_shape() -> None:
    weights = joint_weights()
    narrow = JointWeights(
        weights.means, weights.spreads, 4.0, 0.0, (a_network((1, 3, 6)),), "narrow"
    )

    with pytest.raises(ModelError, match="do not fit"):
        StructureModel.of(narrow)


def test_rounding_to_half_floats_is_all_that_is_lost() -> None:
    weights = joint_weights()
    weights.members[0].layers[0].weights[0, 0] = np.float32(0.1)

    found = unpack(pack(weights))

    assert isinstance(found, JointWeights)
    assert found.members[0].layers[0].weights[0, 0] == np.float16(0.1)
