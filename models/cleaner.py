"""Turn raw pages into documents by composing the stages."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from winnow.models._kernel import (
    KERNEL_VERSION,
    PAGE_TYPES,
    VERDICTS,
    Blocks,
    JudgedPage,
    Reader,
    Writer,
    Written,
)
from winnow.models.checksum import content_digest
from winnow.models.chunks import Chunk, chunks_of
from winnow.models.document import Block, Document, Page, PageStats, Sentence, Verdict
from winnow.models.engines.choice import engine_of
from winnow.models.errors import InvalidPage, ModelError, OptionsError
from winnow.models.explanation import (
    ALL,
    Explanation,
    Influence,
    InfluenceKind,
    Most,
    PerplexityCounts,
    explained_blocks,
    page_units,
    perplexity_counts,
)
from winnow.models.ngram import LanguageModels, NgramModel
from winnow.models.ngram.ceiling import Ceiling
from winnow.models.options import CleanerOptions, Keep, NoIndex, TextFormat
from winnow.models.page import read
from winnow.models.sites import SiteMemory, SiteOptions
from winnow.models.stages import Clock, Laps, no_clock

# Process blocks and sentences in parts of about this many characters of text.
PART_CHARS: Final = 1 << 20
_VERDICTS: Final = tuple(map(Verdict, VERDICTS))
_KEPT: Final = _VERDICTS.index(Verdict.KEPT)


@dataclass(frozen=True, slots=True)
class _Read:
    """A page cut into blocks."""

    page: Page
    blocks: Blocks
    laps: Laps


class Cleaner:
    """Turns pages into documents by the rule of one engine.

    Thread-safe; the heavy calls release the GIL. It is pickled as its options and the paths of its
    models, which are mapped again on unpickling; a memory of sites is not pickled. A document
    depends only on its page, except with a memory of sites: then it also depends on the pages
    cleaned before.

    Example:
        >>> from winnow.models import Cleaner, Page
        >>> cleaner = Cleaner()
        >>> body = b"<title>Bees</title><p>The bees find more flowers in the city.</p>"
        >>> document = cleaner.clean(Page(url="https://bees.invalid/", body=body))
        >>> document.title, document.text
        ('Bees', 'The bees find more flowers in the city.')
    """

    def __init__(
        self,
        options: CleanerOptions | None = None,
        models: LanguageModels | NgramModel | None = None,
        clock: Clock = no_clock,
        site_key: bytes = b"",
    ) -> None:
        """Choose the engine.

        Args:
            options: what to do with pages; by default the hybrid engine with its own defaults.
            models: score the sentences; a single model counts as a set of one. By default all
            shipped ones.
            clock: CPU nanoseconds of the calling thread, such as `time.thread_time_ns`.
            site_key: 16 to 64 random bytes, required if the option `seen` asks for a memory of
                sites: see `SiteMemory`.

        Raises:
            ModelError: a shipped model cannot be used.
            OptionsError: there is no such engine, or options are out of range or need
                quantiles that the models do not have.
        """
        options = options or CleanerOptions()
        self._options: Final = options
        self._models: Final = _language_models(models)
        self._clock: Final = clock
        self._engine: Final = engine_of(options)
        self._site_key: Final = site_key
        self._sites: Final = _memory_of_sites(options, site_key)
        self._writer: Final = Writer(
            options.format,
            mark=options.mark,
            links=options.links is Keep.KEEP,
            images=options.images is Keep.KEEP,
            quality=options.quality,
        )
        engine = self._engine
        self._rule: Final = engine.rule
        self._reader: Final = Reader(
            self._rule,
            options.limits,
            inline=options.format is TextFormat.MARKDOWN,
            data_text=options.data_text is Keep.KEEP,
            skips_noindex=options.noindex is NoIndex.SKIP,
        )
        self._ceiling: Final = _ceiling(options, self._models)
        self._shows_dropped: Final = options.mark or options.spans
        # page and engine rules change with releases
        facts = (
            KERNEL_VERSION,
            options,
            engine.name,
            engine.threshold,
            engine.digest,
            self._models.digest,
        )
        self.fingerprint: Final = hashlib.sha256(repr(facts).encode()).hexdigest()

    def __reduce__(self) -> tuple[Callable[..., "Cleaner"], tuple[object, ...]]:
        """Pickle as the constructor's arguments, with the fingerprint that the copy must have."""
        made_from = self._options, self._models, self._clock, self._site_key
        return _rebuilt, (*made_from, self.fingerprint)

    def clean(self, page: Page) -> Document:
        """Clean one page.

        Raises:
            InvalidPage: the page gives no document.
        """
        (cleaned,) = self.clean_batch([page])
        if isinstance(cleaned, InvalidPage):
            raise cleaned
        return cleaned

    def clean_batch(self, pages: Sequence[Page]) -> list[Document | InvalidPage]:
        """Clean pages together; an invalid page gives an error value in its place.

        Long pages are judged in parts, because documents take less memory than the intermediate
        data.
        """
        cleaned: list[Document | InvalidPage] = []
        part: list[_Read | InvalidPage] = []
        chars = 0
        for page in pages:
            part.append(self._read(page))
            chars += _chars(part[-1])
            if chars >= PART_CHARS:
                cleaned += self._documents(part)
                part, chars = [], 0
        return cleaned + self._documents(part)

    def explain(self, page: Page, most: Most = ALL) -> Explanation:
        """Clean one page and explain why each of its blocks was kept or dropped.

        Args:
            page: to clean.
            most: limits of what is explained: a page has up to a million blocks and sentences.

        Raises:
            InvalidPage: the page gives no document.
        """
        read = self._read(page)
        if isinstance(read, InvalidPage):
            raise read
        (judged,) = self._judge([read], scores_dropped=True)
        document = replace(self._document(read, judged), blocks=(), sentences=())
        blocks = judged.blocks
        shown = [blocks.block(order) for order in range(len(blocks))[: most.blocks]]
        sentences = _sentences(judged, shown, most.sentences)
        if len(sentences) == most.sentences:  # if a block's sentences are left out, all of them are
            del shown[sentences[-1].block + 1 :]
        page_types = judged.page_types
        return Explanation(
            document,
            explained_blocks(document, shown, sentences, judged.probabilities, judged.deciders),
            _perplexities(judged),
            dict(zip(PAGE_TYPES, page_types, strict=True)) if page_types else {},
            page_units(blocks),
            blocks_left_out=len(blocks) - len(shown),
            sentences_left_out=len(judged.verdicts) - len(sentences),
        )

    def influences(self, page: Page, block: int) -> tuple[Influence, ...]:
        """Measure what each word, label and block contributes to the probability of one block.

        The page is judged again without each of them, up to about a second of work. The largest
        contribution comes first.

        Args:
            page: the page with the block.
            block: its number, from 0.

        Raises:
            InvalidPage: the page gives no document.
            OptionsError: the engine has no probabilities, or the page has no such block.
        """
        if not self._rule.has_probabilities:
            raise OptionsError(
                f"engine {self._engine.name}: gives blocks no probability to explain; use hybrid"
            )
        read = self._read(page)
        if isinstance(read, InvalidPage):
            raise read
        blocks = len(read.blocks)
        if not 0 <= block < blocks:
            raise OptionsError(f"block {block}: the page has {blocks}, numbered from 0")
        found = self._rule.influences(read.blocks, block)
        return tuple(Influence(InfluenceKind(kind), name, odds) for kind, name, odds in found)

    def _read(self, page: Page) -> _Read | InvalidPage:
        """Bytes to blocks, page by page: each tree is freed before the next one is built."""
        laps = Laps(self._clock)
        try:
            blocks = read(self._reader, page)
        except InvalidPage as error:
            return error.as_value()
        laps.end("read")
        return _Read(page, blocks, laps)

    def _documents(self, part: Sequence[_Read | InvalidPage]) -> list[Document | InvalidPage]:
        read = [each for each in part if isinstance(each, _Read)]
        judged = iter(self._judge(read, scores_dropped=self._shows_dropped))
        return [
            self._document(each, next(judged)) if isinstance(each, _Read) else each for each in part
        ]

    def _judge(self, pages: Sequence[_Read], *, scores_dropped: bool) -> list[JudgedPage]:
        """Blocks to verdicts, one call per part; the time is divided by length of text."""
        laps = Laps(self._clock)
        judged = self._models.judge(
            self._rule,
            [each.blocks for each in pages],
            scores_dropped=scores_dropped,
            ceiling=self._ceiling,
        )
        if self._sites is not None:
            judged = [
                self._sites.without_seen(each.page.url, found)
                for each, found in zip(pages, judged, strict=True)
            ]
        laps.end("judge")
        all_chars = sum(map(_chars, pages)) or 1
        for each in pages:
            each.laps.add_share(laps, _chars(each) / all_chars)
        return judged

    def _document(self, read: _Read, judged: JudgedPage) -> Document:
        """Verdicts to a document."""
        page, engine, laps = read.page, self._engine, read.laps
        laps.restart()
        written = self._writer.write(page.url, judged)
        digest = content_digest(page.body)
        laps.end("write")
        metadata = written.metadata
        spans = _blocks(judged) if self._options.spans else ()
        perplexity = written.perplexity if judged.model_language else None
        return Document(
            url=page.url,
            title=metadata.title,
            canonical_url=metadata.canonical_url,
            author=metadata.author,
            published_at=metadata.published_at or None,
            site_name=metadata.site_name,
            text=written.text,
            language=judged.language,
            language_score=judged.language_score,
            engine=engine.name,
            model_digest=judged.model_digest,
            threshold=engine.threshold if judged.threshold is None else judged.threshold,
            confidence=judged.confidence,
            perplexity=perplexity,
            perplexity_quantile=None if perplexity is None else judged.stranger(perplexity),
            content_digest=digest,
            fetched_at=page.fetched_at,
            stats=_stats(read, judged, written),
            engine_digest=engine.digest,
            text_digest=written.text_digest,
            simhash=written.simhash,
            words=written.words,
            description=metadata.description,
            modified_at=metadata.modified_at or None,
            image=metadata.image,
            section=metadata.section,
            tags=metadata.tags,
            licence=metadata.licence,
            page_type=judged.page_type,
            page_type_probability=judged.page_type_probability,
            text_source=read.blocks.text_source,
            wishes=read.blocks.wishes,
            sources=metadata.sources if self._options.sources else {},
            blocks=spans,
            sentences=_sentences(judged, spans) if spans else (),
            outline=written.outline,
            chunked=self._chunks(written),
        )

    def _chunks(self, written: Written) -> tuple[Chunk, ...]:
        options = self._options
        if not options.chunks:
            return ()
        return chunks_of(written.text, written.outline, options.chunks, options.chunk_overlap)


def _ceiling(options: CleanerOptions, models: LanguageModels) -> Ceiling | None:
    ceiling = options.ceiling
    if ceiling is not None and ceiling.is_quantile and models.without_quantiles:
        raise OptionsError(
            f"option max_perplexity is {ceiling}, but these models have no quantiles: "
            f"{', '.join(models.without_quantiles)}; use a perplexity, or other models"
        )
    return ceiling


def _language_models(models: LanguageModels | NgramModel | None) -> LanguageModels:
    if isinstance(models, NgramModel):
        return LanguageModels([models])
    return models or LanguageModels.shipped()


def _rebuilt(
    options: CleanerOptions,
    models: LanguageModels,
    clock: Clock,
    site_key: bytes,
    fingerprint: str,
) -> Cleaner:
    """Build a cleaner that was pickled elsewhere.

    Raises:
        ModelError: the release or a model differs, so documents would differ.
    """
    cleaner = Cleaner(options, models, clock, site_key)
    if cleaner.fingerprint != fingerprint:
        raise ModelError("the cleaner was pickled by another release of Winnow")
    return cleaner


def _chars(read: _Read | InvalidPage) -> int:
    return read.blocks.chars if isinstance(read, _Read) else 0


def _memory_of_sites(options: CleanerOptions, key: bytes) -> SiteMemory | None:
    """Return the memory that drops blocks seen on other pages of a host, if options ask for it."""
    return SiteMemory(key, SiteOptions(options.seen)) if options.seen else None


def _stats(read: _Read, judged: JudgedPage, written: Written) -> PageStats:
    blocks, dropped = judged.blocks, written.dropped
    return PageStats(
        page_bytes=len(read.page.body),
        charset=read.blocks.charset,
        blocks=len(blocks),
        blocks_kept=written.blocks_kept,
        sentences=written.sentences,
        sentences_kept=written.sentences_kept,
        tokens=written.tokens,
        tokens_kept=written.tokens_kept,
        text_chars=blocks.chars,
        text_chars_kept=written.chars_kept,
        dropped_sentences={_VERDICTS[code]: sentences for code, sentences, _, _ in dropped},
        perplexity_quantiles=tuple(written.perplexity_quantiles),
        oov_rate=written.oov_kept / written.tokens_kept if written.tokens_kept else 0.0,
        cpu_ms=read.laps.milliseconds(),
        page_type=judged.page_type,
        language=judged.language,
        model_language=judged.model_language,
        dropped_tokens={_VERDICTS[code]: tokens for code, _, tokens, _ in dropped},
        dropped_bytes={_VERDICTS[code]: size for code, _, _, size in dropped},
        text_bytes_kept=written.bytes_kept,
        quality=written.quality,
    )


def _blocks(judged: JudgedPage) -> tuple[Block, ...]:
    made, likely = map(judged.blocks.block, range(len(judged.blocks))), judged.probabilities
    if not likely:
        return tuple(made)
    return tuple(replace(block, probability=likely[block.order]) for block in made)


def _perplexities(judged: JudgedPage) -> PerplexityCounts:
    perplexities = memoryview(judged.sentences.column("perplexity")).cast("f")
    return perplexity_counts(perplexities, [code == _KEPT for code in judged.verdicts])


def _sentences(
    judged: JudgedPage, blocks: Sequence[Block], most: int | None = None
) -> tuple[Sentence, ...]:
    """Return the sentences of these blocks, the first of the page, up to the limit."""
    sentences = judged.sentences
    made: list[Sentence] = []
    in_block, whole, end = -1, "", 0
    for index, code in enumerate(judged.verdicts[:most]):
        _start, _end, block, tokens, oov, perplexity = sentences.sentence(index)
        if block >= len(blocks):
            break
        text = sentences.text(index)
        if block != in_block:
            in_block, whole, end = block, blocks[block].text, 0
        start = whole.index(text, end)
        end = start + len(text)
        made.append(Sentence(text, block, start, end, tokens, oov, perplexity, _VERDICTS[code]))
    return tuple(made)
