"""Classify web pages by their text, cleaned in each way: table 6 of the first paper.

    python -m winnow.lab.downstream.classification ../shared/webkb/webkb.tar.zst [--out FOLDER]

WebKB has seven classes. One university is left out at a time, and the pages of all others are for
training. Instead of the paper's RoBERTa there are two linear models: one over words (a support
vector machine on TF-IDF of single words, with balanced classes) and one over the vectors of a
small encoder. The first reads whole pages. The second reads the beginning of every fourth page of
the four universities, because computing vectors takes longer than all the rest.
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import sklearn
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer
from sklearn.metrics import f1_score
from sklearn.svm import LinearSVC

from winnow.lab.downstream.encoder import MOST_PIECES, Encoder, model_folder
from winnow.lab.downstream.tables import Results, shown, write_results
from winnow.lab.downstream.variants import BASE, VARIANTS, variant
from winnow.lab.downstream.webkb import UNIVERSITIES, webkb_pages
from winnow.lab.measure.bootstrap import redrawn_pages

Labels = NDArray[np.int64]
Floats = NDArray[np.float32]

# the ways of cleaning for the encoder, and its share of the pages
ENCODED: Final = (BASE, "hybrid", "hybrid:training=open", "perplexity", "readability-lxml")
EVERY: Final = 4
PAPER: Final = (
    "Paper (RoBERTa base, macro F1): tags stripped .611; perplexity, bigrams 8K .635, 10K .614; "
    "trigrams 8K .593, 10K .554."
)


@dataclass(frozen=True, slots=True)
class Predictions:
    """One variant's classes of the pages of the four universities, in their order."""

    name: str
    classes: Labels
    empty: int

    def macro_f1(self, truth: Labels) -> float:
        """Return the mean over classes of F1."""
        return float(f1_score(truth, self.classes, average="macro", zero_division=0.0))


def left_out(
    features: csr_matrix | Floats, labels: Labels, universities: Sequence[str], c: float
) -> Labels:
    """Return the classes of each university's pages, predicted from all others; -1 for `misc`."""
    of_page = np.array(universities)
    found = np.full(len(of_page), -1, np.int64)
    for university in UNIVERSITIES:
        is_left_out = of_page == university
        train, test = features[~is_left_out], features[is_left_out]
        if isinstance(features, csr_matrix):
            weights = TfidfTransformer(sublinear_tf=True).fit(train)
            train, test = weights.transform(train), weights.transform(test)
        model = LinearSVC(C=c, class_weight="balanced", random_state=0)
        found[is_left_out] = model.fit(train, labels[~is_left_out]).predict(test)
    return found


def predictions(
    name: str,
    texts: Sequence[str],
    features: csr_matrix | Floats,
    labels: Labels,
    universities: Sequence[str],
) -> Predictions:
    """Classify the pages of the four universities, all cleaned by one variant."""
    found = left_out(features, labels, universities, 1.0)
    judged = found >= 0
    empty = sum(not text.strip() for text, one in zip(texts, judged, strict=True) if one)
    return Predictions(name, found[judged], empty)


def redrawn_macro_f1(classes: Labels, truth: Labels, count: int) -> NDArray[np.float64]:
    """Return macro F1 on bootstrap samples of pages, the same samples for all variants."""
    draws = redrawn_pages(len(truth)).astype(np.float64)
    found, wanted = (labels[:, np.newaxis] == np.arange(count) for labels in (classes, truth))
    hits, found, wanted = (
        draws @ chosen.astype(np.float64) for chosen in (found & wanted, found, wanted)
    )
    return np.asarray((2 * hits / np.maximum(found + wanted, 1)).mean(axis=1))


def table(
    title: str,
    found: Sequence[Predictions],
    truth: Labels,
    names: Sequence[str],
    notes: Sequence[str],
) -> Results:
    """Return F1 per class and macro, with the 95 % interval of the gain over `BASE`."""
    base = next(one for one in found if one.name == BASE)
    base_redrawn = redrawn_macro_f1(base.classes, truth, len(names))
    rows = []
    for one in found:
        per_class = f1_score(
            truth, one.classes, labels=range(len(names)), average=None, zero_division=0.0
        )
        gain = redrawn_macro_f1(one.classes, truth, len(names)) - base_redrawn
        low, high = np.quantile(gain, (0.025, 0.975))
        interval = "" if one is base else f"{low:+.3f} to {high:+.3f}"
        figures = (*map(shown, per_class), shown(one.macro_f1(truth)), interval, str(one.empty))
        rows.append((one.name, figures))
    return Results(
        title,
        (*names, "macro", f"macro less {BASE}, 95 %", "empty"),
        tuple(rows),
        (f"{len(truth)} pages of {len(UNIVERSITIES)} universities judged.", *notes, PAPER),
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("archive", type=Path)
    parser.add_argument("--out", type=Path, default=Path("build/downstream"))
    parser.add_argument("--limit", type=int, help="only every Nth page, for a quick run")
    chosen = parser.parse_args()
    pages = list(webkb_pages(chosen.archive))[:: chosen.limit or 1]
    names = sorted({page.label for page in pages})
    labels = np.array([names.index(page.label) for page in pages])
    universities = [page.university for page in pages]
    is_known = np.isin(universities, UNIVERSITIES)
    read = np.flatnonzero(is_known)[::EVERY]
    encoder = Encoder(model_folder())
    by_words, by_vectors = [], []
    for name in VARIANTS:
        text_of = variant(name)
        texts = [text_of(page.page) for page in pages]
        counts = CountVectorizer(min_df=2).fit_transform(texts)
        by_words.append(predictions(name, texts, csr_matrix(counts), labels, universities))
        if name in ENCODED:
            begun = [texts[index] for index in read]
            of_read = [universities[index] for index in read]
            vectors = encoder.vectors(begun)
            by_vectors.append(predictions(name, begun, vectors, labels[read], of_read))
    version = f"Support vector machine of scikit-learn {sklearn.__version__}"
    words = f"{version} on TF-IDF of words, balanced classes; bootstrap intervals over pages."
    pieces = (
        f"{version} on vectors of all-MiniLM-L6-v2, which reads the first {MOST_PIECES} word "
        f"pieces, of every {EVERY}th page; no page of other universities in training."
    )
    title = "WebKB, one university left out at a time, F1 by class"
    tables = [
        table(f"{title}: words", by_words, labels[is_known], names, (words,)),
        table(f"{title}: encoder", by_vectors, labels[read], names, (pieces,)),
    ]
    write_results(chosen.out, "classification", tables)


if __name__ == "__main__":
    main()
