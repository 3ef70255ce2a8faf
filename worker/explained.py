"""An explanation as JSON, in the form that `winnow explain --json`, the API and the page share."""

from collections.abc import Sequence
from typing import Any

import orjson

from winnow.models.document import Sentence
from winnow.models.explanation import (
    PERPLEXITY_DECADES,
    ExplainedBlock,
    Explanation,
    Influence,
    InfluenceKind,
    Unit,
)
from winnow.streams.messages import document_value, stats_value


def explanation_fields(explanation: Explanation) -> dict[str, Any]:
    """Return what `orjson` writes; document and stats are as the stream publishes them."""
    return {
        "document": orjson.Fragment(document_value(explanation.document)),
        "stats": orjson.Fragment(stats_value(explanation.document)),
        "page_types": explanation.page_types,
        "perplexities": {
            "decades": PERPLEXITY_DECADES,
            "kept": explanation.perplexities.kept,
            "dropped": explanation.perplexities.dropped,
        },
        "blocks": [_block(each) for each in explanation.blocks],
        "units": [_unit(each) for each in explanation.units],
        "blocks_left_out": explanation.blocks_left_out,
        "sentences_left_out": explanation.sentences_left_out,
    }


def influence_fields(influences: Sequence[Influence]) -> list[dict[str, Any]]:
    """Return the features of one block, as `orjson` writes it; other blocks by their numbers."""
    return [
        {
            "kind": each.kind,
            "name": int(each.name) if each.kind is InfluenceKind.BLOCK else each.name,
            "log_odds": each.log_odds,
        }
        for each in influences
    ]


def _block(explained: ExplainedBlock) -> dict[str, Any]:
    block = explained.block
    return {
        "order": block.order,
        "kind": block.kind,
        "level": block.level,
        "tag_path": block.tag_path,
        "link_chars": block.link_chars,
        "text": block.text,
        "verdict": explained.verdict,
        "probability": explained.probability,
        "decider": explained.decider,
        "reason": explained.reason,
        "kept": explained.kept,
        "sentences": _sentences(explained.sentences),
    }


def _unit(unit: Unit) -> dict[str, Any]:
    return {
        "kind": unit.kind,
        "first": unit.first,
        "end": unit.end,
        "parent": unit.parent,
        "members": unit.members,
    }


def _sentences(sentences: Sequence[Sentence]) -> list[dict[str, Any]]:
    return [
        {
            "start": each.start,
            "end": each.end,
            "tokens": each.tokens,
            "oov": each.oov,
            "perplexity": each.perplexity,
            "verdict": each.verdict,
        }
        for each in sentences
    ]
