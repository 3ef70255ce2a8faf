"""Copies of pages in artificial languages: same labels, other words, less weight."""

import io
import tarfile
import unicodedata
from pathlib import Path

import numpy as np
import pytest
import zstandard

pytest.importorskip("rapidfuzz", reason="in the environment of training alone: make test-training")

from winnow.lab.train.hybrid import corpus, recurrent
from winnow.lab.train.hybrid.corpus import copies, samples
from winnow.lab.train.hybrid.matrix import Choice, corpus_of
from winnow.lab.train.hybrid.provenance import sets_of

TEXTS = ["Three masons mend the roof.", "They begin at dawn.", "The mill is old."]


def a_set(folder: Path) -> None:
    """Twelve articles and as many forums."""
    packed = io.BytesIO()
    types = ",".join(
        f'"{number}": {{"page_type": "{"forum" if number % 2 else "article"}"}}'
        for number in range(24)
    )
    files = {"set/meta.json": f"{{{types}}}"}
    for number in range(24):
        words = "".join(f"<p>{text} It is page {number}.</p>" for text in TEXTS)
        files[f"set/html/{number}.html"] = f"<title>Roofs</title>{words}<a href=/>Home</a>"
        files[f"set/gold/{number}.txt"] = f'{{"articleBody": "{TEXTS[0]} {TEXTS[1]}"}}'
    with tarfile.open(fileobj=packed, mode="w") as tar:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content.encode()))
    (folder / "wcxb.tar.zst").write_bytes(zstandard.compress(packed.getvalue()))


@pytest.fixture
def pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(corpus, "ARCHIVES", {"wcxb": corpus.ARCHIVES["wcxb"]})
    a_set(tmp_path)
    return tmp_path


def test_copies_have_the_labels_of_their_pages_and_none_of_their_words(pages: Path) -> None:
    own, copied = list(samples(pages)), list(copies(pages, ["wcxb"]))

    assert [sample.page_id for sample in copied] == [sample.page_id for sample in own]
    for sample, copy in zip(own, copied, strict=True):
        assert copy.is_copy
        assert not sample.is_copy
        assert copy.labels.content.tolist() == sample.labels.content.tolist()
        assert copy.blocks.block(0).text != sample.blocks.block(0).text
        assert "masons" not in copy.blocks.block(0).text


def test_copies_of_one_set_are_in_several_scripts(pages: Path) -> None:
    initials = [copy.blocks.block(0).text[0] for copy in copies(pages, ["wcxb"])]

    assert len({unicodedata.name(initial).split()[0] for initial in initials}) > 2


def test_copies_weigh_half_and_copies_of_other_pages_than_articles_little(pages: Path) -> None:
    own, copied = list(samples(pages)), list(copies(pages, ["wcxb"]))
    alone, both = corpus_of(tuple(own)), corpus_of((*own, *copied))

    weights = np.bincount(both.page, both.weight)
    assert weights[: len(own)] == pytest.approx(np.bincount(alone.page, alone.weight))
    shares = weights[len(own) :] / weights[: len(own)]
    types = np.array([sample.page_type for sample in copied])
    assert shares[types == "article"] == pytest.approx(0.5, rel=1e-3)
    assert shares[types == "forum"] == pytest.approx(0.075, rel=1e-3)


def test_made_up_words_of_copies_are_not_known_words(
    pages: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, copied = list(samples(pages)), list(copies(pages, ["wcxb"]))
    found = corpus_of((*own, *copied))
    seen: list[Choice] = []

    def known_words(words: object, rows: Choice, sites: object) -> None:
        seen.append(rows)
        raise StopIteration

    monkeypatch.setattr(recurrent, "known_words", known_words)
    with pytest.raises(StopIteration):
        recurrent.fit(found, np.ones(len(found.samples), bool), 0, np.arange(96))
    (rows,) = seen

    assert rows.tolist() == (found.page < len(own)).tolist()


def test_provenance_counts_copies_apart_from_pages(pages: Path) -> None:
    own, copied = list(samples(pages)), list(copies(pages, ["wcxb"]))
    found = corpus_of((*own, *copied))

    (counted,) = sets_of(found, np.ones(len(found.samples), bool), pages)

    assert (counted["pages"], counted["copies"]) == (len(own), len(copied))
    assert counted["blocks"] == sum(len(sample.blocks) for sample in own)
