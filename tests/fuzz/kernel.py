"""The kernel's fuzz targets: the build, one run of libFuzzer.

All is built by the stable compiler: the flags for coverage are those that cargo-fuzz passes. Only
AddressSanitizer asks for a flag of unstable compilers, which `RUSTC_BOOTSTRAP` lets through.
"""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Final

from tests.hostile_pages import HOSTILE

ROOT: Final = Path(__file__).resolve().parents[2]
CRATE: Final = ROOT / "models" / "kernel" / "fuzz"
TARGETS: Final = ("html", "read", "gzip", "language_model", "hybrid_model")
# read pages, so they begin with hostile ones; the others have no seeds
PAGE_TARGETS: Final = ("html", "read")
MAX_INPUT_BYTES: Final = 4096
SEED_BYTES: Final = 1500
_COVERAGE: Final = (
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "-Ccodegen-units=1",
)


def built(*, with_sanitizer: bool) -> Path:
    """Build all targets and return the folder of the programs."""
    host = subprocess.run(["rustc", "-vV"], check=True, capture_output=True, text=True).stdout
    triple = host.partition("host: ")[2].split()[0]
    environment = dict(os.environ)
    flags, out = list(_COVERAGE), CRATE / "target"
    if with_sanitizer:
        flags.append("-Zsanitizer=address")
        environment["RUSTC_BOOTSTRAP"] = "1"
        out /= "address"
    environment["RUSTFLAGS"] = " ".join(flags)
    cargo = ["cargo", "build", "--release", "--locked", "--quiet", "--target", triple]
    cargo += ["--manifest-path", str(CRATE / "Cargo.toml"), "--target-dir", str(out)]
    subprocess.run(cargo, check=True, env=environment)
    return out / triple / "release"


def run(program: Path, folder: Path, seconds: int, seed: int) -> tuple[int, int, str]:
    """Run one target; return its exit code, its executions and its coverage.

    `folder` keeps what the run has learnt, and inputs that made the target fail.
    """
    corpus = folder / "corpus"
    corpus.mkdir(parents=True, exist_ok=True)
    if program.name in PAGE_TARGETS:
        for name, page in HOSTILE.items():
            head = b"https://a.invalid/ text/html\n"
            (corpus / name.replace(" ", "-")).write_bytes(head + page[:SEED_BYTES])
    kept = CRATE / "corpus" / program.name
    command = [str(program), str(corpus), *([str(kept)] if kept.is_dir() else [])]
    command += [f"-max_total_time={seconds}", f"-seed={seed}", f"-max_len={MAX_INPUT_BYTES}"]
    command += ["-print_final_stats=1", f"-artifact_prefix={folder}/"]
    # tables of models that are made once are not a leak
    environment = os.environ | {"ASAN_OPTIONS": "detect_leaks=0"}
    done = subprocess.run(command, check=False, capture_output=True, text=True, env=environment)
    log = done.stderr
    (folder / "log").write_text(log)
    if done.returncode:
        sys.stderr.write(f"{log[-3000:]}\n{program.name}: see {folder}\n")
    edges = re.search(r"\((\d+) inline 8-bit counters\)", log)
    covered = re.findall(r" cov: (\d+)", log)
    executions = re.search(r"number_of_executed_units: (\d+)", log)
    coverage = f"{covered[-1]} of {edges[1]} edges" if covered and edges else "none seen"
    return done.returncode, int(executions[1]) if executions else 0, coverage


if __name__ == "__main__":
    built(with_sanitizer=False)
