"""Classes of web pages told from their text, cleaned in every way: table 6 of the first paper.

    python -m lab.downstream.classification ../shared/webkb/webkb.tar.zst [--out FOLDER]

WebKB's seven classes, one university left out at a time, the pages of all others for training.
A linear model over words (logistic regression on TF-IDF of single words, classes weighed alike)
stands where the paper has RoBERTa: it sees the whole page, and says the same on every machine.
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import sklearn
from numpy.typing import NDArray
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score

from lab.downstream.tables import Results, shown, write_results
from lab.downstream.variants import BASE, VARIANTS, variant
from lab.downstream.webkb import UNIVERSITIES, WebKbPage, webkb_pages
from lab.measure.bootstrap import redrawn_pages

Labels = NDArray[np.int64]

PAPER: Final = (
    "Paper (RoBERTa base, macro F1): tags stripped .611; perplexity, bigrams 8K .635, 10K .614; "
    "trigrams 8K .593, 10K .554."
)


@dataclass(frozen=True, slots=True)
class Predictions:
    """What one variant made of the pages of the four universities, in their order."""

    name: str
    classes: Labels
    empty: int

    def macro_f1(self, truth: Labels) -> float:
        """Return the mean over classes of F1."""
        return float(f1_score(truth, self.classes, average="macro", zero_division=0.0))


def predict(name: str, pages: Sequence[WebKbPage], labels: Labels) -> Predictions:
    """Clean all pages in one way, and classify those of each university by all others."""
    text_of = variant(name)
    texts = [text_of(page.page) for page in pages]
    universities = np.array([page.university for page in pages])
    found = np.full(len(pages), -1, np.int64)
    for university in UNIVERSITIES:
        is_left_out = universities == university
        words = TfidfVectorizer(min_df=2, sublinear_tf=True)
        train = words.fit_transform([texts[index] for index in np.flatnonzero(~is_left_out)])
        model = LogisticRegression(C=10.0, max_iter=2000, class_weight="balanced")
        model.fit(train, labels[~is_left_out])
        test = words.transform([texts[index] for index in np.flatnonzero(is_left_out)])
        found[is_left_out] = model.predict(test)
    judged = found >= 0
    empty = sum(not text.strip() for text, one in zip(texts, judged, strict=True) if one)
    return Predictions(name, found[judged], empty)


def redrawn_macro_f1(classes: Labels, truth: Labels, count: int) -> NDArray[np.float64]:
    """Return macro F1 on pages drawn anew with replacement, the same draws for all variants."""
    draws = redrawn_pages(len(truth)).astype(np.float64)
    found, wanted = (labels[:, np.newaxis] == np.arange(count) for labels in (classes, truth))
    hits, found, wanted = (
        draws @ chosen.astype(np.float64) for chosen in (found & wanted, found, wanted)
    )
    return np.asarray((2 * hits / np.maximum(found + wanted, 1)).mean(axis=1))


def table(predictions: Sequence[Predictions], truth: Labels, names: Sequence[str]) -> Results:
    """Return F1 per class and macro, with the 95 % interval of the gain over `BASE`."""
    base = next(one for one in predictions if one.name == BASE)
    base_redrawn = redrawn_macro_f1(base.classes, truth, len(names))
    rows = []
    for one in predictions:
        per_class = f1_score(
            truth, one.classes, labels=range(len(names)), average=None, zero_division=0.0
        )
        gain = redrawn_macro_f1(one.classes, truth, len(names)) - base_redrawn
        low, high = np.quantile(gain, (0.025, 0.975))
        interval = "" if one is base else f"{low:+.3f} to {high:+.3f}"
        figures = (*map(shown, per_class), shown(one.macro_f1(truth)), interval, str(one.empty))
        rows.append((one.name, figures))
    return Results(
        "WebKB, one university left out at a time: F1 by class",
        (*names, "macro", f"macro less {BASE}, 95 %", "empty"),
        tuple(rows),
        (
            f"{len(truth)} pages of {len(UNIVERSITIES)} universities, by logistic regression.",
            f"TF-IDF of scikit-learn {sklearn.__version__}; intervals from pages drawn anew.",
            PAPER,
        ),
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("archive", type=Path)
    parser.add_argument("--out", type=Path, default=Path("build/downstream"))
    parser.add_argument("--limit", type=int, help="every so many-th page alone, for a try")
    chosen = parser.parse_args()
    pages = list(webkb_pages(chosen.archive))[:: chosen.limit or 1]
    names = sorted({page.label for page in pages})
    labels = np.array([names.index(page.label) for page in pages])
    truth = labels[[page.university in UNIVERSITIES for page in pages]]
    found = [predict(name, pages, labels) for name in VARIANTS]
    write_results(chosen.out, "classification", [table(found, truth, names)])


if __name__ == "__main__":
    main()
