"""Install a wheel into new environments and clean pages, on every given Python.

`python -m deploy.wheels.trial WHEEL PYTHON ...`: a missing Python is reported and left out. Only
the wheel is installed. The program runs in a project whose folders have the names of Winnow's
folders.
"""

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

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


def main(wheel: Path, pythons: tuple[str, ...]) -> int:
    """Try the wheel; the exit code is 1 if every Python is missing."""
    tried = sum(try_on(python, wheel) for python in pythons)
    return 0 if tried else 1


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
    environment, project = folder / "environment", folder / "project"
    subprocess.run([python, "-m", "venv", "--without-pip", environment], check=True)
    inside = environment / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", str(inside)]
    install = [*pip, "--quiet", "install", "--no-deps", "--no-index", str(wheel)]
    subprocess.run(install, check=True)
    for name in ("models", "streams", "worker"):
        (project / name).mkdir(parents=True)
        (project / name / "__init__.py").touch()
    program = PROGRAM.format(folder=str(project))
    subprocess.run([inside, "-c", program], cwd=project, check=True, stdout=subprocess.DEVNULL)
    command = subprocess.run(
        [environment / "bin" / "winnow", "--help"], check=False, capture_output=True, text=True
    )
    if command.returncode != 2 or "winnow-web[cli]" not in command.stderr:  # noqa: PLR2004 - wrong usage
        sys.exit(f"winnow --help without the extra cli: {command}")
    listed = [*pip, "list", "--format", "freeze"]
    packages = subprocess.run(listed, check=True, capture_output=True, text=True).stdout.split()
    files = (path for path in environment.rglob("*") if path.is_file() and not path.is_symlink())
    return packages, sum(path.stat().st_size for path in files)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), tuple(sys.argv[2:])))
