"""Write JSON schemas of Kubernetes for kubeconform, from the package kubernetes-validate.

`kubernetes_schemas.py FOLDER VERSION...` writes FOLDER/v1.33.0-strict/deployment-apps-v1.json and
the others, with references that stay within the folder: kubeconform then needs no network.
"""

import importlib.resources
import json
import sys
from pathlib import Path


def write_schemas(folder: Path, version: str) -> None:
    """Write the strict schemas of one version, such as 1.33."""
    package = importlib.resources.files("kubernetes_validate")
    source = package / "kubernetes-json-schema" / f"v{version}.0-local-strict"
    target = folder / f"v{version}.0-strict"
    target.mkdir(parents=True, exist_ok=True)
    for schema in source.iterdir():
        text = schema.read_text().replace('"/api/_definitions.json#', '"_definitions.json#')
        written = json.loads(text)
        written.pop("$id", None)  # with it, relative references would lead to the network
        (target / schema.name).write_text(json.dumps(written))


if __name__ == "__main__":
    for wanted in sys.argv[2:]:
        write_schemas(Path(sys.argv[1]), wanted)
