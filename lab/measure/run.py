"""Run engines on the same labelled pages and score them, page by page."""

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from time import thread_time

from selectolax.lexbor import LexborHTMLParser

from winnow.lab.measure.engines import TextEngine
from winnow.lab.measure.outputs import Output
from winnow.lab.measure.runs import Run
from winnow.lab.measure.scores import Costs, PageScore, score_page
from winnow.lab.sets.tasks import Task
from winnow.models.errors import InvalidPage


@dataclass(frozen=True, slots=True)
class SetFacts:
    """An evaluated set; `digest` is a hex SHA-256 of its pages and gold texts."""

    name: str
    pages: int
    digest: str


@dataclass(slots=True)
class Evaluation:
    """Scores so far, by engine and by other tool; both lists grow page by page.

    Attributes:
        engines: engines that run here, in turn on every page.
        failed: number of pages that an engine could not clean, or without output of another
        tool; they count as empty.
        sets: sets evaluated so far.
        tried: names of engines that run only for a sweep and are not in tables.
    """

    engines: Mapping[str, TextEngine]
    failed: dict[str, int] = field(default_factory=dict)
    sets: list[SetFacts] = field(default_factory=list)
    tried: frozenset[str] = frozenset()
    _scores: dict[str, list[PageScore]] = field(default_factory=dict)

    def add_set(
        self,
        name: str,
        pages: Iterable[Task],
        outputs: Mapping[str, Mapping[str, Output]],
        progress: Callable[[Task], None],
    ) -> None:
        """Clean and score the pages of one set.

        `outputs`: results of other tools, by tool and page id inside the set; no tool may have the
        name of an engine.

        Raises:
            ValueError: a page is too long to align with its gold.
        """
        digest, count = hashlib.sha256(), 0
        for task in pages:
            digest.update(task.digest())
            count += 1
            parse_ms = _parse_ms(task.page.body)
            for engine_name, engine in self.engines.items():
                self._add(engine_name, self._cleaned(engine_name, engine, task, parse_ms), task)
            for tool, by_page in outputs.items():
                if task.in_set not in by_page:
                    self._fail(tool)
                self._add(tool, by_page.get(task.in_set, Output()), task)
            progress(task)
        self.sets.append(SetFacts(name, count, digest.hexdigest()))

    def runs(self) -> list[Run]:
        """Return the engines, then the other tools with a result for every page."""
        return [run for run in self.all_runs() if run.engine not in self.tried]

    def all_runs(self) -> list[Run]:
        """Return `runs` and the engines tried for sweeps."""
        pages = max((len(scores) for scores in self._scores.values()), default=0)
        return [
            Run(name, tuple(scores), is_own=name in self.engines)
            for name, scores in self._scores.items()
            if len(scores) == pages
        ]

    def partial(self) -> list[str]:
        """Return the tools that lack a set and therefore are not in the tables."""
        whole = {run.engine for run in self.all_runs()}
        return [name for name in self._scores if name not in whole]

    def _cleaned(self, name: str, engine: TextEngine, task: Task, parse_ms: float) -> Output:
        started = thread_time()
        try:
            text = engine.clean_text(task.page)
        except InvalidPage:
            text = ""
            self._fail(name)
        return Output(text, Costs((thread_time() - started) * 1000, parse_ms))

    def _fail(self, name: str) -> None:
        self.failed[name] = self.failed.get(name, 0) + 1

    def _add(self, name: str, output: Output, task: Task) -> None:
        try:
            score = score_page(output.text, task.wanted, output.costs)
        except ValueError as error:
            raise ValueError(f"{task.in_set}: {error}") from error
        self._scores.setdefault(name, []).append(score)


def _parse_ms(body: bytes) -> float:
    """Return the CPU of a bare lexbor parse, the unit of all costs."""
    started = thread_time()
    LexborHTMLParser(body)
    return (thread_time() - started) * 1000
