import numpy as np
import pytest

from tests.unit.lab.train.web2text.builders import best_labels
from winnow.lab.train.web2text.joint import JointSchedule, Page, fit

QUICK = JointSchedule(updates=60, members=2, keep_columns=1.0, keep_weights=1.0)


def pages(seed: int) -> list[Page]:
    """Return pages whose first column tells the label, up to noise."""
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(12):
        labels = np.repeat(rng.integers(0, 2, 6), 5).astype(np.int8)
        columns = rng.standard_normal((len(labels), 3)).astype(np.float32)
        columns[:, 0] = 4.0 * labels - 2 + 0.5 * columns[:, 0]
        found.append((columns, labels))
    return found


def test_the_same_seed_gives_the_same_weights() -> None:
    first, second = (fit(pages(1), QUICK, seed=7, provenance="") for _ in range(2))

    assert all(
        (a.weights == b.weights).all()
        for left, right in zip(first.members, second.members, strict=True)
        for a, b in zip(left.layers, right.layers, strict=True)
    )


def test_members_of_an_ensemble_differ() -> None:
    first, second = fit(pages(1), QUICK, seed=7, provenance="").members

    assert (first.layers[0].weights != second.layers[0].weights).any()


def test_joint_training_learns_from_a_column() -> None:
    weights = fit(pages(1), QUICK, seed=0, provenance="made up")

    features, labels = pages(3)[0]
    scaled = np.clip((features - weights.means) / weights.deviations, -4, 4)
    scores = np.mean([member.scores(scaled[None])[0] for member in weights.members], axis=0)
    assert (best_labels(scores[:, :2], scores[:-1, 2:]) == labels).mean() > 0.9
    assert weights.provenance == "made up"


def test_joint_training_leaves_pages_without_blocks_out() -> None:
    empty = (np.zeros((0, 3), np.float32), np.zeros(0, np.int8))

    with_empty = fit([*pages(1), empty], QUICK, seed=0, provenance="")
    without = fit(pages(1), QUICK, seed=0, provenance="")

    assert (with_empty.members[0].layers[0].weights == without.members[0].layers[0].weights).all()


def test_training_on_pages_without_blocks_is_refused() -> None:
    empty = (np.zeros((0, 3), np.float32), np.zeros(0, np.int8))

    with pytest.raises(ValueError, match="no training page has a block"):
        fit([empty], QUICK, seed=0, provenance="")
