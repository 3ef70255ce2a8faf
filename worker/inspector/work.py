"""The inspector's answers without HTTP: requests -> JSON. Calls block."""

import threading
from typing import Any, Final

import orjson

from winnow.models.explanation import Most
from winnow.models.ngram import LanguageModels, NgramModel
from winnow.models.options import CleanerOptions
from winnow.models.page import decode as decode_page
from winnow.models.page.view import view_of
from winnow.streams.messages import document_value, stats_value
from winnow.worker.cleaning import Cleaners
from winnow.worker.explained import explanation_fields, influence_fields
from winnow.worker.inspector.asked import (
    SAMPLE_FILES,
    ExplainAsked,
    PageAsked,
    ScoreAsked,
    WhyAsked,
    choices,
    decoded,
)
from winnow.worker.inspector.lookups import LookupAsked, Lookups
from winnow.worker.inspector.recent import RecentAsked, RecentSource
from winnow.worker.scored import score_fields
from winnow.worker.web.frames import BadRequest

NO_LOOKUPS: Final = Lookups()
MAX_SENTENCES: Final = 20_000


class Inspector:
    """Cleans and explains requested pages. Thread-safe."""

    def __init__(
        self,
        defaults: CleanerOptions,
        models: LanguageModels,
        lookups: Lookups = NO_LOOKUPS,
        recent: RecentSource | None = None,
    ) -> None:
        """Prepare the cleaner of the default options.

        Args:
            defaults: default options of requests.
            models: judge the sentences.
            lookups: sources of look-ups.
            recent: reads the latest documents of the topics; None if topics are not enabled.

        Raises:
            ModelError: a model cannot be used.
            OptionsError: the default options cannot be used.
        """
        self._defaults: Final = defaults
        self._lookups: Final = lookups
        self._recent: Final = recent
        self._cleaners: Final = Cleaners(models)
        self._scorers: Final[dict[str, NgramModel]] = {}
        self._lock: Final = threading.Lock()
        self._cleaners.of(defaults)

    def explain(self, body: bytes) -> bytes:
        """Answer `/api/explain`.

        Raises:
            BadRequest: the request is invalid.
            InvalidPage: the page gives no document.
            OptionsError: the options contradict each other.
        """
        asked = decoded(body, ExplainAsked)
        page, options = asked.page(), asked.cleaner_options(self._defaults)
        most = Most(asked.blocks, MAX_SENTENCES)
        fields = explanation_fields(self._cleaners.of(options).explain(page, most))
        if asked.markup:
            markup = decode_page(page, options.limits).markup
            fields["markup"] = markup.decode("utf-8", errors="replace")
        return orjson.dumps(fields)

    def why(self, body: bytes) -> bytes:
        """Answer `/api/why`; raises as `explain`."""
        asked = decoded(body, WhyAsked)
        cleaner = self._cleaners.of(asked.cleaner_options(self._defaults))
        influences = cleaner.influences(asked.page(), asked.block)
        return orjson.dumps({"block": asked.block, "influences": influence_fields(influences)})

    def clean(self, body: bytes) -> bytes:
        """Answer `/api/clean`; raises as `explain`."""
        asked = decoded(body, PageAsked)
        document = self._cleaners.of(asked.cleaner_options(self._defaults)).clean(asked.page())
        fields = {
            "document": orjson.Fragment(document_value(document)),
            "stats": orjson.Fragment(stats_value(document)),
        }
        return orjson.dumps(fields)

    def score(self, body: bytes) -> bytes:
        """Answer `/api/score`.

        Raises:
            BadRequest: the request says nothing that can be answered.
        """
        asked = decoded(body, ScoreAsked)
        asked.check()
        model = self._scorer(asked.language)
        sentences = model.score_text(asked.text)
        if not sentences:
            raise BadRequest("text: has no token to score")
        return orjson.dumps(score_fields(model, sentences, explain=asked.explain))

    def lookup(self, body: bytes) -> bytes:
        """Answer `/api/lookup`.

        Raises:
            BadRequest: the request says nothing that can be answered.
            NotFound: there is nothing at the place.
            SourceUnavailable: the source cannot be read.
        """
        return orjson.dumps(self._lookups.find(decoded(body, LookupAsked)).fields())

    def recent(self, body: bytes) -> bytes:
        """Answer `/api/recent`.

        Raises:
            BadRequest: topics are not enabled, or the request is invalid.
            SourceUnavailable: the brokers do not answer.
        """
        asked = decoded(body, RecentAsked)
        if self._recent is None:
            raise BadRequest("topics: not enabled when the inspector was started")
        return orjson.dumps(self._recent.fields(asked.last))

    def sources(self) -> bytes:
        """Answer `/api/sources`: the enabled sources."""
        return orjson.dumps(self._lookups.sources())

    def samples(self) -> bytes:
        """Answer `/api/samples`."""
        sizes = {name: path.stat().st_size for name, path in SAMPLE_FILES.items()}
        samples = [{"name": name, "bytes": size} for name, size in sizes.items()]
        return orjson.dumps({"samples": samples})

    def options(self) -> bytes:
        """Answer `/api/options`: the allowed options with their defaults."""
        fields: dict[str, Any] = choices()
        fields["defaults"] = {name: getattr(self._defaults, name) for name in fields["options"]}
        fields["defaults"]["engine"] = self._defaults.engine
        return orjson.dumps(fields)

    def view(self, body: bytes) -> bytes:
        """Return the markup of a page for a frame, without anything active.

        Raises:
            BadRequest: the request is invalid.
            InvalidPage: the page cannot be read.
        """
        asked = decoded(body, PageAsked)
        return view_of(asked.page(), self._defaults.limits)

    def _scorer(self, language: str) -> NgramModel:
        with self._lock:
            if language not in self._scorers:
                self._scorers[language] = NgramModel.shipped(language)
            return self._scorers[language]
