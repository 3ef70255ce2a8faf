"""The alignment in its plainest form: the oracle of the kernel's."""

from collections import Counter
from dataclasses import dataclass

ANCHOR = 10


@dataclass(frozen=True)
class Run:
    """Half-open spans of equal length that match."""

    source: int
    cleaned: int
    length: int


def align(source: str, cleaned: str) -> list[int]:
    """Return the position in `cleaned` of each character of `source`, -1 without one."""
    positions = [-1] * len(source)
    i = j = 0
    for run in [*_anchored(source, cleaned), Run(len(source), len(cleaned), 0)]:
        for a, b in _open_segment(source[i : run.source], cleaned[j : run.cleaned]):
            positions[i + a] = j + b
        for step in range(run.length):
            positions[run.source + step] = run.cleaned + step
        i, j = run.source + run.length, run.cleaned + run.length
    return positions


def _fold(char: str) -> str:
    return char.lower() if len(char.lower()) == 1 else char


def _agree(a: str, b: str) -> bool:
    return _fold(a) == _fold(b) or (a.isspace() and b.isspace())


def _windows(text: str, length: int) -> Counter[str]:
    return Counter(text[i : i + length] for i in range(len(text) - length + 1))


def _anchored(source: str, cleaned: str) -> list[Run]:
    dense = "".join(char for char in source if not char.isspace())
    whole = _windows(source, ANCHOR)
    parts = {length: _windows(dense, length) for length in range(1, ANCHOR + 1)}
    runs: list[Run] = []
    at = 0
    while at + ANCHOR <= len(cleaned):
        piece = cleaned[at : at + ANCHOR]
        bare = "".join(char for char in piece if not char.isspace())
        if whole[piece] != 1 or not bare or parts[len(bare)][bare] != 1:
            at += 1
            continue
        found = source.index(piece)
        last = runs[-1] if runs else Run(0, 0, 0)
        if found >= last.source + last.length:
            runs.append(_extended(source, cleaned, last, found, at))
            at = runs[-1].cleaned + runs[-1].length
            continue
        if found <= last.source:
            runs.pop()
        at += 1
    return runs


def _extended(source: str, cleaned: str, last: Run, found: int, at: int) -> Run:
    end, cleaned_end = found, at
    while end < len(source) and cleaned_end < len(cleaned):
        if not _agree(source[end], cleaned[cleaned_end]):
            break
        end, cleaned_end = end + 1, cleaned_end + 1
    while found > last.source + last.length and at > last.cleaned + last.length:
        if not _agree(source[found - 1], cleaned[at - 1]):
            break
        found, at = found - 1, at - 1
    return Run(found, at, end - found)


def _bonus(a: str, b: str) -> int | None:
    if a == b and a.isalnum():
        return 3
    if _fold(a) == _fold(b):
        return 1
    return 0 if a.isspace() and b.isspace() else None


def _open_segment(source: str, cleaned: str) -> list[tuple[int, int]]:
    n, m = len(source), len(cleaned)
    score = [[-j for j in range(m + 1)]] + [[0] * (m + 1) for _ in range(n)]
    in_gap = [[True] * (m + 1) for _ in range(n + 1)]
    step = [["source"] * (m + 1) for _ in range(n + 1)]
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            best = score[i - 1][j] + (0 if in_gap[i - 1][j] else -2)
            skip_cleaned = score[i][j - 1] + (0 if cleaned[j - 1].isspace() else -6)
            if skip_cleaned > best:
                best, step[i][j], in_gap[i][j] = skip_cleaned, "cleaned", in_gap[i][j - 1]
            bonus = _bonus(source[i - 1], cleaned[j - 1])
            if bonus is not None and score[i - 1][j - 1] + bonus > best:
                best, step[i][j], in_gap[i][j] = score[i - 1][j - 1] + bonus, "match", False
            score[i][j] = best
    pairs = []
    i, j = n, m
    while i > 0 and j > 0:
        if step[i][j] == "match":
            i, j = i - 1, j - 1
            pairs.append((i, j))
        elif step[i][j] == "source":
            i -= 1
        else:
            j -= 1
    return pairs[::-1]
