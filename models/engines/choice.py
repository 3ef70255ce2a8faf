"""The registry of engines, by name."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from winnow.models.document import Verdict
from winnow.models.engines.contrast import ContrastEngine, ContrastParameters
from winnow.models.engines.engine import Engine
from winnow.models.engines.hybrid import (
    MIXED,
    OPEN,
    Convention,
    HybridModel,
    HybridOptions,
    Training,
)
from winnow.models.engines.hybrid.engine import HybridEngine
from winnow.models.engines.perplexity import PerplexityEngine
from winnow.models.engines.web2text.engine import Web2TextEngine
from winnow.models.engines.web2text.model import Web2TextModel
from winnow.models.errors import OptionsError
from winnow.models.options import CleanerOptions

# Cleaners with different thresholds share a model: reading it takes longer than cleaning a page.
_hybrid_model: Final = lru_cache(maxsize=2)(HybridModel.load)
# the networks compute in single precision
_MOST_LOG_ODDS: Final = 3e38
_DEFAULTS: Final = CleanerOptions()


def _perplexity(options: CleanerOptions) -> Engine:
    return PerplexityEngine(options.threshold)


def _hybrid(options: CleanerOptions) -> Engine:
    chosen = HybridOptions(
        comments=options.comments,
        title=options.title,
        bylines=options.bylines,
        captions=options.captions,
        standfirst=options.standfirst,
        threshold=options.threshold,
    )
    if options.training is Training.MIXED:
        return HybridEngine(_hybrid_model(MIXED), chosen)
    if options.comments is not Convention.AUTO:
        raise OptionsError("training=open does not recognise readers' comments")
    return HybridEngine(_hybrid_model(OPEN), chosen)


def _contrast(options: CleanerOptions) -> Engine:
    if options.threshold is None:
        return ContrastEngine.load()
    return ContrastEngine.load(parameters=ContrastParameters(offset=options.threshold))


def _web2text(options: CleanerOptions) -> Engine:
    threshold = options.threshold or 0.0
    if not abs(threshold) <= _MOST_LOG_ODDS:
        raise OptionsError(f"threshold {threshold}: log-odds must be finite, <= {_MOST_LOG_ODDS}")
    return Web2TextEngine(Web2TextModel.load(threshold=threshold), threshold)


@dataclass(frozen=True, slots=True)
class Slider:
    """The range of thresholds of a slider; a logarithmic one holds powers of ten."""

    least: float
    most: float
    step: float
    is_logarithmic: bool = False


@dataclass(frozen=True, slots=True)
class EngineEntry:
    """The properties of an engine that are known before one is built.

    Attributes:
        build: builds one; raises `OptionsError` for options that are out of its range.
        slider: thresholds that the inspector offers.
        tried: thresholds that a calibration tries, wide enough for the best one of any set.
        options: names of `CleanerOptions` that other engines may refuse.
        reasons: why a block has its verdict, for engines without probabilities.
    """

    build: Callable[[CleanerOptions], Engine]
    slider: Slider
    tried: tuple[float, ...]
    options: frozenset[str] = frozenset()
    reasons: Mapping[Verdict, str] = field(default_factory=dict)


ENGINES: Final[dict[str, EngineEntry]] = {
    "perplexity": EngineEntry(
        _perplexity,
        Slider(0, 7, 0.02, is_logarithmic=True),
        # perplexities vary over orders of magnitude: three steps per doubling
        tuple(round(1000.0 * 2 ** (step / 3)) for step in range(-3, 20)),
    ),
    "contrast": EngineEntry(
        _contrast,
        Slider(-6, 6, 0.05),
        tuple(step / 4 for step in range(-10, 7)),
        reasons={
            Verdict.KEPT: "the content model explains it better than the boilerplate model",
            Verdict.BOILERPLATE: "the boilerplate model explains it better than the content model",
        },
    ),
    "hybrid": EngineEntry(
        _hybrid,
        Slider(0, 1, 0.01),
        tuple(step / 20 for step in range(2, 17)),
        frozenset({"comments", "title", "bylines", "captions", "standfirst", "training"}),
    ),
    "web2text": EngineEntry(
        _web2text,
        Slider(-8, 8, 0.1),
        tuple(step / 10 for step in range(-12, 7)),
        reasons={
            Verdict.KEPT: "the networks label it as content",
            Verdict.BOILERPLATE: "the networks label it as boilerplate",
        },
    ),
}


def engine_of(options: CleanerOptions) -> Engine:
    """Return the engine that the options name.

    Args:
        options: what to do with pages.

    Raises:
        OptionsError: there is no such engine, it does not have an option that is set, or an option
            is out of its range.
    """
    try:
        entry = ENGINES[options.engine]
    except KeyError:
        known = ", ".join(ENGINES)
        raise OptionsError(f"unknown engine {options.engine!r}: must be one of {known}") from None
    for name in unknown_options(options.engine):
        if getattr(options, name) != getattr(_DEFAULTS, name):
            raise OptionsError(f"the engine {options.engine!r} does not have the option {name}")
    return entry.build(options)


def unknown_options(engine: str) -> list[str]:
    """Return the options that other engines have and this one does not."""
    of_some = frozenset[str]().union(*(entry.options for entry in ENGINES.values()))
    return sorted(of_some - ENGINES[engine].options)
