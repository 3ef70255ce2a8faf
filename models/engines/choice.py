"""Engine names to engines."""

from collections.abc import Callable
from typing import Final

from models.engines.contrast import ContrastParameters, FurnitureModel
from models.engines.contrast.engine import ContrastEngine
from models.engines.engine import Engine
from models.engines.hybrid import MIXED, OPEN, Comments, HybridModel, HybridOptions, Training
from models.engines.hybrid.engine import HybridEngine
from models.engines.perplexity import PerplexityEngine
from models.engines.web2text.engine import StructureEngine
from models.engines.web2text.model import StructureModel
from models.errors import OptionsError
from models.ngram import ModelPair, NgramModel
from models.options import CleanerOptions

# the networks compute in single precision
_MOST_LOG_ODDS: Final = 3e38


def _perplexity(options: CleanerOptions, _content: NgramModel) -> Engine:
    return PerplexityEngine(options.threshold)


def _hybrid(options: CleanerOptions, _content: NgramModel) -> Engine:
    told = HybridOptions(comments=options.comments, threshold=options.threshold)
    if options.training is Training.MIXED:
        return HybridEngine(HybridModel.load(MIXED), told)
    if options.comments is not Comments.AUTO:
        raise OptionsError("training=open does not tell readers' comments apart")
    return HybridEngine(HybridModel.load(OPEN), told)


def _contrast(options: CleanerOptions, content: NgramModel) -> Engine:
    furniture = FurnitureModel.load()
    pair = ModelPair(content, furniture.model)
    if options.threshold is None:
        return ContrastEngine(furniture, pair)
    return ContrastEngine(furniture, pair, ContrastParameters(offset=options.threshold))


def _structure(options: CleanerOptions, _content: NgramModel) -> Engine:
    threshold = options.threshold or 0.0
    if not abs(threshold) <= _MOST_LOG_ODDS:
        raise OptionsError(f"threshold is {threshold}; log-odds are finite, <= {_MOST_LOG_ODDS}")
    return StructureEngine(StructureModel.load(threshold=threshold), threshold)


ENGINES: Final[dict[str, Callable[[CleanerOptions, NgramModel], Engine]]] = {
    "perplexity": _perplexity,
    "contrast": _contrast,
    "hybrid": _hybrid,
    "structure": _structure,
}


def engine_of(options: CleanerOptions, content: NgramModel) -> Engine:
    """Return the engine that the options name.

    Args:
        options: what to do with pages.
        content: the model beside which the model of furniture was made.

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
    return build(options, content)


def _refuse_what_hybrid_alone_knows(options: CleanerOptions) -> None:
    if options.comments is not Comments.AUTO:
        raise OptionsError(f"the engine {options.engine!r} does not tell readers' comments apart")
    if options.training is not Training.MIXED:
        raise OptionsError(f"the engine {options.engine!r} comes in one training")
