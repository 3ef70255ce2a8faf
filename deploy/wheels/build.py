"""Build the wheels of the checked-out commit, one per architecture, for old systems.

`python -m deploy.wheels.build FOLDER [ARCHITECTURE ...]`, in the environment of
requirements/wheels.txt. zig compiles C and links against the glibc of manylinux 2.17, on any
machine; the Rust library of an architecture must be installed, else the architecture is left out
by name.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Final
from zipfile import ZipFile

from deploy.wheels.elf import needed_glibc, of_machine

ROOT: Final = Path(__file__).resolve().parents[2]
GLIBC: Final = (2, 17)
ARCHITECTURES: Final = ("x86_64", "aarch64")


def main(output: Path, architectures: tuple[str, ...]) -> int:
    """Build and check the wheels; the exit code is 1 without any wheel."""
    output.mkdir(parents=True, exist_ok=True)
    work = ROOT / "build" / "wheels"
    source = exported(work / "source")
    built = 0
    for architecture in architectures:
        if why := missing(architecture):
            print(f"{architecture}: left out, {why}", file=sys.stderr)
            continue
        wheel = build(architecture, source, work)
        check(wheel, architecture)
        print(shutil.copy2(wheel, output))
        built += 1
    return 0 if built else 1


def exported(folder: Path) -> Path:
    """Write the files of the commit to a new folder, without traces of earlier builds."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    archive = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, check=True, capture_output=True)
    subprocess.run(["tar", "-x", "-C", folder], check=True, input=archive.stdout)
    return folder


def missing(architecture: str) -> str:
    """Return why wheels for an architecture cannot be built here; empty if they can."""
    target = f"{architecture}-unknown-linux-gnu"
    asked = ["rustc", "--print", "target-libdir", "--target", target]
    libraries = Path(subprocess.run(asked, check=True, capture_output=True, text=True).stdout[:-1])
    if any(libraries.glob("libstd-*.rlib")):
        return ""
    return f"its Rust library is not installed: run rustup target add {target}"


def build(architecture: str, source: Path, work: Path) -> Path:
    """Build the wheel of an architecture, with its platform tag."""
    target = f"{architecture}-unknown-linux-gnu"
    glibc = ".".join(map(str, GLIBC))
    scripts = Path(sysconfig.get_path("scripts"))
    compiler = work / f"cc-{architecture}"
    compiler.write_text(
        f'#!/bin/sh\nexec "{scripts}/cargo-zigbuild" zig cc -- '
        f'-target {architecture}-linux-gnu.{glibc} "$@"\n'
    )
    compiler.chmod(0o755)
    wheels = work / architecture
    shutil.rmtree(wheels, ignore_errors=True)
    variable = target.replace("-", "_")
    environment = os.environ | {
        "CARGO_BUILD_TARGET": target,
        "CARGO_TARGET_DIR": str(work / "target"),
        f"CARGO_TARGET_{variable.upper()}_LINKER": str(compiler),
        f"CC_{variable}": str(compiler),
        "CARGO_PROFILE_RELEASE_STRIP": "debuginfo",
        "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}",
    }
    platform = f"manylinux_{glibc.replace('.', '_')}_{architecture}"
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-index"]
    command += ["--no-build-isolation", "--wheel-dir", str(wheels)]
    command += [f"--config-settings=--build-option=--plat-name={platform}", str(source)]
    subprocess.run(command, check=True, env=environment)
    (wheel,) = wheels.glob("*.whl")
    return wheel


def check(wheel: Path, architecture: str) -> None:
    """Exit unless the tag, the kernel and auditwheel agree on the wheel's platform."""
    platform = f"manylinux_{GLIBC[0]}_{GLIBC[1]}_{architecture}"
    if not wheel.stem.endswith(f"-cp311-abi3-{platform}"):
        sys.exit(f"{wheel.name}: the tag is not cp311-abi3-{platform}")
    kernel = wheel.with_suffix(".so")
    with ZipFile(wheel) as files:
        kernel.write_bytes(files.read("winnow/models/_kernel.abi3.so"))
    machine, glibc = of_machine(kernel), needed_glibc(kernel)
    if machine != architecture or glibc > GLIBC:
        sys.exit(f"{wheel.name}: the kernel is for {machine} and needs glibc {glibc}")
    shown = subprocess.run(
        [Path(sysconfig.get_path("scripts")) / "auditwheel", "show", wheel],
        check=True, capture_output=True, text=True,
    ).stdout  # fmt: skip
    if f'"{platform}"' not in " ".join(shown.split()):
        sys.exit(f"{wheel.name}: auditwheel disagrees\n{shown}")
    size = wheel.stat().st_size / 1e6
    print(f"{wheel.name}: {size:.1f} MB, {machine}, glibc {'.'.join(map(str, glibc))} or newer")


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), tuple(sys.argv[2:]) or ARCHITECTURES))
