"""Install a wheel into new environments and clean pages, on every given Python.

`python -m deploy.wheels.trial WHEEL PYTHON ...`: a missing Python is reported and left out. Only
the wheel is installed. The program runs in a project whose folders have the names of Winnow's
folders. On the first Python each of `EXTRAS` is installed too, in an environment of its own, with
the packages of `requirements/dev.txt` by their hashes.
"""

import hashlib
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

LOCKED: Final = Path(__file__).parents[2] / "requirements" / "dev.txt"
TEXT: Final = "The bees find more flowers in the city."
PROGRAM: Final = f"""
import models, streams, worker
import winnow
from winnow.models.engines.choice import ENGINES
assert models.__file__.startswith({{folder!r}}), models.__file__
for engine in ENGINES:
    document = winnow.clean("<title>Bees</title><p>{TEXT}</p>", engine=engine, format="markdown")
    assert document.text in ("{TEXT}", ""), document.text
    assert document.text or engine != "hybrid"
print(winnow.__version__)
"""
COMMAND: Final = ("-m", "winnow")
# extra -> what it is for, as arguments of Python; {page} is a file with the page
EXTRAS: Final[dict[str, Sequence[Sequence[str]]]] = {
    "cli": [(*COMMAND, "clean", "{page}")],
    "worker": [
        (*COMMAND, name, "--help")
        for name in ("worker", "demo", "publish", "tail", "topics", "dead", "top", "inspect")
    ],
    "lab": [
        (*COMMAND, name, "--help")
        for name in ("model", "evaluate", "calibrate", "web2text", "label")
    ],
    "parquet": [(*COMMAND, "clean", "{page}", "-o", "out", "--format", "parquet")],
    "remote": [(*COMMAND, "clean", "local://{page}")],
    "datatrove": [("-c", "from winnow.datatrove import WinnowExtractor; WinnowExtractor()")],
}


def main(wheel: Path, pythons: tuple[str, ...]) -> int:
    """Try the wheel; the exit code is 1 if every Python is missing."""
    found = [python for python in pythons if try_on(python, wheel)]
    for extra in EXTRAS if found else ():
        with TemporaryDirectory() as folder:
            try_extra(found[0], wheel, extra, Path(folder))
        print(f"{found[0]}: the extra {extra}")
    return 0 if found else 1


def try_on(python: str, wheel: Path) -> bool:
    """Try the wheel on one Python, or report that it is missing."""
    asked = [python, "-c", "import sys; print(sys.version.split()[0])"]
    try:
        version = subprocess.run(asked, check=True, capture_output=True, text=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        print(f"{python}: not on this machine")
        return False
    with TemporaryDirectory() as folder:
        packages, size = cleaned(python, wheel, Path(folder))
    print(f"{python} ({version}): {', '.join(packages)}; {size / 1e6:.0f} MB in all")
    return True


def cleaned(python: str, wheel: Path, folder: Path) -> tuple[list[str], int]:
    """Install and run in a folder; return the packages of the environment, and its bytes."""
    project = folder / "project"
    inside = installed(python, folder, "pip install --no-deps --no-index", str(wheel))
    for name in ("models", "streams", "worker"):
        (project / name).mkdir(parents=True)
        (project / name / "__init__.py").touch()
    program = PROGRAM.format(folder=str(project))
    subprocess.run([inside, "-c", program], cwd=project, check=True, stdout=subprocess.DEVNULL)
    command = subprocess.run(
        [inside.with_name("winnow"), "--help"], check=False, capture_output=True, text=True
    )
    if command.returncode != 2 or "winnow-web[cli]" not in command.stderr:  # noqa: PLR2004 - wrong usage
        sys.exit(f"winnow --help without the extra cli: {command}")
    listed = [sys.executable, "-m", "pip", "--python", str(inside), "list", "--format", "freeze"]
    packages = subprocess.run(listed, check=True, capture_output=True, text=True).stdout.split()
    files = inside.parents[1].rglob("*")
    whole = (path for path in files if path.is_file() and not path.is_symlink())
    return packages, sum(path.stat().st_size for path in whole)


def try_extra(python: str, wheel: Path, extra: str, folder: Path) -> None:
    """Install the wheel with an extra in a folder, and run what the extra is for."""
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    asked, page = folder / "asked.txt", folder / "page.html"
    asked.write_text(f"winnow-web[{extra}] @ {wheel.absolute().as_uri()} --hash=sha256:{digest}\n")
    page.write_text(f"<title>Bees</title><p>{TEXT}</p>")
    names = ("-r", str(asked), "-c", str(LOCKED))
    inside = installed(python, folder, "pip install --require-hashes", *names)
    for arguments in EXTRAS[extra]:
        command = [str(inside), *(each.format(page=page) for each in arguments)]
        done = subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"the extra {extra}: {arguments}: {done.stdout}{done.stderr}")


def installed(python: str, folder: Path, command: str, *names: str) -> Path:
    """Make an environment with these packages in a folder, and return its Python."""
    environment = folder / "environment"
    subprocess.run([python, "-m", "venv", "--without-pip", environment], check=True)
    inside = environment / "bin" / "python"
    pip, *words = command.split()
    call = [sys.executable, "-m", pip, "--python", str(inside), "--quiet", *words]
    subprocess.run([*call, "--disable-pip-version-check", *names], check=True)
    return inside


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), tuple(sys.argv[2:])))
