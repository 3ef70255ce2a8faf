"""Feature version 1: the columns of the authors' code, with its constants and integer divisions.

A column is `(value - mean) / spread` with constants from the code, or +1/-1 for a claim.
`//` stands where the code divides integers: two columns are all but constant because of it.
"""

import itertools
from collections import Counter
from typing import Final

import numpy as np
from numpy.typing import NDArray

from winnow.lab.train.web2text.counters import Count
from winnow.lab.train.web2text.tree import Tree, common_ancestors

Floats = NDArray[np.float32]
BLOCK_COLUMNS: Final = 128
EDGE_COLUMNS: Final = 25
# the authors' lists, the second `ul` included
# fmt: off
PARENT_TAGS: Final = (
    "td", "div", "p", "tr", "table", "body", "ul", "span", "li", "blockquote", "b", "small", "a",
    "ol", "ul", "i", "form", "dl", "strong", "pre",
)
BLOCK_TAGS: Final = (
    "a", "p", "td", "b", "li", "span", "i", "tr", "div", "strong", "em", "h3", "h2", "table",
    "h4", "small", "sup", "h1", "blockquote",
)
# fmt: on


def block_features(tree: Tree) -> Floats:
    """Return (blocks, 128): text, parent, grandparent, root, tags."""
    rows = tree.block_rows
    if not len(rows):
        return np.zeros((0, BLOCK_COLUMNS), np.float32)
    node = _node_features(tree)
    node_tags = _tag_columns(tree, PARENT_TAGS)
    has_node = np.ones((len(tree.nodes), 1))
    parents = tree.parents[rows]
    grandparents = np.where(parents >= 0, tree.parents[parents], -1)
    columns = [
        _text_features(tree),
        _at(np.hstack([has_node, node, node_tags]), parents),
        _at(np.hstack([has_node, node]), grandparents),
        node[np.zeros(len(rows), np.int64)],
        _tag_columns(tree, BLOCK_TAGS)[rows],
    ]
    return np.hstack(columns).astype(np.float32)


def edge_features(tree: Tree) -> Floats:
    """Return (blocks - 1, 25): distance, block break, common ancestor."""
    if len(tree.block_rows) < 2:  # noqa: PLR2004 - an edge needs two blocks
        return np.zeros((0, EDGE_COLUMNS), np.float32)
    ancestors, hops = common_ancestors(tree)
    nodes = [tree.nodes[row] for row in tree.block_rows]
    breaks = [a.breaks_after or b.breaks_before for a, b in itertools.pairwise(nodes)]
    distance = [_claim(hops == 2), _claim(hops == 3), _claim(hops == 4), _claim(hops > 4)]  # noqa: PLR2004 - the column is defined by it
    columns = np.column_stack([*distance, np.array(breaks, dtype=np.float64)])
    return np.hstack([columns, _node_features(tree)[ancestors]]).astype(np.float32)


def _claim(truth: NDArray[np.bool_]) -> NDArray[np.float64]:
    return np.where(truth, 1.0, -1.0)


def _at(columns: NDArray[np.float64], rows: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the columns of each row, zeros where the row is -1."""
    return np.where(rows[:, None] >= 0, columns[rows], 0.0)


def _scaled(
    values: NDArray[np.float64] | NDArray[np.int64],
    mean: float,
    spread: float,
    where: NDArray[np.bool_] | None = None,
) -> NDArray[np.float64]:
    scaled = np.asarray((values - mean) / spread, np.float64)
    return scaled if where is None else np.where(where, scaled, 0.0)


def _log(values: NDArray[np.int64] | NDArray[np.float64]) -> NDArray[np.float64]:
    return np.log(np.maximum(values, 1e-9))


def _tag_columns(tree: Tree, tags: tuple[str, ...]) -> NDArray[np.float64]:
    own = [frozenset(node.tags) for node in tree.nodes]
    return np.array([[1.0 if tag in names else -1.0 for tag in tags] for names in own])


def _shared_features(tree: Tree) -> dict[str, NDArray[np.float64]]:
    """Return the columns that blocks and inner nodes have in common, one row a node."""
    counts = {count: tree.counts[:, count] for count in Count}
    words, chars = counts[Count.WORDS], counts[Count.CHARS]
    has_word = words > 0
    per_word = np.maximum(words, 1)
    capitals = counts[Count.CAPITALS] / per_word
    length = np.clip(counts[Count.WORD_CHARS] // per_word, 3, 15)
    punctuation = counts[Count.PUNCTUATION]
    marks = np.clip(_log(punctuation / chars), -4, -2.5)
    sentence = np.clip(_log(chars // counts[Count.SENTENCES]), 2, 5)
    return {
        "word_length": np.where(has_word, _scaled(length, 4.910001, 1.905709), -1.0),
        "has_stopword": _claim(counts[Count.STOPWORDS] > 0),
        "stopwords": _scaled(counts[Count.STOPWORDS] / per_word, 0.374, 0.1529, has_word),
        "punctuation": _scaled(marks, -3.338525, 0.6058926, punctuation > 0),
        "has_digit": _scaled(_claim(counts[Count.DIGITS] > 0), -0.5900983, 0.8073342),
        "digits": _scaled(counts[Count.DIGITS] / chars, 0.2655969, 0.3052819),
        "sentence": _scaled(sentence, 3.109, 1.011),
        "ends_punctuation": _claim(counts[Count.ENDS_PUNCTUATION] > 0),
        "ends_question": _claim(counts[Count.ENDS_QUESTION] > 0),
        "copyright": _claim(counts[Count.COPYRIGHT] > 0),
        "email": _claim(counts[Count.EMAIL] > 0),
        "url": _claim(counts[Count.URL] > 0),
        "year": _claim(counts[Count.YEAR] > 0),
        "capitals": _scaled(capitals, 0.4475758, 0.4129316, has_word),
        "capitals_2": _scaled(capitals**2, 0.3708354, 0.4334037, has_word),
        "capitals_3": _scaled(capitals**3, 0.340843, 0.4404389, has_word),
    }


def _node_features(tree: Tree) -> NDArray[np.float64]:
    """Return (nodes, 20)."""
    shared = _shared_features(tree)
    chars = tree.counts[:, Count.CHARS]
    body_chars = np.maximum(tree.ends[0] - tree.starts[0], 1)
    form = np.array([node.has_form for node in tree.nodes], dtype=np.bool_)
    columns = [
        ((tree.ends - tree.starts) // body_chars).astype(np.float64),
        _scaled(tree.link_chars / chars, 0.5, 0.5),
        shared.pop("word_length"),
        shared.pop("has_stopword"),
        shared.pop("stopwords"),
        _scaled(np.clip(_log(chars), 2.5, 10), 6, 2.14),
        *shared.values(),
        _claim(form),
    ]
    return np.column_stack(columns)


def _repeats(keys: list[object]) -> NDArray[np.int64]:
    times = Counter(keys)
    return np.array([times[key] for key in keys], dtype=np.int64)


def _class_paths(tree: Tree) -> list[object]:
    """Return a key a block: tags and classes of the block and of all its ancestors."""
    numbers: dict[object, int] = {}
    keys: list[int] = []
    for node, parent in zip(tree.nodes, tree.parents.tolist(), strict=True):
        key = (node.tags, node.classes, keys[parent] if parent >= 0 else -1)
        keys.append(numbers.setdefault(key, len(numbers)))
    return [keys[row] for row in tree.block_rows]


def _text_features(tree: Tree) -> NDArray[np.float64]:
    """Return (blocks, 27)."""
    rows = tree.block_rows
    shared = {name: column[rows] for name, column in _shared_features(tree).items()}
    counts = tree.counts[rows]
    words, chars = counts[:, Count.WORDS], counts[:, Count.CHARS]
    repeats = _repeats(list(tree.texts))
    body_chars = max(int(tree.ends[0] - tree.starts[0]), 1)
    place = (0.5 * (tree.starts[rows] + tree.ends[rows]) - tree.starts[0]) / body_chars
    marks = counts[:, Count.PUNCTUATION]
    head = [
        _claim(repeats > 1),
        _claim(repeats > 10),  # noqa: PLR2004 - the column is defined by it
        (_repeats(_class_paths(tree)) // len(rows)).astype(np.float64),
        _scaled(_claim(words > 0), 0.8255, 0.5643817),
        _scaled(np.clip(_log(words), 0, 3.5), 1.5086, 1.205, words > 0),
        shared.pop("word_length"),
        shared.pop("has_stopword"),
        shared.pop("stopwords"),
        _scaled(np.clip(_log(chars), 2.5, 5.5), 3.392, 1.06445),
        _claim(marks > 0),
        _scaled(np.clip(marks, 0, 10).astype(np.float64), 0.06938, 0.4083676),
        shared.pop("punctuation"),
        shared.pop("has_digit"),
        shared.pop("digits"),
        shared.pop("sentence"),
        _claim(counts[:, Count.SENTENCES] > 1),
        _scaled(place, 0.5198038, 0.2996195),
        _scaled(place**2, 0.3599672, 0.3157282),
    ]
    return np.column_stack([*head, *shared.values()])
