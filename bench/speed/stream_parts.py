"""CPU per page by part of the stream: fetch, decode, cache, clean, encode, produce, commit, Faust.

`python -m bench.speed.stream_parts` runs a whole worker over a topic twice, the second time with
the results in Redis. Some rounds measure the cost per page. One more round samples all threads
every few milliseconds for the shares of the parts: the CPU that a thread used since the last sample
goes to the part with the innermost frame on its stack. Needs a real Kafka in
`WINNOW_KAFKA_BOOTSTRAP`, and a real Redis without keys in `WINNOW_REDIS_URL`, which it empties
before each round. `make bench-stream` runs it; `--write` writes the section of docs/capacity.md and
its drawing.
"""

import argparse
import asyncio
import json
import os
import subprocess
import sys
import threading
import time
from collections import Counter
from dataclasses import asdict, replace
from html import escape
from pathlib import Path
from statistics import median
from types import FrameType
from typing import Final
from uuid import uuid4

from redis import Redis

from bench.capacity.sections import replace_section
from bench.speed.stream import (
    DEVELOPMENT_PAGES,
    create_topics,
    delete_topics,
    fill,
    page_bodies,
)
from bench.speed.stream_variants import Meter, Plan, run_worker_on
from winnow.worker.batch.inputs import SAMPLES
from winnow.worker.cleaning import build_cleaner
from winnow.worker.settings import Settings

EVERY_S: Final = 0.002
PASSES: Final = ("new", "cached")
MAX_OVERHEAD_US: Final = 450.0
LEAST_CACHED: Final = 6.0
# the first match of the innermost matching frame: file, function ("": any), part
PARTS: Final = (
    ("/models/", "", "clean"),
    ("/streams/isolation.py", "", "clean"),
    ("/streams/cleaning.py", "_decode", "decode"),
    ("/streams/pages.py", "", "decode"),
    ("/streams/pass_through.py", "", "decode"),
    ("/streams/messages.py", "", "encode"),
    ("/streams/cache/stored_messages.py", "", "encode"),
    ("/streams/cache", "", "cache"),
    ("/streams/redis", "", "cache"),
    ("/streams/repeats.py", "", "cache"),
    ("/streams/cleaning.py", "_repeat", "cache"),
    ("/redis/", "", "cache"),
    ("/streams/kafka/offsets.py", "", "commit"),
    ("/streams/kafka/consumer.py", "commit_done", "commit"),
    ("/streams/kafka/consumer.py", "done", "commit"),
    ("/streams/kafka/consumer.py", "", "fetch"),
    ("/aiokafka/consumer/group_coordinator.py", "", "commit"),
    ("/aiokafka/consumer/", "", "fetch"),
    ("/aiokafka/protocol/fetch.py", "", "fetch"),
    ("/streams/kafka/fetching.py", "", "fetch"),
    ("/streams/batch", "", "fetch"),
    ("/streams/kafka/record_reading.py", "", "fetch"),
    ("/streams/kafka/unpacking.py", "", "fetch"),
    ("/aiokafka/producer/", "", "produce"),
    ("/aiokafka/record/", "", "produce"),
    ("/aiokafka/protocol/produce.py", "", "produce"),
    ("/streams/delivery.py", "", "produce"),
    ("/aiokafka/", "", "client"),
    ("/faust/", "", "Faust"),
    ("/mode/", "", "Faust"),
    ("/streams/", "", "agent"),
    ("/asyncio/", "", "event loop"),
)
NAMES: Final = (
    *("clean", "fetch", "decode", "cache", "encode", "produce", "commit", "client", "Faust"),
    *("agent", "event loop", "other"),
)
COLOURS: Final = (
    *("#1b6ca8", "#c2571a", "#3a7d44", "#7b4b94", "#b00020", "#0b7a75", "#8a6d1b", "#d0478b"),
    *("#4a6fe3", "#93a31b", "#777777", "#bbbbbb"),
)
DRAWING: Final = Path(__file__).parents[2] / "docs" / "capacity-stream.svg"


class Sampler(Meter):
    """Samples every thread of the process, and attributes its CPU to its current part."""

    def __init__(self) -> None:
        """Wait for the first page."""
        super().__init__()
        self.used_ns: Counter[str] = Counter()
        self._seen: dict[int, int] = {}
        self._thread = threading.Thread(target=self._run, daemon=True)

    def start(self) -> None:
        """Begin, once."""
        super().start()
        if not self._thread.is_alive():
            self._look(count=False)
            self._thread.start()

    def _run(self) -> None:
        while True:
            time.sleep(EVERY_S)
            self._look(count=True)

    def _look(self, *, count: bool) -> None:
        frames = sys._current_frames()  # noqa: SLF001 - the only way to see other threads
        for thread in threading.enumerate():
            if thread is self._thread or thread.native_id is None:
                continue
            try:
                stat = Path(f"/proc/self/task/{thread.native_id}/schedstat").read_text()
            except FileNotFoundError:
                continue
            used = int(stat.split()[0])
            before = self._seen.get(thread.native_id, used)
            self._seen[thread.native_id] = used
            if count and used > before:
                self.used_ns[part_of(frames.get(thread.ident or 0))] += used - before


def part_of(frame: FrameType | None) -> str:
    """Return the part of the innermost frame that has one."""
    while frame is not None:
        code = frame.f_code
        for file, function, part in PARTS:
            if file in code.co_filename and code.co_name.startswith(function):
                return part
        frame = frame.f_back
    return "other"


def main() -> None:
    """Run all rounds, print the table; fail if a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=3000)
    default = DEVELOPMENT_PAGES if DEVELOPMENT_PAGES.exists() else SAMPLES
    parser.add_argument("--source", type=Path, default=default, help="labelled pages or a folder")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--write", action="store_true", help="write docs/capacity.md too")
    parser.add_argument("--child", choices=("whole", "sampled"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child:
        _child(arguments.child)
        return
    bootstrap, redis_url = os.environ["WINNOW_KAFKA_BOOTSTRAP"], os.environ["WINNOW_REDIS_URL"]
    with Redis.from_url(redis_url) as redis:
        if redis.dbsize():
            raise SystemExit("the Redis in WINNOW_REDIS_URL is not empty, and this would empty it")
    topics = create_topics(bootstrap)
    try:
        bodies, site = page_bodies(arguments.source), f"https://{topics['pages']}.example"
        fill(bootstrap, topics["pages"], bodies, arguments.pages, site)
        plan = Plan(bootstrap, topics, "", arguments.pages, redis_url)
        rounds = [_round(plan, "whole") for _ in range(arguments.rounds)]
        shares = _round(plan, "sampled")
    finally:
        delete_topics(bootstrap, topics)
    whole = {name: median(sum(each[name].values()) for each in rounds) for name in PASSES}
    passes = {
        name: {part: whole[name] * shares[name].get(part, 0.0) for part in NAMES} for name in PASSES
    }
    overhead_us = whole["new"] - passes["new"]["clean"]
    ratios = sorted(sum(each["new"].values()) / sum(each["cached"].values()) for each in rounds)
    text = f"""{_table(passes)}

Cleaning excluded, a new page takes {overhead_us:.0f} µs; the bar is {MAX_OVERHEAD_US:.0f}.
A new page costs {median(ratios):.1f} times as much as a cached one
({ratios[0]:.1f} to {ratios[-1]:.1f} within a round); the bar is {LEAST_CACHED:g}.
{arguments.pages:,} pages of {arguments.source.name}, medians of {arguments.rounds} rounds, load
average {os.getloadavg()[0]:.1f} at the end."""
    print(text)
    if arguments.write:
        replace_section("stream", text)
        DRAWING.write_text(draw(passes), encoding="utf-8")
    if overhead_us > MAX_OVERHEAD_US or median(ratios) < LEAST_CACHED:
        raise SystemExit(f"bars: at most {MAX_OVERHEAD_US:.0f} us, at least {LEAST_CACHED:g}")


def _round(plan: Plan, kind: str) -> dict[str, dict[str, float]]:
    """Run both passes, the first with an empty cache."""
    with Redis.from_url(plan.redis_url) as redis:
        redis.flushdb()
    return {name: _pass(replace(plan, group=f"bench-{uuid4()}"), kind) for name in PASSES}


def _pass(plan: Plan, kind: str) -> dict[str, float]:
    done = subprocess.run(
        [sys.executable, "-m", "bench.speed.stream_parts", "--child", kind],
        input=json.dumps(asdict(plan)).encode(),
        capture_output=True,
        check=False,
        timeout=900,
    )
    if done.returncode:
        raise SystemExit(done.stderr.decode()[-3000:])
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def _child(kind: str) -> None:
    """Write microseconds of CPU per page, or the shares of the parts."""
    plan = Plan(**json.loads(sys.stdin.read()))
    cleaner = build_cleaner(Settings())
    if kind == "whole":
        cost = asyncio.run(run_worker_on(plan, cleaner, Meter()))
        found = {"all": cost.cpu_s / cost.pages * 1e6}
    else:
        # otherwise a thread is sampled only where it waits, or after five milliseconds
        sys.setswitchinterval(EVERY_S / 20)
        sampler = Sampler()
        asyncio.run(run_worker_on(plan, cleaner, sampler))
        sampled = sum(sampler.used_ns.values())
        found = {part: used / sampled for part, used in sampler.used_ns.items()}
    sys.stdout.write(json.dumps(found) + "\n")
    sys.stdout.flush()
    os._exit(0)


def _table(passes: dict[str, dict[str, float]]) -> str:
    lines = ["| us of CPU per page | " + " | ".join(NAMES) + " | all |"]
    lines.append("|---" + "|---:" * (len(NAMES) + 1) + "|")
    for name, parts in passes.items():
        figures = " | ".join(f"{parts[each]:.0f}" for each in NAMES)
        lines.append(f"| {name} pages | {figures} | {sum(parts.values()):.0f} |")
    return "\n".join(lines)


def draw(passes: dict[str, dict[str, float]]) -> str:
    """Return one stacked bar per pass."""
    most = max(sum(parts.values()) for parts in passes.values())
    shapes = []
    for row, (name, parts) in enumerate(passes.items()):
        x, y = 70.0, 20 + row * 60
        shapes.append(f'<text x="8" y="{y + 25}">{escape(name)}</text>')
        for part, colour in zip(NAMES, COLOURS, strict=True):
            width = 700 * parts[part] / most
            shapes.append(
                f'<rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="40" fill="{colour}"/>'
            )
            x += width
        shapes.append(f'<text x="{x + 6:.1f}" y="{y + 25}">{sum(parts.values()):.0f} µs</text>')
    for number, (part, colour) in enumerate(zip(NAMES, COLOURS, strict=True)):
        x, y = 70 + number % 6 * 125, 160 + number // 6 * 22
        shapes.append(f'<rect x="{x}" y="{y - 10}" width="12" height="12" fill="{colour}"/>')
        shapes.append(f'<text x="{x + 18}" y="{y}">{escape(part)}</text>')
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="860" height="200" viewBox="0 0 860 200">'
        "<style>text{font:12px sans-serif;fill:#333}</style>"
        f'<rect width="860" height="200" fill="white"/>{"".join(shapes)}</svg>\n'
    )


if __name__ == "__main__":
    main()
