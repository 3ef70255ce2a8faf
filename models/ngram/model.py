"""Sentences to perplexities: the Python interface of the language model."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from winnow.models._kernel import Blocks, Model, Sentences
from winnow.models.errors import ModelError
from winnow.models.ngram.info import Figures, ModelInfo
from winnow.models.ngram.punkt import PunktLists

DATA: Final = Path(__file__).resolve().parents[1] / "data"


@dataclass(frozen=True, slots=True)
class ScoredSentence:
    """One sentence of a text with its scores.

    Attributes:
        text: exactly as in the text.
        tokens: at least 1.
        oov: tokens that are not in the model.
        perplexity: per token, at least 1.
    """

    text: str
    tokens: int
    oov: int
    perplexity: float


@dataclass(frozen=True, slots=True)
class ScoredToken:
    """One token of a sentence.

    Attributes:
        text: normalised, as in the model.
        order: of the longest n-gram listed in the model here; 0 for an unknown token.
        log2_prob: log2 P(token | previous tokens of the sentence), at most 0.
    """

    text: str
    order: int
    log2_prob: float


class NgramModel:
    """An n-gram language model, mapped read-only and shared by all processes that open it.

    Thread-safe; scoring releases the GIL. A model is pickled as the path of its file, which is
    mapped again on unpickling.
    """

    def __init__(self, kernel_model: Model, path: Path) -> None:
        """Keep an open kernel model and its file; see `open`."""
        self.kernel: Final = kernel_model
        self._path: Final = path
        self._language: Final = _language(kernel_model.provenance)

    def __reduce__(
        self,
    ) -> tuple[Callable[[Path | str, str], "NgramModel"], tuple[Path | str, str]]:
        """Pickle as the file's name within the shipped data, or as its path, with the digest."""
        is_shipped = self._path.parent == DATA
        return _reopened, (self._path.name if is_shipped else self._path.absolute(), self.digest)

    @classmethod
    def open(cls, path: Path | str) -> Self:
        """Map a model file and check every byte of it.

        Raises:
            ModelError: the file is missing, truncated, corrupt, foreign or of another version.
        """
        path = Path(path)
        return cls(Model.open(path), path)

    @classmethod
    def shipped(cls, language: str = "en") -> Self:
        """Open a shipped model.

        Raises:
            ModelError: there is none for this language.
        """
        path = DATA / f"{language}.winnow"
        if not path.is_file():
            raise ModelError(f"there is no shipped model for the language {language!r}")
        return cls.open(path)

    def read_ahead(self) -> None:
        """Read the whole file into memory; call it before reporting readiness."""
        self.kernel.read_ahead()

    def score(self, pages: Sequence[Blocks]) -> list[Sentences]:
        """Split the blocks of pages into sentences and score them, in one call without the GIL."""
        return self.kernel.score(list(pages))

    def score_again(self, pages: Sequence[Sentences]) -> list[Sentences]:
        """Score the sentences of pages as another model split them, in one call without the GIL."""
        return self.kernel.score_again(list(pages))

    def score_text(self, text: str) -> list[ScoredSentence]:
        """Split a text into sentences and score them; parts without tokens are left out."""
        scored = self.kernel.score_text(text)
        sentences = []
        for index in range(len(scored)):
            _start, _end, _block, tokens, oov, perplexity = scored.sentence(index)
            sentences.append(ScoredSentence(scored.text(index), tokens, oov, perplexity))
        return sentences

    def perplexity(self, sentence: str) -> float:
        """Return the perplexity of a text taken as one sentence; 0 if it has no tokens."""
        tokens = self.explain(sentence)
        if not tokens:
            return 0.0
        return float(2.0 ** (-sum(token.log2_prob for token in tokens) / len(tokens)))

    def quantile(self, share: float) -> float | None:
        """Return the perplexity at a quantile of the model's own held-out sentences.

        None if the model held out too few sentences or none, like an imported one.
        """
        return self.kernel.quantile(share)

    def stranger(self, perplexity: float) -> float | None:
        """Return the share of the model's own held-out sentences with a higher perplexity.

        It makes perplexities of different languages comparable. None as in `quantile`.
        """
        return self.kernel.stranger(perplexity)

    def explain(self, sentence: str) -> list[ScoredToken]:
        """Return the contribution of each token of a text, taken as one sentence."""
        return [ScoredToken(*token) for token in self.kernel.explain(sentence)]

    @property
    def info(self) -> ModelInfo:
        """The contents of the file except its table."""
        return ModelInfo(
            digest=self.digest,
            language=self.language,
            file_bytes=self.kernel.file_bytes,
            table_bytes=self.kernel.table_bytes,
            figures=Figures.of(self.kernel.facts),
            provenance=self.kernel.provenance.decode("utf-8", errors="replace"),
            punkt_abbreviations=len(self.punkt.abbreviations),
        )

    @property
    def digest(self) -> str:
        """Hex SHA-256 of the contents: the identity of the model."""
        return self.kernel.digest.hex()

    @property
    def language(self) -> str:
        """BCP 47 primary subtag of the training text; empty if unknown."""
        return self._language

    @property
    def punkt(self) -> PunktLists:
        """The parameters of the sentence splitter."""
        return PunktLists.from_text(self.kernel.punkt_lists.decode("utf-8", errors="replace"))


def _reopened(path: Path | str, digest: str) -> NgramModel:
    """Map a model pickled in another process; a shipped one is found by its file name.

    Raises:
        ModelError: the file is missing here, or holds another model.
    """
    path = DATA / path if isinstance(path, str) else path
    model = NgramModel.open(path)
    if model.digest != digest:
        raise ModelError(f"{path}: not the model that was pickled, whose digest is {digest}")
    return model


def _language(provenance: bytes) -> str:
    """Return the language in the provenance.

    Raises:
        ModelError: the provenance is not JSON.
    """
    try:
        said = json.loads(provenance or b"{}")
    except (ValueError, RecursionError) as error:
        raise ModelError(f"the provenance in the model file is not valid JSON: {error}") from error
    language = said.get("language", "") if isinstance(said, dict) else ""
    return language if isinstance(language, str) else ""
