"""How well `max_perplexity` finds garbled sentences among gold sentences, by language.

    python -m winnow.lab.measure.garbled ../shared/pages/{daniel,fundus,recipes}.tar.zst

For each language with enough gold text, and each limit: the share of good sentences that are lost,
and the shares of garbled ones that are found. Garbled sentences are made from good ones: text read
in the wrong charset, words in random order, lists of keywords, and sentences in another language.
Sentences below eight tokens are left out, because the option ignores them.
"""

import argparse
import random
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from winnow.lab.sets.tasks import Selection, gold_set_of, tasks
from winnow.models.ngram import NgramModel, ScoredSentence
from winnow.models.ngram.languages import SHIPPED

QUANTILES: Final = (0.95, 0.98, 0.99, 1.0)
LEAST_TOKENS: Final = 8
LEAST_SENTENCES: Final = 200
MOST_SENTENCES: Final = 2000
ALIASES: Final = {"no": "nb"}
KEYWORDS: Final = 5

Garble = Callable[[str, random.Random], str]


def main() -> None:
    """Print one table."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("sources", type=Path, nargs="+")
    texts = gold_texts(arguments.parse_args().sources)
    models: dict[str, NgramModel] = {
        language: NgramModel.shipped(language) for language in SHIPPED if language in texts
    }
    good = {language: sentences(model, texts[language]) for language, model in models.items()}
    good = {language: found for language, found in good.items() if len(found) >= LEAST_SENTENCES}
    print("| language | sentences | limit | lost | charset | shuffled | keywords | other |")
    print("|---|---:|---|---:|---:|---:|---:|---:|")
    for language in good:
        for row in rows(models[language], language, good):
            print(row)


def gold_texts(sources: Sequence[Path]) -> dict[str, list[str]]:
    """Return the gold lines of the pages of each language."""
    lines: dict[str, list[str]] = defaultdict(list)
    for source in sources:
        for task in tasks(source, gold_set_of(source), Selection()):
            language = ALIASES.get(task.wanted.language, task.wanted.language)
            lines[language] += task.wanted.text.splitlines()
    return lines


def sentences(model: NgramModel, lines: Sequence[str]) -> list[ScoredSentence]:
    """Return the long enough sentences of lines, shuffled, at most `MOST_SENTENCES`."""
    unique = dict.fromkeys(lines)
    found = [each for line in unique for each in model.score_text(line)]
    long = [each for each in found if each.tokens >= LEAST_TOKENS]
    _chance(1).shuffle(long)
    return long[:MOST_SENTENCES]


def rows(model: NgramModel, language: str, good: dict[str, list[ScoredSentence]]) -> list[str]:
    """Return the rows of a language: each quantile, and the limit that loses 1 %."""
    own = [each.text for each in good[language]]
    others = [each.text for name in good if name != language for each in good[name][:200]]
    garbled = {name: made(garble, own) for name, garble in GARBLES.items()}
    scores = {
        name: [model.perplexity(text) for text in texts]
        for name, texts in {**garbled, "other": others}.items()
    }
    mine = [each.perplexity for each in good[language]]
    limits = {f"q{share:g}": model.quantile(share) for share in QUANTILES}
    limits["1 % lost"] = sorted(mine)[int(0.99 * len(mine))]
    return [
        f"| {language} | {len(mine)} | {name} ({limit:,.0f}) | {_above(mine, limit):.1%} | "
        + " | ".join(f"{_above(found, limit):.0%}" for found in scores.values())
        + " |"
        for name, limit in limits.items()
        if limit is not None
    ]


def made(garble: Garble, texts: Sequence[str]) -> list[str]:
    """Return garbled texts, without unchanged ones."""
    chance = _chance(2)
    found = ((text, garble(text, chance)) for text in texts)
    return [new for text, new in found if new and new != text]


def misread(text: str, _chance: random.Random) -> str:
    """Read UTF-8 as Windows-1252."""
    return text.encode().decode("cp1252", errors="replace")


def shuffled(text: str, chance: random.Random) -> str:
    """Shuffle the words, or the characters of a text without spaces."""
    words = text.split()
    if len(words) < LEAST_TOKENS:
        return "".join(chance.sample(text, len(text)))
    return " ".join(chance.sample(words, len(words)))


def keywords(text: str, chance: random.Random) -> str:
    """Keep the longest words, each three times."""
    words = sorted({word.strip(".,;:!?") for word in text.split()}, key=len)[-KEYWORDS:]
    return " ".join(chance.sample(words * 3, 3 * len(words))) if len(words) == KEYWORDS else ""


GARBLES: Final[dict[str, Garble]] = {
    "charset": misread,
    "shuffled": shuffled,
    "keywords": keywords,
}


def _above(perplexities: Sequence[float], limit: float) -> float:
    return sum(each > limit for each in perplexities) / max(1, len(perplexities))


def _chance(seed: int) -> random.Random:
    return random.Random(seed)  # noqa: S311 - a reproducible choice, no secret


if __name__ == "__main__":
    main()
