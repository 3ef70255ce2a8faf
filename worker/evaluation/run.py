"""Run engines over labelled pages and score them, page by page, all engines on the same pages."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from time import thread_time

from selectolax.lexbor import LexborHTMLParser

from models.errors import InvalidPage
from models.evaluation.scores import Costs, PageScore, score_page
from models.evaluation.tables import Run
from worker.evaluation.engines import TextEngine
from worker.evaluation.outputs import Output
from worker.evaluation.tasks import Task


@dataclass(slots=True)
class Evaluation:
    """Scores as they come, by engine and by other tool; both lists grow page by page.

    Attributes:
        engines: run here, in turn on every page.
        outputs: what other tools made of the pages of the current set, by tool and page id.
    """

    engines: Mapping[str, TextEngine]
    failed: dict[str, int] = field(default_factory=dict)
    _scores: dict[str, list[PageScore]] = field(default_factory=dict)

    def add_set(
        self,
        pages: Iterable[Task],
        outputs: Mapping[str, Mapping[str, Output]],
        progress: Callable[[Task], None],
    ) -> None:
        """Clean and score the pages of one set.

        `outputs`: what other tools made of them, by tool and page id inside the set.

        Raises:
            ValueError: a page is too long to be aligned with its gold.
        """
        for task in pages:
            parse_ms = _parse_ms(task.page.body)
            for name, engine in self.engines.items():
                self._add(name, self._cleaned(name, engine, task, parse_ms), task)
            for name, by_page in outputs.items():
                self._add(name, by_page.get(task.in_set, Output()), task)
            progress(task)

    def runs(self) -> list[Run]:
        """Return engines, then other tools, those that have a result on every page."""
        pages = max((len(scores) for scores in self._scores.values()), default=0)
        return [
            Run(name, tuple(scores))
            for name, scores in self._scores.items()
            if len(scores) == pages
        ]

    def partial(self) -> list[str]:
        """Return the tools that lack a set, and therefore a place in the tables."""
        whole = {run.engine for run in self.runs()}
        return [name for name in self._scores if name not in whole]

    def _cleaned(self, name: str, engine: TextEngine, task: Task, parse_ms: float) -> Output:
        started = thread_time()
        try:
            text = engine.clean_text(task.page)
        except InvalidPage:
            text = ""
            self.failed[name] = self.failed.get(name, 0) + 1
        return Output(text, Costs((thread_time() - started) * 1000, parse_ms))

    def _add(self, name: str, output: Output, task: Task) -> None:
        score = score_page(output.text, task.wanted, output.costs)
        self._scores.setdefault(name, []).append(score)


def _parse_ms(body: bytes) -> float:
    """Return the CPU of a bare lexbor parse, the unit of all costs."""
    started = thread_time()
    LexborHTMLParser(body)
    return (thread_time() - started) * 1000
