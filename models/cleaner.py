"""Compose the stages that turn raw pages into documents: nothing else."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from models._kernel import (
    KERNEL_VERSION,
    PAGE_TYPES,
    VERDICTS,
    Inline,
    Writer,
    Written,
    paragraphs,
    walk_inline,
)
from models.document import Block, Document, Page, PageStats, Sentence, Verdict, Wishes
from models.engines.choice import engine_of
from models.engines.engine import Engine, Judgement, ScoredPage
from models.engines.hybrid.engine import HybridEngine
from models.errors import InvalidPage, ModelError, OptionsError
from models.explanation import (
    ALL,
    Explanation,
    Influence,
    InfluenceKind,
    Most,
    PerplexityCounts,
    explained_blocks,
    perplexity_counts,
)
from models.ngram import LanguageModels, NgramModel, PageScores
from models.options import CleanerOptions, Keep, NoIndex, TextFormat
from models.page import PageBlocks, page_blocks, parse, prepare
from models.sites import SiteMemory, SiteOptions, seen_verdicts
from models.stages import Clock, Laps, no_clock

# Blocks and sentences are held of about so many characters of text at a time.
PART_CHARS: Final = 1 << 20
_VERDICTS: Final = tuple(map(Verdict, VERDICTS))
_KEPT: Final = _VERDICTS.index(Verdict.KEPT)


@dataclass(frozen=True, slots=True)
class _Read:
    """A page cut into blocks; what the markup says inside of them only for Markdown."""

    page: Page
    blocks: PageBlocks
    inline: Inline | None
    wishes: Wishes
    laps: Laps


@dataclass(frozen=True, slots=True)
class _Judged:
    """A page with scores and verdicts."""

    read: _Read
    scores: PageScores
    judgement: Judgement


class Cleaner:
    """Turns pages into documents by the rule of one engine.

    Threads may share it; the heavy calls release the GIL. It is pickled as its options and the
    paths of its models, which the other side maps again; a memory of sites stays behind. A document
    depends on its page alone, unless the options ask for a memory of sites: then also on the pages
    cleaned before it.

    Example:
        >>> from models import Cleaner, Page
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
            models: judge the sentences; a model alone is a set of one. By default all shipped ones.
            clock: CPU nanoseconds of the calling thread, such as `time.thread_time_ns`.
            site_key: 16 to 64 random bytes, needed where the option `seen` asks for a memory of
                sites: see `SiteMemory`.

        Raises:
            ModelError: a shipped model cannot be used.
            OptionsError: there is no such engine, or options are out of range.
        """
        options = options or CleanerOptions()
        self._options: Final = options
        self._models: Final = _language_models(models)
        self._clock: Final = clock
        self._engine: Final[Engine] = engine_of(options, self._models.default)
        self._site_key: Final = site_key
        self._sites: Final = _sites(options, site_key)
        self._writer: Final = Writer(
            options.format,
            mark=options.mark,
            links=options.links is Keep.KEEP,
            images=options.images is Keep.KEEP,
            quality=options.quality,
        )
        engine = self._engine
        # the rules of pages and engines change with releases
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
        """Travel as what it was made from, with the fingerprint that it must have there too."""
        made_from = self._options, self._models, self._clock, self._site_key
        return _rebuilt, (*made_from, self.fingerprint)

    def clean(self, page: Page) -> Document:
        """Clean one page.

        Raises:
            InvalidPage: there is no document to be had from it.
        """
        (cleaned,) = self.clean_batch([page])
        if isinstance(cleaned, InvalidPage):
            raise cleaned
        return cleaned

    def clean_batch(self, pages: Sequence[Page]) -> list[Document | InvalidPage]:
        """Clean pages together; what is wrong with a page is a value in its place.

        Pages of much text are judged part by part: documents take less memory than what they are
        made of.
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
        """Clean one page and say why each of its blocks stays or goes.

        Args:
            page: to clean.
            most: what of it is explained: a page has up to a million blocks and sentences.

        Raises:
            InvalidPage: there is no document to be had from it.
        """
        read = self._read(page)
        if isinstance(read, InvalidPage):
            raise read
        (judged,) = self._judge([read])
        document = replace(self._document(judged), blocks=(), sentences=())
        probabilities = judged.judgement.probabilities
        blocks = read.blocks.blocks
        shown = [blocks.block(order) for order in range(len(blocks))[: most.blocks]]
        sentences = _sentences(judged, shown, most.sentences)
        if len(sentences) == most.sentences:  # of a block whose sentences are left out, all is
            del shown[sentences[-1].block + 1 :]
        page_types = judged.judgement.page_types
        return Explanation(
            document,
            explained_blocks(document, shown, sentences, probabilities),
            _perplexities(judged),
            dict(zip(PAGE_TYPES, page_types, strict=True)) if page_types else {},
            blocks_left_out=len(blocks) - len(shown),
            sentences_left_out=len(judged.judgement.verdicts) - len(sentences),
        )

    def influences(self, page: Page, block: int) -> tuple[Influence, ...]:
        """Measure what weighed in the probability of one block: words, labels, other blocks.

        The page is judged again without each of them, up to a second of work; the one that weighs
        most stands first.

        Args:
            page: that holds the block.
            block: its number, from 0.

        Raises:
            InvalidPage: there is no document to be had from it.
            OptionsError: the engine works no probability out, or the page has no such block.
        """
        if not isinstance(self._engine, HybridEngine):
            raise OptionsError(
                f"engine {self._engine.name}: gives blocks no probability to explain; use hybrid"
            )
        read = self._read(page)
        if isinstance(read, InvalidPage):
            raise read
        blocks = len(read.blocks.blocks)
        if not 0 <= block < blocks:
            raise OptionsError(f"block {block}: the page has {blocks}, numbered from 0")
        found = self._engine.influences(read.blocks, block)
        return tuple(Influence(InfluenceKind(kind), name, odds) for kind, name, odds in found)

    def _read(self, page: Page) -> _Read | InvalidPage:
        """Bytes to blocks, page by page: a tree is freed before the next one is built."""
        laps = Laps(self._clock)
        try:
            prepared = prepare(page, self._options.limits)
        except InvalidPage as error:
            return error.as_value()
        laps.end("prepare")
        parsed = parse(prepared)
        laps.end("parse")
        cut = self._engine.cut(parsed)
        wishes = cut.wishes(page.robots_tag)
        inline = None
        if self._options.noindex is NoIndex.SKIP and "noindex" in wishes.directives:
            cut = paragraphs(b"")
        elif parsed.tree is not None and self._options.format is TextFormat.MARKDOWN:
            inline = walk_inline(parsed.tree, cut)
        blocks = page_blocks(prepared, cut)
        laps.end("walk")
        return _Read(page, blocks, inline, wishes, laps)

    def _documents(self, read: Sequence[_Read | InvalidPage]) -> list[Document | InvalidPage]:
        judged = iter(self._judge([each for each in read if isinstance(each, _Read)]))
        return [self._document(next(judged)) if isinstance(each, _Read) else each for each in read]

    def _judge(self, pages: Sequence[_Read]) -> list[_Judged]:
        """Blocks to verdicts, in one call a part; its time is shared out by length of text."""
        laps = Laps(self._clock)
        blocks = [each.blocks.blocks for each in pages]
        declared = [each.blocks.lang for each in pages]
        scores = self._models.score(blocks, declared, self._engine.content)
        laps.end("score")
        scored = [ScoredPage(each.blocks, found) for each, found in zip(pages, scores, strict=True)]
        judgements = self._engine.judge(scored)
        if self._sites is not None:
            judgements = _seen(self._sites, pages, scores, judgements)
        laps.end("judge")
        all_chars = sum(each.chars for each in blocks) or 1
        for each in pages:
            each.laps.add_share(laps, each.blocks.blocks.chars / all_chars)
        return [_Judged(*each) for each in zip(pages, scores, judgements, strict=True)]

    def _document(self, judged: _Judged) -> Document:
        """Verdicts to a document."""
        read, scores, judgement = judged.read, judged.scores, judged.judgement
        page, blocks, laps = read.page, read.blocks.blocks, read.laps
        laps.restart()
        written = self._writer.write(
            page.url,
            blocks,
            scores.sentences,
            judgement.verdicts,
            judgement.page_type,
            read.inline,
        )
        content_digest = hashlib.sha256(page.body).hexdigest()
        laps.end("write")
        metadata = written.metadata
        spans = _blocks(judged) if self._options.spans else ()
        return Document(
            url=page.url,
            title=metadata.title,
            canonical_url=metadata.canonical_url,
            author=metadata.author,
            published_at=metadata.published_at,
            site_name=metadata.site_name,
            text=written.text,
            language=scores.language,
            language_score=scores.language_score,
            engine=self._engine.name,
            model_digest=scores.model.digest,
            threshold=self._threshold(judgement),
            confidence=judgement.confidence,
            content_digest=content_digest,
            fetched_at=page.fetched_at,
            stats=_stats(judged, written),
            engine_digest=self._engine.digest,
            text_digest=written.text_digest,
            simhash=written.simhash,
            description=metadata.description,
            modified_at=metadata.modified_at,
            image=metadata.image,
            section=metadata.section,
            tags=metadata.tags,
            licence=metadata.licence,
            page_type=judgement.page_type,
            page_type_probability=judgement.page_type_probability,
            wishes=read.wishes,
            sources=metadata.sources if self._options.sources else {},
            blocks=spans,
            sentences=_sentences(judged, spans) if spans else (),
        )

    def _threshold(self, judgement: Judgement) -> float:
        own = judgement.threshold
        return self._engine.threshold if own is None else own


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
        ModelError: this release, or a model of it, is another: documents would differ.
    """
    cleaner = Cleaner(options, models, clock, site_key)
    if cleaner.fingerprint != fingerprint:
        raise ModelError("the cleaner was pickled by another release of Winnow than this one")
    return cleaner


def _chars(read: _Read | InvalidPage) -> int:
    return read.blocks.blocks.chars if isinstance(read, _Read) else 0


def _sites(options: CleanerOptions, key: bytes) -> SiteMemory | None:
    return SiteMemory(key, SiteOptions(options.seen)) if options.seen else None


def _seen(
    sites: SiteMemory,
    pages: Sequence[_Read],
    scores: Sequence[PageScores],
    judgements: Sequence[Judgement],
) -> list[Judgement]:
    return [
        replace(found, verdicts=seen_verdicts(sites, each.page.url, own.sentences, found))
        for each, own, found in zip(pages, scores, judgements, strict=True)
    ]


def _stats(judged: _Judged, written: Written) -> PageStats:
    blocks, scores = judged.read.blocks, judged.scores
    dropped = written.dropped
    return PageStats(
        page_bytes=len(judged.read.page.body),
        charset=blocks.charset,
        blocks=len(blocks.blocks),
        blocks_kept=written.blocks_kept,
        sentences=written.sentences,
        sentences_kept=written.sentences_kept,
        tokens=written.tokens,
        tokens_kept=written.tokens_kept,
        text_chars=blocks.blocks.chars,
        text_chars_kept=written.chars_kept,
        dropped_sentences={_VERDICTS[code]: sentences for code, sentences, _, _ in dropped},
        perplexity_quantiles=tuple(written.perplexity_quantiles),
        oov_rate=written.oov / written.tokens if written.tokens else 0.0,
        cpu_ms=judged.read.laps.milliseconds(),
        page_type=judged.judgement.page_type,
        language=scores.language,
        model_language=scores.model.language if scores.is_judged else "",
        dropped_tokens={_VERDICTS[code]: tokens for code, _, tokens, _ in dropped},
        dropped_bytes={_VERDICTS[code]: size for code, _, _, size in dropped},
        text_bytes_kept=written.bytes_kept,
        quality=written.quality,
    )


def _blocks(judged: _Judged) -> tuple[Block, ...]:
    blocks, likely = judged.read.blocks.blocks, judged.judgement.probabilities
    made = map(blocks.block, range(len(blocks)))
    if not likely:
        return tuple(made)
    return tuple(replace(block, probability=likely[block.order]) for block in made)


def _perplexities(judged: _Judged) -> PerplexityCounts:
    perplexities = memoryview(judged.scores.sentences.column("perplexity")).cast("f")
    return perplexity_counts(perplexities, [code == _KEPT for code in judged.judgement.verdicts])


def _sentences(
    judged: _Judged, blocks: Sequence[Block], most: int | None = None
) -> tuple[Sentence, ...]:
    """Return the sentences of these blocks, which are the first of the page, at most so many."""
    sentences = judged.scores.sentences
    made: list[Sentence] = []
    in_block, whole, end = -1, "", 0
    for index, code in enumerate(judged.judgement.verdicts[:most]):
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
