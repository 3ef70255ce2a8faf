"""PyPlexity's Storable files become models that mix its probabilities as the paper says."""

import math
import shutil
import struct
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.unit.worker.cli.test_model_command import run
from winnow.lab.imports.importing import Imported, ImportPlan, import_pyplexity
from winnow.lab.imports.storable import StorableReader
from winnow.models.errors import ModelError
from winnow.models.ngram import NgramModel

UNIGRAMS = "'the' => 0.5, 'end' => 0.25, '.' => 1, 'é' => 0.0625, 'e-mail' => 0.125"
BIGRAMS = "'# the' => 0.75, 'the end' => 0.125, 'end .' => '0.5', 'the é' => 0.25"
TRIGRAMS = "'# the end' => 0.5, 'the end .' => 1"
FLOOR = 1e-6
SHARE = 6 * FLOOR  # of five words and an unknown one

needs_perl = pytest.mark.skipif(shutil.which("perl") is None, reason="no perl to write files with")


def stored(path: Path, *hashes: str, by: str = "store") -> Path:
    """Let Perl write a list of hashes."""
    lists = ", ".join(f"{{ {pairs} }}" for pairs in hashes)
    program = f"use Storable qw(store nstore); {by}([{lists}], $ARGV[0]);"
    subprocess.run(["perl", "-e", program, path], check=True)
    return path


def imported(source: Path) -> tuple[NgramModel, Imported]:
    """Import a file and open the model."""
    target = source.with_suffix(".winnow")
    report = import_pyplexity(source, target, ImportPlan())
    return NgramModel.open(target), report


@needs_perl
@pytest.mark.parametrize("by", ["store", "nstore"])
def test_a_bigram_is_mixed_with_the_unigram_of_its_last_word(by: str, tmp_path: Path) -> None:
    model, report = imported(stored(tmp_path / "m.st", BIGRAMS, UNIGRAMS, by=by))

    found = [(t.order, 2.0**t.log2_prob) for t in model.explain("The end. the zz é")]

    mixed = [0.8 * 0.75 + 0.2 * 0.5, 0.8 * 0.125 + 0.2 * 0.25, 0.8 * 0.5 + 0.2, 0.2 * 0.5, 0.0]
    expected = [(1 - SHARE) * p + FLOOR for p in [*mixed, 0.2 * 0.0625]]
    assert [order for order, _ in found] == [2, 2, 2, 1, 0, 1]
    assert [p for _, p in found] == pytest.approx(expected, rel=0.01)
    assert report.left_out == 1  # e-mail, which is three tokens


@needs_perl
def test_a_trigram_is_mixed_with_both_lower_orders(tmp_path: Path) -> None:
    model, _ = imported(stored(tmp_path / "m.st", TRIGRAMS, BIGRAMS, UNIGRAMS))

    found = [(t.order, 2.0**t.log2_prob) for t in model.explain("the end.")]

    mixed = [
        0.3 * 0.75 + 0.1 * 0.5,
        0.6 * 0.5 + 0.3 * 0.125 + 0.1 * 0.25,
        0.6 * 1 + 0.3 * 0.5 + 0.1,
    ]
    assert [order for order, _ in found] == [2, 3, 3]
    assert [p for _, p in found] == pytest.approx(
        [(1 - SHARE) * p + FLOOR for p in mixed], rel=0.01
    )
    assert model.info.figures.listed == (4, 4, 2)


@needs_perl
def test_the_reader_knows_every_way_perl_stores_a_number(tmp_path: Path) -> None:
    pairs = "a => 1, b => 0, c => 0.5, d => '0.25', e => '0.' . '1' x 300, f => 2**-40, g => 1e-300"

    for by in ("store", "nstore"):
        path = stored(tmp_path / "m.st", pairs, by=by)
        found = dict(StorableReader(path).entries(0))

        expected = {"a": 1, "b": 0, "c": 0.5, "d": 0.25, "e": 1 / 9, "f": 2**-40, "g": 1e-300}
        assert found == pytest.approx(expected)


@needs_perl
def test_keys_marked_as_characters_are_read(tmp_path: Path) -> None:
    path = stored(tmp_path / "m.st", r'"\x{436}\x{e9}" => 0.5, "plain" => 0.25')

    assert dict(StorableReader(path).entries(0)) == {"жé": 0.5, "plain": 0.25}


@needs_perl
@pytest.mark.parametrize(
    ("pairs", "why"),
    [
        (("a => 1.5",), "1.5 is not a probability"),
        (("a => -1",), "not a probability"),
        (("a => 'inf'",), "inf is not a probability"),
        (("a => 'text'",), "not a probability"),
        (("a => undef",), "a value of type"),
        (("a => [1]",), "a value of type 4"),
        (("a => bless({}, 'X')",), "a value of type"),
        (("a => 'x' x 100000",), "too long for a word"),
        (("'x' x 100000 => 1",), "too long for a word"),
        (("a => 1",) * 4, "a list of 4"),
        ((), "a list of 0"),
    ],
)
def test_import_refuses_values_that_a_model_cannot_hold(
    pairs: tuple[str, ...], why: str, tmp_path: Path
) -> None:
    source = stored(tmp_path / "m.st", *pairs)

    with pytest.raises(ModelError, match=why):
        imported(source)
    assert not source.with_suffix(".winnow").exists()


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "truncated"),
        (b"PK\x03\x04", "not a Storable file"),
        (b"pst0\x06\x00", "major version 3"),
        (b"pst0\x04\x0b\x044321\x04\x04\x04\x08", "64-bit"),
        (b"pst0\x05\x0b\x03\x00\x00\x00\x00", "not a list"),
        (b"pst0\x05\x0b\x02\xff\xff\xff\xff", "negative length"),
        (b"pst0\x05\x0b\x02" + struct.pack(">i", 1) + b"\x04\x03\x7f\xff\xff\xff", "truncated"),
        (b"pst0\x05\x0b\x02" + struct.pack(">i", 1) + b"\x04" * 1000, "where a hash"),
    ],
)
def test_import_refuses_foreign_and_hostile_files(content: bytes, why: str, tmp_path: Path) -> None:
    (tmp_path / "m.st").write_bytes(content)

    with pytest.raises(ModelError, match=why):
        imported(tmp_path / "m.st")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    if shutil.which("perl") is None:
        pytest.skip("no perl to write files with")
    path = stored(tmp_path_factory.mktemp("st") / "m.st", TRIGRAMS, BIGRAMS, UNIGRAMS)
    return path.read_bytes()


def test_import_refuses_a_file_cut_anywhere(whole: bytes, tmp_path: Path) -> None:
    for length in range(len(whole)):
        (tmp_path / "m.st").write_bytes(whole[:length])

        with pytest.raises(ModelError):
            imported(tmp_path / "m.st")


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.integers(0, 400), st.integers(0, 255)), min_size=1, max_size=4))
def test_import_of_damaged_files_gives_a_model_or_a_reason(
    whole: bytes, tmp_path: Path, changes: list[tuple[int, int]]
) -> None:
    damaged = bytearray(whole)
    for at, value in changes:
        damaged[at % len(damaged)] = value
    (tmp_path / "m.st").write_bytes(damaged)

    try:
        model, _ = imported(tmp_path / "m.st")
    except ModelError:
        return
    assert math.isfinite(model.perplexity("the end."))


@needs_perl
def test_the_command_shows_the_model_it_made(tmp_path: Path, model_file: Path) -> None:
    source = stored(tmp_path / "m.st", BIGRAMS, UNIGRAMS)

    code, out, err = run(
        "model", "import-pyplexity", source, "-o", tmp_path / "b.winnow", "--punkt", model_file
    )

    assert (code, "reading n-grams of order 2" in err) == (0, True)
    assert "4 unigrams, 4 bigrams" in out
    assert "split" in out
