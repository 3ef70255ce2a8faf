"""Train the hybrid engine on the development pages, or evaluate it on left-out pages.

python -m winnow.lab.train.hybrid ../shared/pages --out models/data/hybrid.bin
python -m winnow.lab.train.hybrid ../shared/pages --only wcxb --copies --out ...
python -m winnow.lab.train.hybrid ../shared/pages --leave-out dragnet --leave-out daniel
python -m winnow.lab.train.hybrid ../shared/pages --leave-out dragnet --only wcxb
python -m winnow.lab.train.hybrid ../shared/pages --fold 0 --folds 5 --losses
python -m winnow.lab.train.hybrid ../shared/pages --fold 0 --folds 3 --out build/thirds/0.bin
python -m winnow.lab.train.hybrid ../shared/pages --fold 0 --folds 3 --transliterate german
python -m winnow.lab.train.hybrid ../shared/pages --cross --folds 5 --worst 20
python -m winnow.lab.train.hybrid ../shared/pages --cross --folds 4 --split-by page
"""

import argparse
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from winnow.lab.sets.parts import fold_of
from winnow.lab.sets.patches import SHIPPED, Patches
from winnow.lab.train.hybrid.check import check_kernel
from winnow.lab.train.hybrid.corpus import ARCHIVES, copies, samples
from winnow.lab.train.hybrid.cross import cross
from winnow.lab.train.hybrid.file import file_of
from winnow.lab.train.hybrid.fit import Boosters, Predicted, Size, predict, train
from winnow.lab.train.hybrid.losses import losses, table_of
from winnow.lab.train.hybrid.matrix import Choice, Corpus, corpus_of
from winnow.lab.train.hybrid.provenance import provenance, sets_of
from winnow.lab.train.hybrid.score import Cut, page_scores, table, type_scores
from winnow.lab.train.hybrid.transliteration import SCRIPTS


def main() -> None:
    """Run the command."""
    arguments = _arguments()
    scripts = [None, *(SCRIPTS[name] for name in arguments.transliterate)]
    patches = Patches.read(SHIPPED) if arguments.patched else None
    names = arguments.only or list(ARCHIVES)
    copied = [*copies(arguments.pages, names, patches)] if arguments.copies else []
    corpora = [
        corpus_of((*samples(arguments.pages, script, patches), *copied)) for script in scripts
    ]
    corpus = corpora[0]
    size = Size(
        rows=arguments.rows,
        trees=arguments.trees,
        leaves=arguments.leaves,
        rate=arguments.rate,
        share=arguments.share,
        threads=arguments.threads,
        seed=arguments.seed,
    )
    cut = Cut()
    known = _families(corpus, names)
    for family in arguments.leave_out:
        tested = _families(corpus, [family])
        _report(corpora, tested, train(corpus, known & ~tested, size), cut)
    is_by_site = arguments.split_by == "site"
    parts = [sample.site if is_by_site else sample.page_id for sample in corpus.samples]
    folds = np.array([fold_of(part, arguments.folds) for part in parts])
    if arguments.cross:
        _cross(corpus, folds, size, cut, arguments.worst)
    if arguments.fold is None and not arguments.out:
        return
    if arguments.fold is not None:
        known = known & (folds != arguments.fold)
    trees = train(corpus, known, size)
    if arguments.fold is not None:
        tested = folds == arguments.fold
        predicted = _report(corpora, tested, trees, cut)
        if arguments.losses:
            own = tested & ~corpus.is_copy
            print("\n".join(table_of(losses(corpus, own, predicted, cut))))
    if arguments.out:
        print(f"training and kernel differ by at most {check_kernel(corpus, known, trees):.1e}")
        file = file_of(trees, cut)
        arguments.out.write_bytes(file)
        facts = provenance(file, sets_of(corpus, known, arguments.pages), size, cut, patches)
        arguments.out.with_suffix(".provenance.json").write_bytes(facts)


def _families(corpus: Corpus, names: list[str]) -> Choice:
    return np.array([sample.family in names for sample in corpus.samples])


def _report(corpora: Sequence[Corpus], tested: Choice, trees: Boosters, cut: Cut) -> Predicted:
    """Print F x 100 by group, and accuracy of page types, on pages outside of training.

    One line of JSON per corpus: the first is the trained one, the others are its pages in other
    scripts. Returns the probabilities for the first.
    """
    tested = tested & ~corpora[0].is_copy
    judged = [predict(corpus, tested, trees) for corpus in corpora]
    for predicted in judged:
        scores = table(corpora[0], tested, predicted, cut)
        _print(scores | type_scores(corpora[0], tested, predicted))
    return judged[0]


def _cross(corpus: Corpus, folds: npt.NDArray[np.int_], size: Size, cut: Cut, worst: int) -> None:
    """Judge all pages with trees of other folds.

    Prints lines of JSON (F by group, F without the knowledge of templates, accuracy of page types)
    and the worst pages.
    """
    predicted = cross(corpus, folds, size)
    every = ~corpus.is_copy
    _print(table(corpus, every, predicted, cut))
    _print(table(corpus, every, replace(predicted, content=predicted.mixed), cut))
    _print(type_scores(corpus, every, predicted))
    pages = sorted(page_scores(corpus, every, predicted, cut), key=lambda page: page.f1)
    for page in pages[:worst]:
        sample = page.sample
        print(
            f"| {sample.group} | {sample.page_id} | {sample.page_type} | {page.f1:.2f} "
            f"| {page.precision:.2f} | {page.recall:.2f} |"
        )


def _print(scores: dict[str, float]) -> None:
    print(json.dumps({name: round(score, 1) for name, score in sorted(scores.items())}), flush=True)


def _arguments() -> argparse.Namespace:
    defaults = Size()
    parser = argparse.ArgumentParser(
        "winnow.lab.train.hybrid",
        description=__doc__,
        formatter_class=argparse.RawTextHelpFormatter,
    )
    parser.add_argument("pages", type=Path, help="folder of the development pages")
    parser.add_argument("--out", type=Path, help="parameter file to write; with --fold, without it")
    parser.add_argument(
        "--patched", action="store_true", help="correct gold texts with lab/sets/patches"
    )
    parser.add_argument(
        "--only",
        action="append",
        choices=ARCHIVES,
        default=[],
        help="sets to train on; default: all",
    )
    parser.add_argument(
        "--copies",
        action="store_true",
        help="train on copies of the pages in artificial languages too",
    )
    parser.add_argument("--leave-out", action="append", choices=ARCHIVES, default=[])
    parser.add_argument(
        "--transliterate",
        action="append",
        choices=SCRIPTS,
        default=[],
        help="also judge the left-out pages in this script, on a separate line",
    )
    parser.add_argument("--fold", type=int, help="leave out one fold")
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument(
        "--losses", action="store_true", help="print the kinds of wrong blocks of --fold"
    )
    parser.add_argument(
        "--split-by",
        choices=("site", "page"),
        default="site",
        help="page: sites may be in training",
    )
    parser.add_argument("--cross", action="store_true", help="leave out each fold in turn")
    parser.add_argument("--worst", type=int, default=0, help="pages to list after --cross")
    parser.add_argument("--rows", type=int, default=defaults.rows, help="rows per stage")
    parser.add_argument("--trees", type=int, default=defaults.trees, help="trees per stage")
    parser.add_argument(
        "--leaves", type=int, default=defaults.leaves, help="leaves per tree, at most 16"
    )
    parser.add_argument("--rate", type=float, default=defaults.rate, help="of learning")
    parser.add_argument("--share", type=float, default=defaults.share, help="share of the network")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=defaults.seed)
    arguments = parser.parse_args()
    if arguments.transliterate and arguments.fold is None and not arguments.leave_out:
        parser.error("--transliterate needs --fold or --leave-out")
    return arguments


main()
