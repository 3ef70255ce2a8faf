"""Train networks whose scores are the potentials of a linear chain over a page.

The loss is the negative log-likelihood of the labels of whole pages (Lafferty et al. 2001), so
scores of blocks and of pairs are trained together. Members of the ensemble differ by their seed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from winnow.lab.train.web2text.adam import Adam
from winnow.lab.train.web2text.backward import backward
from winnow.lab.train.web2text.chain import marginals
from winnow.lab.train.web2text.network import Floats, Layer, Network, forward
from winnow.lab.train.web2text.weights import JointWeights

Labels = NDArray[np.int8]
Page = tuple[Floats, Labels]
SCORES = 6


@dataclass(frozen=True, slots=True)
class JointSchedule:
    """The training of the members.

    Attributes:
        updates: steps of the optimiser.
        pages: pages per step.
        filters, widths: filters and widths of the hidden layers; a last layer of width 1 gives
        the scores.
        keep_columns: share of columns kept per page.
        keep_weights: share of weights kept per step.
        learning_rate: value at the end of the warm-up; falls to zero as a cosine.
        decay: decay of the weights, see `Adam`.
        limit: scaled columns are clipped at this value.
        content_bias, agreement: see `JointWeights`.
    """

    updates: int
    members: int = 3
    pages: int = 6
    filters: tuple[int, ...] = (32, 32, 32)
    widths: tuple[int, ...] = (1, 3, 5)
    keep_columns: float = 0.8
    keep_weights: float = 0.8
    learning_rate: float = 3e-3
    decay: float = 0.1
    limit: float = 4.0
    content_bias: float = 0.0
    agreement: float = 1.0

    @classmethod
    def rounds(cls, rounds: int, pages: int) -> Self:
        """Return a schedule with a number of rounds over a number of pages."""
        per_update = cls(updates=0).pages
        return cls(updates=-(-rounds * pages // per_update))


def fit(pages: Sequence[Page], schedule: JointSchedule, seed: int, provenance: str) -> JointWeights:
    """Train all members; pages without blocks are left out.

    Raises:
        ValueError: no page has a block.
    """
    pages = [page for page in pages if len(page[1])]
    if not pages:
        raise ValueError("no training page has a block")
    columns: Floats = np.concatenate([features for features, _ in pages])
    means, deviations = columns.mean(axis=0), columns.std(axis=0) + np.float32(1e-3)
    scaled = [
        (np.clip((features - means) / deviations, -schedule.limit, schedule.limit), labels)
        for features, labels in pages
    ]
    members = [_member(scaled, schedule, seed, member) for member in range(schedule.members)]
    return JointWeights(
        means,
        deviations,
        schedule.limit,
        schedule.content_bias,
        schedule.agreement,
        tuple(members),
        provenance,
    )


def _member(pages: Sequence[Page], schedule: JointSchedule, seed: int, member: int) -> Network:
    rng = np.random.default_rng((seed, member))
    network = _initial(pages[0][0].shape[1], schedule, rng)
    parameters = [array for layer in network.layers for array in (layer.weights, layer.biases)]
    adam = Adam(parameters, schedule.decay, second_rate=0.995)
    for update, batch in zip(range(schedule.updates), _batches(pages, schedule, rng), strict=False):
        adam.step(_gradients(network, batch, schedule, rng), _rate(update, schedule))
    return network


def _initial(columns: int, schedule: JointSchedule, rng: np.random.Generator) -> Network:
    layers = []
    for filters, width in zip(schedule.filters, schedule.widths, strict=True):
        spread = np.sqrt(2 / (width * columns))
        weights = spread * rng.standard_normal((width * columns, filters))
        layers.append(Layer(weights.astype(np.float32), np.zeros(filters, np.float32), width))
        columns = filters
    last = 0.05 * rng.standard_normal((columns, SCORES))
    layers.append(Layer(last.astype(np.float32), np.zeros(SCORES, np.float32), 1))
    return Network(tuple(layers))


def _rate(update: int, schedule: JointSchedule) -> float:
    done = (update + 1) / schedule.updates
    return float(schedule.learning_rate * min(1, 20 * done) * (0.5 + 0.5 * np.cos(np.pi * done)))


def _batches(
    pages: Sequence[Page], schedule: JointSchedule, rng: np.random.Generator
) -> Iterator[list[Page]]:
    """Yield batches endlessly; each round has every page once."""
    while True:
        order = rng.permutation(len(pages))
        for start in range(0, len(pages), schedule.pages):
            yield [pages[index] for index in order[start : start + schedule.pages]]


def _gradients(
    network: Network, batch: Sequence[Page], schedule: JointSchedule, rng: np.random.Generator
) -> list[Floats]:
    """Return the gradients of the mean loss of a batch; a page has weight sqrt(blocks)."""
    thin, masks = thinned(network, schedule.keep_weights, rng)
    total = sum(len(labels) ** 0.5 for _, labels in batch)
    sums: list[Floats] = [np.zeros(1, np.float32)] * (2 * len(network.layers))
    for features, labels in batch:
        is_shown = rng.random((1, features.shape[1])) < schedule.keep_columns
        shown = is_shown.astype(np.float32) / np.float32(schedule.keep_columns)
        values = forward(thin, (features * shown)[None])
        flow = chain_gradients(values[-1][0], labels) / np.float32(total * len(labels) ** 0.5)
        layers = backward(thin, values, flow[None])
        gradients = [array for layer in layers for array in layer]
        sums = [so_far + found for so_far, found in zip(sums, gradients, strict=True)]
    return [
        gradient * masks[index // 2] if index % 2 == 0 else gradient
        for index, gradient in enumerate(sums)
    ]


def thinned(
    network: Network, keep: float, rng: np.random.Generator
) -> tuple[Network, list[Floats]]:
    """Drop a random share of all weights and scale up the rest; biases stay.

    Returns the network and the factors of each layer's weights.
    """
    kept = np.float32(keep)
    masks = [(rng.random(a.weights.shape) < keep).astype(np.float32) / kept for a in network.layers]
    layers = zip(network.layers, masks, strict=True)
    return Network(tuple(Layer(a.weights * mask, a.biases, a.width) for a, mask in layers)), masks


def chain_gradients(scores: Floats, labels: Labels) -> Floats:
    """Return the gradient of the negative log-likelihood of the labels, (blocks, 6).

    It is the expectation of the chain minus the labels.
    """
    expected = marginals(scores[:, :2], scores[:-1, 2:])
    gradients = np.zeros_like(scores)
    gradients[:, :2] = expected.nodes - np.eye(2)[labels]
    gradients[:-1, 2:] = expected.pairs - np.eye(4)[2 * labels[:-1] + labels[1:]]
    return gradients
