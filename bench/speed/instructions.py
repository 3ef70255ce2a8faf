"""`make instructions`: the kernel's instructions for the sample pages, by stage.

Counted by callgrind, independent of other load: instructions in the kernel and the parser, without
the interpreter. The exit code is 1 if a stage needs 3 % more than in the committed table. Counts of
another compiler or processor differ, so they are not compared, and a message says so.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from bench.speed.callgrind import can_count, counted, tell
from winnow.models._kernel import Reader
from winnow.models.cleaner import Cleaner
from winnow.models.document import Page
from winnow.models.engines.choice import ENGINES, engine_of
from winnow.models.engines.hybrid import HybridModel
from winnow.models.errors import InvalidPage
from winnow.models.ngram import LanguageModels
from winnow.models.options import CleanerOptions
from winnow.models.page import DEFAULT_LIMITS, read

SAMPLES: Final = Path(__file__).parents[2] / "worker" / "samples"
TABLE: Final = Path(__file__).with_suffix(".json")
MOST: Final = 1.03


def main() -> None:
    """Count, and compare with the table or write it."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--write", action="store_true", help="write a new table")
    arguments.add_argument("--counted", action="store_true", help=argparse.SUPPRESS)
    chosen = arguments.parse_args()
    if chosen.counted:
        _run_stages()
        return
    if not can_count():
        print("instructions: skipped: needs Linux on x86-64 with AVX2 and valgrind")
        return
    found, built_by = counted("bench.speed.instructions", "--counted"), _compiler()
    # the last of the three stages of a page, which no call of the kernel does alone
    found["write"] = found["engine hybrid"] - found["read"] - found["choose, score and judge"]
    if chosen.write:
        TABLE.write_text(json.dumps({"compiler": built_by, "stages": found}, indent=2) + "\n")
    table = json.loads(TABLE.read_text())
    if table["compiler"] != built_by:
        print(f"instructions: skipped: the table is from {table['compiler']}, not {built_by}")
        return
    sys.exit(_compared(table["stages"], found))


def _compared(table: dict[str, int], found: dict[str, int]) -> int:
    """Print both counts; return 1 if a stage needs more, or is not in the table."""
    print(f"{'stage':20} {'table':>12} {'now':>12} {'change':>8}")
    for stage, now in found.items():
        before = table.get(stage, 0)
        change = f"{now / before - 1:+.1%}" if before else "new"
        print(f"{stage:20} {before:12,} {now:12,} {change:>8}")
    dearer = [stage for stage, now in found.items() if now > MOST * table.get(stage, 0)]
    if dearer:
        print(
            f"instructions: {', '.join(dearer)} needs over {MOST - 1:.0%} more than in "
            f"{TABLE.name}: fix it, or justify it in a decision note and "
            "write a new table with make instructions INSTRUCTIONS=--write"
        )
    return int(bool(dearer))


def _compiler() -> str:
    version = subprocess.run(["rustc", "--version"], capture_output=True, text=True, check=True)
    return " ".join(version.stdout.split()[:2])


def _run_stages() -> None:
    """Run all stages under callgrind, one dump each, and print their names."""
    files = sorted(SAMPLES.iterdir())
    pages = [Page(f"http://sample.invalid/{file.name}", file.read_bytes()) for file in files]
    cleaners = {name: Cleaner(CleanerOptions(engine=name)) for name in ENGINES}
    for cleaner in cleaners.values():
        cleaner.clean_batch(pages)  # warm up one-time work
    stages = _stages(pages, cleaners)
    tell("instrumentation on")
    tell("dump")
    for name, run in stages:
        run()
        tell("dump")
        print(name, flush=True)


def _stages(
    pages: Sequence[Page], cleaners: dict[str, Cleaner]
) -> list[tuple[str, Callable[[], object]]]:
    models, model = LanguageModels.shipped(), HybridModel.load()
    engine = engine_of(CleanerOptions())
    texts = [
        page
        for page in pages
        if not isinstance(cleaners["hybrid"].clean_batch([page])[0], InvalidPage)
    ]
    rule = engine.rule
    reader = Reader(rule, DEFAULT_LIMITS)
    blocks = [read(reader, page) for page in texts]
    models.judge(rule, blocks)  # what is made once is made now
    return [
        ("read", lambda: [read(reader, page) for page in texts]),
        ("score", lambda: models.default.score(blocks)),
        ("judge", lambda: model.judge(blocks)),
        ("choose, score and judge", lambda: models.judge(rule, blocks)),
        *(
            (f"engine {name}", lambda cleaner=cleaner: cleaner.clean_batch(pages))
            for name, cleaner in cleaners.items()
        ),
    ]


if __name__ == "__main__":
    main()
