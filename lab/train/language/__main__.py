"""Build the shipped language models, byte for byte, with their provenance.

    python -m winnow.lab.train.language ../shared/corpus build/models [LANGUAGE...]

The corpus has one folder per language. Only files in `sources.tsv` are read; it has the kind of
text and the licence of each. Files are not listed if they forbid some uses, have no licence, or
require a software licence (GPL, MPL, EUPL) for derived works.
"""

import argparse
import csv
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from winnow.lab.train.language.training import Source, TrainingPlan, train_model
from winnow.models.errors import ModelError
from winnow.models.ngram import NgramModel

SOURCES: Final = Path(__file__).with_name("sources.tsv")
SUFFIX: Final = ".txt.zst"
# English, the model for most pages, lists n-grams seen twice; others with much text are pruned by
# the cost of leaving an n-gram out, so that each has at most 4 MB.
LARGE: Final = {
    "en": TrainingPlan(min_counts=(2, 2, 2)),
    "el": TrainingPlan(),
    "pl": TrainingPlan(min_gain=18),
    "ru": TrainingPlan(min_gain=16),
    "zh": TrainingPlan(min_gain=6),
}
# The rest have about a million words each, and 16 MB together.
SMALL: Final = TrainingPlan(
    min_counts=(2, 2, 2), min_gain=9, punkt_bytes=2_000_000, punkt_min_count=4
)
SMALL_LANGUAGES: Final = (
    *("ar", "bg", "ca", "cs", "da", "de", "es", "fa", "fi", "fr", "gl", "he", "hi"),
    *("hu", "id", "it", "ja", "ko", "nb", "nl", "pt", "ro", "sv", "tr", "uk", "vi"),
)
PLANS: Final = {**LARGE, **dict.fromkeys(SMALL_LANGUAGES, SMALL)}


def main() -> None:
    """Build all models, or the models of some languages."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("corpus", type=Path)
    arguments.add_argument("target", type=Path)
    arguments.add_argument("languages", nargs="*", help="subtags; default: all")
    chosen = arguments.parse_args()
    unknown = sorted(set(chosen.languages) - set(PLANS))
    if unknown:
        arguments.error(f"no plan for {', '.join(unknown)}; use {', '.join(sorted(PLANS))}")
    chosen.target.mkdir(parents=True, exist_ok=True)
    try:
        make_all(chosen.corpus, chosen.target, chosen.languages or sorted(PLANS))
    except (ModelError, OSError) as error:
        sys.exit(str(error))


def make_all(corpus: Path, target: Path, languages: Sequence[str]) -> None:
    """Build the models of some languages, one after another, and print a line for each.

    Raises:
        ModelError: a language has no text.
        OSError: a file cannot be read or written.
    """
    sources = read_sources()
    for language in languages:
        path = target / f"{language}.winnow"
        plan = plan_of(language, sources)
        train_model(files_of(corpus / language, sources), path, plan)
        info = NgramModel.open(path).info
        said = json.dumps(info.to_dict(), ensure_ascii=False, separators=(",", ":")) + "\n"
        path.with_name(f"{language}.provenance.json").write_text(said, encoding="utf-8")
        sys.stdout.write(
            f"{language} {info.file_bytes:,} bytes, perplexity {info.held_out_perplexity:.1f}\n"
        )
        sys.stdout.flush()


def plan_of(language: str, sources: Mapping[str, Source]) -> TrainingPlan:
    """Return the training plan of a language."""
    plan = PLANS[language]
    return TrainingPlan(
        language=language,
        min_counts=plan.min_counts,
        min_gain=plan.min_gain,
        punkt_bytes=plan.punkt_bytes,
        punkt_min_count=plan.punkt_min_count,
        sources={name + SUFFIX: source for name, source in sources.items()},
    )


def read_sources() -> dict[str, Source]:
    """Return the sources of the corpus files, by name without suffix."""
    with SOURCES.open(encoding="utf-8", newline="") as lines:
        rows = csv.DictReader(lines, delimiter="\t")
        return {row["name"]: Source(row["domain"], row["licence"]) for row in rows}


def files_of(folder: Path, sources: Mapping[str, Source]) -> list[Path]:
    """Return the listed files of a folder, ordered by name.

    Raises:
        ModelError: the folder has no listed file.
    """
    files = sorted(
        path for path in folder.glob(f"*{SUFFIX}") if path.name.removesuffix(SUFFIX) in sources
    )
    if not files:
        raise ModelError(f"{folder}: has no file listed in {SOURCES.name}")
    return files


if __name__ == "__main__":
    main()
