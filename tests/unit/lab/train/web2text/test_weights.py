import contextlib
import dataclasses
import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.lab.train.web2text.builders import (
    ARTICLE,
    MENU,
    a_network,
    joint_weights,
)
from winnow.lab.train.web2text.kernel import leaf_labels, model_of
from winnow.lab.train.web2text.weights import (
    JointWeights,
    columns_digest,
    load,
    pack,
    unpack,
)
from winnow.models._kernel import Web2TextNetworks
from winnow.models._kernel.lab import WEB2TEXT_MAX_BYTES, leaves, web2text_labels, web2text_scores
from winnow.models.engines.web2text.model import Web2TextModel
from winnow.models.errors import ModelError
from winnow.models.page import tree_of


def sealed(header: object, numbers: bytes = b"") -> bytes:
    packed = json.dumps(header).encode()
    body = b"WNWSTRU1" + len(packed).to_bytes(4, "little") + packed + numbers
    return body + hashlib.sha256(body).digest()


def opened(packed: bytes) -> tuple[dict[str, Any], bytes]:
    end = 12 + int.from_bytes(packed[8:12], "little")
    return json.loads(packed[12:end]), packed[end:-32]


def test_joint_weights_come_back_as_they_were() -> None:
    weights = joint_weights(limit=3.0, content_bias=0.25, agreement=0.5)

    found = unpack(pack(weights))

    assert found.provenance == weights.provenance
    assert (found.limit, found.content_bias, found.agreement) == (3.0, 0.25, 0.5)
    assert (found.means == weights.means).all()
    for kept, member in zip(found.members, weights.members, strict=True):
        for layer, original in zip(kept.layers, member.layers, strict=True):
            assert (layer.weights == original.weights).all()
            assert (layer.biases == original.biases).all()
            assert layer.width == original.width


def test_a_file_cut_anywhere_is_refused() -> None:
    packed = pack(joint_weights())

    for end in (0, 7, 8, 11, 12, 40, 200, len(packed) - 33, len(packed) - 1):
        with pytest.raises(ModelError):
            unpack(packed[:end])


def test_a_file_with_one_changed_bit_is_refused() -> None:
    packed = bytearray(pack(joint_weights()))
    packed[len(packed) // 2] ^= 1

    with pytest.raises(ModelError, match="damaged"):
        unpack(bytes(packed))


@pytest.mark.parametrize(
    ("packed", "message"),
    [
        (b"GIF89a" + bytes(100), "not a weight file"),
        (b"WNWSTRU1" + bytes(WEB2TEXT_MAX_BYTES), "larger than"),
        (sealed([1]), "not a JSON object"),
        (sealed({"vectors": []}), "does not describe"),
        (sealed({"vectors": [9], "networks": []}, bytes(8)), "does not describe"),
        (sealed({"vectors": [-1], "networks": []}, bytes(8)), "does not describe"),
        (
            sealed({"vectors": [], "networks": [], "feature_version": 1, "provenance": ""}),
            "feature version 1",
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


@given(st.data())
def test_a_forged_file_is_read_or_refused(data: st.DataObject) -> None:
    packed = bytearray(pack(joint_weights()))
    header_end = 12 + int.from_bytes(packed[8:12], "little")
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(8, header_end + 40))
        packed[at] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, 64))
    body = bytes(packed[: -32 - cut])

    with contextlib.suppress(ModelError):
        weights = unpack(body + hashlib.sha256(body).digest())
        labels = leaf_labels(model_of(weights), leaves(tree_of(ARTICLE)))
        assert labels.shape == (1,)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=4) | st.just([[1, 128, 2]]),
    max_leaves=6,
)


@given(
    st.fixed_dictionaries(
        {
            "vectors": JSON,
            "networks": JSON,
            "feature_version": st.sampled_from([0, 1, 2, "2", None]),
            "provenance": JSON,
            "columns": st.just(columns_digest()),
            "limit": JSON,
            "content_bias": JSON,
            "agreement": JSON,
        }
    ),
    st.integers(0, 4000),
)
def test_a_sealed_header_of_any_values_is_refused_with_a_reason(
    header: dict[str, object], size: int
) -> None:
    with pytest.raises(ModelError, match=r"describe|version|columns"):
        unpack(sealed(header, bytes(size)))


@pytest.mark.parametrize(
    ("spot", "value", "message"),
    [
        (("networks", 0, 0, 0), 2, "sees 2 blocks"),
        (("networks", 0, 0, 0), 1.0, "cannot be interpreted as an integer"),
        (("networks", 0, 0, 0), 10**9 + 1, "sees 1000000001 blocks"),
        (("networks", 0, 0, 1), 1e400, "does not describe"),
        (("networks", 0, 0, 1), 1 << 70, "does not describe"),
        (("networks", 0), [], "scores per block"),
        (("limit",), "wide", "does not describe"),
    ],
)
def test_layers_that_do_not_fit_are_refused(
    spot: tuple[str | int, ...], value: object, message: str
) -> None:
    header, numbers = opened(pack(joint_weights()))
    inner: Any = header
    for key in spot[:-1]:
        inner = inner[key]
    inner[spot[-1]] = value

    with pytest.raises(ModelError, match=message):
        unpack(sealed(header, numbers))


def test_a_header_nested_without_end_is_refused() -> None:
    header = b"[" * 200_000
    body = b"WNWSTRU1" + len(header).to_bytes(4, "little") + header

    with pytest.raises(ModelError, match="not JSON"):
        unpack(body + hashlib.sha256(body).digest())


def test_a_weight_that_is_not_a_number_is_refused() -> None:
    header, numbers = opened(pack(joint_weights()))

    with pytest.raises(ModelError, match="a weight is not a number"):
        unpack(sealed(header, numbers[:-2] + b"\xff\xff"))


def test_numbers_that_the_header_does_not_name_are_refused() -> None:
    packed = pack(joint_weights())[:-32] + b"more"

    with pytest.raises(ModelError, match="4 bytes too many"):
        unpack(packed + hashlib.sha256(packed).digest())


def test_weights_beyond_the_limit_are_not_written() -> None:
    network = a_network((1, 1000, 600))
    huge = dataclasses.replace(joint_weights(), members=(network,))

    with pytest.raises(ModelError, match="at most"):
        pack(huge)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"none\.weights"):
        load(tmp_path / "none.weights")


def test_the_engine_refuses_weights_of_another_version(tmp_path: Path) -> None:
    path = tmp_path / "other.weights"
    header, numbers = opened(pack(joint_weights()))
    path.write_bytes(sealed(header | {"feature_version": 1}, numbers))

    with pytest.raises(ModelError, match="feature version 1"):
        Web2TextModel.load(path)


def test_the_engine_refuses_networks_of_another_shape() -> None:
    weights = joint_weights()
    narrow = JointWeights(
        weights.means, weights.deviations, 4.0, 0.0, 0.0, (a_network((1, 3, 6)),), "narrow"
    )

    with pytest.raises(ModelError, match="do not fit"):
        model_of(narrow)


def test_rounding_to_half_floats_is_all_that_is_lost() -> None:
    weights = joint_weights()
    weights.members[0].layers[0].weights[0, 0] = np.float32(0.1)

    found = unpack(pack(weights))

    assert found.members[0].layers[0].weights[0, 0] == np.float16(0.1)


def test_the_kernel_reads_a_file_as_the_training_does() -> None:
    found = leaves(tree_of(f"<div>{MENU}</div>" + f"<p>{ARTICLE}<p>Short." * 9))
    weights = joint_weights(limit=3.0, content_bias=0.25, agreement=0.5)

    for threshold in (-1.0, 0.0, 0.1, 2.0):
        read = Web2TextNetworks.read(pack(weights), threshold)
        given = model_of(weights, threshold).networks
        assert web2text_scores(read, found) == web2text_scores(given, found)
        assert web2text_labels(read, found) == web2text_labels(given, found)


@given(st.data())
def test_the_kernel_refuses_every_forged_file_that_the_training_refuses(
    data: st.DataObject,
) -> None:
    packed = bytearray(pack(joint_weights()))
    header_end = 12 + int.from_bytes(packed[8:12], "little")
    for _ in range(data.draw(st.integers(0, 2))):
        packed[data.draw(st.integers(8, header_end + 40))] = data.draw(st.integers(0, 255))
    body = bytes(packed[:-32])
    file = body + hashlib.sha256(body).digest()

    with contextlib.suppress(ModelError):
        networks = Web2TextNetworks.read(file, 0.0)
        weights = unpack(file)
        found = leaves(tree_of(ARTICLE))
        assert web2text_labels(networks, found) == web2text_labels(
            model_of(weights).networks, found
        )
