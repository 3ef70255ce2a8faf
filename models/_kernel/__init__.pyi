"""The native kernel (`models/kernel`, Rust): the manual of its Python interface.

Functions only for training, measuring and tests are in `winnow.models._kernel.lab`.
"""

from collections.abc import Sequence
from os import PathLike
from typing import Literal, Protocol, Self, final

from winnow.models._kernel import lab as lab
from winnow.models.document import Block, Wishes
from winnow.models.errors import InvalidPage

__all__ = [
    "BLOCK_KINDS",
    "DECIDERS",
    "KERNEL_VERSION",
    "PAGE_TYPES",
    "ROBOTS_DIRECTIVES",
    "SCHEMA_VERSION",
    "TEXT_SOURCES",
    "VERDICTS",
    "Blocks",
    "Cleaned",
    "Cleaner",
    "CopyIndex",
    "GzipMembers",
    "HybridModel",
    "JudgedPage",
    "Judgement",
    "LanguageModels",
    "Metadata",
    "Model",
    "ModelFacts",
    "Reader",
    "Rendered",
    "Rule",
    "Sentences",
    "SiteMemory",
    "Source",
    "Tree",
    "Web2TextNetworks",
    "content_digest",
    "content_digests",
    "count_tokens",
    "crc32c",
    "decode",
    "key_hash",
    "lab",
    "punkt_table",
    "render",
]

KERNEL_VERSION: str
# of the messages: within a version members are only added
SCHEMA_VERSION: int

# Names by code (their position): of `winnow.models.document.BlockKind` and `Verdict`, and of
# `winnow.models.engines.hybrid.PageType`.
BLOCK_KINDS: tuple[str, ...]
PAGE_TYPES: tuple[str, ...]
ROBOTS_DIRECTIVES: tuple[str, ...]
TEXT_SOURCES: tuple[str, ...]
DECIDERS: tuple[str, ...]
VERDICTS: tuple[str, ...]

class _Limits(Protocol):
    """The limits of a page; see `winnow.models.page.limits.Limits`."""

    @property
    def page_bytes(self) -> int: ...
    @property
    def depth(self) -> int: ...
    @property
    def nodes(self) -> int: ...
    @property
    def steps(self) -> int: ...

@final
class Reader:
    """Reads pages: bytes to blocks, with charset, tree, walk, and declared metadata.

    `blocks` selects the blocks: `shown`, those a reader sees at first; `uncovered`, the same, or
    all blocks of a page that shows almost nothing; `every`, also hidden ones and those in
    `noscript`, with the elements around them; or those that a rule judges. With `inline` the blocks
    keep inline markup, which Markdown needs. With `data_text`, text that is only in the data of a
    page (linked data, script state) is used if the page shows almost nothing. With `skips_noindex`
    a page with a noindex directive gives no blocks.

    Raises:
        ValueError: `blocks` is not one of these names.
    """

    def __new__(
        cls,
        blocks: Literal["shown", "uncovered", "every"] | Rule,
        limits: _Limits,
        *,
        inline: bool = False,
        data_text: bool = False,
        skips_noindex: bool = False,
    ) -> Self: ...
    def read(
        self, body: bytes, *, url: str = "", content_type: str = "", robots_tag: str = ""
    ) -> Blocks:
        """Read one page; releases the GIL.

        The domain of the URL helps to detect the charset. `robots_tag` is the page's `X-Robots-Tag`
        headers, one per line.

        Raises:
            InvalidPage: the body is empty, not text, or beyond a limit.
        """

@final
class Source:
    """A body as text.

    Attributes:
        markup: UTF-8 without a byte order mark; the body itself if it is that already.
        charset: lower-case WHATWG name of the charset of the body.
        form: `html` or `text`.
        is_xml: the page is declared as XML, in which any tag may close itself.
    """

    @property
    def markup(self) -> bytes: ...
    @property
    def charset(self) -> str: ...
    @property
    def form(self) -> str: ...
    @property
    def is_xml(self) -> bool: ...

def decode(body: bytes, limits: _Limits, *, url: str = "", content_type: str = "") -> Source:
    """Find charset and form of a body, and decode it; releases the GIL.

    Raises:
        InvalidPage: the body is empty, not text, or has too many bytes.
    """

@final
class Tree:
    """A parsed page, for tests, tools and views of pages; `Reader` does not need it.

    With `is_xml` any element may close itself. Without `is_repaired` the tree is exactly the HTML
    standard's: unclosed elements of damaged pages contain the rest of the page, and shadow roots
    and the fallback of framesets are left out.

    Raises:
        InvalidPage: the markup is beyond a limit.
    """

    def __new__(
        cls, markup: str, limits: _Limits, *, is_xml: bool = False, is_repaired: bool = True
    ) -> Self: ...
    def __len__(self) -> int:
        """Return the number of elements, texts and comments."""

    def rows(self) -> list[tuple[int, str, str]]:
        """Return depth, name and text of each node in document order; releases the GIL.

        The name is the element's, or `-text` or `-comment`. The content of a `template` is left
        out.
        """

    def view(self) -> str:
        """Write the page as markup again, without anything that could load, run or navigate."""

@final
class Blocks:
    """The blocks of one page, in document order.

    Attributes:
        text: the texts of all blocks, each followed by a line feed.
        chars: characters of all block texts.
        judgement: result of the web2text rule for the page; None for other blocks.
        charset: lower-case WHATWG name of the charset that the body was decoded with.
        form: `html` or `text`.
        text_source: where the text was found, one of `TEXT_SOURCES`.
        wishes: the page's directives for machine readers.
        declared: metadata that the page declares: names and values in document order. Names are
            `title`, `lang`, `base`, `canonical`, `license`, `meta:NAME`, `json-ld`.
        declared_language: language tag as written in the page, empty if it has none.
    """

    def __len__(self) -> int: ...
    def block(self, order: int) -> Block:
        """Return one block as a value. Raises IndexError past the end."""

    def details(self, order: int) -> list[tuple[str, int]]:
        """Return further facts that the walk has about a block, by name."""

    def units(self) -> list[tuple[str, int, int, int | None, list[tuple[int, int]]]]:
        """Return the units of the page, outer ones before those inside.

        For each unit: its kind; its first block and their end; the number of the smallest unit
        around it; first block and end of each row, item or post. Without elements there are only
        tables and code.
        """

    def is_shown(self) -> list[bool]:
        """Return for each block whether a reader with scripts enabled sees it at first."""

    @property
    def text(self) -> str: ...
    @property
    def chars(self) -> int: ...
    @property
    def judgement(self) -> Judgement | None: ...
    @property
    def declared(self) -> list[tuple[str, str]]: ...
    @property
    def declared_language(self) -> str: ...
    @property
    def charset(self) -> str: ...
    @property
    def form(self) -> str: ...
    @property
    def text_source(self) -> str: ...
    @property
    def wishes(self) -> Wishes: ...
    def metadata(self, url: str, page_type: str) -> Metadata:
        """Choose the metadata of the page from what it declares.

        Args:
            url: address of the page, or empty.
            page_type: the engine's page type, empty if it has none: shops and listings
                show dates and names of other pages.
        """

@final
class Metadata:
    """Metadata that a page declares; each value is empty if there is none.

    One rule per field: the first source with a usable value, without guessing. The rules are in
    `models/kernel/src/metadata`.

    Attributes:
        canonical_url, image, licence: absolute, http or https.
        author: one name, or several, joined as in the page.
        published_at, modified_at: ISO 8601 (RFC 3339): a date, or a date and a time with its zone.
        lang: language tag as written in the page.
        sources: where the page declares each field, by the field's name.
    """

    @property
    def title(self) -> str: ...
    @property
    def canonical_url(self) -> str: ...
    @property
    def author(self) -> str: ...
    @property
    def published_at(self) -> str: ...
    @property
    def modified_at(self) -> str: ...
    @property
    def site_name(self) -> str: ...
    @property
    def lang(self) -> str: ...
    @property
    def description(self) -> str: ...
    @property
    def image(self) -> str: ...
    @property
    def section(self) -> str: ...
    @property
    def licence(self) -> str: ...
    @property
    def tags(self) -> tuple[str, ...]: ...
    @property
    def sources(self) -> dict[str, str]: ...

@final
class Rendered:
    """The text of the kept parts, and its size.

    Attributes:
        chars_kept: characters of the kept sentences, without separators.
        outline: where the units of the text start, see `Cleaned`.
    """

    @property
    def text(self) -> str: ...
    @property
    def blocks_kept(self) -> int: ...
    @property
    def sentences_kept(self) -> int: ...
    @property
    def tokens_kept(self) -> int: ...
    @property
    def chars_kept(self) -> int: ...
    @property
    def outline(self) -> bytes: ...

@final
class Sentences:
    """The scored sentences of one page, in the order of its blocks; each has a token."""

    @property
    def blocks(self) -> Blocks:
        """The blocks that were scored."""

    @property
    def tokens(self) -> int:
        """Tokens of all sentences."""

    @property
    def oov(self) -> int:
        """Tokens that are not in the model."""

    @property
    def log2_prob(self) -> float:
        """Sum of log2 P over all tokens."""

    def __len__(self) -> int: ...
    def sentence(self, index: int) -> tuple[int, int, int, int, int, float]:
        """Return (start, end, block, tokens, oov, perplexity) of one sentence.

        Start and end are byte offsets into the UTF-8 of the text of all blocks. Raises
        IndexError.
        """

    def text(self, index: int) -> str:
        """Return the text of one sentence. Raises IndexError."""

    def above(self, threshold: float) -> bytes:
        """Return a verdict code per sentence: `perplexity` above the threshold, else `kept`."""

    def verdicts(self, judgement: Judgement) -> bytes:
        """Return a code of `VERDICTS` for each sentence: the verdict of its block."""

    def column(self, name: str) -> bytes:
        """Return one field of all sentences as native 32-bit numbers.

        `start`, `end`, `block`, `tokens` and `oov` are unsigned, `log2_prob` (sum over the
        tokens) and `perplexity` are floats. Raises KeyError for another name.
        """

@final
class ModelFacts:
    """Figures of a model file; lists are by order, unigrams first."""

    @property
    def order(self) -> int: ...
    @property
    def tokeniser(self) -> int: ...
    @property
    def smoothing(self) -> str:
        """`interpolated` (listed values are interpolated over all orders) or `backoff`."""

    @property
    def unknown_log2(self) -> float: ...
    @property
    def weights(self) -> list[float]: ...
    @property
    def floor(self) -> float:
        """The constant added to every interpolated probability."""

    @property
    def listed(self) -> list[int]: ...
    @property
    def seen(self) -> list[int]: ...
    @property
    def min_counts(self) -> list[int]: ...
    @property
    def min_gain(self) -> float: ...
    @property
    def training_tokens(self) -> int: ...
    @property
    def training_sentences(self) -> int: ...
    @property
    def held_out_tokens(self) -> int: ...
    @property
    def held_out_oov(self) -> int: ...
    @property
    def held_out_log2(self) -> float: ...

@final
class Model:
    """An open model file, mapped read-only; thread-safe."""

    @staticmethod
    def open(path: str | PathLike[str]) -> Model:
        """Map a file and check every byte of it. Raises ModelError."""

    @property
    def facts(self) -> ModelFacts: ...
    @property
    def digest(self) -> bytes:
        """SHA-256 of the contents."""

    @property
    def file_bytes(self) -> int: ...
    @property
    def table_bytes(self) -> int:
        """Size of the table of n-grams."""

    @property
    def provenance(self) -> bytes:
        """The origin of the model, UTF-8 JSON."""

    @property
    def punkt_table(self) -> bytes:
        """Parameters of the sentence splitter, as `punkt_table` makes them."""

    @property
    def punkt_lists(self) -> bytes:
        """The same parameters as text."""

    def read_ahead(self) -> None:
        """Read every page of the file into memory. Releases the GIL."""

    def score(self, pages: list[Blocks]) -> list[Sentences]:
        """Split the blocks of pages into sentences and score these. Releases the GIL."""

    def score_again(self, pages: list[Sentences]) -> list[Sentences]:
        """Score sentences that another model split. Releases the GIL.

        Sentences without a token of this model's tokeniser are left out.
        """

    def score_text(self, text: str) -> Sentences:
        """Score a text as one block. Raises OverflowError beyond 4 GiB. Releases the GIL."""

    def quantile(self, share: float) -> float | None:
        """Perplexity that this share of the held-out sentences does not exceed."""

    def stranger(self, perplexity: float) -> float | None:
        """Share of the held-out sentences whose perplexity is greater."""

    def explain(self, sentence: str) -> list[tuple[str, int, float]]:
        """Return (token, order of the n-gram used or 0, log2 P) for a text as one sentence."""

def punkt_table(
    abbreviations: list[str],
    collocations: list[tuple[str, str]],
    starters: list[str],
    orthography: list[tuple[str, int]],
) -> bytes:
    """Return Punkt parameters as the table that the kernel uses for splitting."""

def crc32c(data: bytes | memoryview) -> int:
    """Return the CRC-32C of some bytes.

    Raises:
        ValueError: the bytes do not lie side by side.
    """

def content_digest(body: bytes) -> str:
    """Return `blake3:` and the hex BLAKE3 of the body of a page. Releases the GIL."""

def content_digests(bodies: Sequence[bytes]) -> list[str]:
    """Return `content_digest` of each body. Releases the GIL once."""

def key_hash(key: bytes) -> int:
    """Return MurmurHash2 without sign: Kafka's clients choose the partition of a key by it."""

def render(
    blocks: Blocks,
    sentences: Sentences | None,
    verdicts: bytes,
    form: str,
    mark: bool,
    *,
    url: str = "",
    links: bool = False,
    images: bool = False,
) -> Rendered:
    """Write the kept text of a page; releases the GIL.

    `verdicts` holds a code of `VERDICTS` for each sentence, or for each block when `sentences` is
    None. `form` is `text` or `markdown`. With `mark`, dropped sentences
    stay, marked with their perplexity: `<ppl 9123.4>...</ppl>`.

    If the blocks were read without inline markup, Markdown has only block structure. `url` is the
    base for addresses on the page; `links` and `images` say whether Markdown keeps these.

    Raises:
        ValueError: the number of verdicts or the form is wrong.
    """

class _Page(Protocol):
    """A page from a crawler; see `winnow.models.document.Page`."""

    @property
    def url(self) -> str: ...
    @property
    def body(self) -> bytes: ...
    @property
    def content_type(self) -> str: ...
    @property
    def fetched_at(self) -> str: ...
    @property
    def robots_tag(self) -> str: ...

@final
class Cleaner:
    """Cleans batches of pages by the rule of one engine.

    `threshold` is the engine's, for pages without a threshold of their own. Sentences are dropped
    above `max_perplexity` or `max_quantile`, see `LanguageModels.judge`. `form`, `mark`, `links`
    and `images` are as in `render`. `quality` turns on the quality signals, `sources` the sources
    of metadata fields, `spans` all blocks and sentences, `timed` the CPU time of the stages.

    Raises:
        ValueError: the form is unknown.
    """

    def __new__(
        cls,
        reader: Reader,
        rule: Rule,
        models: LanguageModels,
        sites: SiteMemory | None,
        *,
        engine: str,
        engine_digest: str,
        threshold: float,
        max_perplexity: float | None,
        max_quantile: float | None,
        form: str,
        mark: bool,
        links: bool,
        images: bool,
        quality: bool,
        sources: bool,
        spans: bool,
        timed: bool,
    ) -> Self: ...
    def clean(self, pages: Sequence[_Page], hosts: Sequence[str]) -> list[Cleaned | InvalidPage]:
        """Return one result per page; releases the GIL.

        `hosts` has for each page the host whose blocks are remembered, empty for none. Long pages
        are judged in parts, because messages take less memory than the intermediate data.
        """

    def explain(self, page: _Page, host: str) -> tuple[JudgedPage, Cleaned]:
        """Return a page with the scores of all its sentences, and its result without spans.

        Releases the GIL.

        Raises:
            InvalidPage: the page gives no document.
        """

@final
class Cleaned:
    """The result for a page: its messages, and the fields of a document that are read most.

    Attributes:
        document, stats: the messages as JSON with sorted members.
        chunks_at: where the member `chunks` belongs in the message of the document.
        outline: six bytes per unit of the text: where it starts in its UTF-8 (a number of four
            bytes, the lowest first), the code of its `BlockKind`, and its level. A table is one
            unit, and so is a piece of code.
        model_digest: of the language model that scored the sentences.
        content_digest, text_digest, simhash, words, language, threshold, confidence, page_type:
            see `winnow.models.document.Document`.
    """

    @property
    def document(self) -> bytes: ...
    @property
    def chunks_at(self) -> int: ...
    @property
    def stats(self) -> bytes: ...
    @property
    def outline(self) -> bytes: ...
    @property
    def model_digest(self) -> str: ...
    @property
    def content_digest(self) -> str: ...
    @property
    def text_digest(self) -> str: ...
    @property
    def simhash(self) -> str: ...
    @property
    def words(self) -> int: ...
    @property
    def language(self) -> str: ...
    @property
    def threshold(self) -> float: ...
    @property
    def confidence(self) -> float | None: ...
    @property
    def page_type(self) -> str: ...

def count_tokens(text: str) -> int:
    """Return the number of tokens of a text: words and signs."""

@final
class CopyIndex:
    """An index of 64-bit fingerprints that finds near ones, with some differing bits.

    Raises:
        ValueError: `distance` is above 8, or `max_bytes` is too small.
    """

    def __new__(cls, distance: int, max_bytes: int) -> CopyIndex: ...
    def find(self, fingerprint: int) -> tuple[int, int] | None:
        """Return the number of the nearest fingerprint, and how many bits differ.

        If several are equally near, the first; None if all differ in more than `distance` bits.
        """

    def add(self, fingerprint: int) -> int:
        """Add a fingerprint, and return its number, counted from 0.

        When the memory is full, the older half is removed.
        """

    @property
    def forgotten(self) -> int:
        """How many fingerprints were removed."""

@final
class GzipMembers:
    """Unpacks a gzip file that is given in parts; zeros between its members are padding.

    `offset` is the place of its first byte in the file. A piece has at most `piece_bytes`, and
    ends with its member, after the heads of a WARC record and after its block.
    """

    def __new__(cls, offset: int, piece_bytes: int) -> GzipMembers: ...
    def feed(self, data: bytes) -> None:
        """Take the next bytes of the file, after all pieces of those before."""

    def piece(self) -> tuple[int, bytes] | None:
        """Return the place of a member and a piece of it; None if more of the file is needed.

        Releases the GIL.

        Raises:
            ValueError: here the file is damaged; the bytes before were returned.
        """

    def rest(self) -> tuple[int, bytes] | None:
        """Return what is left of a member at the end of the file, once."""

    @property
    def begin(self) -> int:
        """The place of the member that is being read, or of other bytes."""

    @property
    def is_inside(self) -> bool:
        """Whether a member has begun and not ended."""

@final
class HybridModel:
    """A parameter file of the hybrid engine: network, trees, templates.

    With a `confidence` file, judgements include an estimate of their quality.

    Raises:
        ModelError: the file is foreign, has other features, is truncated or corrupt.
    """

    def __new__(cls, file: bytes, confidence: bytes | None = None) -> HybridModel: ...
    def judge(
        self,
        pages: Sequence[Blocks],
        comments: str,
        roles: tuple[str, str, str, str],
        threshold: float | None,
    ) -> list[Judgement]:
        """Judge the blocks of a batch of pages; releases the GIL.

        `comments` is `auto`, `keep` or `drop`, and so are `roles`: of the title, of bylines, of
        captions and of the standfirst. `threshold` replaces the threshold of each page.

        Raises:
            ValueError: blocks were read without their elements, or the policy is unknown.
        """

@final
class Judgement:
    """An engine's result for one page.

    Attributes:
        verdicts: a code of `VERDICTS` for each block.
        probabilities: that each block is content; empty if the engine has none.
        threshold: the threshold for the probabilities, if there are any.
        page_type: the likeliest of `PAGE_TYPES`; empty if the engine has no page types.
        page_type_probability: its probability, 0 to 1.
        page_types: the probability of each of `PAGE_TYPES`; empty if `page_type` is.
        confidence: estimate of the F1 of the verdicts, 0 to 1; None when the model has none.
    """

    @property
    def verdicts(self) -> bytes: ...
    @property
    def probabilities(self) -> list[float]: ...
    @property
    def threshold(self) -> float | None: ...
    @property
    def page_type(self) -> str: ...
    @property
    def page_type_probability(self) -> float: ...
    @property
    def page_types(self) -> list[float]: ...
    @property
    def confidence(self) -> float | None: ...

@final
class Rule:
    """How an engine judges pages, and which blocks it reads; immutable."""

    @staticmethod
    def perplexity(otherwise: float, by_language: Sequence[tuple[str, float]]) -> Rule:
        """Drop each sentence above a threshold: its language's, or `otherwise` for unlisted ones.

        Pages in a language without a model are kept whole. Of a page on which every sentence is
        above, the likeliest stay, unless `by_language` is empty.
        """

    @staticmethod
    def contrast(boilerplate: Model, parameters: _ContrastParameters) -> Rule:
        """Judge blocks by the first language model against a model of boilerplate."""

    @staticmethod
    def hybrid(
        model: HybridModel, comments: str, roles: tuple[str, str, str, str], threshold: float | None
    ) -> Rule:
        """Judge blocks as `HybridModel.judge` does; raises the same ValueError."""

    @staticmethod
    def web2text(networks: Web2TextNetworks) -> Rule:
        """Keep the blocks that networks label as content; they label blocks while reading them."""

    @property
    def has_probabilities(self) -> bool:
        """Whether it computes the probability that a block is content."""

    def influences(self, page: Blocks, block: int) -> list[tuple[str, str, float]]:
        """Measure what each thing around a block contributes to its probability; releases the GIL.

        It judges the page again without each of them, up to about a second of work.

        Returns:
            kind (`word`, `label`, `element`, `block`), name or block number, and its contribution
            to the natural log-odds that the block is content; largest first. Empty for a block
            that the page does not have.

        Raises:
            ValueError: the rule has no probabilities, or the blocks were read without their
                elements.
        """

@final
class LanguageModels:
    """A set of language models, at most one per language; immutable.

    Raises:
        ValueError: the set is empty.
    """

    def __new__(cls, models: Sequence[tuple[Model, str]]) -> Self:
        """Take open models with the BCP 47 primary subtags of their languages, empty if unknown."""

    def judge(
        self,
        rule: Rule,
        pages: Sequence[Blocks],
        scores_dropped: bool = False,
        max_perplexity: float | None = None,
        max_quantile: float | None = None,
    ) -> list[JudgedPage]:
        """Choose a model for each page, split it into sentences, score and judge them.

        Sentences of blocks that an engine drops without scores are scored only with
        `scores_dropped`. Otherwise their perplexity is 0, and so is their `oov`.

        Then kept sentences of running text are dropped above `max_perplexity`: a perplexity, or a
        quantile of the held-out text of the page's own model.

        The model is chosen by a sample of the text (`sample_pages`). A script of only one language
        decides at once. Otherwise the model of the declared language is tried, or else the first
        model. If it does not fit the page well, all models with the same letters are tried, and the
        one with the fewest bits for the sample is used. Releases the GIL.

        Raises:
            ValueError: the rule is the hybrid one, and blocks were read without their elements.
        """

@final
class JudgedPage:
    """A page with scores and verdicts.

    Attributes:
        blocks: the judged blocks.
        sentences: with their scores.
        model_digest: hex digest of the language model that scored them.
        model_language: its language; empty if no model has the language of the page, so that the
            scores mean little.
        language: BCP 47 primary subtag of the page if known, else empty.
        language_score: its certainty, 0 to 1: 1 if the script decides, else from the perplexity of
            the model or from the detector; 0 if the page only declares it.
        verdicts: a code of `VERDICTS` for each sentence.
        threshold: the threshold of this page; None if it is the engine's.
        probabilities, page_type, page_type_probability, page_types, confidence: see `Judgement`.
        deciders: a code of `DECIDERS` for each block: what decided its verdict; empty if the
            engine decided all.
    """

    @property
    def blocks(self) -> Blocks: ...
    @property
    def sentences(self) -> Sentences: ...
    @property
    def model_digest(self) -> str: ...
    @property
    def model_language(self) -> str: ...
    @property
    def language(self) -> str: ...
    @property
    def language_score(self) -> float: ...
    @property
    def verdicts(self) -> bytes: ...
    @property
    def threshold(self) -> float | None: ...
    def stranger(self, perplexity: float) -> float | None: ...
    @property
    def probabilities(self) -> list[float]: ...
    @property
    def deciders(self) -> bytes: ...
    @property
    def page_type(self) -> str: ...
    @property
    def page_type_probability(self) -> float: ...
    @property
    def page_types(self) -> list[float]: ...
    @property
    def confidence(self) -> float | None: ...

@final
class SiteMemory:
    """Memory of blocks per host, see `winnow.models.sites.SiteMemory`."""

    def __new__(
        cls, key: bytes, pages: int, hosts: int, blocks: int, forget_after: int
    ) -> SiteMemory:
        """Start empty.

        Raises:
            ValueError: a number is 0, or `blocks` is not a multiple of 8.
        """

    def __len__(self) -> int: ...
    def meet(self, host: str, page: str, blocks: Sequence[str]) -> list[bool]:
        """Return which blocks of a page were seen, and remember them. Releases the GIL."""

    def without_seen(self, host: str, page: str, judged: JudgedPage) -> JudgedPage:
        """Return a page with seen blocks dropped. Releases the GIL.

        Returns the same page if no block was seen, or if too much of it was.
        """

class _ContrastParameters(Protocol):
    """Parameters of `judge_by_contrast`: `winnow.models.engines.contrast.ContrastParameters`."""

    @property
    def offset(self) -> float: ...
    @property
    def bit(self) -> float: ...
    @property
    def most_bits(self) -> float: ...
    @property
    def unknown(self) -> float: ...
    @property
    def unseen(self) -> float: ...
    @property
    def most_tokens(self) -> float: ...
    @property
    def linked_token(self) -> float: ...
    @property
    def most_linked(self) -> float: ...
    @property
    def link_block(self) -> float: ...
    @property
    def block(self) -> float: ...
    @property
    def heading(self) -> float: ...
    @property
    def paragraph(self) -> float: ...
    @property
    def path(self) -> float: ...
    @property
    def most_path(self) -> float: ...
    @property
    def switch(self) -> float: ...
    @property
    def edge(self) -> float: ...
    @property
    def least_share(self) -> float: ...

@final
class Web2TextNetworks:
    """Networks whose averaged scores are decoded as a linear chain; immutable.

    `agreement` is how strongly leaves with the same class path pull each other to one label.
    Numbers are little-endian float32. A layer is (width, inputs, filters, weights, biases); its
    weights are `width * inputs` rows of `filters`.

    Raises:
        ValueError: the parts do not fit together or do not fit the columns.
    """

    def __new__(
        cls,
        means: bytes,
        deviations: bytes,
        limit: float,
        content_bias: float,
        agreement: float,
        members: Sequence[Sequence[tuple[int, int, int, bytes, bytes]]],
    ) -> Self: ...
    @staticmethod
    def read(file: bytes, threshold: float) -> Web2TextNetworks:
        """Read a weight file of feature version 2.

        `threshold` is subtracted from the score of label 1 of every leaf: a higher one keeps less.

        Raises:
            ModelError: foreign, truncated, damaged, of another version or other columns.
        """
