"""Read a shared library's platform from its ELF headers, on any machine."""

from pathlib import Path
from typing import Final

from elftools.elf.elffile import ELFFile
from elftools.elf.gnuversions import GNUVerNeedSection

_MACHINES: Final = {"EM_X86_64": "x86_64", "EM_AARCH64": "aarch64"}


def of_machine(library: Path) -> str:
    """Return the architecture of a library."""
    with library.open("rb") as file:
        machine: str = ELFFile(file).header["e_machine"]
    return _MACHINES.get(machine, machine)


def needed_glibc(library: Path) -> tuple[int, ...]:
    """Return the newest glibc version that a symbol of a library requires."""
    with library.open("rb") as file:
        sections = ELFFile(file).iter_sections()
        names = [
            version.name
            for section in sections
            if isinstance(section, GNUVerNeedSection)
            for _, versions in section.iter_versions()
            for version in versions
        ]
    glibc = [name.removeprefix("GLIBC_") for name in names if name.startswith("GLIBC_")]
    return max(tuple(map(int, version.split("."))) for version in glibc)
