"""`Document` -> the fields of its message, as its JSON Schema defines.

The kernel writes the messages of the pages that it cleans, with the same members and bytes. This
module is for documents that a program builds or changes.
"""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from math import isfinite
from typing import TYPE_CHECKING, Any, Final

from winnow.models._kernel import SCHEMA_VERSION

if TYPE_CHECKING:
    from winnow.models.chunks import Chunk
    from winnow.models.document import Block, Document, Sentence, Wishes

QUALITY_DIGITS: Final = 6


def url_hash(url: str) -> str:
    """Return the hex SHA-256 of a URL: a short key for logs and joins."""
    return sha256(url.encode("utf-8", errors="surrogatepass")).hexdigest()


def rounded(quality: Mapping[str, float]) -> dict[str, float]:
    """Return the quality signals, rounded as in messages."""
    return {name: round(value, QUALITY_DIGITS) for name, value in quality.items()}


def document_fields(document: "Document") -> dict[str, Any]:
    """Return the value of a documents message, made of JSON types only."""
    fields: dict[str, Any] = {
        "schema_version": SCHEMA_VERSION,
        "url": document.url,
        "url_hash": url_hash(document.url),
        "title": document.title,
        "canonical_url": document.canonical_url,
        "author": document.author,
        "site_name": document.site_name,
        "text": document.text,
        "language": document.language,
        "language_score": document.language_score,
        "engine": document.engine,
        "engine_digest": document.engine_digest,
        "model_digest": document.model_digest,
        # JSON has no infinity, the threshold that keeps everything
        "threshold": document.threshold if isfinite(document.threshold) else None,
        "content_digest": document.content_digest,
        "text_digest": document.text_digest,
        "simhash": document.simhash,
        "words": document.words,
        "fetched_at": document.fetched_at,
        "description": document.description,
        "image": document.image,
        "section": document.section,
        "tags": list(document.tags),
        "licence": document.licence,
        "page_type": document.page_type,
        "page_type_probability": document.page_type_probability,
        "text_source": document.text_source,
        "wishes": _wishes(document.wishes),
    }
    optional = {
        "published_at": document.published_at,
        "modified_at": document.modified_at,
        "sources": dict(document.sources),
        "confidence": document.confidence,
        "perplexity": document.perplexity,
        "perplexity_quantile": document.perplexity_quantile,
        "model_language": document.stats.model_language or None,
        "quality": rounded(document.stats.quality),
        "blocks": [_block(block) for block in document.blocks],
        "sentences": [_sentence(sentence) for sentence in document.sentences],
        "chunks": chunks_fields(document.chunked),
    }
    stated = {name: value for name, value in optional.items() if value not in (None, {}, [])}
    return fields | stated


def chunks_fields(chunks: Sequence["Chunk"]) -> list[dict[str, Any]]:
    """Return chunks in the form of messages."""
    return [
        {
            "text": chunk.text,
            "headings": list(chunk.headings),
            "start": chunk.start,
            "end": chunk.end,
            "tokens": chunk.tokens,
        }
        for chunk in chunks
    ]


def _wishes(wishes: "Wishes") -> dict[str, Any]:
    stated = wishes.tdm_reservation
    return {
        **({} if stated is None else {"tdm_reservation": stated}),
        "directives": list(wishes.directives),
        "agents": {agent: list(wanted) for agent, wanted in wishes.agents.items()},
        "tdm_policy": wishes.tdm_policy,
        "links": wishes.links,
        "nofollow_links": wishes.nofollow_links,
        "nosnippet_parts": wishes.nosnippet_parts,
    }


def _block(block: "Block") -> dict[str, Any]:
    fields: dict[str, Any] = {
        "order": block.order,
        "kind": block.kind.value,
        "level": block.level,
        "tag_path": block.tag_path,
        "link_chars": block.link_chars,
        "text": block.text,
    }
    return fields if block.probability is None else fields | {"probability": block.probability}


def _sentence(sentence: "Sentence") -> dict[str, Any]:
    return {
        "block": sentence.block,
        "start": sentence.start,
        "end": sentence.end,
        "text": sentence.text,
        "tokens": sentence.tokens,
        "oov": sentence.oov,
        "perplexity": sentence.perplexity,
        "verdict": sentence.verdict.value,
    }
