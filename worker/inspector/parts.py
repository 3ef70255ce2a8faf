"""The parts of an inspector, sent to the processes that build one."""

from dataclasses import dataclass
from functools import partial
from pathlib import Path

from winnow.models.ngram import LanguageModels
from winnow.models.options import CleanerOptions
from winnow.worker.cleaning import build_cleaner
from winnow.worker.inspector.answers import answer_to
from winnow.worker.inspector.lookups import open_lookups
from winnow.worker.inspector.recent import open_recent
from winnow.worker.inspector.work import Inspector
from winnow.worker.settings import Settings
from winnow.worker.web.processes import Answers


@dataclass(frozen=True, slots=True)
class InspectorParts:
    """Options, models and sources of look-ups.

    Attributes:
        options: default options of requests.
        model: file or folder; None for the shipped models.
        settings: settings of a worker; needed for its cache and topics.
        kinds: `cache` and `topics`, or one of them.
        archives: files of pages.
    """

    options: CleanerOptions
    model: Path | None = None
    settings: Settings | None = None
    kinds: frozenset[str] = frozenset()
    archives: tuple[Path, ...] = ()

    def build(self) -> Answers:
        """Map the models and return the inspector.

        Raises:
            ModelError: a model cannot be used.
            OptionsError: options cannot be used.
        """
        models = LanguageModels.open(self.model) if self.model else LanguageModels.shipped()
        settings = self.settings
        has_cache = settings is not None and "cache" in self.kinds
        fingerprint = build_cleaner(settings).fingerprint if settings and has_cache else ""
        lookups = open_lookups(settings, fingerprint, self.kinds, self.archives)
        recent = open_recent(settings) if settings and "topics" in self.kinds else None
        inspector = Inspector(self.options, models, lookups, recent)
        return partial(answer_to, inspector)
