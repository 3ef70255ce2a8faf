"""Which documents are wanted: by language, confidence, length and page type, and once each."""

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
    """Why a document is dropped although nothing is wrong with its page."""

    LANGUAGE = "language"
    CONFIDENCE = "confidence"
    WORDS = "words"
    PAGE_TYPE = "page_type"
    COPY = "copy"  # the text of an earlier document, or almost


@dataclass(frozen=True, slots=True)
class DocumentFilter:
    """What a document must have to be wanted; by default every document is.

    A document without the field that is asked for, such as a confidence, is not wanted. The first
    of the attributes that a document fails is the reason.

    Attributes:
        languages: BCP 47 primary subtags, of which it has one; empty for any.
        min_confidence: the least confidence, 0 to 1.
        min_words: the fewest words of its text.
        page_types: it has one of them; empty for any.
        dropped_page_types: it has none of them.
    """

    languages: frozenset[str] = frozenset()
    min_confidence: float = 0.0
    min_words: int = 0
    page_types: frozenset[str] = frozenset()
    dropped_page_types: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        """Check the values.

        Raises:
            OptionsError: a value can be that of no document.
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
        """Return why a document is not wanted, None if it is."""
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
    """Which documents are copies of each other.

    Attributes:
        distance: bits in which their SimHashes may differ; None compares the digests of texts.
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
        """Return what `of` reads."""
        return "exact" if self.distance is None else f"{_SIMHASH}{self.distance}"

    def fingerprint_of(self, document: "Document") -> int | None:
        """Return what is compared of a document; None for a text without words."""
        return self._fingerprint(document.text_digest, document.simhash)

    def fingerprint_in(self, message: Mapping[str, Any]) -> int | None:
        """Return the same for the message of a document; None if it has none that is valid."""
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
    """Tells which documents are copies of earlier ones, in bounded memory.

    When the memory is full, the older half of what was seen is forgotten. Documents that are
    remembered have numbers, from 0.
    """

    def __init__(self, rule: CopyRule, max_bytes: int = DEDUP_BYTES) -> None:
        """Begin with none seen.

        Raises:
            OptionsError: the memory is too small.
        """
        try:
            self._seen = CopyIndex(rule.distance or 0, max_bytes)
        except ValueError as error:
            raise OptionsError(f"memory of copies: {error}") from error

    def is_copy(self, fingerprint: int | None) -> bool:
        """Return whether a document is a copy of one that is remembered."""
        return fingerprint is not None and self.original_of(fingerprint) is not None

    def original_of(self, fingerprint: int) -> tuple[int, int] | None:
        """Return the number of the nearest one that is remembered, and the bits that differ."""
        return self._seen.find(fingerprint)

    def remember(self, fingerprint: int) -> None:
        """Take later documents that are like this one for copies."""
        self._seen.add(fingerprint)

    @property
    def forgotten(self) -> int:
        """How many documents were forgotten: copies of theirs are found no more."""
        return self._seen.forgotten
