"""The values that travel: Page -> Block -> Sentence -> Document with PageStats."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from json import dumps
from typing import Any

from winnow.models._kernel import count_tokens
from winnow.models.chunks import Chunk, Count, chunks_of
from winnow.models.document_fields import document_fields


class BlockKind(StrEnum):
    """What the markup says a block is."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST_ITEM = "list_item"
    TABLE_CELL = "table_cell"
    CODE = "code"
    QUOTE = "quote"
    CAPTION = "caption"
    OTHER = "other"


class Verdict(StrEnum):
    """What becomes of a sentence, and why."""

    KEPT = "kept"
    PERPLEXITY = "perplexity"  # above the threshold of the perplexity engine
    BOILERPLATE = "boilerplate"  # block judged to be boilerplate by contrast, web2text or hybrid
    COMMENT = "comment"  # a reader's comment that the options drop
    SEEN = "seen"  # site memory: the same block on many pages of the host


@dataclass(frozen=True, slots=True)
class Page:
    """One raw page as a crawler fetched it.

    Attributes:
        url: absolute URL; may be empty only for local files and standard input.
        body: the bytes of the response, charset unknown.
        content_type: HTTP `Content-Type` header, parameters included; empty when unknown.
        fetched_at: RFC 3339 time of the fetch; empty when unknown. Passed through, never read.
        robots_tag: HTTP `X-Robots-Tag` headers, one per line; empty when unknown.
    """

    url: str
    body: bytes
    content_type: str = ""
    fetched_at: str = ""
    robots_tag: str = ""


@dataclass(frozen=True, slots=True)
class Block:
    """Text between two structural borders of the page.

    Attributes:
        text: white space normalised (kept as it is in `CODE`).
        kind: what the nearest deciding element says.
        level: 1-6 for headings, depth of nesting from 1 for list items, else 0.
        tag_path: element names from `body` down to the block, joined by `/`.
        link_chars: how many characters of `text` stand inside links.
        order: position among the blocks of the page, from 0.
        probability: that it is content, 0 to 1; None when the engine has none.
    """

    text: str
    kind: BlockKind
    level: int
    tag_path: str
    link_chars: int
    order: int
    probability: float | None = None


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a block, what the language model makes of it, and the verdict.

    Attributes:
        text: the sentence as it stands in its block.
        block: `order` of the block that holds it.
        start, end: where it stands in the text of that block, in characters, half open.
        tokens: length in tokens of the model.
        oov: tokens that the model never met.
        perplexity: per token, at least 1; 0 for a sentence that was not scored.
        verdict: kept, or why not.
    """

    text: str
    block: int
    start: int
    end: int
    tokens: int
    oov: int
    perplexity: float
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class PageStats:
    """What happened to one page, in numbers.

    Attributes:
        dropped_sentences, dropped_tokens, dropped_bytes: what was dropped, by the verdict that
            dropped it.
        text_bytes_kept: bytes of the kept sentences in UTF-8, as `dropped_bytes` of the others.
        perplexity_quantiles: the 10, 25, 50, 75 and 90 % quantiles over kept sentences; empty
            without one.
        oov_rate: unknown tokens / tokens, of the kept sentences; 0 without one.
        cpu_ms: CPU milliseconds by stage; empty when the cleaner was given no clock.
        page_type: what the engine takes the page for, of `winnow.models.engines.hybrid.PageType`;
            empty when the engine does not tell types apart.
        language: BCP 47 primary subtag of the page as far as known, else empty.
        model_language: that of the language model that scored. Empty when no model knows the
            language of the page: its perplexities say little then, and the perplexity engine
            keeps the page whole.
        quality: the signals that makers of collections filter by, of the kept text without markup,
            by name; empty for a text without any.
    """

    page_bytes: int
    charset: str
    blocks: int
    blocks_kept: int
    sentences: int
    sentences_kept: int
    tokens: int
    tokens_kept: int
    text_chars: int
    text_chars_kept: int
    dropped_sentences: Mapping[Verdict, int]
    perplexity_quantiles: tuple[float, ...]
    oov_rate: float
    cpu_ms: Mapping[str, float] = field(default_factory=dict)
    page_type: str = ""
    language: str = ""
    model_language: str = ""
    dropped_tokens: Mapping[Verdict, int] = field(default_factory=dict)
    dropped_bytes: Mapping[Verdict, int] = field(default_factory=dict)
    text_bytes_kept: int = 0
    quality: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a page asks for.

    Attributes:
        directives: those for every reader, of `winnow.models._kernel.ROBOTS_DIRECTIVES`.
        agents: those for single crawlers, by the crawler's name in small letters.
        tdm_reservation: whether rights to text and data mining are reserved; None if the page does
            not say.
        tdm_policy: where the terms for mining stand, as the page writes it.
        links, nofollow_links: links of the page, and those with `rel=nofollow`.
        nosnippet_parts: elements with `data-nosnippet`.
    """

    directives: tuple[str, ...] = ()
    agents: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    tdm_reservation: bool | None = None
    tdm_policy: str = ""
    links: int = 0
    nofollow_links: int = 0
    nosnippet_parts: int = 0


@dataclass(frozen=True, slots=True)
class Document:
    """A cleaned page.

    Attributes:
        text: kept text in the format of the options; empty when nothing was worth keeping.
        author: one name, or several as the page joins them.
        published_at, modified_at: ISO 8601 (RFC 3339): a date, or a date and a time with its zone;
            None if the page gives none.
        image, licence: addresses.
        language: BCP 47 primary subtag of the text as far as known, else empty.
        language_score: how sure that is, 0 to 1: by the script, the language model or the detector
            of languages; 0 where only the page says so.
        page_type, page_type_probability: what the engine takes the page for; empty and 0 when it
            does not tell types apart.
        text_source: where the text stands, of `winnow.models._kernel.TEXT_SOURCES`: `page`, or the
            data that hold it where the page itself shows next to nothing.
        wishes: what the page asks of those who read it by machine.
        sources: where the page says each field, by its name; only when the options ask for it.
        threshold: what the engine compared with; its meaning depends on the engine.
        confidence: estimate of the F1 of the text, 0 to 1; None when the engine has none.
        perplexity: of the kept text, per token; None where the language of the page has no model,
            or nothing was kept.
        perplexity_quantile: the share of the model's own held-out sentences that are stranger than
            that, 0 to 1, by which documents of different languages compare; None too where the
            model holds no quantiles, as all that ship.
        content_digest: `blake3:` and the hex BLAKE3 of the page body, the test for an unchanged
            page.
        model_digest: hex digest of the language model that scored the sentences.
        engine_digest: hex digest of what the engine was trained to; empty when it has nothing of
            its own.
        text_digest: `blake3:` and the hex BLAKE3 of `text` in UTF-8: equal for copies.
        simhash: 16 hex digits of the SimHash of the kept text without markup, of which copies with
            small changes differ in few bits; empty for a text without words.
        words: number of words of the same text.
        blocks: all blocks of the page; only when the options ask for spans, else empty.
        sentences: all sentences with verdicts; only when the options ask for spans, else empty.
        outline: where the units of the text start, which `chunks` does not cut; packed.
        chunked: what `chunks` returns, only when the options ask for chunks, else empty.
    """

    url: str
    title: str
    canonical_url: str
    author: str
    published_at: str | None
    site_name: str
    text: str
    language: str
    engine: str
    model_digest: str
    threshold: float
    content_digest: str
    fetched_at: str
    stats: PageStats
    engine_digest: str = ""
    text_digest: str = ""
    simhash: str = ""
    words: int = 0
    description: str = ""
    modified_at: str | None = None
    image: str = ""
    section: str = ""
    tags: tuple[str, ...] = ()
    licence: str = ""
    page_type: str = ""
    page_type_probability: float = 0.0
    text_source: str = "page"
    wishes: Wishes = field(default_factory=Wishes)
    sources: Mapping[str, str] = field(default_factory=dict)
    confidence: float | None = None
    language_score: float = 0.0
    perplexity: float | None = None
    perplexity_quantile: float | None = None
    blocks: tuple[Block, ...] = ()
    sentences: tuple[Sentence, ...] = ()
    outline: bytes = field(default=b"", repr=False)
    chunked: tuple[Chunk, ...] = ()

    def chunks(
        self, max_tokens: int = 400, overlap: int = 0, count: Count = count_tokens
    ) -> tuple[Chunk, ...]:
        """Cut the text by heading and paragraph into parts for an index.

        A chunk holds as many paragraphs under one heading as there is room for. A paragraph that is
        longer is cut after a sentence, and a longer sentence after a word. Headings, tables and
        listings of code are never cut, so such a chunk may be longer.

        Args:
            max_tokens: the most tokens of a chunk.
            overlap: tokens that a chunk repeats at most of the end of the one before it, under the
                same heading, in whole sentences of long paragraphs and whole paragraphs.
            count: returns the tokens of a text, such as `lambda text: len(tokenizer.encode(text))`.
                By default words and signs are counted.

        Raises:
            OptionsError: `max_tokens` is below 1, or `overlap` more than half of it.
        """
        return chunks_of(self.text, self.outline, max_tokens, overlap, count)

    def to_dict(self) -> dict[str, Any]:
        """Return the document as its message has it: text, metadata, wishes, no statistics.

        The members are those of `winnow.documents` (docs/messages.md), of plain values alone.
        """
        return document_fields(self)

    def to_json(self) -> str:
        """Return `to_dict` as JSON on one line, its members in the order of their names."""
        return dumps(self.to_dict(), sort_keys=True, ensure_ascii=False, separators=(",", ":"))
