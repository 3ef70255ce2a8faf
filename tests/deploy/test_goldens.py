"""Four value sets of `helm/winnow/ci`, which share little, render to their golden files.

The other value sets are rendered and checked in `test_tools.py`.

`UPDATE_GOLDENS=1 pytest tests/deploy/test_goldens.py` writes the golden files.
"""

import os
from pathlib import Path

import pytest
import yaml

from tests.deploy.chart import Chart, Manifest, value_set

GOLDEN = Path(__file__).parent / "golden"


class BlockDumper(yaml.SafeDumper):
    """Writes texts of several lines as blocks."""


def block_text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


BlockDumper.add_representer(str, block_text)


def normal(manifests: list[Manifest]) -> str:
    """Return manifests as text without blank lines and quotes, and with sorted keys.

    What is copied from a file of the chart is named, not repeated: other tests compare it.
    """
    for manifest in manifests:
        if manifest["metadata"]["name"].endswith("-dashboard"):
            manifest["data"] = dict.fromkeys(manifest["data"], "...")
        if manifest["kind"] == "PrometheusRule":
            rules = [rule for group in manifest["spec"]["groups"] for rule in group["rules"]]
            manifest["spec"] = {"alerts": {rule["alert"]: rule["labels"] for rule in rules}}
    return yaml.dump_all(manifests, Dumper=BlockDumper, explicit_start=True, width=200)


@pytest.mark.parametrize("golden", sorted(GOLDEN.glob("*.yaml")), ids=lambda path: path.stem)
def test_chart_renders_as_its_golden_file_says(golden: Path, chart: Chart) -> None:
    rendered = normal(chart.render(value_set(golden.stem)))

    if os.environ.get("UPDATE_GOLDENS"):
        golden.write_text(rendered)
    assert rendered == golden.read_text()
