"""An offset is committed only when everything below it is done."""

from hypothesis import given
from hypothesis import strategies as st

from streams.offsets import OffsetLedger


def a_ledger(*taken: int) -> OffsetLedger[str]:
    ledger: OffsetLedger[str] = OffsetLedger()
    for offset in taken:
        ledger.take("p", offset)
    return ledger


def test_committable_is_none_when_nothing_is_done() -> None:
    ledger = a_ledger(5, 6)

    assert ledger.committable("p") is None
    assert ledger.committable("other") is None


def test_committable_waits_for_the_slow_record_at_the_head() -> None:
    ledger = a_ledger(31, 32, 33)

    ledger.done("p", 32)
    ledger.done("p", 33)

    assert ledger.committable("p") is None
    ledger.done("p", 31)
    assert ledger.committable("p") == 34


def test_committable_stops_before_the_first_open_record_behind_a_gap() -> None:
    ledger = a_ledger(10, 15, 17)  # 11-14 and 16 are markers or compacted away

    ledger.done("p", 10)
    ledger.done("p", 17)

    assert ledger.committable("p") == 11


def test_done_counts_no_more_when_the_partition_was_lost_meanwhile() -> None:
    ledger = a_ledger(5)
    ledger.forget(["p"])

    ledger.done("p", 5)

    assert ledger.committable("p") is None


def test_done_counts_no_more_when_the_partition_came_back_further_on() -> None:
    ledger = a_ledger(5)
    ledger.forget(["p"])
    ledger.take("p", 9)

    ledger.done("p", 5)

    assert ledger.committable("p") is None
    assert not ledger._partitions["p"].done


def test_a_log_that_begins_again_has_an_account_of_its_own() -> None:
    ledger = a_ledger(5, 6)
    ledger.done("p", 5)
    assert ledger.committable("p") == 6

    ledger.take("p", 0)
    ledger.done("p", 6)  # of the log before

    assert ledger.committable("p") is None
    ledger.done("p", 0)
    assert ledger.committable("p") == 1


@given(st.data())
def test_committable_never_passes_an_open_record_and_reaches_the_end(data: st.DataObject) -> None:
    offsets = sorted(data.draw(st.sets(st.integers(0, 60), min_size=1)))
    order = data.draw(st.permutations(offsets))
    ledger = a_ledger(*offsets)
    still_open = set(offsets)

    for offset in order:
        ledger.done("p", offset)
        still_open.discard(offset)
        commit = ledger.committable("p")
        assert commit is None or all(commit <= each for each in still_open)

    assert ledger.committable("p") == offsets[-1] + 1
    assert not ledger._partitions["p"].done  # or it grows for ever
