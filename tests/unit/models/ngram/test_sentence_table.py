"""The table of scored sentences that the cleaner works on."""

import struct

import pytest

from winnow.models.document import Verdict
from winnow.models.ngram import NgramModel

TEXT = "The of and to. It was zzqx! Ünïcode they are."


@pytest.fixture
def table(model: NgramModel) -> object:
    return model.kernel.score_text(TEXT)


def test_sentences_have_byte_offsets(model: NgramModel) -> None:
    table = model.kernel.score_text(TEXT)

    spans = [table.sentence(index)[:3] for index in range(len(table))]

    assert [TEXT.encode()[start:end].decode() for start, end, _ in spans] == [
        "The of and to.",
        "It was zzqx!",
        "Ünïcode they are.",
    ]
    assert [table.text(index) for index in range(3)][2] == "Ünïcode they are."
    assert [block for *_, block in spans] == [0, 0, 0]
    with pytest.raises(IndexError):
        table.sentence(3)
    with pytest.raises(IndexError):
        table.text(3)


def test_above_gives_the_codes_of_the_verdicts(model: NgramModel) -> None:
    table = model.kernel.score_text(TEXT)
    perplexities = [table.sentence(index)[5] for index in range(3)]
    threshold = sorted(perplexities)[1]
    verdicts = list(Verdict)

    codes = table.above(threshold)

    assert [verdicts[code] for code in codes] == [
        Verdict.PERPLEXITY if perplexity > threshold else Verdict.KEPT
        for perplexity in perplexities
    ]


def test_totals_and_columns_agree_with_the_rows(model: NgramModel) -> None:
    table = model.kernel.score_text(TEXT)
    rows = [table.sentence(index) for index in range(3)]

    assert (table.tokens, table.oov) == (sum(r[3] for r in rows), sum(r[4] for r in rows))
    assert table.oov >= 1
    assert struct.unpack("3I", table.column("tokens")) == tuple(row[3] for row in rows)
    assert struct.unpack("3f", table.column("perplexity")) == tuple(row[5] for row in rows)
    assert sum(struct.unpack("3f", table.column("log2_prob"))) == pytest.approx(table.log2_prob)
    with pytest.raises(KeyError):
        table.column("colour")


def test_score_takes_pages_in_one_call_and_keeps_their_order(model: NgramModel) -> None:
    texts = [TEXT, "", "It was. " * 50]
    pages = [model.kernel.score_text(text).blocks for text in texts]

    scored = model.score(pages)

    assert [len(table) for table in scored] == [3, 0, 50]
    assert [table.column("log2_prob") for table in scored] == [
        model.kernel.score_text(text).column("log2_prob") for text in texts
    ]
    assert scored[0].blocks is pages[0]
