"""The native kernel (`models/kernel`, Rust): the manual of its Python side.

What only training, measuring and tests ask for is in `winnow.models._kernel.lab`.
"""

from collections.abc import Sequence
from os import PathLike
from typing import Literal, Protocol, Self, final

from winnow.models._kernel import lab as lab
from winnow.models.document import Block, Wishes

__all__ = [
    "BLOCK_KINDS",
    "DECIDERS",
    "KERNEL_VERSION",
    "PAGE_TYPES",
    "ROBOTS_DIRECTIVES",
    "TEXT_SOURCES",
    "VERDICTS",
    "Blocks",
    "CopyIndex",
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
    "Writer",
    "Written",
    "content_digest",
    "count_tokens",
    "crc32c",
    "decode",
    "lab",
    "punkt_table",
    "render",
]

KERNEL_VERSION: str

# Values by their code, a position: of `winnow.models.document.BlockKind` and `Verdict`, and of
# `winnow.models.engines.hybrid.PageType`.
BLOCK_KINDS: tuple[str, ...]
PAGE_TYPES: tuple[str, ...]
ROBOTS_DIRECTIVES: tuple[str, ...]
TEXT_SOURCES: tuple[str, ...]
DECIDERS: tuple[str, ...]
VERDICTS: tuple[str, ...]

class _Limits(Protocol):
    """The bounds of a page; see `winnow.models.page.limits.Limits`."""

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
    """Reads pages: bytes to blocks, with charset, tree, walk, and what the page declares.

    `blocks` says which blocks are wanted: `shown`, what a reader sees at first; `uncovered`, the
    same, or all of a page that shows next to nothing; `every`, hidden ones and those in `noscript`
    too, with the elements around them; or those that a rule judges. With `inline` the blocks know
    what the markup says inside of them, which Markdown is written with. With `data_text` the text
    that only data of a page holds counts where the page shows next to nothing. With `skips_noindex`
    a page that asks not to be indexed gives no blocks.

    Raises:
        ValueError: no blocks are called so.
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

        The domain of the URL helps to detect the charset. `robots_tag` is the values of its
        `X-Robots-Tag` headers, a header per line.

        Raises:
            InvalidPage: the body is empty, no text, or beyond a limit.
        """

@final
class Source:
    """A body as text.

    Attributes:
        markup: UTF-8 without a byte order mark; the body itself where it is that already.
        charset: lower-case WHATWG name of the charset the body came in.
        form: `html` or `text`.
        is_xml: the page is XML by its label, where any tag may close itself.
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
        InvalidPage: the body is empty, no text, or has too many bytes.
    """

@final
class Tree:
    """A parsed page, for tests, tools and views of pages: `Reader` needs none.

    In a page that `is_xml` any element may close itself. Unless it `is_repaired`, the tree is that
    of the standard: what damaged pages leave open takes in the rest of the page, shadow roots and
    what a page has instead of frames are left out.

    Raises:
        InvalidPage: it is beyond a limit.
    """

    def __new__(
        cls, markup: str, limits: _Limits, *, is_xml: bool = False, is_repaired: bool = True
    ) -> Self: ...
    def __len__(self) -> int:
        """Return how many elements, texts and comments there are."""

    def rows(self) -> list[tuple[int, str, str]]:
        """Return depth, name and text of each of them in document order; releases the GIL.

        The name is that of an element, else `-text` or `-comment`. What a `template` holds is left
        out.
        """

    def view(self) -> str:
        """Write the page as markup again, without what could load, start or lead somewhere."""

@final
class Blocks:
    """The blocks of one page, in document order.

    Attributes:
        text: the texts of all blocks, each followed by a line feed.
        chars: characters of all block texts.
        judgement: what the rule of web2text made of the page; None with any other blocks.
        charset: lower-case WHATWG name of the charset that the body was decoded with.
        form: `html` or `text`.
        text_source: where the text stands, of `TEXT_SOURCES`.
        wishes: what the page asks of those who read it by machine.
        declared: what the page says about itself: names and values in document order. Names are
            `title`, `lang`, `base`, `canonical`, `license`, `meta:NAME`, `json-ld`.
        declared_language: language tag of the page as the page spells it, empty if it has none.
    """

    def __len__(self) -> int: ...
    def block(self, order: int) -> Block:
        """Make one block a value. Raises IndexError past the end."""

    def details(self, order: int) -> list[tuple[str, int]]:
        """Return what the walk knows of a block beside its value, by name."""

    def units(self) -> list[tuple[str, int, int, int | None, list[tuple[int, int]]]]:
        """Return the units of the page, outer ones before those inside.

        Of each: its kind; its first block and their end; the number of the smallest unit around
        it; first block and end of each row, item or post. Without elements there are only tables
        and code.
        """

    def is_shown(self) -> list[bool]:
        """Return for each block whether a reader with scripts sees it at first."""

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
        """Choose among what the page says about itself.

        Args:
            url: address of the page, or empty.
            page_type: what an engine takes it for, empty if it does not tell types: shops and lists
                show dates and names of others.
        """

@final
class Metadata:
    """What a page says about itself; each value empty when it says nothing.

    One rule per field, the first source that gives a usable value, and nothing is guessed. The
    rules are in `models/kernel/src/metadata`.

    Attributes:
        canonical_url, image, licence: absolute, http or https.
        author: one name, or several as the page joins them.
        published_at, modified_at: ISO 8601 (RFC 3339): a date, or a date and a time with its zone.
        lang: language tag as the page spells it.
        sources: where the page says it, by name of the field.
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
    """Text made of what verdicts keep, and how much that is.

    Attributes:
        chars_kept: characters of the kept sentences, without what stands between them.
        outline: where the units of the text start, see `Written`.
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
    """The scored sentences of one page, in the order of its blocks; none without a token."""

    @property
    def blocks(self) -> Blocks:
        """The blocks that were scored."""

    @property
    def tokens(self) -> int:
        """Tokens of all sentences."""

    @property
    def oov(self) -> int:
        """Tokens that the model has not seen in training."""

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
        """Return a verdict code for each sentence: `perplexity` where it is above, else `kept`."""

    def verdicts(self, judgement: Judgement) -> bytes:
        """Return a code of `VERDICTS` for each sentence: what the judgement says of its block."""

    def column(self, name: str) -> bytes:
        """Return one field of all sentences as native 32-bit numbers.

        `start`, `end`, `block`, `tokens` and `oov` are unsigned, `log2_prob` (sum over the
        tokens) and `perplexity` are floats. Raises KeyError for another name.
        """

@final
class ModelFacts:
    """What a model file says of its model; lists go by order, unigrams first."""

    @property
    def order(self) -> int: ...
    @property
    def tokeniser(self) -> int: ...
    @property
    def smoothing(self) -> str:
        """`interpolated`: listed values are, over all orders; or `backoff`."""

    @property
    def unknown_log2(self) -> float: ...
    @property
    def weights(self) -> list[float]: ...
    @property
    def floor(self) -> float:
        """What every interpolated probability has added."""

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
    """An open model file, mapped read-only; calls may come from several threads."""

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
        """The same as text."""

    def read_ahead(self) -> None:
        """Bring every page of the file into memory. Releases the GIL."""

    def score(self, pages: list[Blocks]) -> list[Sentences]:
        """Split the blocks of pages into sentences and score these. Releases the GIL."""

    def score_again(self, pages: list[Sentences]) -> list[Sentences]:
        """Score the sentences that another model found, without splitting. Releases the GIL.

        Sentences that hold no token of this model's tokeniser are left out.
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
    """Return Punkt parameters as the table that the kernel splits with."""

def crc32c(data: bytes, start: int, end: int) -> int:
    """Return the CRC-32C of a part of some bytes.

    Raises:
        ValueError: the bytes have no such part.
    """

def content_digest(body: bytes) -> str:
    """Return `blake3:` and the hex BLAKE3 of the body of a page. Releases the GIL."""

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
    """Write what is kept of a page; releases the GIL.

    `verdicts` holds a code of `VERDICTS` for each sentence, or for each block when `sentences` is
    None. `form` is `text` or `markdown`. With `mark`, dropped sentences
    stay, marked with their perplexity: `<ppl 9123.4>...</ppl>`.

    Markdown is that of the blocks alone where they were read without what the markup says inside of
    them. `url` is what addresses on the page are
    relative to; `links` and `images` say whether those go into Markdown.

    Raises:
        ValueError: the number of verdicts or the form is wrong.
    """

@final
class Writer:
    """Writes what the documents of one cleaner say.

    `form`, `mark`, `links` and `images` are those of `render`; `quality` asks for the signals of
    quality.

    Raises:
        ValueError: the form is unknown.
    """

    def __new__(
        cls, form: str, *, mark: bool, links: bool, images: bool, quality: bool
    ) -> Self: ...
    def write(self, url: str, judged: JudgedPage) -> Written:
        """Write one page; `url` is its address, or empty. Releases the GIL."""

@final
class Written:
    """What a document says, and its counts; a value is made when it is read.

    Attributes:
        text_digest: `blake3:` and the hex BLAKE3 of `text` in UTF-8.
        simhash: 16 hex digits, of the kept text without markup; empty without words.
        words: number of words of the same text.
        outline: six bytes per unit of the text: where it starts in its UTF-8 (a number of four
            bytes, the lowest first), the code of its `BlockKind`, and its level. A table is one
            unit, and so is a stretch of code.
        quality: signals by name, of the same text; empty when there is no text, or unasked for.
        sentences, tokens: of the whole page, kept or not.
        chars_kept, bytes_kept: of the kept sentences, without what stands between them.
        oov_kept: kept tokens that the model has not seen.
        perplexity_quantiles: 10, 25, 50, 75 and 90 % over the kept sentences, interpolated
            linearly; empty without one.
        dropped: (code, sentences, tokens, bytes) of each verdict but `kept`, in the order in which
            the codes come first.
    """

    @property
    def text(self) -> str: ...
    @property
    def text_digest(self) -> str: ...
    @property
    def simhash(self) -> str: ...
    @property
    def words(self) -> int: ...
    @property
    def outline(self) -> bytes: ...
    @property
    def quality(self) -> dict[str, float]: ...
    @property
    def metadata(self) -> Metadata: ...
    @property
    def blocks_kept(self) -> int: ...
    @property
    def sentences(self) -> int: ...
    @property
    def sentences_kept(self) -> int: ...
    @property
    def tokens(self) -> int: ...
    @property
    def tokens_kept(self) -> int: ...
    @property
    def oov_kept(self) -> int: ...
    @property
    def chars_kept(self) -> int: ...
    @property
    def bytes_kept(self) -> int: ...
    @property
    def perplexity(self) -> float | None: ...
    @property
    def perplexity_quantiles(self) -> list[float]: ...
    @property
    def dropped(self) -> list[tuple[int, int, int, int]]: ...

def count_tokens(text: str) -> int:
    """Return the number of tokens of a text, words and signs."""

@final
class CopyIndex:
    """Fingerprints of 64 bits that were seen, found again although some of their bits differ.

    Raises:
        ValueError: `distance` is above 8, or `max_bytes` are too few.
    """

    def __new__(cls, distance: int, max_bytes: int) -> CopyIndex: ...
    def find(self, fingerprint: int) -> tuple[int, int] | None:
        """Return the number of the nearest one seen, and the bits in which it differs.

        Of equally near ones it is the first; None if all differ in more than `distance` bits.
        """

    def add(self, fingerprint: int) -> int:
        """Remember a fingerprint, and return its number, counted from 0.

        When the memory is full, the older half is forgotten.
        """

    @property
    def forgotten(self) -> int:
        """How many were forgotten."""

@final
class HybridModel:
    """A parameter file of the hybrid engine: its network, its trees, its templates.

    With a file of `confidence` its judgements say how good they are held to be.

    Raises:
        ModelError: the file is foreign, of other features, truncated or corrupt.
    """

    def __new__(cls, file: bytes, confidence: bytes | None = None) -> HybridModel: ...
    def judge(
        self,
        pages: Sequence[Blocks],
        comments: str,
        roles: tuple[str, str, str],
        threshold: float | None,
    ) -> list[Judgement]:
        """Judge the blocks of a batch of pages; releases the GIL.

        `comments` is `auto`, `keep` or `drop`, as are `roles`: of the title, of bylines and of
        captions. `threshold` replaces the one of each page.

        Raises:
            ValueError: blocks were cut without their elements, or the policy is unknown.
        """

@final
class Judgement:
    """What an engine makes of one page.

    Attributes:
        verdicts: a code of `VERDICTS` for each block.
        probabilities: of each block, that it is content; empty when the engine has none.
        threshold: what the probabilities were compared with, if there are any.
        page_type: the likeliest of `PAGE_TYPES`; empty when the engine does not tell them apart.
        page_type_probability: how likely it is, 0 to 1.
        page_types: the probability of each of `PAGE_TYPES`; empty as `page_type`.
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
    """How an engine judges pages, with what it reads; immutable."""

    @staticmethod
    def perplexity(otherwise: float, by_language: Sequence[tuple[str, float]]) -> Rule:
        """Drop each sentence above a threshold, which is `otherwise` in languages not listed.

        Pages in a language that no model knows stay whole.
        """

    @staticmethod
    def contrast(boilerplate: Model, parameters: _ContrastParameters) -> Rule:
        """Judge blocks by the first language model against one of boilerplate."""

    @staticmethod
    def hybrid(
        model: HybridModel, comments: str, roles: tuple[str, str, str], threshold: float | None
    ) -> Rule:
        """Judge blocks as `HybridModel.judge` does. Raises ValueError as it does."""

    @staticmethod
    def web2text(networks: Web2TextNetworks) -> Rule:
        """Keep the blocks that networks call content, which label them while they are read."""

    @property
    def has_probabilities(self) -> bool:
        """Whether it works out how likely blocks are content."""

    def influences(self, page: Blocks, block: int) -> list[tuple[str, str, float]]:
        """Judge a page again without each thing around a block; releases the GIL.

        A bounded number of them: up to a second of work.

        Returns:
            kind (`word`, `label`, `element`, `block`), name or block number, and how much it adds
            to the natural log-odds that the block is content; most weight first. Nothing of a block
            that the page has not.

        Raises:
            ValueError: the rule has no probabilities, or the blocks were cut without their
                elements.
        """

@final
class LanguageModels:
    """Language models side by side, at most one per language; immutable.

    Raises:
        ValueError: there is none.
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

        Sentences of blocks that an engine drops without their scores are scored if
        `scores_dropped` says so. The perplexity of the others is 0, and so is their `oov`.

        Sentences of running text that are kept so far are dropped above `max_perplexity`, or above
        that quantile of what the page's own model held out.

        A sample of the text chooses (`sample_pages`). A script of one language decides. Else the
        model of the declared language is tried, else the first model. Only a page that does not fit
        it well is tried with all models of its letters; the one with the fewest bits for the sample
        stays. Releases the GIL.

        Raises:
            ValueError: the rule is the hybrid one, and blocks were cut without their elements.
        """

@final
class JudgedPage:
    """A page with scores and verdicts.

    Attributes:
        blocks: as they were judged.
        sentences: with their scores.
        model_digest: hex digest of the language model that scored them.
        model_language: its language; empty when no model knows that of the page, and the scores
            say little.
        language: BCP 47 primary subtag of the page as far as known, else empty.
        language_score: how sure that is, 0 to 1: 1 where the script tells, else by the surprise of
            the model or by the detector; 0 where only the page says so.
        verdicts: a code of `VERDICTS` for each sentence.
        threshold: what this page was compared with; None when that is the engine's.
        probabilities, page_type, page_type_probability, page_types, confidence: see `Judgement`.
        deciders: a code of `DECIDERS` for each block, what decided its verdict; empty when the
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
    """Blocks that hosts have shown, see `winnow.models.sites.SiteMemory`."""

    def __new__(
        cls, key: bytes, pages: int, hosts: int, blocks: int, forget_after: int
    ) -> SiteMemory:
        """Start with nothing.

        Raises:
            ValueError: a number is 0, or `blocks` is no multiple of 8.
        """

    def __len__(self) -> int: ...
    def meet(self, host: str, page: str, blocks: Sequence[str]) -> list[bool]:
        """Return which blocks of a page were seen, and remember them. Releases the GIL."""

    def without_seen(self, host: str, page: str, judged: JudgedPage) -> JudgedPage:
        """Return a page with kept blocks dropped that were seen. Releases the GIL.

        It is the same page where none is, or where too much of it was seen.
        """

class _ContrastParameters(Protocol):
    """What `judge_by_contrast` reads; see `winnow.models.engines.contrast.ContrastParameters`."""

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
    """Networks whose scores are averaged and decoded as a linear chain; immutable.

    `agreement` says how much leaves with the same class path pull each other to one label.
    Numbers are little-endian float32. A layer is (width, inputs, filters, weights, biases); its
    weights are `width * inputs` rows of `filters`.

    Raises:
        ValueError: the parts do not fit together or into the columns.
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

        `threshold` is subtracted from the score of label 1 of every leaf, so that more keeps less.

        Raises:
            ModelError: foreign, truncated, damaged, of another version or other columns.
        """
