"""Messages of a page as the kernel wrote them -> the fields of a `Document`."""

from json import loads
from typing import Any, Final

from winnow.models._kernel import Cleaned
from winnow.models.document import Block, BlockKind, PageStats, Sentence, Verdict, Wishes

# the fields for choosing documents, and those that a worker reads of each
AT_HAND: Final = frozenset(
    {
        *("confidence", "content_digest", "language", "model_digest", "outline", "page_type"),
        *("simhash", "text_digest", "threshold", "words"),
    }
)
_TEXTS: Final = (
    *("url", "title", "canonical_url", "author", "site_name", "text", "engine", "engine_digest"),
    *("fetched_at", "description", "image", "section", "licence", "text_source"),
    *("language_score", "page_type_probability"),
)
_STATED: Final = ("published_at", "modified_at", "perplexity", "perplexity_quantile")


def document_of(cleaned: Cleaned) -> dict[str, Any]:
    """Return the fields of a document by name, except its statistics and its chunks."""
    message = loads(cleaned.document)
    return {
        **{name: getattr(cleaned, name) for name in AT_HAND},
        **{name: message[name] for name in _TEXTS},
        **{name: message.get(name) for name in _STATED},
        "tags": tuple(message["tags"]),
        "wishes": _wishes(message["wishes"]),
        "sources": message.get("sources", {}),
        "blocks": tuple(map(_block, message.get("blocks", ()))),
        "sentences": tuple(map(_sentence, message.get("sentences", ()))),
    }


def stats_of(cleaned: Cleaned) -> PageStats:
    """Return the statistics of a page."""
    message = loads(cleaned.stats)
    fields = {name: message[name] for name in PageStats.__dataclass_fields__}
    fields["perplexity_quantiles"] = tuple(fields["perplexity_quantiles"])
    for name in ("dropped_sentences", "dropped_tokens", "dropped_bytes"):
        fields[name] = {Verdict(why): number for why, number in fields[name].items()}
    return PageStats(**fields)


def _wishes(message: dict[str, Any]) -> Wishes:
    agents = {agent: tuple(wanted) for agent, wanted in message["agents"].items()}
    return Wishes(**{**message, "directives": tuple(message["directives"]), "agents": agents})


def _block(message: dict[str, Any]) -> Block:
    return Block(**{**message, "kind": BlockKind(message["kind"])})


def _sentence(message: dict[str, Any]) -> Sentence:
    return Sentence(**{**message, "verdict": Verdict(message["verdict"])})
