"""Punkt parameters: the sentence splitter's knowledge, as text and as a table."""

from dataclasses import dataclass
from typing import Self

from winnow.models._kernel import punkt_table
from winnow.models.errors import ModelError

_FIELDS = {"A": 2, "C": 3, "O": 3, "S": 2}


@dataclass(frozen=True, slots=True)
class PunktLists:
    """Punkt parameters, each list sorted, types in lower case.

    Attributes:
        abbreviations: types that end in a full stop without ending a sentence.
        collocations: pairs of types that stay together across a full stop.
        starters: types that often start sentences.
        orthography: type and the contexts in which it was seen (bits as in NLTK).
    """

    abbreviations: tuple[str, ...]
    collocations: tuple[tuple[str, str], ...]
    starters: tuple[str, ...]
    orthography: tuple[tuple[str, int], ...]

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Parse the result of `to_text`.

        Raises:
            ModelError: a line has an unknown kind, or no contexts.
        """
        kinds: dict[str, list[list[str]]] = {kind: [] for kind in _FIELDS}
        for line in text.removesuffix("\n").split("\n") if text else ():
            kind, *fields = line.split("\t")
            if _FIELDS.get(kind) != 1 + len(fields) or (kind == "O" and not _is_byte(fields[1])):
                raise ModelError(f"not a line of Punkt parameters: {line[:40]!r}")
            kinds[kind].append(fields)
        return cls(
            abbreviations=tuple(fields[0] for fields in kinds["A"]),
            collocations=tuple((fields[0], fields[1]) for fields in kinds["C"]),
            starters=tuple(fields[0] for fields in kinds["S"]),
            orthography=tuple((fields[0], int(fields[1])) for fields in kinds["O"]),
        )

    def to_text(self) -> str:
        """Write one parameter per line, with tabs between fields; types contain no tabs."""
        lines = [f"A\t{type_}" for type_ in self.abbreviations]
        lines += [f"C\t{first}\t{second}" for first, second in self.collocations]
        lines += [f"S\t{type_}" for type_ in self.starters]
        lines += [f"O\t{type_}\t{flags}" for type_, flags in self.orthography]
        return "".join(f"{line}\n" for line in lines)

    def to_table(self) -> bytes:
        """Return the table that the kernel uses for splitting."""
        return punkt_table(
            list(self.abbreviations),
            list(self.collocations),
            list(self.starters),
            list(self.orthography),
        )


def _is_byte(field: str) -> bool:
    return field.isascii() and field.isdecimal() and int(field[:4]) < 1 << 8


NO_PUNKT = PunktLists((), (), (), ())
