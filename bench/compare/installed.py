"""Size and licence of an installed package, as JSON; run by the interpreter of the other tools.

    python installed.py DISTRIBUTION

All packages that it requires count, without extras.
"""

import json
import re
import sys
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path


def closure(name: str, sizes: dict[str, int]) -> None:
    """Add the bytes of a distribution and of all that it requires, by name."""
    name = re.sub(r"[-_.]+", "-", name).lower()
    if name in sizes:
        return
    try:
        found = distribution(name)
    except PackageNotFoundError:  # for another system or Python
        return
    paths = (Path(str(each.locate())) for each in found.files or () if each.suffix != ".pyc")
    sizes[name] = sum(path.stat().st_size for path in paths if path.exists())
    for required in found.requires or ():
        if "extra ==" not in required and (named := re.match(r"[A-Za-z0-9._-]+", required)):
            closure(named[0], sizes)


def licence_of(found: Distribution) -> str:
    """Return the licence that the metadata of a distribution name."""
    metadata = found.metadata
    if "License-Expression" in metadata:
        return metadata["License-Expression"]
    classes = [each for each in metadata.get_all("Classifier") or () if each.startswith("License")]
    named = ", ".join(each.rpartition(" :: ")[2] for each in classes)
    return named or (metadata["License"] or "").partition("\n")[0]


def main(name: str) -> None:
    """Print what is known of one package."""
    sizes: dict[str, int] = {}
    closure(name, sizes)
    found = distribution(name)
    record = {"version": found.version, "licence": licence_of(found)}
    print(json.dumps(record | {"packages": len(sizes), "bytes": sum(sizes.values())}))


if __name__ == "__main__":
    main(sys.argv[1])
