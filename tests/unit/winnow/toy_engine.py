"""The command `winnow` with one more engine, which keeps every block: a line of the registry."""

from dataclasses import dataclass
from typing import Final

from winnow.models._kernel import Rule
from winnow.models.document import Verdict
from winnow.models.engines.choice import ENGINES, EngineEntry, Slider
from winnow.models.options import CleanerOptions
from winnow.worker.cli.main import main

MOST: Final = 1e9


@dataclass(frozen=True, slots=True)
class WholePages:
    """Keeps every sentence, by a threshold above all perplexities."""

    threshold: float = MOST
    name: Final = "whole"
    digest: Final = ""

    @property
    def rule(self) -> Rule:
        return Rule.perplexity(self.threshold, [])


def build(options: CleanerOptions) -> WholePages:
    return WholePages(options.threshold or MOST)


ENGINES["whole"] = EngineEntry(
    build, Slider(0, 1e9, 1e6), (MOST / 2, MOST), reasons={Verdict.KEPT: "all blocks are kept"}
)

if __name__ == "__main__":
    main()
