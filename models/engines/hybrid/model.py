"""A parameter file and the blocks of pages -> verdicts."""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Final, Self

from winnow.models import _kernel
from winnow.models._kernel import Blocks, Judgement, Rule
from winnow.models.engines.hybrid.options import HybridOptions
from winnow.models.errors import ModelError

_DATA: Final = Path(__file__).resolve().parents[2] / "data"
# trained on all development sets, and on the openly licensed WCXB alone
MIXED: Final = _DATA / "hybrid.bin"
OPEN: Final = _DATA / "hybrid-wcxb.bin"

_DEFAULT_OPTIONS: Final = HybridOptions()


class HybridModel:
    """A network over a page, and trees that use its output. Thread-safe."""

    def __init__(self, file: bytes, confidence: bytes | None = None) -> None:
        """Read a parameter file, and the confidence file for its verdicts, if any.

        Raises:
            ModelError: a file is foreign, has other features, is truncated or corrupt.
        """
        self._model = _kernel.HybridModel(file, confidence)
        self.digest: Final = hashlib.sha256(file + (confidence or b"")).hexdigest()

    @classmethod
    def load(cls, path: Path = MIXED) -> Self:
        """Read the parameter file at `path`, and its confidence file next to it.

        Raises:
            ModelError: one cannot be read or used.
        """
        return cls(_file(path), _file(confidence_path(path)))

    def judge(
        self, pages: Sequence[Blocks], options: HybridOptions = _DEFAULT_OPTIONS
    ) -> list[Judgement]:
        """Judge a batch of pages in one kernel call, which releases the GIL.

        Raises:
            ValueError: the blocks were read without their elements (`wanted="every"`).
        """
        return self._model.judge(pages, *_policy(options))

    def rule(self, options: HybridOptions = _DEFAULT_OPTIONS) -> Rule:
        """Return the same as the rule of an engine."""
        return Rule.hybrid(self._model, *_policy(options))


def _policy(options: HybridOptions) -> tuple[str, tuple[str, str, str, str], float | None]:
    title, bylines = options.title.value, options.bylines.value
    roles = (title, bylines, options.captions.value, options.standfirst.value)
    return options.comments.value, roles, options.threshold


def confidence_path(path: Path) -> Path:
    """Return the path of the confidence file for the parameter file at `path`."""
    return path.with_name(f"{path.stem}-confidence.bin")


def _file(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise ModelError(f"{path}: {error.strerror}") from error
