"""Kernel functions for training, measuring and tests; workers do not use them."""

from collections.abc import Sequence
from os import PathLike
from typing import final

from winnow.models._kernel import (
    Blocks,
    HybridModel,
    Judgement,
    ModelFacts,
    Sentences,
    Tree,
    Web2TextNetworks,
    _ContrastParameters,
)

__all__ = [
    "HYBRID_BUCKETS",
    "HYBRID_COLUMNS",
    "HYBRID_DOCUMENTATION",
    "HYBRID_INPUT",
    "HYBRID_JOINT",
    "HYBRID_MARGIN",
    "HYBRID_ROLES",
    "HYBRID_STATE",
    "HYBRID_SURE",
    "HYBRID_WINDOW",
    "KNOWN_ABBREVIATIONS",
    "LANGUAGE_LIMITS",
    "WEB2TEXT_MAGIC",
    "WEB2TEXT_MAX_BYTES",
    "WEB2TEXT_MAX_WIDTH",
    "WEB2TEXT_VERSION",
    "Counter",
    "Importer",
    "Leaves",
    "align_characters",
    "chain_labels",
    "chain_marginals",
    "char_edit_distance",
    "data_text",
    "edit_distance",
    "hybrid_block_features",
    "hybrid_block_words",
    "hybrid_confidence_features",
    "hybrid_confidence_header",
    "hybrid_confidence_names",
    "hybrid_doubted",
    "hybrid_feature_names",
    "hybrid_header",
    "hybrid_neighbourhood_features",
    "hybrid_page_words",
    "hybrid_roles",
    "hybrid_templates",
    "judge_by_contrast",
    "lcs_length",
    "lcs_pairs",
    "leaves",
    "sample_pages",
    "sentence_spans",
    "signal_words",
    "text_signals",
    "tokens",
    "web2text_column_names",
    "web2text_labels",
    "web2text_scores",
]

# By language, limits for the sample of a page in it: bits per token, and unknown tokens per token.
# The values of English apply to all other languages.
LANGUAGE_LIMITS: dict[str, tuple[float, float]]

# Titles before names: they never end a sentence, even if a model has learned otherwise.
KNOWN_ABBREVIATIONS: tuple[str, ...]

# Hybrid engine: buckets for the words of a page; factor of the threshold of documentation; least
# distance of probabilities from 0 and 1 before they become log-odds.
HYBRID_BUCKETS: int
HYBRID_DOCUMENTATION: float
HYBRID_MARGIN: float

# The roles of a block, by code.
HYBRID_ROLES: tuple[str, ...]

# Its network: number of input columns; sizes of a block after the first layer, of a state, and of
# the layer before the last; the longest window of blocks.
HYBRID_COLUMNS: int
HYBRID_INPUT: int
HYBRID_STATE: int
HYBRID_SURE: float
HYBRID_JOINT: int
HYBRID_WINDOW: int

# The weight file of web2text: its first bytes and its size, and how many blocks an output may see.
WEB2TEXT_MAGIC: bytes
WEB2TEXT_MAX_BYTES: int
WEB2TEXT_MAX_WIDTH: int
WEB2TEXT_VERSION: int

@final
class Counter:
    """Counts training text into unnamed spill files, then builds one model from it."""

    def __new__(
        cls,
        order: int,
        tokeniser: int,
        *,
        hold_out: int,
        punkt_table: bytes,
        folder: str | PathLike[str],
    ) -> Counter:
        """Spill into `folder`; hold out one of `hold_out` lines, 0 for none.

        Raises ValueError for an unknown order or tokeniser, OSError.
        """

    def feed(self, chunk: bytes) -> None:
        """Count the lines of a chunk; a line may continue in the next chunk. Releases the GIL.

        Raises OSError if it cannot spill, RuntimeError after `train`.
        """

    def train(
        self,
        target: str | PathLike[str],
        *,
        weights: tuple[float, float, float] | None,
        min_counts: tuple[int, int, int],
        min_gain: float,
        provenance: bytes,
        punkt_lists: bytes,
    ) -> ModelFacts:
        """Write the model to `target`, atomically; missing weights come from held-out lines.

        Raises ModelError if nothing was counted, OSError, RuntimeError on a second call.
        """

@final
class Importer:
    """Takes n-grams whose probabilities another program computed, then builds one model."""

    def __new__(cls, tokeniser: int, folder: str | PathLike[str]) -> Importer:
        """Spill into `folder`. Raises ValueError for an unknown tokeniser, OSError."""

    def add(self, ngrams: list[tuple[list[str], float, float]]) -> int:
        """Add n-grams, and return how many were accepted. Releases the GIL.

        An n-gram is its 1 to 3 words, log2 P of the last word after the others, and log2 of its
        weight as a history (0: none). `<s>` is the sentence start, `<unk>` any unknown word.
        N-grams with words that are not one normalised token are left out.

        Raises ModelError for impossible values, OSError, RuntimeError after `write`.
        """

    def write(
        self,
        target: str | PathLike[str],
        *,
        order: int,
        smoothing: str,
        unknown_log2: float,
        weights: tuple[float, float, float],
        punkt_table: bytes,
        provenance: bytes,
        punkt_lists: bytes,
    ) -> ModelFacts:
        """Write the model to `target`, atomically. `smoothing` is `interpolated` or `backoff`.

        Raises ModelError if nothing was accepted, ValueError for an unknown smoothing, OSError,
        RuntimeError on a second call.
        """

@final
class Leaves:
    """The leaves of the collapsed DOM of a page, in document order.

    Attributes:
        texts: runs of white space are one space; ends are not trimmed.
        columns: little-endian float32, row by row, named by `web2text_column_names`.
    """

    def __len__(self) -> int: ...
    @property
    def texts(self) -> list[str]: ...
    @property
    def columns(self) -> bytes: ...

def align_characters(source: str, cleaned: str, /) -> bytes:
    """Return, for each character of `source`, its position in `cleaned`.

    Little-endian int32, -1 for a character only in `source`. Positions grow from left to right.
    Releases the GIL.

    Raises:
        ValueError: the texts are long and have too little in common.
    """

def chain_labels(nodes: bytes, pairs: bytes) -> bytes:
    """Return the labels 0 or 1 with the largest sum of scores, one byte each; ties go to 0.

    `nodes` holds little-endian float64 scores of labels 0 and 1 for each block, `pairs` the scores
    of 00, 01, 10, 11 for each block and the next.

    Raises:
        ValueError: the lengths do not fit.
    """

def chain_marginals(nodes: bytes, pairs: bytes) -> tuple[float, bytes, bytes]:
    """Return the log-partition of a chain and the probabilities of its nodes and its pairs.

    Natural logarithms; layout and errors as for `chain_labels`.
    """

def char_edit_distance(left: str, right: str) -> int:
    """Return the Levenshtein distance of two texts in code points; errors as for `lcs_length`."""

def data_text(tree: Tree, shown_chars: int) -> tuple[str, str] | None:
    """Find the text that is only in the data of a page: linked data, the state of its scripts.

    Returns:
        Its place, one of `TEXT_SOURCES`, and an `article` element with it; None if it has not
        more than 200 characters and twice as many as `shown_chars`, the shown text of the page.
    """

def edit_distance(left: Sequence[int], right: Sequence[int]) -> int:
    """Return the Levenshtein distance: insertions, deletions, substitutions, each 1.

    Errors as for `lcs_length`.
    """

def hybrid_block_features(blocks: Blocks) -> bytes:
    """Return the features of each block, row by row, as little-endian 32-bit floats."""

def hybrid_block_words(blocks: Blocks) -> tuple[tuple[bytes, bytes], tuple[bytes, bytes]]:
    """Return hashes of the words of each block, and of the class and id words around it.

    Each is (counts, hashes): the number of words per block, then their hashes block after block, as
    32-bit numbers.
    """

def hybrid_confidence_features(model: HybridModel, page: Blocks) -> bytes:
    """Return the features from which the confidence of a page is computed, as 32-bit floats.

    Empty for a page without blocks.

    Raises:
        ValueError: the blocks were read without their elements.
    """

def hybrid_confidence_header(payload: bytes) -> bytes:
    """Return the first bytes of a confidence file, as `hybrid_header`."""

def hybrid_confidence_names() -> list[str]:
    """Return the names of the features of confidence."""

def hybrid_doubted(blocks: Blocks, probabilities: Sequence[float]) -> bytes:
    """Return probabilities as 32-bit floats, lowered for doubtful bylines and captions.

    Raises:
        ValueError: there is not one probability per block, or there is no block.
    """

def hybrid_feature_names() -> tuple[list[str], list[str], list[str]]:
    """Return the names of the features of a block, of its neighbourhood, and of a page."""

def hybrid_header(payload: bytes) -> bytes:
    """Return the first bytes of a parameter file: magic, digest of names, checksum."""

def hybrid_neighbourhood_features(
    blocks: Blocks, probabilities: Sequence[float]
) -> tuple[bytes, bytes]:
    """Return the neighbourhood features of each block, row by row, and the page features.

    `probabilities` are the network's, per block. The last page features, scores of the page's words
    for its types, are zeros here.

    Raises:
        ValueError: there is not one probability per block, or there is no block.
    """

def hybrid_page_words(blocks: Blocks) -> bytes:
    """Return the buckets (0 to 32767) of the words and labels of a page, as 32-bit numbers."""

def hybrid_roles(blocks: Blocks) -> bytes:
    """Return the role of each block, a code of `HYBRID_ROLES`."""

def hybrid_templates(blocks: Blocks) -> tuple[bytes, bytes]:
    """Return the template of each block (32-bit hashes, 0 for none), and its words (floats)."""

def judge_by_contrast(
    content: Sequence[Sentences],
    boilerplate: Sequence[Sentences],
    parameters: _ContrastParameters,
) -> list[Judgement]:
    """Judge the blocks of a batch of pages; releases the GIL.

    Both arguments hold scores of the same pages, by a model of content and by one of boilerplate.
    Raises ValueError if their lengths differ.
    """

def lcs_length(left: Sequence[int], right: Sequence[int]) -> int:
    """Return the length of the longest common subsequence of two sequences of symbols.

    Symbols are 32-bit numbers. Releases the GIL. Takes len x len / 64 steps.

    Raises:
        ValueError: the product of the lengths exceeds 2**40.
    """

def lcs_pairs(left: Sequence[int], right: Sequence[int]) -> list[tuple[int, int]]:
    """Return one longest common subsequence as increasing pairs of positions (left, right).

    Uses at most 64 MB for rows. Errors as for `lcs_length`.
    """

def leaves(tree: Tree) -> Leaves:
    """Collapse a parsed page; releases the GIL."""

def sample_pages(pages: list[Blocks]) -> list[Blocks]:
    """Return the beginnings of the longest blocks of each page, 400 characters in all.

    The sample for language detection. Only positions in the text are set. Releases the GIL.
    """

def sentence_spans(text: str, punkt_table: bytes) -> list[tuple[int, int]]:
    """Return the sentences of a text as spans of characters."""

def signal_words(text: str) -> list[str]:
    """Return the words that the signals count."""

def text_signals(
    text: str, *, with_quality: bool = True
) -> tuple[int | None, list[tuple[str, float]]]:
    """Return the SimHash of a text, None without words, and its quality signals by name.

    Releases the GIL.
    """

def tokens(text: str, tokeniser: int) -> list[str]:
    """Return the normalised tokens of a text. Raises ValueError for an unknown tokeniser."""

def web2text_column_names() -> list[str]:
    """Return the names of the columns of feature version 2, in their order."""

def web2text_labels(networks: Web2TextNetworks, leaves: Leaves) -> bytes:
    """Return one byte per leaf, 1 for content."""

def web2text_scores(networks: Web2TextNetworks, leaves: Leaves) -> bytes:
    """Return six scores per leaf: labels 0 and 1, then 00, 01, 10, 11 with the next leaf."""
