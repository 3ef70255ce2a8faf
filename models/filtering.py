"""Filter documents by language, confidence, length and page type, and drop copies."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

from winnow.models._kernel import PAGE_TYPES, CopyIndex
from winnow.models.errors import OptionsError

if TYPE_CHECKING:
    from winnow.models.document import Document

DEDUP_BYTES: Final = 1 << 30
_SIMHASH: Final = "simhash:"
_MAX_DISTANCE: Final = 8
_DIGITS: Final = re.compile("[0-9a-f]{16}")


class Unwanted(StrEnum):
    """Why a document is dropped although its page is valid."""

    LANGUAGE = "language"
    CONFIDENCE = "confidence"
    WORDS = "words"
    PAGE_TYPE = "page_type"
    COPY = "copy"  # the text of an earlier document, or nearly the same


@dataclass(frozen=True, slots=True)
class DocumentFilter:
    """Conditions for keeping a document; the default keeps all.

    A document that lacks a required field, such as a confidence, is dropped. The reason is the
    first attribute that it fails.

    Attributes:
        languages: accepted BCP 47 primary subtags; empty for any.
        min_confidence: lowest confidence, 0 to 1.
        min_words: lowest number of words of its text.
        page_types: accepted page types; empty for any.
        dropped_page_types: rejected page types.
    """

    languages: frozenset[str] = frozenset()
    min_confidence: float = 0.0
    min_words: int = 0
    page_types: frozenset[str] = frozenset()
    dropped_page_types: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        """Validate the values.

        Raises:
            OptionsError: no document can have one of the values.
        """
        for name in sorted(self.page_types | self.dropped_page_types):
            if name not in PAGE_TYPES:
                raise OptionsError(f"page type {name!r}: must be one of {', '.join(PAGE_TYPES)}")
        for language in sorted(self.languages):
            if not (language.isascii() and language.isalpha() and 2 <= len(language) <= 3):  # noqa: PLR2004 - of BCP 47
                raise OptionsError(f"language {language!r}: must be a code such as en or yue")
        if not 0 <= self.min_confidence <= 1:
            raise OptionsError(f"confidence {self.min_confidence}: must be 0 to 1")
        if self.min_words < 0:
            raise OptionsError(f"words {self.min_words}: must be 0 or more")

    def fault_of(self, document: "Document") -> Unwanted | None:
        """Return why a document is dropped, None if it is kept."""
        return self._fault(
            document.language, document.confidence, document.words, document.page_type
        )

    def fault_in(self, message: Mapping[str, Any]) -> Unwanted | None:
        """Return the same for the message of a document."""
        language, page_type = (_text(message.get(name)) for name in ("language", "page_type"))
        confidence, words = (_number(message.get(name)) for name in ("confidence", "words"))
        return self._fault(language, confidence, words, page_type)

    def _fault(
        self, language: str, confidence: float | None, words: float | None, page_type: str
    ) -> Unwanted | None:
        if self.languages and language not in self.languages:
            return Unwanted.LANGUAGE
        if self.min_confidence and (confidence is None or confidence < self.min_confidence):
            return Unwanted.CONFIDENCE
        if (words or 0) < self.min_words:
            return Unwanted.WORDS
        if self.page_types and page_type not in self.page_types:
            return Unwanted.PAGE_TYPE
        return Unwanted.PAGE_TYPE if page_type in self.dropped_page_types else None


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _number(value: object) -> float | None:
    return value if isinstance(value, int | float) else None


@dataclass(frozen=True, slots=True)
class CopyRule:
    """How copies of documents are recognised.

    Attributes:
        distance: most bits in which SimHashes of copies differ; None compares digests of texts.
    """

    distance: int | None = None

    @classmethod
    def of(cls, text: str) -> "CopyRule":
        """Read `exact` or `simhash:N`.

        Raises:
            OptionsError: the text is neither, or N is out of range.
        """
        if text == "exact":
            return cls()
        bits = text.removeprefix(_SIMHASH)
        if bits != text and bits.isdecimal() and bits.isascii() and int(bits) <= _MAX_DISTANCE:
            return cls(int(bits))
        raise OptionsError(f"{text!r}: must be exact, or simhash:N with N from 0 to 8")

    def __str__(self) -> str:
        """Return the text that `of` reads."""
        return "exact" if self.distance is None else f"{_SIMHASH}{self.distance}"

    def fingerprint_of(self, document: "Document") -> int | None:
        """Return the fingerprint or digest of a document; None for a text without words."""
        return self._fingerprint(document.text_digest, document.simhash)

    def fingerprint_in(self, message: Mapping[str, Any]) -> int | None:
        """Return the same for the message of a document; None if it has no valid one."""
        digest, simhash = (message.get(name) for name in ("text_digest", "simhash"))
        if not (isinstance(digest, str) and isinstance(simhash, str)):
            return None
        return self._fingerprint(digest, simhash)

    def _fingerprint(self, text_digest: str, simhash: str) -> int | None:
        if not simhash:
            return None
        digits = text_digest.rpartition(":")[2][:16] if self.distance is None else simhash
        return int(digits, 16) if _DIGITS.fullmatch(digits) else None


class CopyFilter:
    """Recognises copies of earlier documents, in limited memory.

    When the memory is full, the older half is removed. Remembered documents are numbered from 0.
    """

    def __init__(self, rule: CopyRule, max_bytes: int = DEDUP_BYTES) -> None:
        """Start empty.

        Raises:
            OptionsError: the memory is too small.
        """
        try:
            self._seen = CopyIndex(rule.distance or 0, max_bytes)
        except ValueError as error:
            raise OptionsError(f"memory of copies: {error}") from error

    def is_copy(self, fingerprint: int | None) -> bool:
        """Return whether a document is a copy of a remembered one."""
        return fingerprint is not None and self.original_of(fingerprint) is not None

    def original_of(self, fingerprint: int) -> tuple[int, int] | None:
        """Return the number of the nearest remembered document, and how many bits differ."""
        return self._seen.find(fingerprint)

    def remember(self, fingerprint: int) -> None:
        """Remember a document, so that later copies of it are recognised."""
        self._seen.add(fingerprint)

    @property
    def forgotten(self) -> int:
        """How many documents were removed: their copies are no longer recognised."""
        return self._seen.forgotten
