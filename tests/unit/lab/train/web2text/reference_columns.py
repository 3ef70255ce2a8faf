"""The columns of feature version 2 in plain Python: the oracle of the kernel's."""

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tests.unit.lab.train.web2text.reference_cdom import CdomNode
from tests.unit.lab.train.web2text.reference_tree import Tree, common_ancestors

WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]|[^\W\u3040-\u30ff\u3400-\u9fff]+")
BRIEF = "chars link_share stopword_share punctuation capital_share chars_per_block plain_words"
FULL = f"{BRIEF} digits commas word_length blocks sentence_length uppercase"
HOPEFUL = re.compile(
    "article|blog|body|column|content|entry|main|page|post|story|text", re.IGNORECASE
)
DOUBTFUL = re.compile(
    "ad-|advert|banner|breadcrumb|button|comb|comment|contact|cookie|copyright|foot|header|link"
    "|login|masthead|media|menu|meta|nav|newsletter|outbrain|promo|related|scroll|share|shopping"
    "|shoutbox|side|sitemap|social|sponsor|subscribe|tags|tool|widget",
    re.IGNORECASE,
)
COMMENT = re.compile("comment|discuss|disqus|feedback|reply|respond", re.IGNORECASE)
CHAIN_TAGS = "a p td th b strong li span i em div font h1 h2 h3 h4 table"
ABOVE_TAGS = "article main nav aside footer header form table ul blockquote td p li a h1 h2 h3"
# the authors' list: NLTK's English one without apostrophes, their fragments, and a few more
# fmt: off
STOPWORDS = frozenset(
    (
        "i", "me", "my", "myself", "we", "our", "ours", "ourselves", "you", "your", "yours",
        "yourself", "yourselves", "he", "him", "his", "himself", "she", "her", "hers", "herself",
        "it", "its", "itself", "they", "them", "their", "theirs", "themselves", "what", "which",
        "who", "whom", "this", "that", "these", "those", "am", "is", "are", "was", "were", "be",
        "been", "being", "have", "has", "had", "having", "do", "does", "did", "doing", "a", "an",
        "the", "and", "but", "if", "or", "because", "as", "until", "while", "of", "at", "by",
        "for", "with", "about", "against", "between", "into", "through", "during", "before",
        "after", "above", "below", "to", "from", "up", "down", "in", "out", "on", "off", "over",
        "under", "again", "further", "then", "once", "here", "there", "when", "where", "why",
        "how", "all", "any", "both", "each", "few", "more", "most", "other", "some", "such", "no",
        "nor", "not", "only", "own", "same", "so", "than", "too", "very", "should", "cannot",
        "could", "ought", "would",
    )
)
# fmt: on

Span = Sequence["Text"]
Columns = dict[str, float]


@dataclass(frozen=True)
class Text:
    """One block with everything that is counted of it."""

    text: str
    is_link: bool

    @cached_property
    def words(self) -> list[str]:
        return WORD.findall(self.text)

    def count(self, name: str) -> float:
        return self.counts[name]

    @cached_property
    def counts(self) -> dict[str, float]:
        text, words = self.text, self.words
        return {
            "chars": len(text),
            "words": len(words),
            "stopwords": sum(word.lower() in STOPWORDS for word in words),
            "punctuation": sum(char in ".,?;:!" for char in text),
            "digits": sum(char in "0123456789" for char in text),
            "capitals": sum(word[0].isupper() for word in words),
            "uppercase": sum(char.isupper() for char in text),
            "commas": sum(char in ",，、" for char in text),
            "sentences": 1 + sum(m[1].isupper() for m in re.finditer(r"(?<=[.?!;]) (\S)", text)),
            "word_chars": sum(map(len, words)),
            "link_chars": len(text) * self.is_link,
            "link_words": len(words) * self.is_link,
            "blocks": 1,
        }

    @cached_property
    def signs(self) -> dict[str, bool]:
        text = self.text
        return {
            "is_link": self.is_link,
            "has_copyright": "©" in text,
            "has_email": re.search(r"\w@[\w.]", text, re.ASCII) is not None,
            "has_url": re.search(r"(http|https|ftp)://|www\.", text) is not None,
            "has_year": any(re.fullmatch("[0-9]{4}", word) for word in self.words),
            "ends_punctuation": text[-1] in ".,?;:!",
            "ends_question": text[-1] == "?",
            "starts_lowercase": text[0].islower(),
            "ends_sentence": text[-1] in '.!?"。！？”»',
            "ends_colon": text[-1] in ":：",
            "has_separator": any(char in "|»›•·" for char in text),
            "several_sentences": self.count("sentences") > 1,
            "no_word": not self.words,
            "all_capitals": text.isupper(),
        }


def columns(tree: Tree) -> list[Columns]:
    """Return the columns of every block by name."""
    if not len(tree.block_rows):
        return []
    page = _Page(tree)
    return [page.columns(block) for block in range(len(page.texts))]


def _total(span: Span, name: str) -> float:
    return sum(text.count(name) for text in span)


def _brief(span: Span) -> dict[str, float]:
    chars = _total(span, "chars")
    per_char, per_word = 1 / max(chars, 1), 1 / max(_total(span, "words"), 1)
    return {
        "chars": math.log1p(chars),
        "link_share": _total(span, "link_chars") * per_char,
        "stopword_share": _total(span, "stopwords") * per_word,
        "punctuation": 10 * _total(span, "punctuation") * per_char,
        "capital_share": _total(span, "capitals") * per_word,
        "chars_per_block": math.log1p(chars / max(_total(span, "blocks"), 1)),
        "plain_words": math.log1p(_total(span, "words") - _total(span, "link_words")),
    }


def _full(span: Span) -> dict[str, float]:
    chars = _total(span, "chars")
    per_char, per_word = 1 / max(chars, 1), 1 / max(_total(span, "words"), 1)
    return {
        **_brief(span),
        "digits": 4 * _total(span, "digits") * per_char,
        "commas": 5 * _total(span, "commas") * per_word,
        "word_length": _total(span, "word_chars") * per_word / 5,
        "blocks": math.log1p(_total(span, "blocks")),
        "sentence_length": math.log1p(chars / max(_total(span, "sentences"), 1)),
        "uppercase": 2 * _total(span, "uppercase") * per_char,
    }


def _names(node: CdomNode) -> str:
    return " ".join((*node.classes, *node.ids))


class _Page:
    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.nodes = tree.nodes
        self.parents = tree.parents.tolist()
        self.rows = tree.block_rows.tolist()
        self.texts = [
            Text(self.nodes[row].text.strip(" "), self._is_linked(row)) for row in self.rows
        ]
        self.paragraphs = self._paragraphs()
        self.hops = [6, *common_ancestors(tree)[1].tolist(), 6]
        self.chars = _total(self.texts, "chars")
        self.scores = self._container_scores()

    def _is_linked(self, row: int) -> bool:
        return any(self.nodes[above].in_link for above in self._upwards(row))

    def _upwards(self, row: int) -> list[int]:
        rows = []
        while row >= 0:
            rows.append(row)
            row = self.parents[row]
        return rows

    def _paragraphs(self) -> list[range]:
        nodes = [self.nodes[row] for row in self.rows]
        starts = [
            block
            for block, node in enumerate(nodes)
            if block == 0 or node.breaks_before or nodes[block - 1].breaks_after
        ]
        ends = [*starts[1:], len(nodes)]
        return [range(start, end) for start, end in zip(starts, ends, strict=True)]

    def _span(self, blocks: range) -> Span:
        return self.texts[max(blocks.start, 0) : max(blocks.stop, 0)]

    def _below(self, row: int) -> range:
        if row < 0:
            return range(len(self.texts))
        return range(int(self.tree.first_block[row]), int(self.tree.end_block[row]))

    def columns(self, block: int) -> Columns:
        groups: list[tuple[str, dict[str, float]]] = [
            ("block", {**_full([self.texts[block]]), **self.texts[block].signs}),
            *self._surroundings(block),
            *self._ancestors(block),
            ("place", self._place(block)),
            ("repeats", self._repeats(block)),
            *self._markup(block),
            *self._stretches(block),
            ("containers", self._containers(block)),
        ]
        return {
            f"{group}.{name}": float(value)
            for group, values in groups
            for name, value in values.items()
        }

    def _surroundings(self, block: int) -> list[tuple[str, dict[str, float]]]:
        index = next(i for i, blocks in enumerate(self.paragraphs) if block in blocks)
        blocks = self.paragraphs[index]
        texts = self._span(blocks)
        near = {
            name: _brief(self._span(self.paragraphs[at]))
            if 0 <= at < len(self.paragraphs)
            else _brief([])
            for name, at in (("previous", index - 1), ("next", index + 1))
        }
        windows = {
            "window_5": range(block - 5, block + 6),
            "window_20": range(block - 20, block + 21),
            "before_30": range(block - 30, block),
            "after_30": range(block + 1, block + 31),
        }
        signs = {
            "is_first": block == blocks.start,
            "is_last": block == blocks.stop - 1,
            "ends_sentence": texts[-1].signs["ends_sentence"],
            "starts_lowercase": texts[0].signs["starts_lowercase"],
            "has_copyright": any(text.signs["has_copyright"] for text in texts),
        }
        return [
            ("paragraph", {**_full(texts), **signs}),
            *near.items(),
            *((name, _brief(self._span(window))) for name, window in windows.items()),
        ]

    def _ancestors(self, block: int) -> list[tuple[str, dict[str, float]]]:
        parent = self.parents[self.rows[block]]
        grandparent = self.parents[parent] if parent >= 0 else -1
        body = {**_brief(self.texts), "blocks": math.log1p(len(self.texts))}
        return [
            ("parent", {**_full(self._span(self._below(parent))), **self._within(parent, block)}),
            (
                "grandparent",
                {
                    **_brief(self._span(self._below(grandparent))),
                    **self._within(grandparent, block),
                },
            ),
            ("body", body),
        ]

    def _within(self, row: int, block: int) -> dict[str, float]:
        below = self._below(row)
        return {
            "share": _total(self._span(below), "chars") / self.chars,
            "start": below.start / len(self.texts),
            "has_form": row >= 0 and self.nodes[row].has_form,
            "index": (block - below.start) / len(below),
        }

    def _place(self, block: int) -> dict[str, float]:
        before, with_block = (_total(self.texts[:end], "chars") for end in (block, block + 1))
        middle = (before + with_block) / 2 / self.chars
        return {
            "middle": middle,
            "middle_squared": middle**2,
            "index": block / len(self.texts),
            "from_start": math.log1p(block),
            "from_end": math.log1p(len(self.texts) - 1 - block),
            "chars_before": math.log1p(before),
            "chars_after": math.log1p(self.chars - with_block),
            "depth": len(self._upwards(self.rows[block])) / 10 - 0.1,
        }

    def _repeats(self, block: int) -> dict[str, float]:
        def path_of(row: int, key: Callable[[CdomNode], object]) -> object:
            return tuple(key(self.nodes[above]) for above in self._upwards(row))

        times = Counter(text.text for text in self.texts)[self.texts[block].text]
        found: dict[str, float] = {"text_twice": times > 1, "text_ten_times": times > 10}
        keys: dict[str, Callable[[CdomNode], object]] = {
            "class_path": lambda node: (node.tags, node.classes),
            "tag_path": lambda node: node.tags,
        }
        for name, key in keys.items():
            paths = [path_of(row, key) for row in self.rows]
            same = [
                text for text, path in zip(self.texts, paths, strict=True) if path == paths[block]
            ]
            chars = _total(same, "chars")
            found[f"{name}_share"] = len(same) / len(self.texts)
            if name == "class_path":
                found[f"{name}_times"] = math.log1p(len(same))
            found[f"{name}_chars"] = chars / self.chars
            found[f"{name}_length"] = math.log1p(chars / len(same))
        return found

    def _markup(self, block: int) -> list[tuple[str, dict[str, float]]]:
        upwards = [self.nodes[row] for row in self._upwards(self.rows[block])]
        own, above = set(upwards[0].tags), {tag for node in upwards for tag in node.tags}
        hints: dict[str, float] = {}
        patterns = {"hopeful": HOPEFUL, "doubtful": DOUBTFUL, "comment": COMMENT}
        for name, pattern in patterns.items():
            far = [distance for distance, n in enumerate(upwards) if pattern.search(_names(n))]
            hints[f"{name}_above"] = 0.7 ** far[0] if far else 0.0
        hints |= {
            name: pattern.search(_names(upwards[0])) is not None
            for name, pattern in patterns.items()
        }
        hints["named"] = bool(_names(upwards[0]))
        borders = {
            "hops_before": min(self.hops[block], 8) / 4,
            "hops_after": min(self.hops[block + 1], 8) / 4,
            "break_before": upwards[0].breaks_before,
            "break_after": upwards[0].breaks_after,
            "heading": math.log1p(self._since_heading(block)) / 3,
        }
        return [
            ("chain", {tag: tag in own for tag in CHAIN_TAGS.split()}),
            ("above", {tag: tag in above for tag in ABOVE_TAGS.split()}),
            ("hints", hints),
            ("borders", borders),
        ]

    def _since_heading(self, block: int) -> int:
        for distance in range(min(block, 49) + 1):
            tags = set(self.nodes[self.rows[block - distance]].tags)
            if tags & {"h1", "h2", "h3", "h4", "h5", "h6"}:
                return distance
        return 50

    def _stretches(self, block: int) -> list[tuple[str, dict[str, float]]]:
        words, plain, dense = [], [], []
        for at, text in enumerate(self.texts):
            chain = len(self.nodes[self.rows[at]].tags) - 1
            count = text.count("words")
            words.append(count - self.hops[at] - 2 * chain)
            plain.append(
                -self.hops[at] - chain - 5 if text.is_link else count - self.hops[at] - chain - 1
            )
            around = self._span(next(blocks for blocks in self.paragraphs if at in blocks))
            is_dense = _total(around, "words") >= 12 and _total(
                around, "link_chars"
            ) < 0.4 * _total(around, "chars")
            dense.append(3 if is_dense else -1)
        named = {"word_stretch": words, "plain_stretch": plain, "paragraph_stretch": dense}
        return [(name, self._stretch(_densest(v), block)) for name, v in named.items()]

    def _stretch(self, blocks: range, block: int) -> dict[str, float]:
        if block in blocks:
            distance = -math.log1p(min(block - blocks.start, blocks.stop - 1 - block))
        else:
            outside = blocks.start - block if block < blocks.start else block - blocks.stop + 1
            distance = math.log1p(outside)
        share = _total(self._span(blocks), "chars") / self.chars
        return {"inside": block in blocks, "distance": distance / 3, "share": share}

    def _container_scores(self) -> list[float]:
        scores = [0.0] * len(self.nodes)
        for blocks in self.paragraphs:
            texts = self._span(blocks)
            chars = _total(texts, "chars")
            if chars < 25:
                continue
            row = self.rows[blocks.start]
            while self._below(row).stop < blocks.stop:
                row = self.parents[row]
            value = 1 + _total(texts, "commas") + min(chars / 100, 3)
            value *= 1 - _total(texts, "link_chars") / chars
            for above, divisor in zip(self._upwards(row)[1:], (1, 2, 6, 9), strict=False):
                scores[above] += value / divisor
        for row in range(len(scores)):
            below = self._span(self._below(row))
            scores[row] *= 1 - _total(below, "link_chars") / _total(below, "chars")
        return scores

    def _containers(self, block: int) -> dict[str, float]:
        top = int(np.argmax(self.scores))
        best = max(self.scores[top], 1e-9)
        row = self.rows[block]
        parent = self.parents[row]
        grandparent = self.parents[parent] if parent >= 0 else -1
        stretch = self._stretch(self._below(top), block)
        return {
            "inside": stretch["inside"],
            "best_above": max(self.scores[above] for above in self._upwards(row)) / best,
            "parent": self.scores[parent] / best if parent >= 0 else 0,
            "grandparent": self.scores[grandparent] / best if grandparent >= 0 else 0,
            "second": sorted(self.scores)[-2] / best if len(self.scores) > 1 else 0,
            "top_score": math.log1p(self.scores[top]),
            "share": stretch["share"],
        }


def _densest(values: Sequence[float]) -> range:
    best, stretch = -1.0, range(0)
    total, first = 0.0, 0
    for at, value in enumerate(values):
        if total <= 0:
            total, first = 0.0, at
        total += value
        if total > best:
            best, stretch = total, range(first, at + 1)
    return stretch
