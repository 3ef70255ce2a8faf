"""Training: the same text gives the same model, in any pieces."""

import gzip
import hashlib
import math
import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import zstandard

from tests.reference_scorer import ReferenceModel, ReferenceSplitter
from tests.unit.small_models import made_up_text
from winnow.lab.train.language.corpus import CorpusFile, CorpusReader, sampled_texts, text_chunks
from winnow.lab.train.language.training import Stages, TrainingPlan, train_model
from winnow.models._kernel.lab import Counter
from winnow.models.errors import ModelError
from winnow.models.ngram import NgramModel


def test_the_same_text_gives_the_same_bytes_however_it_is_packed(
    train: Callable[..., Path], made_up_corpus: Path, tmp_path: Path
) -> None:
    text = made_up_corpus.read_bytes()
    (tmp_path / "a.txt").write_bytes(text)
    again = NgramModel.open(train(made_up_corpus, order=3))
    first = train(made_up_corpus, order=3)
    packed = tmp_path / "made-up.zst"
    packed.write_bytes(zstandard.compress(text))
    zipped = tmp_path / "made-up.gz"
    zipped.write_bytes(gzip.compress(text))

    assert NgramModel.open(first).digest == again.digest
    assert b"".join(text_chunks(packed)) == b"".join(text_chunks(zipped)) == text
    figures = [NgramModel.open(train(path, order=3)).info.figures for path in (packed, zipped)]
    assert figures == [again.info.figures] * 2


def test_a_reader_describes_its_file_once_it_is_read_to_the_end(tmp_path: Path) -> None:
    packed = tmp_path / "two.txt.zst"
    packed.write_bytes(zstandard.compress(b"one\n") + zstandard.compress(b"two\n"))
    reader = CorpusReader(packed)
    with pytest.raises(ValueError, match="not been read"):
        _ = reader.file

    chunks = list(reader.chunks())

    digest = hashlib.sha256(packed.read_bytes()).hexdigest()
    assert b"".join(chunks) == b"one\ntwo\n"
    assert reader.file == CorpusFile("two.txt.zst", digest, 8)


def test_a_model_names_the_files_it_was_made_from(model: NgramModel, made_up_corpus: Path) -> None:
    digest = hashlib.sha256(made_up_corpus.read_bytes()).hexdigest()

    assert model.language == "en"
    assert digest in model.info.provenance
    assert f'"name": "{made_up_corpus.name}"' in model.info.provenance
    assert str(made_up_corpus.parent) not in model.info.provenance


def test_figures_count_seen_and_listed_ngrams(
    train: Callable[..., Path], made_up_corpus: Path
) -> None:
    text = made_up_corpus.read_text(encoding="utf-8")
    model = NgramModel.open(train(made_up_corpus, order=3, min_counts=(1, 2, 3)))
    oracle = ReferenceModel(3, (0.1, 0.1, 0.1))
    splitter = ReferenceSplitter(model.punkt)
    oracle.count(s for line in text.split("\n") for s in splitter.sentences(line))
    met = [
        [n for ngram, n in oracle.counts.items() if len(ngram) == order and ngram[-1] != "<s>"]
        for order in (1, 2, 3)
    ]

    figures = model.info.figures

    assert list(figures.seen) == [len(counts) for counts in met]
    assert list(figures.listed) == [
        sum(n >= least for n in counts) for least, counts in zip((1, 2, 3), met, strict=True)
    ]
    assert figures.training_tokens == oracle.tokens


def test_weights_are_those_that_make_the_held_out_lines_most_probable(
    train: Callable[..., Path], tmp_path: Path
) -> None:
    corpus = tmp_path / "corpus.txt"
    lines = made_up_text(2500).split("\n")
    lines[31::64] = [f"{line} unheard{number}" for number, line in enumerate(lines[31::64])]
    corpus.write_text("\n".join(lines), encoding="utf-8")
    held_out = [line for number, line in enumerate(lines, 1) if number % 32 == 0]
    counted = [line for number, line in enumerate(lines, 1) if number % 32 != 0]

    model = NgramModel.open(train(corpus, order=2, weights=None))
    figures = model.info.figures
    splitter = ReferenceSplitter(model.punkt)

    def oracle_of(weights: tuple[float, float]) -> ReferenceModel:
        oracle = ReferenceModel(2, weights)
        oracle.counts, oracle.tokens = counts.counts, counts.tokens
        return oracle

    def held_out_log2(weights: tuple[float, float]) -> float:
        oracle = oracle_of(weights)
        return math.fsum(oracle.score(s)[2] for line in held_out for s in splitter.sentences(line))

    counts = ReferenceModel(2, (0.1, 0.1))
    counts.count(s for line in counted for s in splitter.sentences(line))
    best = figures.weights[:2]
    assert sum(best) < 1
    assert figures.held_out_tokens > 1000
    assert figures.held_out_log2 == pytest.approx(held_out_log2(best), rel=1e-6)
    for step in ((0.02, -0.02), (-0.02, 0.02), (-0.02, 0.0)):
        assert held_out_log2((best[0] + step[0], best[1] + step[1])) < figures.held_out_log2
    assert figures.unknown_log2 == pytest.approx(math.log2(oracle_of(best).floor))


def test_a_minimum_gain_prunes_ngrams_that_save_few_bits(
    train: Callable[..., Path], made_up_corpus: Path
) -> None:
    listed = [
        NgramModel.open(train(made_up_corpus, order=3, min_gain=gain)).info.figures.listed
        for gain in (0.0, 5.0, 50.0)
    ]

    assert listed[0][0] == listed[1][0] == listed[2][0]
    assert listed[0][1] > listed[1][1] > listed[2][1] > 0
    assert listed[0][2] > listed[1][2] > listed[2][2]


@pytest.mark.parametrize("order", [1, 2, 3])
def test_held_out_figures_come_from_the_pruned_model(
    train: Callable[..., Path], tmp_path: Path, order: int
) -> None:
    corpus = tmp_path / "corpus.txt"
    lines = made_up_text(2500).split("\n")
    corpus.write_text("\n".join(lines), encoding="utf-8")
    held_out = [line for number, line in enumerate(lines, 1) if number % 32 == 0]

    for pruning in ({}, {"min_gain": 40.0}, {"min_counts": (2, 3, 4), "min_gain": 5.0}):
        model = NgramModel.open(train(corpus, order=order, weights=None, punkt_bytes=0, **pruning))
        scored = [sentence for line in held_out for sentence in model.score_text(line)]
        bits = math.fsum(each.tokens * math.log2(each.perplexity) for each in scored)
        shares = (0.0, 0.25, 0.9, 1.0)
        quantiles = [model.quantile(share) for share in shares]
        found = np.quantile([each.perplexity for each in scored], shares)

        figures = model.info.figures
        assert figures.held_out_log2 == pytest.approx(-bits, rel=2e-3)  # values of 1024 codes
        assert figures.held_out_tokens == sum(each.tokens for each in scored)
        assert figures.held_out_oov == sum(each.oov for each in scored)
        assert quantiles == pytest.approx(list(found), rel=0.02)


def test_the_share_of_stranger_held_out_text_falls_with_the_perplexity(
    train: Callable[..., Path], tmp_path: Path
) -> None:
    corpus = tmp_path / "corpus.txt"
    corpus.write_text(made_up_text(6000), encoding="utf-8")

    model = NgramModel.open(train(corpus, order=2, weights=None))
    middle = model.quantile(0.5)

    assert middle is not None
    assert model.stranger(middle) == pytest.approx(0.5)
    assert (model.stranger(1.0), model.stranger(1e9)) == (1.0, 0.0)


def test_a_model_with_given_weights_has_no_quantiles(model: NgramModel) -> None:
    assert (model.quantile(0.5), model.stranger(100.0)) == (None, None)


def test_a_text_beyond_memory_is_counted_in_runs(made_up_corpus: Path, tmp_path: Path) -> None:
    text = made_up_corpus.read_bytes()
    counter = Counter(2, 1, hold_out=0, punkt_table=b"", folder=tmp_path)

    chance = random.Random(1)
    while text:
        size = chance.randint(1, 5000)
        counter.feed(text[:size])
        text = text[size:]
    options = {"min_gain": 0.0, "provenance": b"{}", "punkt_lists": b""}
    counter.train(
        tmp_path / "a.winnow",
        weights=(0.3, 0.6, 0.0),
        min_counts=(1, 1, 1),
        **options,  # type: ignore[arg-type]  # a mixture of types
    )

    assert [path.name for path in tmp_path.iterdir()] == ["a.winnow"]
    with pytest.raises(RuntimeError, match="model is built already"):
        counter.feed(b"x")


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"order": 4}, "order"),
        ({"min_counts": (2, 1, 1)}, "descend"),
        ({"min_counts": (0, 1, 1)}, "at least 1"),
        ({"min_gain": -1.0}, "gain"),
        ({"min_gain": math.nan}, "gain"),
        ({"weights": (0.5, 0.5)}, "sum below 1"),
        ({"weights": (0.5,)}, "2 weights"),
        ({"weights": (0.5, -0.1)}, "above 0"),
    ],
)
def test_a_plan_that_no_model_can_follow_is_refused(options: dict[str, object], why: str) -> None:
    with pytest.raises(ModelError, match=why):
        TrainingPlan(**options)  # type: ignore[arg-type]  # keywords of a test


def test_train_refuses_text_without_tokens_and_leaves_no_files(tmp_path: Path) -> None:
    empty = tmp_path / "empty.txt"
    empty.write_bytes(b" \n\n")

    with pytest.raises(ModelError, match="no tokens"):
        train_model([empty], tmp_path / "a.winnow", TrainingPlan())
    with pytest.raises(ModelError, match="same name"):
        train_model([empty, empty], tmp_path / "a.winnow", TrainingPlan())

    assert [path.name for path in tmp_path.iterdir()] == ["empty.txt"]


DAMAGED = {
    "bad.zst": zstandard.compress(b"text " * 1000)[:-5] + b"?????",
    "cut.gz": gzip.compress(b"text " * 1000)[:-9],
    "plain.gz": b"text " * 1000,
    "bad.gz": gzip.compress(b"text " * 1000)[:-8] + b"????????",
}


@pytest.mark.parametrize("name", DAMAGED)
def test_a_damaged_corpus_file_is_named(tmp_path: Path, name: str) -> None:
    damaged = tmp_path / name
    damaged.write_bytes(DAMAGED[name])

    with pytest.raises(OSError, match=f"/{name}: damaged: "):
        train_model([damaged], tmp_path / "a.winnow", TrainingPlan())


def test_stages_report_progress_through_the_corpus(made_up_corpus: Path, tmp_path: Path) -> None:
    begun: list[tuple[str, int]] = []
    advanced: list[int] = []
    stages = Stages(lambda name, size: begun.append((name, size)), advanced.append)

    train_model([made_up_corpus], tmp_path / "a.winnow", TrainingPlan(), stages)

    size = made_up_corpus.stat().st_size
    assert begun[-2:] == [("counting", size), ("writing", 0)]
    assert sum(advanced) == size


def test_samples_are_lines_of_all_files_and_the_same_for_a_seed(tmp_path: Path) -> None:
    files = []
    for name in "ab":
        files.append(tmp_path / f"{name}.txt")
        files[-1].write_text("".join(f"{name}{n}\n" for n in range(5000)), encoding="utf-8")
    total = sum(file.stat().st_size for file in files)

    samples = ["".join(sampled_texts(files, total, total // 10, seed)) for seed in (1, 1, 2)]

    assert samples[0] == samples[1] != samples[2]
    assert samples[0].count("a") == pytest.approx(500, rel=0.2)
    assert samples[0].count("b") == pytest.approx(500, rel=0.2)
    assert "".join(sampled_texts(files, total, 10 * total, 1)).count("\n") > 9990
