"""ARPA files become models that back off as a plain Python scorer does."""

import gzip
import math
import random
import re
from dataclasses import dataclass, field
from pathlib import Path

import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.reference_scorer import reference_tokens
from tests.unit.worker.cli.test_model_command import run
from winnow.lab.imports.importing import ImportPlan, import_arpa
from winnow.models.errors import ModelError
from winnow.models.ngram import NgramModel

SMALL = """\\data\\
ngram 1=5
ngram 2=3

\\1-grams:
-99\t<s>\t-0.5
-1.0\t</s>
-2.0\t<unk>\t-0.25
-0.5\tthe\t-0.3
-1.5\tend

\\2-grams:
-0.2\t<s> the
-0.1\tthe end
-0.4\tthe </s>

\\end\\
"""


@dataclass
class BackoffModel:
    """The definition of a backoff model (Katz 1987) over dictionaries of log10 values."""

    order: int
    probs: dict[tuple[str, ...], float] = field(default_factory=dict)
    weights: dict[tuple[str, ...], float] = field(default_factory=dict)

    def log10_prob(self, history: tuple[str, ...], word: str) -> float:
        """Return log10 P(word | history); the word is listed as a unigram, or `<unk>`."""
        if (*history, word) in self.probs or not history:
            return self.probs[(*history, word)]
        return self.weights.get(history, 0.0) + self.log10_prob(history[1:], word)

    def score(self, sentence: str) -> list[float]:
        """Return log10 P of each token of a sentence."""
        words = [w if (w,) in self.probs else "<unk>" for w in reference_tokens(sentence)]
        padded = ["<s>", *words]
        longest = self.order - 1
        return [
            self.log10_prob(tuple(padded[max(0, at - longest) : at]), padded[at])
            for at in range(1, len(padded))
        ]

    def to_arpa(self) -> str:
        """Write the model as a file."""
        orders = range(1, self.order + 1)
        sections = [[ngram for ngram in self.probs if len(ngram) == order] for order in orders]
        lines = ["\\data\\"]
        lines += [f"ngram {order}={len(sections[order - 1])}" for order in orders]
        for order in orders:
            lines += ["", f"\\{order}-grams:"]
            for ngram in sections[order - 1]:
                weight = f"\t{self.weights[ngram]:.5f}" if ngram in self.weights else ""
                lines.append(f"{self.probs[ngram]:.5f}\t{' '.join(ngram)}{weight}")
        return "\n".join([*lines, "", "\\end\\", ""])


def made_up(order: int, seed: int = 1) -> BackoffModel:
    """Return a model of random values over some words and random n-grams of them."""
    chance = random.Random(seed)
    words = [*"abcdefgh", "don't", ",", "é"]
    model = BackoffModel(order)
    for word in ("<s>", "<unk>", *words):
        model.probs[word,] = -99.0 if word == "<s>" else round(-chance.uniform(0.5, 4), 5)
        model.weights[word,] = round(chance.uniform(-1, 0.2), 5)
    ngrams: list[tuple[str, ...]] = [("<s>",), ("<unk>",), *((word,) for word in words)]
    for length in range(2, order + 1):
        starts = [ngram for ngram in ngrams if len(ngram) == length - 1]
        for start in chance.sample(starts, len(starts) // 2):
            for word in chance.sample(words, 4):
                ngrams.append((*start, word))
                model.probs[(*start, word)] = round(-chance.uniform(0.1, 3), 5)
                if length < order:
                    model.weights[(*start, word)] = round(chance.uniform(-1, 0), 5)
    return model


def imported(text: str, tmp_path: Path, name: str = "a.arpa") -> NgramModel:
    """Import the text of a file and open the model."""
    source = tmp_path / name
    packed = gzip.compress(text.encode()) if name.endswith(".gz") else text.encode()
    source.write_bytes(packed)
    import_arpa(source, tmp_path / "a.winnow", ImportPlan())
    return NgramModel.open(tmp_path / "a.winnow")


@pytest.mark.parametrize("order", [1, 2, 3])
def test_an_imported_model_scores_as_the_plain_scorer_does(order: int, tmp_path: Path) -> None:
    oracle = made_up(order)
    model = imported(oracle.to_arpa(), tmp_path)
    chance = random.Random(7)
    words = [*"abcdefgh", "don't", ",", "é", "zz", "qq"]

    for _ in range(300):
        sentence = " ".join(chance.choices(words, k=chance.randint(1, 12)))
        found = [token.log2_prob for token in model.explain(sentence)]
        expected = [min(0.0, value * math.log2(10)) for value in oracle.score(sentence)]

        # half a step of the codebooks a value: 14 bits of probabilities, 4 of each weight
        assert found == pytest.approx(expected, abs=0.012)


def test_sentences_of_one_text_are_scored_each_from_its_start(tmp_path: Path) -> None:
    model = imported(made_up(3).to_arpa(), tmp_path)
    sentences = ["a b c!", "b a d, e!", "zz a!"]

    together = model.score_text(" ".join(sentences))

    alone = [model.score_text(sentence)[0] for sentence in sentences]
    assert [s.perplexity for s in together] == [s.perplexity for s in alone]


def test_known_values_are_found_in_a_small_file(tmp_path: Path) -> None:
    model = imported(SMALL, tmp_path)

    found = [(t.order, t.log2_prob / math.log2(10)) for t in model.explain("the end zz end the")]

    expected = [(2, -0.2), (2, -0.1), (0, -2.0), (1, -0.25 - 1.5), (1, -0.5)]
    assert [order for order, _ in found] == [order for order, _ in expected]
    assert [p for _, p in found] == pytest.approx([p for _, p in expected], abs=0.002)


def test_a_packed_file_gives_the_same_model(tmp_path: Path) -> None:
    plain = imported(SMALL, tmp_path)
    packed = imported(SMALL, tmp_path, "a.arpa.gz")

    assert packed.explain("the end") == plain.explain("the end")


def test_an_unknown_word_is_as_likely_as_the_least_likely_when_the_file_has_none(
    tmp_path: Path,
) -> None:
    text = SMALL.replace("-2.0\t<unk>\t-0.25\n", "").replace("ngram 1=5", "ngram 1=4")

    model = imported(text, tmp_path)

    assert model.info.figures.unknown_log2 == pytest.approx(-1.5 * math.log2(10))


@pytest.mark.parametrize("zero", ["-99", "-inf"])
def test_a_history_followed_only_by_listed_words_has_a_backoff_of_zero(
    zero: str, tmp_path: Path
) -> None:
    model = imported(SMALL.replace("the\t-0.3", f"the\t{zero}"), tmp_path)

    listed, backed_off = (model.explain(text)[1] for text in ("the end", "the the"))

    assert listed.log2_prob == pytest.approx(-0.1 * math.log2(10), abs=0.01)
    assert -130 < backed_off.log2_prob < -110  # as little as a model file holds


def test_token_probabilities_are_clamped_to_the_range_of_a_model_file(tmp_path: Path) -> None:
    small = SMALL.replace("<s>\t-0.5", "<s>\t-99").replace("-1.5\tend", "-9\tend")
    model = imported(small, tmp_path)

    (token,) = model.explain("end")
    (sentence,) = model.score_text("end")

    assert token.log2_prob == -120.0
    assert sentence.perplexity == 2.0**120  # and no infinity, which no document can hold


@pytest.mark.parametrize(("word", "tokeniser"), [("the", 1), ("The", 2)])
def test_case_is_kept_when_a_word_of_the_file_has_a_capital(
    word: str, tokeniser: int, tmp_path: Path
) -> None:
    model = imported(SMALL.replace("the", word), tmp_path)

    assert model.info.figures.tokeniser == tokeniser
    assert [t.order for t in model.explain(f"{word} end")] == [2, 2]


@pytest.mark.parametrize(
    ("before", "after", "why"),
    [
        ("\\data\\", "data", "no line \\data"),
        ("ngram 2=3", "ngram 3=3", "not a count of n-grams"),
        ("ngram 2=3", "ngram 2=-3", "not a number"),
        ("ngram 2=3", "ngram 2=99999999999999999999", "not a number"),
        ("ngram 2=3", "ngram 2=3\nngram 3=1\nngram 4=1", "order 4; "),
        ("ngram 2=3", "ngram 2=2", "\\end\\ expected"),
        ("ngram 2=3", "ngram 2=4", "not an n-gram of order 2"),
        ("-0.5\tthe", "x\tthe", "not an n-gram of order 1"),
        ("-0.5\tthe", "nan\tthe", "not an n-gram of order 1"),
        ("-0.5\tthe", "0.5\tthe", "not an n-gram of order 1"),
        ("-0.5\tthe", "-50\tthe", "log2 probability -166"),
        ("the\t-0.3", "the\t-0.3\t1", "not an n-gram of order 1"),
        ("the\t-0.3", "the\tinf", "not an n-gram of order 1"),
        ("\\2-grams:", "\\3-grams:", "2-grams: expected"),
        ("\\end\\", "", "truncated"),
        ("the", "x" * 70_000, "longer than any line"),
    ],
)
def test_import_refuses_a_file_of_another_kind(
    before: str, after: str, why: str, tmp_path: Path
) -> None:
    with pytest.raises(ModelError, match=re.escape(why)):
        imported(SMALL.replace(before, after, 1), tmp_path)
    assert not (tmp_path / "a.winnow").exists()


def test_import_refuses_a_file_cut_anywhere(tmp_path: Path) -> None:
    for length in range(len(SMALL) - 6):
        with pytest.raises(ModelError):
            imported(SMALL[:length], tmp_path)


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, len(SMALL)), st.integers(0, 20), st.binary(max_size=20))
def test_import_of_damaged_files_gives_a_model_or_a_reason(
    tmp_path: Path, at: int, length: int, put: bytes
) -> None:
    source = tmp_path / "damaged.arpa"
    damaged = SMALL.encode()
    source.write_bytes(damaged[:at] + put + damaged[at + length :])

    try:
        import_arpa(source, tmp_path / "a.winnow", ImportPlan())
    except ModelError:
        return
    assert NgramModel.open(tmp_path / "a.winnow").explain("the end")


def test_the_command_imports_with_the_sentence_splitter_of_a_model(
    tmp_path: Path, model_file: Path
) -> None:
    source = tmp_path / "a.arpa"
    source.write_text(SMALL)

    code, out, err = run(
        "model", "import-arpa", source, "-o", tmp_path / "b.winnow", "--language", "en",
        "--punkt", model_file,
    )  # fmt: skip

    model = NgramModel.open(tmp_path / "b.winnow")
    assert code == 0
    assert "reading" in err
    assert "2 n-grams that cannot occur in text" in out  # those with the sentence end
    assert model.language == "en"
    assert model.punkt == NgramModel.open(model_file).punkt


def test_the_command_prints_json_with_the_number_of_ngrams_left_out(
    tmp_path: Path, model_file: Path
) -> None:
    source, target = tmp_path / "a.arpa", tmp_path / "b.winnow"
    source.write_text(SMALL)

    code, out, _ = run(
        "model", "import-arpa", source, "-o", target, "--punkt", model_file, "--json"
    )

    described = orjson.loads(run("model", "info", target, "--json")[1])
    assert (code, orjson.loads(out)) == (0, described | {"left_out": 2})


def test_the_command_says_in_one_line_what_is_wrong(tmp_path: Path, model_file: Path) -> None:
    (tmp_path / "a.arpa").write_text("no model")

    code, _, err = run(
        "model", "import-arpa", tmp_path / "a.arpa", "-o", tmp_path / "b", "--punkt", model_file
    )

    assert code == 2
    assert "a.arpa: not an ARPA file" in err
