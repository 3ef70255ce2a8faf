"""Fuzz what reads the bytes of others: `python -m tests.fuzz --seconds 60`, seconds per target.

Prints a table and ends with 1 if any target failed; failing inputs lie in `build/fuzz`. The Python
targets are changed blindly from their seeds, the kernel's by libFuzzer, which follows coverage.
"""

import argparse
import sys
import traceback
from hashlib import sha256
from pathlib import Path
from random import Random
from time import monotonic
from typing import Final

from coverage import Coverage

from tests.fuzz import kernel
from tests.fuzz.mutation import mutated
from tests.fuzz.targets import Target, targets

FOLDER: Final = kernel.ROOT / "build" / "fuzz"
CORPUS: Final = Path(__file__).parent / "corpus"


def main() -> int:
    """Run the targets one after the other."""
    parser = argparse.ArgumentParser(prog="fuzz", description=__doc__)
    parser.add_argument("--seconds", type=int, default=60, help="per target")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--target", action="append", help="only these")
    parser.add_argument("--sanitizer", action="store_true", help="kernel with AddressSanitizer")
    chosen = parser.parse_args()
    in_python = {} if chosen.sanitizer else {target.name: target for target in targets()}
    names = chosen.target or [*in_python, *kernel.TARGETS]
    if unknown := {*names} - {*in_python, *kernel.TARGETS}:
        parser.error(f"no such target: {', '.join(sorted(unknown))}")
    programs = Path()
    if any(name in kernel.TARGETS for name in names):
        programs = kernel.built(with_sanitizer=chosen.sanitizer)
    sys.stdout.write("| target | executions | seconds | coverage |\n|---|---:|---:|---|\n")
    failed = False
    for name in names:
        started = monotonic()
        if name in in_python:
            code, executions, coverage = run(in_python[name], chosen.seconds, chosen.seed)
        else:
            own = FOLDER / (f"{name}-sanitizer" if chosen.sanitizer else name)
            code, executions, coverage = kernel.run(
                programs / name, own, chosen.seconds, chosen.seed
            )
        failed |= code != 0
        took = monotonic() - started
        sys.stdout.write(f"| {name} | {executions} | {took:.0f} | {coverage} |\n")
        sys.stdout.flush()
    return int(failed)


def run(target: Target, seconds: int, seed: int) -> tuple[int, int, str]:
    """Run one target of Python; return 1 if it failed, its executions and its coverage."""
    random, executions = Random(seed), 0
    kept = sorted((CORPUS / target.name).glob("*"))
    seeds = [*target.seeds, *(path.read_bytes() for path in kept)]
    waiting = list(seeds)
    coverage = Coverage(data_file=None, include=list(target.sources), config_file=False)
    coverage.start()
    end = monotonic() + seconds
    content = b""
    try:
        while waiting or monotonic() < end:
            content = waiting.pop() if waiting else _next(seeds, random)
            target.run(content)
            executions += 1
    except Exception:  # noqa: BLE001 - any exception of a target is a finding
        _keep(target, content)
        return 1, executions, "not counted: the target failed"
    finally:
        coverage.stop()
    return 0, executions, _lines(coverage, target)


def _next(seeds: list[bytes], random: Random) -> bytes:
    return mutated(random.choice(seeds), random.choice(seeds), random)


def _keep(target: Target, content: bytes) -> None:
    folder = FOLDER / target.name
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"crash-{sha256(content).hexdigest()[:16]}"
    path.write_bytes(content)
    sys.stderr.write(f"{traceback.format_exc()}\n{target.name}: {path}\n")


def _lines(coverage: Coverage, target: Target) -> str:
    """Lines run while fuzzing; lines of definitions ran earlier, at the import."""
    found = [coverage.analysis2(source) for source in target.sources]
    lines = sum(len(statements) for _, statements, *_ in found)
    missing = sum(len(missed) for *_, missed, _ in found)
    return f"{lines - missing} of {lines} lines"


if __name__ == "__main__":
    sys.exit(main())
