# ruff: noqa: PLC0415 - only the environment of datatrove.txt has it
"""Values of datatrove's filters; runs in the environment of lab/measure/peers/datatrove.txt.

    python -m winnow.lab.measure.peers.signals

reads `{"text": TEXT, "words": [WORD, ...]}` lines and answers each with the values that datatrove's
filters compare with their thresholds, by the names of the kernel's signals. The words are given, so
that only the counting is compared, not the splitting into words.
"""

import json
import sys
from collections.abc import Callable
from typing import Final

TOP: Final = (2, 3, 4)
AGAIN: Final = (5, 6, 7, 8, 9, 10)


class Probe:
    """A threshold without effect, which remembers the values compared with it."""

    __array_ufunc__ = None
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, values: dict[str, float], *names: str) -> None:
        """Write each compared value to `values`, under the next name."""
        self._values = values
        self._names = iter(names)

    def _note(self, value: float) -> bool:
        self._values[next(self._names)] = float(value)
        return False

    __lt__ = _note
    __gt__ = _note


def gopher_quality(text: str, values: dict[str, float]) -> None:
    """Record the values that `GopherQualityFilter` compares."""
    from datatrove.data import Document
    from datatrove.pipeline.filters import GopherQualityFilter

    GopherQualityFilter(
        min_doc_words=Probe(values, "gopher_words"),
        max_doc_words=None,
        min_avg_word_length=Probe(values, "gopher_mean_word_length"),
        max_avg_word_length=None,
        max_symbol_word_ratio=Probe(values, "gopher_hashes", "gopher_ellipses"),
        max_bullet_lines_ratio=Probe(values, "gopher_bullet_lines"),
        max_ellipsis_lines_ratio=Probe(values, "gopher_ellipsis_lines"),
        max_non_alpha_words_ratio=Probe(values, "gopher_alphabetic_words"),
        min_stop_words=Probe(values, "gopher_stop_words"),
    ).filter(Document(text=text, id=""))


def gopher_repetition(text: str, values: dict[str, float]) -> None:
    """Record the values that `GopherRepetitionFilter` compares."""
    from datatrove.data import Document
    from datatrove.pipeline.filters import GopherRepetitionFilter

    GopherRepetitionFilter(
        dup_line_frac=Probe(values, "gopher_duplicate_lines"),
        dup_para_frac=Probe(values, "gopher_duplicate_paragraphs"),
        dup_line_char_frac=Probe(values, "gopher_duplicate_line_chars"),
        dup_para_char_frac=Probe(values, "gopher_duplicate_paragraph_chars"),
        top_n_grams=tuple((n, Probe(values, f"gopher_top_{n}_gram_chars")) for n in TOP),
        dup_n_grams=tuple((n, Probe(values, f"gopher_duplicate_{n}_gram_chars")) for n in AGAIN),
    ).filter(Document(text=text, id=""))


def fineweb(text: str, values: dict[str, float]) -> None:
    """Record the values that `FineWebQualityFilter` compares."""
    from datatrove.data import Document
    from datatrove.pipeline.filters import FineWebQualityFilter

    FineWebQualityFilter(
        line_punct_thr=Probe(values, "fineweb_ended_lines"),
        short_line_thr=Probe(values, "fineweb_short_lines"),
        char_duplicates_ratio=Probe(values, "fineweb_duplicate_line_chars"),
        new_line_ratio=Probe(values, "fineweb_line_breaks"),
    ).filter(Document(text=text, id=""))


def c4(text: str, values: dict[str, float]) -> None:
    """Record the share of non-blank lines that each rule of `C4QualityFilter` keeps."""
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines:
        return
    kept = {
        "c4_ended_lines": _c4_kept(text, filter_no_terminal_punct=True),
        "c4_three_word_lines": _c4_kept(text, min_words_per_line=3),
    }
    values.update({name: number / len(lines) for name, number in kept.items()})
    every = text.splitlines()
    for name, rule in (("javascript", "filter_javascript"), ("policy", "filter_policy")):
        values[f"c4_{name}_lines"] = (len(every) - _c4_kept(text, **{rule: True})) / len(lines)


def _c4_kept(text: str, **rules: bool | int) -> int:
    from datatrove.data import Document
    from datatrove.pipeline.filters import C4QualityFilter

    none = {
        "remove_citations": False, "filter_no_terminal_punct": False, "min_num_sentences": -1,
        "min_words_per_line": -1, "max_word_length": -1, "filter_lorem_ipsum": False,
        "filter_javascript": False, "filter_curly_bracket": False, "filter_policy": False,
    }  # fmt: skip
    made = C4QualityFilter(**{**none, **rules})
    made.filter(Document(text=text, id=""))
    return int(made.stats["line-kept"].total)


def _with_words(words: list[str]) -> Callable[..., list[str]]:
    return lambda *_: words


def main() -> None:
    """Answer each line of standard input."""
    from datatrove.pipeline.filters import (
        fineweb_quality_filter,
        gopher_quality_filter,
        gopher_repetition_filter,
    )

    parted = (fineweb_quality_filter, gopher_quality_filter, gopher_repetition_filter)
    for line in sys.stdin:
        page = json.loads(line)
        for module in parted:
            module.split_into_words = _with_words(page["words"])
        values: dict[str, float] = {}
        for count in (gopher_quality, gopher_repetition, fineweb, c4):
            count(page["text"], values)
        sys.stdout.write(json.dumps(values) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
