"""The Helm chart, rendered by a helm that the tests built."""

import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeAlias

import yaml

ROOT: Final = Path(__file__).resolve().parents[2]
FOLDER: Final = ROOT / "helm" / "winnow"
VALUE_SETS: Final = tuple(sorted((FOLDER / "ci").glob("*-values.yaml")))
# Between the oldest and the newest that the chart supports; a test of another version names it.
KUBERNETES: Final = "1.33.0"

# Manifests are what PyYAML makes of text that the chart wrote: tests look into them as they are.
Manifest: TypeAlias = dict[str, Any]


class RefusedError(Exception):
    """The chart refused the values; carries its message."""


def value_set(name: str) -> Path:
    """Return one of the value sets that ship with the chart."""
    return FOLDER / "ci" / f"{name}-values.yaml"


def values(**given: object) -> Manifest:
    """Return the smallest valid values, overridden by `given`."""
    return {"kafka": {"bootstrap": "kafka:9092"}} | given


@cache
def _rendered(helm: Path, release: str, given: str, arguments: tuple[str, ...]) -> tuple[str, str]:
    """Return manifests and refusal, one of them empty; results are cached."""
    command = [
        *(str(helm), "template", release, str(FOLDER), "--namespace", "crawl"),
        *("--kube-version", KUBERNETES, "--values", "-", *arguments),
    ]
    done = subprocess.run(command, check=False, capture_output=True, text=True, input=given)
    return ("", done.stderr) if done.returncode else (done.stdout, "")


@dataclass(frozen=True, slots=True)
class Chart:
    """The chart, the helm that renders it, and the name that its release gets."""

    helm: Path
    release: str = "winnow"

    def template(self, given: Path | Manifest, *arguments: str) -> str:
        """Return the rendered manifests as text.

        Raises:
            RefusedError: schema or guard refused the values.
        """
        text = given.read_text() if isinstance(given, Path) else yaml.safe_dump(given)
        rendered, refusal = _rendered(self.helm, self.release, text, arguments)
        if refusal:
            raise RefusedError(refusal)
        return rendered

    def render(self, given: Path | Manifest, *arguments: str) -> list[Manifest]:
        """Return the rendered manifests in the order of their kind and name."""
        found = yaml.safe_load_all(self.template(given, *arguments))
        return sorted(filter(None, found), key=lambda it: (it["kind"], it["metadata"]["name"]))

    def one(self, kind: str, given: Path | Manifest, *arguments: str) -> Manifest:
        """Return the only manifest of a kind."""
        (found,) = (each for each in self.render(given, *arguments) if each["kind"] == kind)
        return found

    def pod(self, given: Path | Manifest, *arguments: str) -> Manifest:
        """Return the pod specification of the worker."""
        kinds = {"Deployment", "StatefulSet"}
        (found,) = (it for it in self.render(given, *arguments) if it["kind"] in kinds)
        pod: Manifest = found["spec"]["template"]["spec"]
        return pod

    def worker(self, given: Path | Manifest, *arguments: str) -> Manifest:
        """Return the container of the worker."""
        (found,) = (
            each for each in self.pod(given, *arguments)["containers"] if each["name"] == "worker"
        )
        container: Manifest = found
        return container

    def refusal(self, given: Manifest, *arguments: str) -> str:
        """Return the refusal of the values."""
        try:
            self.template(given, *arguments)
        except RefusedError as refused:
            return str(refused)
        raise AssertionError(f"the chart took {given}")
