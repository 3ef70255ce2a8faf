import dataclasses

import numpy as np

from winnow.lab.train.web2text.chain import best_labels
from winnow.lab.train.web2text.joint import JointSchedule, Page, fit
from winnow.lab.train.web2text.training import (
    Example,
    Schedule,
    accuracy,
    f1,
    fit_blocks,
    fit_edges,
)

QUICK = Schedule(steps=201, validate_every=50, batch=16)
QUICK_JOINT = JointSchedule(updates=60, members=2, keep_columns=1.0, keep_weights=1.0)


def examples(seed: int, pages: int = 12) -> list[Example]:
    """Return pages whose first column tells the label, up to noise."""
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(pages):
        labels = np.repeat(rng.integers(0, 2, 6), 5).astype(np.int8)
        noise = rng.standard_normal((len(labels), 3)).astype(np.float32)
        noise[:, 0] = 4.0 * labels - 2 + 0.5 * noise[:, 0]
        edges = np.hstack([noise[:-1], noise[1:]])
        found.append(Example(noise, edges, labels))
    return found


def joint_pages(seed: int) -> list[Page]:
    return [(page.blocks, page.labels) for page in examples(seed)]


def test_block_network_learns_what_a_column_tells() -> None:
    network = fit_blocks(examples(1), examples(2), QUICK, seed=0)

    page = examples(3)[0]
    guesses = network.scores(page.blocks[None])[0].argmax(axis=1)
    assert accuracy(guesses, page.labels) > 0.9


def test_edge_network_learns_pairs_of_labels() -> None:
    network = fit_edges(examples(1), examples(2), QUICK, seed=0)

    page = examples(3)[0]
    guesses = network.scores(page.edges[None])[0].argmax(axis=1)
    assert accuracy(guesses, page.edge_classes) > 0.8


def test_training_keeps_the_step_with_the_best_validation_figure() -> None:
    # the validation labels are the opposite of the training ones: the longer, the worse
    wrong = [dataclasses.replace(page, labels=1 - page.labels) for page in examples(2)]

    chosen = fit_blocks(examples(1), wrong, QUICK, seed=0)
    last = fit_blocks(examples(1), examples(1), QUICK, seed=0)

    def reached(network: object) -> float:
        assert isinstance(network, type(chosen))
        guesses = [network.scores(page.blocks[None])[0].argmax(axis=1) for page in wrong]
        return f1(np.concatenate(guesses), np.concatenate([page.labels for page in wrong]))

    assert reached(chosen) > reached(last)


def test_the_same_seed_gives_the_same_weights() -> None:
    first, second = (fit_blocks(examples(1), examples(2), QUICK, seed=7) for _ in range(2))
    joint = [fit(joint_pages(1), QUICK_JOINT, seed=7, provenance="") for _ in range(2)]

    assert all(
        (a.weights == b.weights).all() for a, b in zip(first.layers, second.layers, strict=True)
    )
    assert all(
        (a.weights == b.weights).all()
        for left, right in zip(joint[0].members, joint[1].members, strict=True)
        for a, b in zip(left.layers, right.layers, strict=True)
    )


def test_members_of_an_ensemble_differ() -> None:
    first, second = fit(joint_pages(1), QUICK_JOINT, seed=7, provenance="").members

    assert (first.layers[0].weights != second.layers[0].weights).any()


def test_joint_training_learns_what_a_column_tells() -> None:
    weights = fit(joint_pages(1), QUICK_JOINT, seed=0, provenance="made up")

    features, labels = joint_pages(3)[0]
    scaled = np.clip((features - weights.means) / weights.deviations, -4, 4)
    scores = np.mean([member.scores(scaled[None])[0] for member in weights.members], axis=0)
    assert accuracy(best_labels(scores[:, :2], scores[:-1, 2:]), labels) > 0.9
    assert weights.provenance == "made up"


def test_joint_training_leaves_pages_without_blocks_out() -> None:
    empty = (np.zeros((0, 3), np.float32), np.zeros(0, np.int8))

    with_empty = fit([*joint_pages(1), empty], QUICK_JOINT, seed=0, provenance="")
    without = fit(joint_pages(1), QUICK_JOINT, seed=0, provenance="")

    assert (with_empty.members[0].layers[0].weights == without.members[0].layers[0].weights).all()


def test_figures_without_blocks_are_zero() -> None:
    nothing = np.zeros(0, np.int8)

    assert f1(nothing, nothing) == accuracy(nothing, nothing) == 0
