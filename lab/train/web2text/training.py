"""Train the two networks on labelled pages, on one core, repeatably."""

import copy
import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from winnow.lab.train.web2text.adam import Adam
from winnow.lab.train.web2text.backward import backward
from winnow.lab.train.web2text.chain import log_softmax
from winnow.lab.train.web2text.network import Floats, Layer, Network, forward

Labels = NDArray[np.int8]
Pages = Sequence[tuple[Floats, Labels]]
# filters and widths of the paper's networks; the last layer has as many filters as classes
FILTERS: Final = (50, 50, 50, 10)
WIDTHS: Final = (1, 1, 3, 3, 3)
BLOCK_CLASSES: Final = 2
EDGE_CLASSES: Final = 4


@dataclass(frozen=True, slots=True)
class Example:
    """One page: (blocks, columns), (blocks - 1, columns), (blocks,)."""

    blocks: Floats
    edges: Floats
    labels: Labels

    @property
    def edge_classes(self) -> Labels:
        """2 * label + next label, (blocks - 1,)."""
        return 2 * self.labels[:-1] + self.labels[1:]


@dataclass(frozen=True, slots=True)
class Schedule:
    """How long and how the networks learn; defaults are the published ones."""

    steps: int = 5001
    validate_every: int = 100
    batch: int = 128
    excerpt: int = 9
    keep: float = 0.8  # share of the weights that a step uses, the rest is dropped
    learning_rate: float = 1e-3


def initial_network(columns: int, classes: int, rng: np.random.Generator) -> Network:
    """Draw weights from a normal of deviation 0.1 cut at two deviations; biases start at 0."""
    layers = []
    for filters, width in zip((*FILTERS, classes), WIDTHS, strict=True):
        shape = (width * columns, filters)
        layers.append(Layer(_truncated_normal(shape, rng), np.zeros(filters, np.float32), width))
        columns = filters
    return Network(tuple(layers))


def fit_blocks(
    train: Sequence[Example], validation: Sequence[Example], schedule: Schedule, seed: int
) -> Network:
    """Return the block network with the best F1 on the validation pages."""
    pages = [(page.blocks, page.labels) for page in train]
    checks = [(page.blocks, page.labels) for page in validation]
    return _fit(_Task(pages, checks, BLOCK_CLASSES, schedule.excerpt, f1), schedule, seed)


def fit_edges(
    train: Sequence[Example], validation: Sequence[Example], schedule: Schedule, seed: int
) -> Network:
    """Return the edge network with the best accuracy on the validation pages."""
    pages = [(page.edges, page.edge_classes) for page in train]
    checks = [(page.edges, page.edge_classes) for page in validation]
    task = _Task(pages, checks, EDGE_CLASSES, schedule.excerpt - 1, accuracy)
    return _fit(task, schedule, seed)


def f1(guesses: Labels, labels: Labels) -> float:
    """Return the F1 of class 1; 0 if it is neither there nor guessed."""
    hits = int(((guesses == 1) & (labels == 1)).sum())
    total = int((guesses == 1).sum()) + int((labels == 1).sum())
    return 2 * hits / total if total else 0.0


def accuracy(guesses: Labels, labels: Labels) -> float:
    """Return the share of right guesses; 0 if there are none."""
    return float((guesses == labels).mean()) if len(labels) else 0.0


def _truncated_normal(shape: tuple[int, int], rng: np.random.Generator) -> Floats:
    values = rng.standard_normal(shape)
    while (far := np.abs(values) > 2).any():  # noqa: PLR2004 - two deviations
        values[far] = rng.standard_normal(int(far.sum()))
    return (0.1 * values).astype(np.float32)


@dataclass(frozen=True, slots=True)
class _Task:
    train: Pages
    validation: Pages
    classes: int
    length: int  # of an excerpt
    metric: Callable[[Labels, Labels], float]

    def reached(self, network: Network) -> float:
        """Return the metric over all validation pages together."""
        guesses = [network.scores(page[None])[0].argmax(axis=1) for page, _ in self.validation]
        targets = [targets for _, targets in self.validation]
        return self.metric(np.concatenate(guesses), np.concatenate(targets))


def _fit(task: _Task, schedule: Schedule, seed: int) -> Network:
    rng = np.random.default_rng(seed)
    network = initial_network(task.train[0][0].shape[1], task.classes, rng)
    parameters = [a for layer in network.layers for a in (layer.weights, layer.biases)]
    adam = Adam(parameters)
    batches = _batches(task.train, task.length, schedule.batch, rng)
    best, best_reached = network, -1.0
    for step, (features, targets) in zip(range(schedule.steps), batches, strict=False):
        if step % schedule.validate_every == 0 and (now := task.reached(network)) > best_reached:
            best, best_reached = copy.deepcopy(network), now
        adam.step(
            _gradients(network, features, targets, schedule.keep, rng), schedule.learning_rate
        )
    return best


def thinned(
    network: Network, keep: float, rng: np.random.Generator
) -> tuple[Network, list[Floats]]:
    """Drop a random share of all weights and scale up the rest; biases stay.

    Returns the network and, for each layer, what its weights were multiplied with.
    """
    kept = np.float32(keep)
    masks = [(rng.random(a.weights.shape) < keep).astype(np.float32) / kept for a in network.layers]
    layers = zip(network.layers, masks, strict=True)
    return Network(tuple(Layer(a.weights * mask, a.biases, a.width) for a, mask in layers)), masks


def _gradients(
    network: Network, features: Floats, targets: Labels, keep: float, rng: np.random.Generator
) -> list[Floats]:
    """Cross-entropy, mean over batch and positions; a random share of the weights is dropped."""
    thin, masks = thinned(network, keep, rng)
    values = forward(thin, features)
    right = np.eye(values[-1].shape[-1], dtype=np.float32)[targets]
    flow = (np.exp(log_softmax(values[-1])) - right) / np.float32(targets.size)
    found = backward(thin, values, flow)
    pairs = ((weights * mask, biases) for (weights, biases), mask in zip(found, masks, strict=True))
    return list(itertools.chain.from_iterable(pairs))


def _batches(
    pages: Pages, length: int, size: int, rng: np.random.Generator
) -> Iterator[tuple[Floats, Labels]]:
    """Yield batches of excerpts without end; pages follow each other in shuffled rounds."""
    long_pages = [page for page in pages if len(page[1]) > length + 1]
    rounds = (long_pages[i] for _ in itertools.count() for i in rng.permutation(len(long_pages)))
    while True:
        cuts = [_excerpt(page, length, rng) for page in itertools.islice(rounds, size)]
        yield np.stack([features for features, _ in cuts]), np.stack([labels for _, labels in cuts])


def _excerpt(
    page: tuple[Floats, Labels], length: int, rng: np.random.Generator
) -> tuple[Floats, Labels]:
    # neither the first nor the last block of a page is ever trained on: the published sampling
    features, targets = page
    at = int(rng.integers(1, len(targets) - length))
    return features[at : at + length], targets[at : at + length]
