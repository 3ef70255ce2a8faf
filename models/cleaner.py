"""Turn raw pages into documents by composing the stages."""

import hashlib
from collections.abc import Callable, Sequence
from typing import Final

from winnow.models import _kernel
from winnow.models._kernel import (
    KERNEL_VERSION,
    PAGE_TYPES,
    VERDICTS,
    Cleaned,
    JudgedPage,
    Reader,
)
from winnow.models.chunks import chunks_of
from winnow.models.document import Block, Document, Page, Sentence, Verdict
from winnow.models.engines.choice import engine_of
from winnow.models.engines.engine import Engine
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
from winnow.models.sites.memory import host_of

_VERDICTS: Final = tuple(map(Verdict, VERDICTS))
_KEPT: Final = _VERDICTS.index(Verdict.KEPT)


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
        *,
        timed: bool = False,
        site_key: bytes = b"",
        engine: Engine | None = None,
    ) -> None:
        """Choose the engine.

        Args:
            options: what to do with pages; by default the hybrid engine with its own defaults.
            models: score the sentences; a single model counts as a set of one. By default all
            shipped ones.
            timed: measure the CPU time of each stage, for the statistics.
            site_key: 16 to 64 random bytes, required if the option `seen` asks for a memory of
                sites: see `SiteMemory`.
            engine: judges the blocks, by parameters of your own for example; by default the one
                that the options name. A cleaner with such an engine cannot be pickled.

        Raises:
            ModelError: a shipped model cannot be used.
            OptionsError: there is no such engine, or options are out of range or need
                quantiles that the models do not have.
        """
        options = options or CleanerOptions()
        self._options: Final = options
        self._models: Final = _language_models(models)
        self._timed: Final = timed
        self._given: Final = engine
        self._engine: Final = engine or engine_of(options)
        self._site_key: Final = site_key
        self._sites: Final = _memory_of_sites(options, site_key)
        self._rule: Final = self._engine.rule
        self._reader: Final = Reader(
            self._rule,
            options.limits,
            inline=options.format is TextFormat.MARKDOWN,
            data_text=options.data_text is Keep.KEEP,
            skips_noindex=options.noindex is NoIndex.SKIP,
        )
        self._kernel: Final = self._opened()
        engine = self._engine
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
        if self._given:
            raise TypeError("a cleaner with an engine of its own cannot be pickled")
        made_from = self._options, self._models, self._timed, self._site_key
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
        """Clean pages together; an invalid page gives an error value in its place."""
        hosts = [] if self._sites is None else [host_of(page.url) for page in pages]
        return [
            self._document(cleaned) if isinstance(cleaned, Cleaned) else cleaned
            for cleaned in self._kernel.clean(pages, hosts)
        ]

    def explain(self, page: Page, most: Most = ALL) -> Explanation:
        """Clean one page and explain why each of its blocks was kept or dropped.

        Args:
            page: to clean.
            most: limits of what is explained: a page has up to a million blocks and sentences.

        Raises:
            InvalidPage: the page gives no document.
        """
        host = "" if self._sites is None else host_of(page.url)
        judged, cleaned = self._kernel.explain(page, host)
        document = self._document(cleaned)
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
        blocks = read(self._reader, page)
        if not 0 <= block < len(blocks):
            raise OptionsError(f"block {block}: the page has {len(blocks)}, numbered from 0")
        found = self._rule.influences(blocks, block)
        return tuple(Influence(InfluenceKind(kind), name, odds) for kind, name, odds in found)

    def _opened(self) -> _kernel.Cleaner:
        """Return the cleaner in the kernel."""
        options, engine = self._options, self._engine
        ceiling = _ceiling(options, self._models)
        return _kernel.Cleaner(
            self._reader,
            self._rule,
            self._models.kernel,
            None if self._sites is None else self._sites.kernel,
            engine=engine.name,
            engine_digest=engine.digest,
            threshold=engine.threshold,
            max_perplexity=None if ceiling is None or ceiling.is_quantile else ceiling.value,
            max_quantile=ceiling.value if ceiling is not None and ceiling.is_quantile else None,
            form=options.format,
            mark=options.mark,
            links=options.links is Keep.KEEP,
            images=options.images is Keep.KEEP,
            quality=options.quality,
            sources=options.sources,
            spans=options.spans,
            timed=self._timed,
        )

    def _document(self, cleaned: Cleaned) -> Document:
        document, options = Document.of(cleaned), self._options
        if not options.chunks:
            return document
        chunks = chunks_of(document.text, document.outline, options.chunks, options.chunk_overlap)
        return Document.of(cleaned, chunks)


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
    timed: bool,  # noqa: FBT001 - as it was pickled
    site_key: bytes,
    fingerprint: str,
) -> Cleaner:
    """Build a cleaner that was pickled elsewhere.

    Raises:
        ModelError: the release or a model differs, so documents would differ.
    """
    cleaner = Cleaner(options, models, timed=timed, site_key=site_key)
    if cleaner.fingerprint != fingerprint:
        raise ModelError("the cleaner was pickled by another release of Winnow")
    return cleaner


def _memory_of_sites(options: CleanerOptions, key: bytes) -> SiteMemory | None:
    """Return the memory that drops blocks seen on other pages of a host, if options ask for it."""
    return SiteMemory(key, SiteOptions(options.seen)) if options.seen else None


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
