"""Engine names to engines."""

from collections.abc import Callable
from functools import lru_cache
from typing import Final

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

# Cleaners of several thresholds share a model: to read one takes longer than to clean a page.
_hybrid_model: Final = lru_cache(maxsize=2)(HybridModel.load)
# the networks compute in single precision
_MOST_LOG_ODDS: Final = 3e38


def _perplexity(options: CleanerOptions) -> Engine:
    return PerplexityEngine(options.threshold)


def _hybrid(options: CleanerOptions) -> Engine:
    told = HybridOptions(
        comments=options.comments,
        title=options.title,
        bylines=options.bylines,
        captions=options.captions,
        threshold=options.threshold,
    )
    if options.training is Training.MIXED:
        return HybridEngine(_hybrid_model(MIXED), told)
    if options.comments is not Convention.AUTO:
        raise OptionsError("training=open does not tell readers' comments apart")
    return HybridEngine(_hybrid_model(OPEN), told)


def _contrast(options: CleanerOptions) -> Engine:
    if options.threshold is None:
        return ContrastEngine.load()
    return ContrastEngine.load(parameters=ContrastParameters(offset=options.threshold))


def _web2text(options: CleanerOptions) -> Engine:
    threshold = options.threshold or 0.0
    if not abs(threshold) <= _MOST_LOG_ODDS:
        raise OptionsError(f"threshold is {threshold}; log-odds are finite, <= {_MOST_LOG_ODDS}")
    return Web2TextEngine(Web2TextModel.load(threshold=threshold), threshold)


ENGINES: Final[dict[str, Callable[[CleanerOptions], Engine]]] = {
    "perplexity": _perplexity,
    "contrast": _contrast,
    "hybrid": _hybrid,
    "web2text": _web2text,
}


def engine_of(options: CleanerOptions) -> Engine:
    """Return the engine that the options name.

    Args:
        options: what to do with pages.

    Raises:
        OptionsError: there is no such engine, or an option is out of its range.
    """
    try:
        build = ENGINES[options.engine]
    except KeyError:
        known = ", ".join(ENGINES)
        raise OptionsError(f"no engine is called {options.engine!r}; there are {known}") from None
    if options.engine != "hybrid":
        _refuse_what_hybrid_alone_knows(options)
    return build(options)


def _refuse_what_hybrid_alone_knows(options: CleanerOptions) -> None:
    if options.comments is not Convention.AUTO:
        raise OptionsError(f"the engine {options.engine!r} does not tell readers' comments apart")
    for name in ("title", "bylines", "captions"):
        if getattr(options, name) is not Convention.AUTO:
            raise OptionsError(f"the engine {options.engine!r} does not tell {name} apart")
    if options.training is not Training.MIXED:
        raise OptionsError(f"the engine {options.engine!r} comes in one training")
