"""The values between stages: Page -> Block -> Sentence -> Document with PageStats."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from json import dumps
from typing import TYPE_CHECKING, Any

from winnow.models._kernel import Cleaned, count_tokens
from winnow.models.chunks import Chunk, Count, chunks_of
from winnow.models.document_fields import chunks_fields, document_fields


class BlockKind(StrEnum):
    """The kind of a block, from the markup."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST_ITEM = "list_item"
    TABLE_CELL = "table_cell"
    CODE = "code"
    QUOTE = "quote"
    CAPTION = "caption"
    OTHER = "other"


class Verdict(StrEnum):
    """Whether a sentence is kept, or why it is dropped."""

    KEPT = "kept"
    PERPLEXITY = "perplexity"  # above the threshold of the perplexity engine
    BOILERPLATE = "boilerplate"  # block judged as boilerplate by contrast, web2text or hybrid
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
    """Text between two structural boundaries of the page.

    Attributes:
        text: with white space normalised (unchanged in `CODE`).
        kind: from the nearest element that determines one.
        level: 1-6 for headings, depth of nesting from 1 for list items, else 0.
        tag_path: element names from `body` down to the block, joined by `/`.
        link_chars: how many characters of `text` are inside links.
        order: position among the blocks of the page, from 0.
        probability: of being content, 0 to 1; None when the engine has none.
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
    """One sentence of a block, with its scores and the verdict.

    Attributes:
        text: exactly as in its block.
        block: `order` of the block that holds it.
        start, end: its position in the text of that block, in characters, half open.
        tokens: length in tokens of the model.
        oov: tokens that are not in the model.
        perplexity: per token, at least 1; 0 for a sentence that was not scored.
        verdict: kept, or the reason for dropping it.
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
    """The figures of one page.

    Attributes:
        dropped_sentences, dropped_tokens, dropped_bytes: what was dropped, by verdict of
            the sentences.
        text_bytes_kept: UTF-8 bytes of the kept sentences, comparable with `dropped_bytes`.
        perplexity_quantiles: the 10, 25, 50, 75 and 90 % quantiles over kept sentences; empty
            if no sentence is kept.
        oov_rate: unknown tokens / tokens, of the kept sentences; 0 if none is kept.
        cpu_ms: CPU milliseconds by stage; empty if the cleaner does not measure them.
        page_type: the engine's page type, see `winnow.models.engines.hybrid.PageType`;
            empty if the engine has no page types.
        language: BCP 47 primary subtag of the page if known, else empty.
        model_language: language of the model that scored. Empty if no model has the
            language of the page: perplexities then mean little, and the perplexity engine
            keeps the page whole.
        quality: signals for filtering collections, of the kept text without markup,
            by name; empty without text.
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
    """The page's directives for machine readers.

    Attributes:
        directives: for every reader, of `winnow.models._kernel.ROBOTS_DIRECTIVES`.
        agents: for single crawlers, by the crawler's lower-case name.
        tdm_reservation: whether rights to text and data mining are reserved; None if not
            declared.
        tdm_policy: address of the terms for mining, as written in the page.
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
class Messages:
    """The messages of a cleaned page in JSON, as the kernel wrote them.

    Attributes:
        document: for the documents topic.
        stats: for the stats topic.
    """

    document: bytes
    stats: bytes


class _Cleaned:
    """The fields of a document from the kernel, each read on first access."""

    __slots__ = ("_cleaned", "messages")

    messages: Messages | None
    """None if a program built or changed the document."""

    if not TYPE_CHECKING:  # a type checker still reports names that do not exist

        def __getattr__(self, name: str) -> object:
            """Read a field on first access."""
            if name == "messages":
                return None
            if name not in Document.__dataclass_fields__:
                raise AttributeError(f"Document has no attribute {name!r}")
            from winnow.models import messages  # noqa: PLC0415 - it needs the classes here

            cleaned = self._cleaned
            if name == "stats":
                found = {name: messages.stats_of(cleaned)}
            elif name in messages.AT_HAND:
                found = {name: getattr(cleaned, name)}
            else:
                found = messages.document_of(cleaned)
            for each, value in found.items():
                object.__setattr__(self, each, value)
            return found[name]


@dataclass(frozen=True, slots=True)
class Document(_Cleaned):
    """A cleaned page. Fields from the kernel are read from its messages on first access.

    Attributes:
        text: kept text in the format of the options; empty if nothing was kept.
        author: one name, or several, joined as in the page.
        published_at, modified_at: ISO 8601 (RFC 3339): a date, or a date and a time with its zone;
            None if the page gives none.
        image, licence: addresses.
        language: BCP 47 primary subtag of the text if known, else empty.
        language_score: its certainty, 0 to 1: from the script, the language model or the detector
            of languages; 0 if the page only declares it.
        page_type, page_type_probability: the engine's page type; empty and 0 if the engine
            has no page types.
        text_source: where the text was found, of `winnow.models._kernel.TEXT_SOURCES`: `page`, or
        the
            kind of data with the text, if the page itself shows almost nothing.
        wishes: the page's directives for machine readers.
        sources: where the page declares each field, by field; only if the options ask for it.
        threshold: the engine's threshold; its meaning depends on the engine.
        confidence: estimate of the F1 of the text, 0 to 1; None when the engine has none.
        perplexity: of the kept text, per token; None if the language of the page has no model,
            or nothing was kept.
        perplexity_quantile: the share of the model's own held-out sentences with a higher
            perplexity, 0 to 1, which makes documents of different languages comparable; None also
            if the model has no quantiles, like imported ones.
        content_digest: `blake3:` and the hex BLAKE3 of the page body, the test for an unchanged
            page.
        model_digest: hex digest of the language model that scored the sentences.
        engine_digest: hex digest of the engine's trained parameters; empty if it has
            none.
        text_digest: `blake3:` and the hex BLAKE3 of `text` in UTF-8: equal for copies.
        simhash: 16 hex digits of the SimHash of the kept text without markup; near copies
            differ in few bits; empty for a text without words.
        words: number of words of the same text.
        blocks: all blocks of the page; only if the options ask for spans, else empty.
        sentences: all sentences with verdicts; only if the options ask for spans, else empty.
        outline: packed start positions of the text's units, which `chunks` keeps whole.
        chunked: the result of `chunks`, if the options ask for chunks, else empty.
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

    @classmethod
    def of(cls, cleaned: Cleaned, chunked: tuple[Chunk, ...] | None = None) -> "Document":
        """Return the document of a kernel result, with its chunks if it has any."""
        document = object.__new__(cls)
        message = cleaned.document
        if chunked:
            at = cleaned.chunks_at
            written = _json(chunks_fields(chunked)).encode()
            message = b"".join((message[:at], b'"chunks":', written, b",", message[at:]))
        for name, value in (
            ("_cleaned", cleaned),
            ("messages", Messages(message, cleaned.stats)),
            ("chunked", chunked or ()),
        ):
            object.__setattr__(document, name, value)
        return document

    def chunks(
        self, max_tokens: int = 400, overlap: int = 0, count: Count = count_tokens
    ) -> tuple[Chunk, ...]:
        """Cut the text by heading and paragraph into parts for an index.

        A chunk holds as many paragraphs under one heading as fit. A longer paragraph is cut after a
        sentence, and a longer sentence after a word. Headings, tables and code listings are never
        cut, so such a chunk may be longer.

        Args:
            max_tokens: the most tokens in a chunk.
            overlap: most tokens that a chunk repeats from the end of the previous one under the
                same heading: whole sentences of long paragraphs, and whole paragraphs.
            count: returns the tokens of a text, such as `lambda text: len(tokenizer.encode(text))`.
                By default words and signs are counted.

        Raises:
            OptionsError: `max_tokens` is below 1, or `overlap` more than half of it.
        """
        return chunks_of(self.text, self.outline, max_tokens, overlap, count)

    def to_dict(self) -> dict[str, Any]:
        """Return the document as its message: text, metadata, directives, no statistics.

        The members are the same as in `winnow.documents` (docs/messages.md), as plain values.
        """
        return document_fields(self)

    def to_json(self) -> str:
        """Return `to_dict` as one line of JSON with sorted members."""
        return self.messages.document.decode() if self.messages else _json(self.to_dict())


def _json(value: object) -> str:
    return dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
