"""An offset is committed only when everything below it is done."""

from hypothesis import given
from hypothesis import strategies as st

from winnow.streams.kafka.offsets import OffsetLedger, Taken


def a_ledger(*offsets: int) -> tuple[OffsetLedger[str], dict[int, Taken]]:
    """Return a ledger with records of one partition, and these by offset."""
    ledger: OffsetLedger[str] = OffsetLedger()
    return ledger, {offset: ledger.take("p", offset) for offset in offsets}


def test_committable_is_absent_when_nothing_is_done() -> None:
    ledger, _ = a_ledger(5, 6)

    assert ledger.committable("p") is None
    assert ledger.committable("other") is None


def test_committable_waits_for_the_slow_record_at_the_head() -> None:
    ledger, taken = a_ledger(31, 32, 33)

    taken[32].is_done = True
    taken[33].is_done = True

    assert ledger.committable("p") is None
    taken[31].is_done = True
    assert ledger.committable("p") == 34


def test_committable_stops_before_the_first_open_record_after_a_gap() -> None:
    ledger, taken = a_ledger(10, 15, 17)  # 11-14 and 16 are markers or compacted away

    taken[10].is_done = True
    taken[17].is_done = True

    assert ledger.committable("p") == 11


def test_done_counts_no_more_when_the_partition_was_lost_meanwhile() -> None:
    ledger, taken = a_ledger(5)
    ledger.forget(["p"])

    taken[5].is_done = True

    assert ledger.committable("p") is None


def test_a_log_that_begins_again_has_its_own_ledger() -> None:
    ledger, taken = a_ledger(0, 1, 2)
    taken[0].is_done = True
    assert ledger.committable("p") == 1

    again = [ledger.take("p", offset) for offset in (0, 1)]
    taken[1].is_done = True  # of the log before, where another record had that offset
    taken[2].is_done = True

    assert ledger.committable("p") is None
    again[0].is_done = True
    assert ledger.committable("p") == 1


def test_skipped_offsets_are_committable_at_once_when_no_record_is_open() -> None:
    ledger, _ = a_ledger()

    ledger.pass_over("p", 7)

    assert ledger.committable("p") == 7


def test_skipped_offsets_wait_for_open_records_below_them() -> None:
    ledger, taken = a_ledger(5, 6)
    ledger.pass_over("p", 9)

    taken[6].is_done = True
    assert ledger.committable("p") is None
    taken[5].is_done = True

    assert ledger.committable("p") == 9


def test_skipping_a_taken_offset_does_not_reset_the_ledger() -> None:
    ledger, taken = a_ledger(5, 6)

    ledger.pass_over("p", 6)

    assert ledger.committable("p") is None
    taken[5].is_done = taken[6].is_done = True
    assert ledger.committable("p") == 7


@given(st.data())
def test_committable_never_passes_an_open_record_and_reaches_the_end(data: st.DataObject) -> None:
    offsets = sorted(data.draw(st.sets(st.integers(0, 60), min_size=1)))
    order = data.draw(st.permutations(offsets))
    end = offsets[-1] + 1 + data.draw(st.integers(0, 3))
    passed_over = data.draw(st.sets(st.integers(1, end)))
    ledger, taken = a_ledger()
    for offset in range(end):
        if offset in passed_over:
            ledger.pass_over("p", offset)
        if offset in offsets:
            taken[offset] = ledger.take("p", offset)
    ledger.pass_over("p", end)
    still_open = set(offsets)

    for offset in order:
        taken[offset].is_done = True
        still_open.discard(offset)
        commit = ledger.committable("p")
        assert commit is None or all(commit <= each for each in still_open)

    assert ledger.committable("p") == end
    assert not ledger._partitions["p"].open  # or it grows for ever
