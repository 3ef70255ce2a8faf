"""Cost of a page by the number of a worker's partitions: a fit, as in `growth`.

Needs a real Kafka in `WINNOW_KAFKA_BOOTSTRAP`. One worker with a no-op cleaner reads equally many
pages from topics of 1 to 256 partitions. Sizes take turns in rounds, each run is a new process,
and the minimum over rounds counts. `--write` writes the section of docs/capacity.md. The exit code
is 1 if the exponent is above the bar.
"""

import argparse
import os
import sys
import time
from typing import Final

from bench.capacity.sections import replace_section
from bench.speed.growth import row_of_fit
from bench.speed.rows import table
from bench.speed.stream import create_topics, delete_topics, fill, run_variant, stored_records
from bench.speed.stream_variants import Plan

PARTITIONS: Final = (1, 4, 16, 64, 256)
BODY: Final = b"<p>A page of few words, as the cleaner does not read it.</p>"


def main() -> None:
    """Fill a topic of each size, run the rounds, print the fit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=8192, help="pages per topic")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--write", action="store_true", help="write docs/capacity.md too")
    arguments = parser.parse_args()
    bootstrap = os.environ["WINNOW_KAFKA_BOOTSTRAP"]
    pages = arguments.pages
    by_size = {size: create_topics(bootstrap, size) for size in PARTITIONS}
    try:
        for topics in by_size.values():
            fill(bootstrap, topics["pages"], [BODY], pages)
        seconds = {size: float("inf") for size in PARTITIONS}
        for number in range(arguments.rounds):
            for size, topics in by_size.items():
                group = f"partitions-{time.time_ns()}"
                cost = run_variant("winnow", Plan(bootstrap, topics, group, pages))
                stored = stored_records(bootstrap, topics, size)
                if stored < 2 * pages * (number + 1):
                    sys.exit(f"{size} partitions: {stored} records of {pages} pages")
                seconds[size] = min(seconds[size], cost.cpu_s)
    finally:
        for topics in by_size.values():
            delete_topics(bootstrap, topics)
    row = row_of_fit(f"partitions of a worker, {pages:,} pages", seconds)
    print(table([row]))
    if arguments.write:
        replace_section("partitions", table([row]))
    sys.exit(0 if row.holds else "bar missed: " + row.part)


if __name__ == "__main__":
    main()
