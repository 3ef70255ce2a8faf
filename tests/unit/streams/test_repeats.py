"""How readers drop records that were published twice."""

from hypothesis import given
from hypothesis import strategies as st

from winnow.streams.repeats import RepeatFilter


def test_a_record_is_a_repeat_when_its_source_was_seen_in_the_same_topic() -> None:
    seen = RepeatFilter()

    answers = [
        seen.is_repeat(topic, source)
        for topic, source in [
            ("documents", b"pages/0/1"),
            ("documents", b"pages/0/1"),
            ("stats", b"pages/0/1"),
            ("documents", b"pages/0/2"),
        ]
    ]

    assert answers == [False, True, False, False]


def test_a_record_without_a_source_is_never_a_repeat() -> None:
    seen = RepeatFilter()

    assert [seen.is_repeat("documents", None) for _ in range(3)] == [False] * 3


def test_a_source_is_forgotten_when_the_window_has_passed_it() -> None:
    seen = RepeatFilter(window=2)

    answers = [seen.is_repeat("documents", source) for source in (b"1", b"2", b"3", b"1")]

    assert answers == [False] * 4


@given(st.lists(st.integers(0, 200), max_size=300), st.data())
def test_every_record_is_kept_once_when_stretches_of_the_stream_are_repeated(
    gaps: list[int], data: st.DataObject
) -> None:
    sources = [b"pages/0/%d" % number for number in range(len(gaps))]
    stream = list(sources)
    for _ in range(data.draw(st.integers(0, 3))):
        at = data.draw(st.integers(0, len(stream)))
        stream[at:at] = stream[max(0, at - 100) : at]  # a batch again, after a crash
    seen = RepeatFilter()

    kept = [source for source in stream if not seen.is_repeat("documents", source)]

    assert kept == sources
