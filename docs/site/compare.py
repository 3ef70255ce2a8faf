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
    "hybrid:left-out": "**Winnow**, site left out",
    "hybrid": "**Winnow** (default)",
    "web2text": "**Winnow**, engine `web2text`",
    "contrast": "**Winnow**, engine `contrast`",
    "perplexity": "**Winnow**, engine `perplexity`",
    "everything": "all text of the page",
    "trafilatura-no-comments": "trafilatura, no comments",
}
_SHORT: Final = (
    *(UNSEEN, "trafilatura", "trafilatura-no-comments", "readability-lxml", "resiliparse"),
    *("rs-trafilatura", "turbohtml", "html-to-markdown"),
)
_FAULTS: Final = {
    "tables with holes": "tables with holes",
    "lists cut inside": "lists with holes",
    "headings without content": "headings without text",
    "passages printed twice": "passages printed twice",
    "notices of consent": "cookie notices",
}


def headline() -> str:
    """Return the table of the README: F on sets that were not trained on, and CPU per page."""
    figures, costs = read("quality")["tools"], read("speed")["sets"]["dragnet"]
    heads = ("", "CleanEval", "dragnet", "L3S-GN1", "DAnIEL", "8 newer sets", "CPU per page")
    tools = sorted(_SHORT, key=lambda tool: -_mean(_set_cells(figures[tool])))
    return _table(
        heads,
        [
            (_name(tool), *map(_percent, _set_cells(figures[tool])), _ms(costs[tool]))
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
    figures = read("quality")["tools"]
    rows = {
        tool: [each["sets"][f"daniel/{name}"] for name in _LANGUAGES]
        for tool, each in figures.items()
    }
    ordered = sorted(rows, key=lambda tool: -_mean(rows[tool]))
    return _table(
        ("tool", "mean", *(name.capitalize() for name in _LANGUAGES)),
        [(_name(tool), *map(_percent, (_mean(rows[tool]), *rows[tool]))) for tool in ordered],
    )


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
    """Return CPU per page by set, in milliseconds and relative to a bare parse."""
    found = read("speed")["sets"]
    heads = {"cleaneval": "CleanEval", "dragnet": "dragnet", "wcxb": "WCXB", "fundus": "Fundus"}
    rows = []
    for tool in sorted(found["dragnet"], key=lambda tool: found["dragnet"][tool]["parses"]):
        costs = [found[name][tool] for name in heads]
        rows.append((_name(tool), *(f"{_ms(each)}, {each['parses']:.1f} parses" for each in costs)))
    return _table(("tool", *heads.values()), rows)


def footprint() -> str:
    """Return memory, size, packages and licence."""
    figures = read("footprint")["tools"]
    rows = [
        (
            _name(tool),
            str(each["version"]),
            f"{each['peak_mb']:.0f} MB",
            f"{each['bytes'] / 1e6:.1f} MB",
            str(each["packages"]),
            str(each["licence"]),
        )
        for tool, each in sorted(figures.items(), key=lambda row: row[1]["peak_mb"])
    ]
    return _table(("tool", "version", "peak memory", "installed", "packages", "licence"), rows)


PARTS: Final[Mapping[str, Callable[[], str]]] = {
    "compare-headline": headline,
    "compare-sets": sets,
    "compare-languages": languages,
    "compare-types": types,
    "compare-integrity": integrity,
    "compare-speed": speed,
    "compare-footprint": footprint,
}


def _set_cells(figures: Mapping[str, Any]) -> tuple[float, ...]:
    found = figures["sets"]
    daniel = fmean(found[f"daniel/{language}"] for language in _LANGUAGES)
    pages = read("quality")["pages"]
    newer = fmean((found[name] for name in _MODERN), weights=[pages[name] for name in _MODERN])
    return (*(found[name] for name in _OLDER), daniel, newer)


def _mean(cells: Sequence[float]) -> float:
    return fmean(cells)


def _ms(costs: Mapping[str, float]) -> str:
    return f"{costs['ms']:.1f} ms"


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def _name(tool: str) -> str:
    return _NAMES.get(tool, tool)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    numbers = "---:|" * (len(head) - 1)
    lines = [f"| {' | '.join(head)} |", f"|---|{numbers}"]
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in rows)])
