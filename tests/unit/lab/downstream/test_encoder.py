import json
import math
from pathlib import Path

import numpy as np
import pytest

from winnow.lab.downstream.encoder import DIMENSIONS, Encoder, WordPieces, erf, read_tensors, words

VOCABULARY = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "bee", "##s", "fly", ".", "caf", "##e"]


def test_words_are_lower_case_without_accents_and_marks_are_separate() -> None:
    assert list(words("Café-Bees  fly!\u4e2d\u6587")) == [
        "cafe", "-", "bees", "fly", "!", "\u4e2d", "\u6587",
    ]  # fmt: skip


def test_the_longest_listed_piece_is_taken_first() -> None:
    assert WordPieces(VOCABULARY).numbers("Bees café.", 10) == [2, 4, 5, 8, 9, 7, 3]


def test_a_word_without_pieces_is_unknown() -> None:
    assert WordPieces(VOCABULARY).numbers("beex fly", 10) == [2, 1, 6, 3]


def test_reading_stops_at_the_requested_number_of_pieces() -> None:
    assert WordPieces(VOCABULARY).numbers("bees bees bees", 4) == [2, 4, 5, 3]


def test_error_function_equals_the_one_of_the_library() -> None:
    values = np.linspace(-4, 4, 101, dtype=np.float32)

    assert erf(values) == pytest.approx([math.erf(value) for value in values], abs=1e-6)


def a_model(folder: Path) -> Path:
    """Write a model of the right form with weights drawn by a seed."""
    draw = np.random.default_rng(1)
    shapes = {
        "embeddings.word_embeddings.weight": (len(VOCABULARY), DIMENSIONS),
        "embeddings.position_embeddings.weight": (16, DIMENSIONS),
        "embeddings.token_type_embeddings.weight": (2, DIMENSIONS),
    }
    norms = ["embeddings.LayerNorm"]
    for layer in (f"encoder.layer.{number}" for number in range(6)):
        for part in ("query", "key", "value"):
            shapes[f"{layer}.attention.self.{part}.weight"] = (DIMENSIONS, DIMENSIONS)
        shapes[f"{layer}.attention.output.dense.weight"] = (DIMENSIONS, DIMENSIONS)
        shapes[f"{layer}.intermediate.dense.weight"] = (8, DIMENSIONS)
        shapes[f"{layer}.output.dense.weight"] = (DIMENSIONS, 8)
        norms += [f"{layer}.attention.output.LayerNorm", f"{layer}.output.LayerNorm"]
    tensors = {name: draw.normal(0, 0.1, shape) for name, shape in shapes.items()}
    tensors |= {f"{name}.weight": np.ones(DIMENSIONS) for name in norms}
    for name in [*tensors]:
        if name.endswith(".weight") and "embeddings.w" not in name:
            tensors.setdefault(name.replace(".weight", ".bias"), np.zeros(len(tensors[name])))
    content, facts = b"", {}
    for name, values in tensors.items():
        added = values.astype(np.float32).tobytes()
        offsets = [len(content), len(content) + len(added)]
        facts[name] = {"dtype": "F32", "shape": [*values.shape], "data_offsets": offsets}
        content += added
    head = json.dumps(facts).encode()
    (folder / "model.safetensors").write_bytes(len(head).to_bytes(8, "little") + head + content)
    (folder / "vocab.txt").write_text("\n".join(VOCABULARY))
    return folder


def test_tensors_are_read_by_name_and_shape(tmp_path: Path) -> None:
    found = read_tensors(a_model(tmp_path) / "model.safetensors")

    assert found["encoder.layer.5.output.dense.weight"].shape == (DIMENSIONS, 8)
    assert np.all(found["embeddings.LayerNorm.weight"] == 1)


def test_vectors_have_length_1_and_do_not_depend_on_the_other_texts(tmp_path: Path) -> None:
    encoder = Encoder(a_model(tmp_path))

    together = encoder.vectors(["bees fly", "bee", "bees fly."])

    assert np.linalg.norm(together, axis=1) == pytest.approx([1, 1, 1], abs=1e-5)
    assert together[1] == pytest.approx(encoder.vectors(["bee"])[0], abs=1e-6)
    assert not np.allclose(together[0], together[2], atol=1e-3)
