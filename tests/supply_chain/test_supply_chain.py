"""Shipped packages have version, hash and licence, and no file names a download host."""

import json
import re
import subprocess
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from typing import Any, Final

import pytest

ROOT: Final = Path(__file__).resolve().parents[2]


def listed(*patterns: str) -> list[Path]:
    """Return the project's files of such names."""
    command = ["git", "ls-files", "-z", *patterns]
    output = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return sorted(ROOT / name for name in output.split("\0") if name)


def name_of(file: Path) -> str:
    return str(file.relative_to(ROOT))


LOCKS: Final = listed("requirements/*.txt", "*requirements*.txt", "lab/measure/peers/*.txt")
RULES: Final[dict[str, Any]] = tomllib.loads((ROOT / "requirements/licences.toml").read_text())
# Windows alone: no environment of ours has it
NOT_INSTALLED: Final = {"colorama"}


def requirements(lock: Path) -> list[str]:
    """Return the entries of a lock file, each with its hashes on one line."""
    joined = lock.read_text().replace("\\\n", " ")
    lines = (line.split(" #")[0].strip() for line in joined.splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def names(expression: str) -> set[str]:
    """Return the licences in an SPDX expression."""
    words = set(re.findall(r"[A-Za-z0-9.+-]+", expression))
    return words - {"AND", "OR", "WITH", "LLVM-exception"}


@pytest.mark.parametrize("lock", LOCKS, ids=name_of)
def test_every_python_package_has_a_version_and_hashes(lock: Path) -> None:
    entries = requirements(lock)

    assert entries
    assert [
        each for each in entries if not re.match(r"[\w.\[\]-]+==\S+ .*--hash=sha256:", each)
    ] == []


@pytest.mark.parametrize("lock", listed("*Cargo.lock"), ids=name_of)
def test_every_rust_crate_has_a_checksum(lock: Path) -> None:
    packages = tomllib.loads(lock.read_text())["package"]

    own = [each["name"] for each in packages if "source" not in each]
    assert [each["name"] for each in packages if "source" in each and "checksum" not in each] == []
    assert all(name.startswith(("winnow", "_kernel", "rs-trafilatura-worker")) for name in own)


def test_cargo_never_changes_a_lock() -> None:
    makefile = (ROOT / "Makefile").read_text()
    dockerfile = (ROOT / "Dockerfile").read_text()
    project = (ROOT / "pyproject.toml").read_text()
    calls = re.findall(r"^.*\bcargo (?:build|test|clippy|run) .*$",
                       f"{makefile}\n{dockerfile}", re.MULTILINE)  # fmt: skip

    assert calls
    assert [call for call in calls if "--locked" not in call] == []
    assert 'args = ["--locked"]' in project  # of the kernel in the wheel


def test_pip_never_installs_without_hashes() -> None:
    texts = [file.read_text() for file in listed("Makefile", "Dockerfile", "bin/*", "deploy/**")]
    calls = re.findall(
        r"^.*\bpip\S* .*\binstall\b.*$|^.*\bpip install\b.*$", "\n".join(texts), re.MULTILINE
    )
    # what was built just now has no hash that could be known
    words = [call.replace('", "', " ") for call in calls]
    foreign = [call for call in words if "--no-deps --no-index" not in call]

    assert foreign
    assert [call for call in foreign if "--require-hashes" not in call] == []


def test_pip_never_looks_for_more_than_a_lock_names() -> None:
    """Pip before 24 takes a newer `coverage[toml]` than the locked `coverage`, then refuses it."""
    texts = [file.read_text() for file in listed("Makefile", "Dockerfile", "bin/*", "deploy/**")]
    calls = re.findall(r"^.*--require-hashes.* -+r.*$", "\n".join(texts), re.MULTILINE)

    assert len(calls) >= 6  # developers, image, tools, peers, training
    assert [call for call in calls if "--no-deps" not in call and "pip-audit" not in call] == []


def test_the_lock_of_developers_names_all_that_its_packages_need() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pip", "check"], capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("module", listed("*go.mod"), ids=name_of)
def test_every_go_module_has_a_checksum(module: Path) -> None:
    text = module.read_text()
    required = dict(re.findall(r"^(?:require )?\s*(\S+/\S+) (v\S+)(?: //.*)?$", text, re.MULTILINE))
    for name, other, version in re.findall(r"(\S+)(?: v\S+)? => (\S+) (v\S+)", text):
        if required.pop(name, None):  # others are replaced in case they are ever needed
            required[other] = version
    sums = {tuple(line.split()[:2]) for line in (module.parent / "go.sum").read_text().splitlines()}

    assert required
    assert {(name, f"{version}/go.mod") for name, version in required.items()} <= sums


def test_base_images_are_pinned_by_digest() -> None:
    images = re.findall(r"^ARG \w+_IMAGE=(\S+)", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    composed = re.findall(r"_IMAGE:-([^}]+)}", (ROOT / "docker-compose.yml").read_text())
    foreign = [image for image in images + composed if not image.startswith("winnow:")]

    assert len(foreign) >= 6
    assert [image for image in foreign if not re.search(r"@sha256:[0-9a-f]{64}$", image)] == []


def test_no_lock_or_configuration_names_a_download_host() -> None:
    files = listed("*.txt", "*.in", "*.toml", "*.lock", "*.cfg", "*.sum", "*.mod", "*.sh")
    # crates.io's index is in every Cargo.lock, as the name of the registry
    hosts = re.compile(r"https?://(?!github\.com/rust-lang/crates\.io-index)[\w.-]+/?", re.ASCII)
    found = {name_of(file): hosts.findall(file.read_text(errors="replace")) for file in files}

    assert {name: urls for name, urls in found.items() if urls} == {}


def shipped_python() -> list[str]:
    lock = ROOT / "requirements/runtime.txt"
    return sorted({each.split("==")[0] for each in requirements(lock)} - NOT_INSTALLED)


@pytest.mark.parametrize("package", shipped_python())
def test_the_licence_of_every_python_package_is_allowed(package: str) -> None:
    try:
        facts = metadata(package)
    except PackageNotFoundError:
        pytest.fail(f"{package} is locked and not installed here")
    expression = str(facts.json.get("license_expression", ""))
    if not expression:
        rule = RULES["unclear"][package]
        said = [each for each in facts.get_all("Classifier") or () if each.startswith("License")]
        says = said[-1].split("::")[-1].strip() if said else facts.json.get("license")
        assert says == rule["says"]
        expression = rule["is"]

    assert names(expression) <= set(RULES["allowed"])


def test_every_licence_rule_is_used() -> None:
    assert set(RULES["unclear"]) <= set(shipped_python())


def test_the_licence_of_every_rust_crate_is_allowed() -> None:
    command = ["cargo", "metadata", "--format-version", "1", "--locked", "--features", "python"]
    command += ["--manifest-path", str(ROOT / "models/kernel/Cargo.toml")]
    output = subprocess.run(command, capture_output=True, check=True).stdout
    foreign = [each for each in json.loads(output)["packages"] if each["source"]]

    assert len(foreign) > 10
    wrong = {
        each["name"]: each["license"]
        for each in foreign
        if not names((each["license"] or "none").replace("/", " OR ")) <= set(RULES["allowed"])
    }
    assert wrong == {}


def test_the_bill_of_materials_names_what_ships(tmp_path: Path) -> None:
    command = [sys.executable, "deploy/image/sbom.py", "0.0.0", "models/kernel/Cargo.lock"]

    bill = json.loads(subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout)

    found = {each["purl"].split("@")[0] for each in bill["components"]}
    assert {f"pkg:pypi/{package.lower()}" for package in shipped_python()} <= found
    assert "pkg:cargo/pyo3" in found
    assert all(each["version"] for each in bill["components"])
