"""Provenance of a parameter file, written next to it, so that it can be reproduced."""

import hashlib
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

import orjson

from winnow.lab.sets.patches import Patches
from winnow.lab.train.hybrid.fit import Size
from winnow.lab.train.hybrid.matrix import Choice, Corpus
from winnow.lab.train.hybrid.score import Cut

_ATTRIBUTION = {
    "wcxb": "(c) 2026 Murrough Foley, CC BY 4.0, Murrough-Foley/web-content-extraction-benchmark; "
    "pages cut into blocks and aligned with the gold text",
    # the repository of the pages and golds, and its licence
    "turing": "alan-turing-institute/misinformation-crawler (MIT)",
    "fundus": "flairNLP/fundus (MIT)",
    "fundus-eval": "dobbersc/fundus-evaluation (MIT)",
    "harvest": "fhgr/harvest (Apache-2.0)",
    "leogao": "leogao2/htmltotext-benchmark (no licence stated)",
    "newspaper4k": "AndyTheFactory/newspaper4k (MIT)",
    "postlight": "postlight/parser (MIT)",
    "jocmp": "jocmp/mercury-parser (MIT)",
    "recipes": "hhursev/recipe-scrapers (MIT)",
    "containers": "htmldate, GeneralNewsExtractor and others (mixed)",
    "jsonld": "the articleBody that publishers state",
}
_TOOLS = ("jax", "jaxlib", "optax", "lightgbm", "rapidfuzz", "numpy", "scipy")


def provenance(
    file: bytes, made_from: list[dict[str, Any]], size: Size, cut: Cut, patches: Patches | None
) -> bytes:
    """Return JSON: digest of the file, its sources, the code version and all settings."""
    facts: dict[str, Any] = {
        "sha256": hashlib.sha256(file).hexdigest(),
        "file_bytes": len(file),
        "made_by": {tool: version(tool) for tool in _TOOLS},
        "made_from": made_from,
        "size": asdict(size),
        "cut": asdict(cut),
    }
    if patches:
        facts["patched_pages"] = len(patches)
    return orjson.dumps(facts, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def sets_of(corpus: Corpus, chosen: Choice, pages: Path) -> list[dict[str, Any]]:
    """Return digest, size and terms of every set of the chosen samples.

    `copies` counts pages that were also read in an artificial language.
    """
    samples = [sample for sample, taken in zip(corpus.samples, chosen, strict=True) if taken]
    sets = []
    for name in sorted({sample.family for sample in samples}):
        taken = [sample for sample in samples if sample.family == name and not sample.is_copy]
        copied = sum(sample.family == name and sample.is_copy for sample in samples)
        archive = (pages / f"{name}.tar.zst").read_bytes()
        sets.append(
            {
                "name": name,
                "sha256": hashlib.sha256(archive).hexdigest(),
                "pages": len(taken),
                "blocks": sum(len(sample.blocks) for sample in taken),
                "copies": copied,
                "attribution": _ATTRIBUTION.get(name, ""),
            }
        )
    return sets
