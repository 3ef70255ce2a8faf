"""Training text -> Punkt parameters, by NLTK's trainer (Kiss and Strunk 2006)."""

from collections.abc import Iterable, Sequence

from nltk.tokenize.punkt import PunktParameters, PunktToken, PunktTrainer

from winnow.models._kernel.lab import KNOWN_ABBREVIATIONS
from winnow.models.ngram.punkt import PunktLists


def lists_of(parameters: PunktParameters) -> PunktLists:
    """Copy NLTK's parameters."""
    contexts = parameters.ortho_context.items()
    return PunktLists(
        abbreviations=tuple(sorted(parameters.abbrev_types)),
        collocations=tuple(sorted(parameters.collocations)),
        starters=tuple(sorted(parameters.sent_starters)),
        orthography=tuple(sorted((type_, flags) for type_, flags in contexts if flags)),
    )


def parameters_of(lists: PunktLists) -> PunktParameters:
    """Return the parameters for NLTK, whose splitter is the oracle of ours."""
    parameters = PunktParameters()
    parameters.abbrev_types.update(lists.abbreviations, KNOWN_ABBREVIATIONS)
    parameters.collocations.update(lists.collocations)
    parameters.sent_starters.update(lists.starters)
    parameters.ortho_context.update(lists.orthography)
    return parameters


class _OrderedTrainer(PunktTrainer):
    """NLTK's trainer without its dependence on the process's hash seed."""

    def _unique_types(self, tokens: Iterable[PunktToken]) -> Sequence[str]:
        return sorted(super()._unique_types(tokens))


def train_punkt(texts: Iterable[str], min_count: int = 2) -> PunktLists:
    """Learn from texts of about a megabyte each (memory grows with the largest).

    Contexts of types seen fewer than `min_count` times are left out: half of all types occur once.
    """
    trainer = _OrderedTrainer()
    for text in texts:
        trainer.train(text, finalize=False)
    trainer.freq_threshold(
        ortho_thresh=min_count, type_thresh=1, colloc_thres=1, sentstart_thresh=1
    )
    trainer.finalize_training()
    return lists_of(trainer.get_params())
