"""Write the image's Python, Rust and Debian packages as CycloneDX 1.5 JSON.

Run inside the build, with the interpreter whose environment is listed:
`python sbom.py VERSION Cargo.lock > sbom.cdx.json`. The same input gives the same bytes.
"""

import json
import subprocess
import sys
import tomllib
from collections.abc import Iterable
from importlib.metadata import distributions
from pathlib import Path
from typing import Any
from urllib.parse import quote

Component = dict[str, Any]


def component(kind: str, name: str, version: str) -> Component:
    """Return one CycloneDX component of the package type `kind` (pypi, cargo, deb/debian)."""
    purl = f"pkg:{kind}/{quote(name, safe='')}@{quote(version, safe='')}"
    return {"type": "library", "bom-ref": purl, "name": name, "version": version, "purl": purl}


def python_packages() -> Iterable[Component]:
    """Yield the distributions of this interpreter's environment, without Winnow itself."""
    for found in distributions():
        name = found.metadata["Name"].lower().replace("_", "-")
        if name != "winnow-web":
            declared = found.metadata.json.get("license_expression")
            licences = {"licenses": [{"expression": declared}]} if declared else {}
            yield component("pypi", name, found.version) | licences


def rust_crates(lock: Path) -> Iterable[Component]:
    """Yield the kernel's crates, with the checksums of their archives."""
    for package in tomllib.loads(lock.read_text())["package"]:
        if "source" not in package:
            continue
        sums = {"hashes": [{"alg": "SHA-256", "content": package["checksum"]}]}
        yield component("cargo", package["name"], package["version"]) | sums


def debian_packages() -> Iterable[Component]:
    """Yield the packages of the base image."""
    query = ["dpkg-query", "--show", "--showformat", "${Package}\\t${Version}\\n"]
    listed = subprocess.run(query, check=True, capture_output=True, text=True).stdout  # noqa: S603
    for line in listed.splitlines():
        name, version = line.split("\t")
        yield component("deb/debian", name, version)


def bill_of_materials(version: str, lock: Path) -> dict[str, Any]:
    """Return the document, with unique components in a fixed order."""
    found = [*python_packages(), *rust_crates(lock), *debian_packages()]
    unique = {each["bom-ref"]: each for each in found}
    application = component("generic", "winnow", version) | {"type": "application"}
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": application},
        "components": [unique[reference] for reference in sorted(unique)],
    }


if __name__ == "__main__":
    json.dump(bill_of_materials(sys.argv[1], Path(sys.argv[2])), sys.stdout, indent=1)
