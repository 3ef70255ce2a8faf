"""The image: built by buildah from the Dockerfile, run by runc with the rights that a pod has."""

import json
import os
import subprocess
from collections.abc import Iterator
from importlib.metadata import distributions
from pathlib import Path

import pytest

from tests.deploy.chart import ROOT
from tests.deploy.containers import IMAGE_NAME, Image, build
from tests.deploy.report import Report, said_version

pytestmark = [pytest.mark.image, pytest.mark.timeout(1500)]


def of_commit(form: str) -> str:
    command = ["git", "log", "-1", f"--format={form}"]
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout[:-1]


def test_image_runs_as_a_number_under_an_init_and_is_checked(image: Image) -> None:
    docker = json.loads(build("inspect", IMAGE_NAME))["Docker"]["config"]

    assert image.config["User"] == "10001:10001"
    assert image.config["Entrypoint"] == ["/usr/bin/tini", "--", "winnow"]
    assert image.config["StopSignal"] == "SIGTERM"
    assert "OPENBLAS_NUM_THREADS=1" in image.config["Env"]
    assert docker["Healthcheck"]["Test"] == ["CMD", "/app/probe", "livez"]
    labels = image.config["Labels"]
    assert labels["org.opencontainers.image.version"] == "0.1.0"
    assert labels["org.opencontainers.image.revision"] == of_commit("%H")
    assert labels["org.opencontainers.image.created"] == of_commit("%cI")
    assert labels["org.opencontainers.image.base.name"] == "localhost/winnow-base-python"
    assert labels["org.opencontainers.image.source"] == os.environ.get("SOURCE", "")


def test_process_has_no_rights_and_can_write_tmp_alone(image: Image, tmp_path: Path) -> None:
    script = (
        "import os, pathlib\n"
        "print(pathlib.Path('/proc/self/status').read_text())\n"
        "pathlib.Path('/tmp/x').write_text('x')\n"
        "for folder in ('/', '/app', '/etc', '/usr', '/var/tmp'):\n"
        "    assert not os.access(folder, os.W_OK), folder\n"
    )

    done = image.run_command(tmp_path, ["/app/.venv/bin/python", "-c", script])

    assert done.returncode == 0, done.stderr
    status = dict(line.split(":\t", 1) for line in done.stdout.splitlines() if ":\t" in line)
    assert status["Uid"].split() == ["10001"] * 4
    assert {int(status[f"Cap{name}"], 16) for name in ("Inh", "Prm", "Eff", "Bnd", "Amb")} == {0}
    assert status["NoNewPrivs"] == "1"


def test_winnow_runs(image: Image, tmp_path: Path) -> None:
    done = image.run(tmp_path, "--version")

    assert done.returncode == 0, done.stderr
    assert done.stdout == "winnow, version 0.1.0\n"


def test_image_cleans_a_page_with_the_model_that_it_brings(image: Image, tmp_path: Path) -> None:
    page = (ROOT / "worker" / "samples" / "article.html").read_text()

    done = image.run(tmp_path, "clean", "-", "--format", "text", stdin=page)

    assert done.returncode == 0, done.stderr
    assert len(done.stdout.split()) > 50
    assert "<" not in done.stdout


def test_image_lists_exactly_the_python_packages_that_it_holds(
    image: Image, report: Report
) -> None:
    listed = json.loads((image.files / "usr/share/doc/winnow/sbom.cdx.json").read_text())
    (site,) = (image.files / "app/.venv/lib").glob("*/site-packages")

    installed = {
        f"pkg:pypi/{it.metadata['Name'].lower().replace('_', '-')}@{it.version}"
        for it in distributions(path=[str(site)])
    }

    pypi = {it["purl"] for it in listed["components"] if it["purl"].startswith("pkg:pypi/")}
    assert pypi == {it for it in installed if not it.startswith("pkg:pypi/winnow-web@")}
    checked = f"image of {megabytes(image.files)} MB, user {image.config['User']}"
    report.add("buildah", checked, 0, version=said_version("buildah", "--version"))


def test_image_holds_no_tools_to_build_or_install(image: Image) -> None:
    for program in ("app/.venv/bin/pip", "usr/bin/gcc", "usr/bin/cargo", "opt/rust/bin/cargo"):
        assert not (image.files / program).exists(), program
    assert not list((image.files / "app").rglob("*.rs"))
    assert not list((image.files / "app").rglob("Cargo.toml"))


def megabytes(folder: Path) -> int:
    """Return the size of a folder's files, each counted once."""
    seen = {(stat.st_dev, stat.st_ino): stat.st_size for stat in stats(folder)}
    return sum(seen.values()) // 1_000_000


def stats(folder: Path) -> Iterator[os.stat_result]:
    for place, _, names in os.walk(folder):
        for name in names:
            yield (Path(place) / name).lstat()
