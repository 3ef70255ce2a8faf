"""Fit the confidence of the hybrid engine: an estimate of F1 for unlabelled pages.

python -m winnow.lab.train.hybrid.confidence ../shared/pages --out models/data/hybrid-confidence.bin
python -m winnow.lab.train.hybrid.confidence ../shared/pages --only wcxb --copies --out ...

Every page is judged by parameters that were trained without its site. A small forest learns the
difference between the F1 of these judgements and the F1 expected from their probabilities. The
printed figures are from sites that neither the parameters nor the forest saw.
"""

import argparse
import hashlib
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import lightgbm
import numpy as np
import numpy.typing as npt
import orjson

from winnow.lab.measure.confidence import Trust, trust
from winnow.lab.report.confidence_report import confidence_figure, confidence_report
from winnow.lab.sets.parts import fold_of
from winnow.lab.train.hybrid.corpus import ARCHIVES, copies, samples
from winnow.lab.train.hybrid.file import file_of, forest
from winnow.lab.train.hybrid.fit import Size, train
from winnow.lab.train.hybrid.matrix import Choice, Corpus, Floats, corpus_of
from winnow.lab.train.hybrid.provenance import sets_of
from winnow.lab.train.hybrid.score import Cut, precision_recall
from winnow.lab.train.hybrid.templates import log_odds, probability
from winnow.models import _kernel
from winnow.models._kernel import VERDICTS
from winnow.models._kernel.lab import (
    hybrid_confidence_features,
    hybrid_confidence_header,
    hybrid_confidence_names,
)
from winnow.models.document import Verdict

_KEPT: Final = VERDICTS.index(Verdict.KEPT)
# parts of the sites to evaluate the forest
_FOLDS: Final = 5
_TREES: Final = 60
# the column with the F1 expected from the probabilities
_EXPECTED: Final = hybrid_confidence_names().index("k_f")
_FOREST: Final[dict[str, Any]] = {
    "objective": "cross_entropy",
    "num_leaves": 8,
    "learning_rate": 0.04,
    "feature_fraction": 0.3,
    "bagging_fraction": 0.7,
    "bagging_freq": 1,
    "min_data_in_leaf": 40,
    "lambda_l2": 5.0,
    "verbose": -1,
    "deterministic": True,
    "force_row_wise": True,
    "num_threads": 1,
}


@dataclass(frozen=True, slots=True)
class Judged:
    """Pages judged by parameters trained without their sites, one row each.

    Attributes:
        features: the kernel's features of the judgement.
        f1: F1 of the judgement.
        folds: folds of the sites, for the forest.
    """

    features: Floats
    f1: Floats
    folds: npt.NDArray[np.int_]


def judged_apart(corpus: Corpus, known: Choice, size: Size, folds: int) -> Judged:
    """Judge all known pages with blocks, one fold of the sites at a time."""
    of_site = np.array([fold_of(sample.site, folds) for sample in corpus.samples])
    rows, f1, inner = [], [], []
    for fold in range(folds):
        own = known & (of_site == fold)
        model = _kernel.HybridModel(file_of(train(corpus, known & ~own, size), Cut()))
        for number in np.nonzero(own & ~corpus.is_copy)[0]:
            sample = corpus.samples[number]
            (judgement,) = model.judge([sample.blocks], "auto", ("auto",) * 4, None)
            kept = np.frombuffer(judgement.verdicts, np.uint8) == _KEPT
            precision, recall = precision_recall(sample, kept)
            f1.append(2 * precision * recall / max(1e-9, precision + recall))
            rows.append(np.frombuffer(hybrid_confidence_features(model, sample.blocks), np.float32))
            inner.append(fold_of(f"confidence {sample.site}", _FOLDS))
    return Judged(np.vstack(rows), np.array(f1, np.float32), np.array(inner))


def fitted(features: Floats, f1: Floats, seed: int) -> lightgbm.Booster:
    """Return a forest that corrects the log-odds of the expected F1."""
    data = lightgbm.Dataset(features, f1, init_score=log_odds(features[:, _EXPECTED]))
    return lightgbm.train({**_FOREST, "seed": seed}, data, _TREES)


def estimated(judged: Judged, seed: int) -> Floats:
    """Return for every page the estimate of a forest trained without its site."""
    confidence = np.zeros_like(judged.f1)
    for fold in np.unique(judged.folds):
        own = judged.folds == fold
        trees = fitted(judged.features[~own], judged.f1[~own], seed)
        rows = judged.features[own]
        odds = trees.predict(rows, num_threads=1, raw_score=True)
        confidence[own] = probability(log_odds(rows[:, _EXPECTED]) + odds)
    return confidence


def confidence_file(trees: lightgbm.Booster) -> bytes:
    """Return the bytes of the kernel's file (`engines/hybrid/confidence.rs`)."""
    payload = forest(trees)
    return hybrid_confidence_header(payload) + payload


def main() -> None:
    """Judge all pages by cross-validation, fit the forest, and print its quality."""
    arguments = _arguments()
    parameters = _parameters(arguments.out) if arguments.out else b""
    families = arguments.only or list(ARCHIVES)
    copied = copies(arguments.pages, families) if arguments.copies else ()
    corpus = corpus_of((*samples(arguments.pages), *copied))
    known = np.array([sample.family in families for sample in corpus.samples])
    size = Size(trees=arguments.trees, threads=arguments.threads)
    judged = judged_apart(corpus, known, size, arguments.folds)
    found = trust(estimated(judged, seed=0), judged.f1)
    _print(found)
    title = f"Confidence of the hybrid engine: {', '.join(families)}"
    if arguments.report:
        arguments.report.write_text(confidence_report(title, found), encoding="utf-8")
    if arguments.figure:
        arguments.figure.write_text(confidence_figure(found), encoding="utf-8")
    if arguments.out:
        file = confidence_file(fitted(judged.features, judged.f1, seed=0))
        arguments.out.write_bytes(file)
        facts = {
            "sha256": hashlib.sha256(file).hexdigest(),
            "file_bytes": len(file),
            "parameters_sha256": hashlib.sha256(parameters).hexdigest(),
            "columns": len(hybrid_confidence_names()),
            "made_from": sets_of(corpus, known, arguments.pages),
            "folds": arguments.folds,
            "trees": arguments.trees,
            "on_sites_left_out": asdict(found),
        }
        options = orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE
        path = arguments.out.with_suffix(".provenance.json")
        path.write_bytes(orjson.dumps(facts, option=options))


def _print(found: Trust) -> None:
    print(
        f"{found.pages} pages, {found.bad} of them bad: Spearman {found.spearman:.2f}, "
        f"{100 * found.bad_in_lowest:.0f} % of the bad ones in the lowest fifth, "
        f"calibration error {found.calibration_error:.3f}"
    )
    print("| confidence | F1 | pages |\n|---:|---:|---:|")
    for one in found.bins:
        print(f"| {one.confidence:.2f} | {one.f1:.2f} | {one.pages} |")
    print("| pages kept, % | 1 - F1 |\n|---:|---:|")
    for share, risk in found.coverage[1::2]:
        print(f"| {100 * share:.0f} | {risk:.3f} |")


def _parameters(confidence: Path) -> bytes:
    """Return the parameter file that belongs to a confidence file."""
    name = confidence.name.removesuffix("-confidence.bin")
    if name == confidence.name:
        raise SystemExit(f"{confidence}: must be named as its parameters: NAME-confidence.bin")
    return confidence.with_name(f"{name}.bin").read_bytes()


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        "winnow.lab.train.hybrid.confidence",
        description=__doc__,
        formatter_class=argparse.RawTextHelpFormatter,
    )
    parser.add_argument("pages", type=Path, help="folder of the development pages")
    parser.add_argument(
        "--out", type=Path, help="NAME-confidence.bin to write, next to the parameters NAME.bin"
    )
    parser.add_argument("--only", action="append", choices=ARCHIVES, default=[])
    parser.add_argument(
        "--copies", action="store_true", help="train on copies too, as the parameters were"
    )
    parser.add_argument(
        "--folds", type=int, default=3, help="number of trainings for the judgements"
    )
    parser.add_argument("--trees", type=int, default=Size().trees, help="trees per training")
    parser.add_argument(
        "--threads", type=int, default=Size().threads, help="networks trained in parallel"
    )
    parser.add_argument("--report", type=Path, help="write the curves to this HTML file")
    parser.add_argument("--figure", type=Path, help="write the curves to this SVG file")
    return parser.parse_args()


if __name__ == "__main__":
    main()
