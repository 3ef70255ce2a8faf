"""The perplexity of a text as JSON, in the form that `winnow score --json` and the API share."""

import math
from collections.abc import Sequence
from dataclasses import asdict

from winnow.models.ngram import NgramModel, ScoredSentence


def overall_perplexity(sentences: Sequence[ScoredSentence]) -> float:
    """Return the perplexity per token over all sentences, each scored from its start."""
    bits = math.fsum(math.log2(sentence.perplexity) * sentence.tokens for sentence in sentences)
    return float(2.0 ** (bits / sum(sentence.tokens for sentence in sentences)))


def score_fields(
    model: NgramModel, sentences: Sequence[ScoredSentence], *, explain: bool
) -> dict[str, object]:
    """Return a model's scores of at least one sentence."""
    fields: dict[str, object] = {
        "perplexity": overall_perplexity(sentences),
        "tokens": sum(sentence.tokens for sentence in sentences),
        "oov": sum(sentence.oov for sentence in sentences),
        "sentences": [asdict(sentence) for sentence in sentences],
        "model": model.digest,
    }
    if explain:
        fields["explained"] = [
            [asdict(token) for token in model.explain(sentence.text)] for sentence in sentences
        ]
    return fields
