"""Find the limits of the language models, `winnow.models._kernel.lab.LANGUAGE_LIMITS`.

    python -m winnow.lab.measure.languages fits ../shared/pages/daniel.tar.zst
    python -m winnow.lab.measure.languages found ../shared/pages/daniel.tar.zst

`fits` scores samples of the pages of the training part (by site) with every shipped model. For each
model it prints quantiles over the pages in its language and over all others. `found` counts, on the
other parts, the languages that the cleaner finds, and the share of right ones in each tenth of
`language_score`. Pages in languages that no set has are in the unit tests.
"""

import argparse
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from statistics import quantiles

from winnow.lab.sets.parts import Part
from winnow.lab.sets.tasks import Selection, gold_set_of, tasks
from winnow.models._kernel import Blocks
from winnow.models._kernel.lab import LANGUAGE_LIMITS, sample_pages
from winnow.models.engines.perplexity import PerplexityEngine
from winnow.models.errors import InvalidPage
from winnow.models.ngram import LanguageModels, NgramModel
from winnow.models.ngram.languages import SHIPPED
from winnow.models.page import blocks_of


def main() -> None:
    """Print one table."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("table", choices=["fits", "found"])
    arguments.add_argument("sources", type=Path, nargs="+")
    chosen = arguments.parse_args()
    fits(chosen.sources) if chosen.table == "fits" else found(chosen.sources)


def pages_of(sources: Sequence[Path], part: Part) -> list[tuple[str, Blocks]]:
    """Return the language and blocks of the pages of a part.

    Sets without languages are English.
    """
    pages = []
    for source in sources:
        for task in tasks(source, gold_set_of(source), Selection(part)):
            try:
                blocks = blocks_of(task.page)
            except InvalidPage:
                continue
            pages.append((task.wanted.language or "en", blocks))
    return pages


def fits(sources: Sequence[Path]) -> None:
    """Print bits per token and unknown tokens: own pages (median, 99 %), others (1 %, median).

    The limit is in the middle between the 99 % of own pages and the 1 % of others.
    """
    pages = pages_of(sources, Part.TRAIN)
    samples = sample_pages([blocks for _language, blocks in pages])
    for name in ("bits per token", "unknown tokens / tokens"):
        print(f"| {name} | pages | own 50 % | own 99 % | others 1 % | others 50 % | limit | set |")
        print("|---|---:|---:|---:|---:|---:|---:|---:|")
        for language in SHIPPED:
            scored = figures(NgramModel.shipped(language), samples)
            values = [bits if name.startswith("bits") else oov for bits, oov in scored]
            bits_per_token, oov_rate = LANGUAGE_LIMITS[language]
            chosen = bits_per_token if name.startswith("bits") else oov_rate
            own = [value for value, page in zip(values, pages, strict=True) if page[0] == language]
            others = [
                value for value, page in zip(values, pages, strict=True) if page[0] != language
            ]
            print(f"| {language} | {len(own)} | {_row(own, others)} | {chosen:g} |")
        print()


def figures(model: NgramModel, samples: list[Blocks]) -> list[tuple[float, float]]:
    """Return the bits per token and the share of unknown tokens of each sample."""
    scored = model.score(samples)
    return [
        (-each.log2_prob / max(1, each.tokens), each.oov / max(1, each.tokens)) for each in scored
    ]


def _row(own: list[float], others: list[float]) -> str:
    ours = quantiles(own, n=100, method="inclusive")
    theirs = quantiles(others, n=100, method="inclusive")
    limit = (ours[98] + theirs[0]) / 2
    return " | ".join(
        f"{value:.2f}" for value in (ours[49], ours[98], theirs[0], theirs[49], limit)
    )


def found(sources: Sequence[Path]) -> None:
    """Print the confusion matrix of page languages."""
    pages = [page for part in (Part.TUNE, Part.TEST) for page in pages_of(sources, part)]
    judged = LanguageModels.shipped().judge(
        PerplexityEngine().rule, [blocks for _language, blocks in pages]
    )
    counts = Counter(
        (spoken, page.language or "none", "model" if page.model_language else "no model")
        for (spoken, _), page in zip(pages, judged, strict=True)
    )
    print("| pages in | taken for | judged by | pages |\n|---|---|---|---:|")
    for (spoken, language, by), count in sorted(counts.items()):
        print(f"| {spoken} | {language} | {by} | {count} |")
    print("\n| score | pages | right |\n|---|---:|---:|")
    scored = [
        (min(int(10 * page.language_score), 9), page.language == spoken)
        for (spoken, _), page in zip(pages, judged, strict=True)
    ]
    for tenth in sorted({tenth for tenth, _ in scored}):
        right = [is_right for own, is_right in scored if own == tenth]
        print(f"| .{tenth}+ | {len(right)} | {sum(right) / len(right):.3f} |")


if __name__ == "__main__":
    main()
