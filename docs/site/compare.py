"""Tables of docs/compare.md and of the README, from the figures that `make compare` has written."""

from collections.abc import Callable, Mapping, Sequence
from statistics import fmean
from typing import Any, Final

from bench.compare.files import UNSEEN, read

# the sets that training=open saw no page of; the eight newer ones are one column
_OLDER: Final = ("cleaneval", "dragnet", "page-signal")
_MODERN: Final = (
    *("fundus", "fundus-eval", "harvest", "jocmp", "leogao", "newspaper4k", "postlight", "turing"),
)
_LANGUAGES: Final = ("english", "greek", "polish", "russian", "chinese")
_TYPES: Final = ("article", "documentation", "forum", "service", "product", "collection", "listing")
_NAMES: Final = {
    UNSEEN: "**Winnow** (`training=open`)",
    "hybrid:left-out": "**Winnow**, trained without the site of the page",
    "everything": "all text of the page",
}
_SHORT: Final = (
    *(UNSEEN, "trafilatura", "readability-lxml", "resiliparse", "rs-trafilatura"),
    *("turbohtml", "html-to-markdown"),
)
_FAULTS: Final = {
    "tables with holes": "tables with holes",
    "lists cut inside": "lists with holes",
    "headings without content": "headings without text",
    "notes dropped, text kept": "footnotes lost",
    "passages printed twice": "passages printed twice",
    "notices of consent": "cookie notices",
}


def headline() -> str:
    """Return the table of the README: F on sets that were not trained on, and CPU per page."""
    figures, speed = read("quality")["tools"], read("speed")["sets"]["dragnet"]["tools"]
    heads = ("", "CleanEval", "dragnet", "L3S-GN1", "DAnIEL", "8 newer sets", "CPU per page")
    tools = sorted(_SHORT, key=lambda tool: -_mean(_set_cells(figures[tool])))
    return _table(
        heads,
        [
            (
                _name(tool),
                *map(_percent, _set_cells(figures[tool])),
                f"{speed[tool]['ms']:.1f} ms" if tool in speed else "",
            )
            for tool in tools
        ],
    )


def sets() -> str:
    """Return F by set, of all tools."""
    figures = read("quality")["tools"]
    heads = ("tool", "mean", "CleanEval", "dragnet", "L3S-GN1", "DAnIEL", "8 newer sets")
    rows = ((tool, _set_cells(each)) for tool, each in figures.items())
    ordered = sorted(rows, key=lambda row: -_mean(row[1]))
    return _table(
        heads,
        [(_name(tool), *map(_percent, (_mean(cells), *cells))) for tool, cells in ordered],
    )


def languages() -> str:
    """Return F by language of DAnIEL."""
    groups = [f"daniel/{language}" for language in _LANGUAGES]
    figures = {tool: each["sets"] for tool, each in read("quality")["tools"].items()}
    return _by(figures, groups, [language.capitalize() for language in _LANGUAGES])


def types() -> str:
    """Return word F1 by type of page, of all pages of WCXB."""
    found = read("types")
    heads = ("tool", "all", *_TYPES)
    return _table(
        heads,
        [
            (_name(tool), f"{found['all'][tool]:.1f}", *(f"{each[name]:.1f}" for name in _TYPES))
            for tool, each in found["tools"].items()
        ],
    )


def integrity() -> str:
    """Return faults per 1,000 documents."""
    figures = read("integrity")["tools"]
    ordered = sorted(figures, key=lambda tool: sum(figures[tool][fault] for fault in _FAULTS))
    return _table(
        ("tool", *_FAULTS.values()),
        [(_name(tool), *(f"{figures[tool][fault]:.0f}" for fault in _FAULTS)) for tool in ordered],
    )


def speed() -> str:
    """Return CPU per page by set, beside a bare parse and in milliseconds."""
    found = read("speed")["sets"]
    heads = ["tool"] + [f"{name}, {each['kilobytes']} kB" for name, each in found.items()]
    tools = found["dragnet"]["tools"]
    ordered = sorted(tools, key=lambda tool: tools[tool]["ms"])
    rows = []
    for tool in ordered:
        each = (found[name]["tools"][tool] for name in found)
        rows.append((_name(tool), *(f"{it['cost']:.1f} parses, {it['ms']:.1f} ms" for it in each)))
    return _table(heads, rows)


def footprint() -> str:
    """Return memory, size, packages and licence."""
    figures = read("footprint")["tools"]
    rows = [
        (
            _name(tool),
            str(each["version"]),
            f"{each['peak_mb']:.0f} MB",
            f"{each['bytes'] / 1e6:.0f} MB",
            str(each["packages"]),
            str(each["licence"]),
        )
        for tool, each in sorted(figures.items(), key=lambda row: row[1]["peak_mb"])
    ]
    return _table(("tool", "version", "peak memory", "installed", "packages", "licence"), rows)


PARTS: Final[Mapping[str, Callable[[], str]]] = {
    "compare-types": types,
}


def _set_cells(figures: Mapping[str, Any]) -> tuple[float, ...]:
    found = figures["sets"]
    daniel = fmean(found[f"daniel/{language}"] for language in _LANGUAGES)
    return (*(found[name] for name in _OLDER), daniel, fmean(found[name] for name in _MODERN))


def _by(
    figures: Mapping[str, Mapping[str, float]], groups: Sequence[str], heads: Sequence[str]
) -> str:
    rows = {tool: [each[group] for group in groups] for tool, each in figures.items()}
    ordered = sorted(rows, key=lambda tool: -_mean(rows[tool]))
    return _table(
        ("tool", "mean", *heads),
        [(_name(tool), *map(_percent, (_mean(rows[tool]), *rows[tool]))) for tool in ordered],
    )


def _mean(cells: Sequence[float]) -> float:
    return fmean(cells)


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def _name(tool: str) -> str:
    return _NAMES.get(tool, tool)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    numbers = "---:|" * (len(head) - 1)
    lines = [f"| {' | '.join(head)} |", f"|---|{numbers}"]
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in rows)])
