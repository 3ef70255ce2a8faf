"""Samples -> matrices for training."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_matrix

from winnow.lab.sets.conventions import CONVENTIONS
from winnow.lab.train.hybrid.corpus import Sample
from winnow.lab.train.hybrid.embedding import BlockWords, block_words
from winnow.lab.train.hybrid.hygiene import Doubts, Labelled, doubts
from winnow.lab.train.hybrid.lexicon import words_of
from winnow.models._kernel.lab import (
    hybrid_block_features,
    hybrid_doubted,
    hybrid_feature_names,
    hybrid_neighbourhood_features,
    hybrid_templates,
)
from winnow.models.engines.hybrid import PageType

Floats = npt.NDArray[np.float32]
Rows = npt.NDArray[np.intp]
Choice = npt.NDArray[np.bool_]

# exponent that reduces the weight of large families, so that small ones still matter
_DAMPING = 0.3
# weight of a copy in another language, and of one of a page that is not an article: most pages in
# languages that training does not know are articles
_COPY, _OTHER_COPY = 0.5, 0.075
# blocks with at least this share of text in links are not paragraphs
_LINKED = 1 / 3
# columns that are equal for blocks of one parent, and usually differ for others
_OF_PARENT = ("a1_blocks", "a1_share", "depth")


@dataclass(frozen=True, slots=True)
class Corpus:
    """All blocks of all samples, one row per block.

    Attributes:
        features: columns of the first stage.
        vocabulary: (samples, buckets): the distinct words of each page.
        block_words: words of the texts and of the labels of all blocks.
        templates: per block, a hash of its element and the nearest two labelled ancestors, or 0.
        words: number of words per block.
        weight: the block's share of its page's words, times the weight of its family and the
        trust in its label.
        doubts: doubtful labels, per page.
        page: number of the row's sample.
        offsets: sample i has the rows `offsets[i]` to `offsets[i + 1]`.
    """

    samples: tuple[Sample, ...]
    features: Floats
    vocabulary: csr_matrix
    block_words: tuple[BlockWords, BlockWords]
    templates: npt.NDArray[np.uint32]
    words: Floats
    content: Floats
    comment: Floats
    weight: Floats
    doubts: tuple[Doubts, ...]
    page: Rows
    offsets: Rows

    @property
    def is_copy(self) -> Choice:
        """Whether each sample is a copy in another language."""
        return np.array([sample.is_copy for sample in self.samples])

    def rows(self, samples: npt.NDArray[np.bool_]) -> Rows:
        """Return the row numbers of the chosen samples."""
        return np.nonzero(samples[self.page])[0]


def corpus_of(samples: tuple[Sample, ...]) -> Corpus:
    """Join the samples; needs about 600 bytes per block."""
    columns = len(hybrid_feature_names()[0])
    features = [
        np.frombuffer(hybrid_block_features(sample.blocks), np.float32).reshape(-1, columns)
        for sample in samples
    ]
    templates = [hybrid_templates(sample.blocks) for sample in samples]
    lengths = [len(rows) for rows in features]
    found = tuple(
        doubts(_labelled(sample, rows, np.frombuffer(hashes, np.uint32)))
        for sample, rows, (hashes, _) in zip(samples, features, templates, strict=True)
    )
    families = [sample.family for sample in samples if not sample.is_copy]
    weights = [
        sample.labels.words
        / max(1, sample.labels.words.sum())
        * 1000
        / families.count(sample.family) ** _DAMPING
        * CONVENTIONS[sample.family].weight
        * doubt.trust
        * _share(sample)
        for sample, doubt in zip(samples, found, strict=True)
    ]
    return Corpus(
        samples=samples,
        features=np.vstack(features),
        vocabulary=words_of(samples),
        block_words=block_words(sample.blocks for sample in samples),
        templates=np.concatenate([np.frombuffer(row, np.uint32) for row, _ in templates]),
        words=np.concatenate([np.frombuffer(row, np.float32) for _, row in templates]),
        content=np.concatenate([sample.labels.content for sample in samples]),
        comment=np.concatenate([sample.labels.comment for sample in samples]),
        weight=(np.concatenate(weights) + 1e-4).astype(np.float32),
        doubts=found,
        page=np.repeat(np.arange(len(samples)), lengths),
        offsets=np.concatenate([[0], np.cumsum(lengths)]),
    )


def _share(sample: Sample) -> float:
    if not sample.is_copy:
        return 1.0
    return _COPY if sample.page_type in {"", PageType.ARTICLE} else _OTHER_COPY


def _labelled(sample: Sample, features: Floats, templates: npt.NDArray[np.uint32]) -> Labelled:
    labels = sample.labels
    names = hybrid_feature_names()[0]
    columns = [features[:, names.index(name)] for name in _OF_PARENT]
    parents = np.unique(np.stack([*columns, templates], axis=1), axis=0, return_inverse=True)[1]
    on_page = np.bincount(labels.ids, minlength=len(labels.gold))
    return Labelled(
        content=labels.content,
        comment=labels.comment,
        words=labels.words,
        is_prose=features[:, names.index("link_share")] < _LINKED,
        parents=parents.ravel(),
        missing=float(1 - np.minimum(on_page, labels.gold).sum() / max(1, labels.gold.sum())),
    )


def second_of(
    corpus: Corpus, chosen: npt.NDArray[np.bool_], probabilities: Floats
) -> tuple[Floats, Floats]:
    """Return the columns of the second stage (per block) and of the page type (per page).

    Rows of samples that were not chosen are zero.
    """
    _, second, kinds = hybrid_feature_names()
    blocks = np.zeros((len(corpus.content), len(second)), np.float32)
    pages = np.zeros((len(corpus.samples), len(kinds)), np.float32)
    for number in np.nonzero(chosen)[0]:
        low, high = corpus.offsets[number], corpus.offsets[number + 1]
        rows, page = hybrid_neighbourhood_features(
            corpus.samples[number].blocks, probabilities[low:high].tolist()
        )
        blocks[low:high] = np.frombuffer(rows, np.float32).reshape(-1, len(second))
        pages[number] = np.frombuffer(page, np.float32)
    return blocks, pages


def doubted(corpus: Corpus, chosen: Choice, probabilities: Floats) -> Floats:
    """Return the probabilities, lowered for doubtful bylines and captions like in the kernel.

    Rows of samples that were not chosen are zero.
    """
    lowered = np.zeros_like(probabilities)
    for number in np.nonzero(chosen)[0]:
        low, high = corpus.offsets[number], corpus.offsets[number + 1]
        of_page = probabilities[low:high].tolist()
        found = hybrid_doubted(corpus.samples[number].blocks, of_page)
        lowered[low:high] = np.frombuffer(found, np.float32)
    return lowered
