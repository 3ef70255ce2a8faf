"""The memory of what pages of a host share."""

from collections import defaultdict
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.models.errors import OptionsError
from winnow.models.sites import SiteMemory, SiteOptions

HOST = "news.invalid"
KEY = bytes(16)


def shown(memory: SiteMemory, page: int, *numbers: int, host: str = HOST) -> list[bool]:
    return memory.meet(host, f"https://{host}/{page}", [f"block {number}" for number in numbers])


def test_meet_calls_a_block_seen_when_enough_other_pages_had_it() -> None:
    memory = SiteMemory(KEY, SiteOptions(pages=2))

    found = [shown(memory, page, 7, page + 100) for page in range(4)]

    assert found == [[False, False], [False, False], [True, False], [True, False]]


def test_meet_counts_a_page_once_when_it_comes_again() -> None:
    memory = SiteMemory(KEY, SiteOptions(pages=1))

    found = [shown(memory, 1, 7) for _ in range(3)]

    assert found == [[False], [False], [False]]


def test_meet_keeps_hosts_apart() -> None:
    memory = SiteMemory(KEY, SiteOptions(pages=1))
    shown(memory, 1, 7, host="a.invalid")

    found = shown(memory, 2, 7, host="b.invalid")

    assert found == [False]


def test_meet_forgets_the_host_without_a_page_for_longest_when_there_are_too_many() -> None:
    memory = SiteMemory(KEY, SiteOptions(pages=1, hosts=2))
    for host in ("a.invalid", "b.invalid", "a.invalid", "c.invalid"):
        shown(memory, 1, 7, host=host)

    found = [shown(memory, 2, 7, host=host) for host in ("a.invalid", "b.invalid")]

    assert found == [[True], [False]]
    assert len(memory) == 2


def test_meet_forgets_a_block_when_many_pages_came_without_it() -> None:
    memory = SiteMemory(KEY, SiteOptions(pages=1, forget_after=3))
    shown(memory, 1, 7)
    for page in range(2, 5):
        shown(memory, page, 8)

    found = shown(memory, 5, 7)

    assert found == [False]


def test_meet_keeps_what_many_pages_share_when_blocks_of_single_pages_flood_it() -> None:
    memory = SiteMemory(KEY, SiteOptions(pages=2, blocks=64))

    found = [shown(memory, page, *range(30 * page, 30 * page + 30), -7)[-1] for page in range(200)]

    assert all(found[3:])


def test_meet_remembers_as_many_blocks_of_a_page_as_there_are_places() -> None:
    memory = SiteMemory(KEY, SiteOptions(pages=1, blocks=8))
    shown(memory, 1, *range(8))

    assert shown(memory, 2, *range(8)) == [True] * 8


def test_meet_tells_equal_blocks_of_a_page_alike() -> None:
    memory = SiteMemory(KEY, SiteOptions(pages=1))
    shown(memory, 1, 7)

    found = shown(memory, 2, 7, 9, 7)

    assert found == [True, False, True]


@given(
    st.lists(st.tuples(st.integers(0, 5), st.lists(st.integers(0, 7), max_size=8)), max_size=40),
    st.integers(1, 4),
)
def test_meet_agrees_with_sets_of_pages_when_nothing_is_forgotten(
    visits: list[tuple[int, list[int]]], pages: int
) -> None:
    memory = SiteMemory(KEY, SiteOptions(pages=pages, blocks=64))
    known: dict[int, list[int]] = defaultdict(list)

    for page, numbers in visits:
        # eight blocks at most: all have a slot in any buckets
        found = shown(memory, page, *numbers)

        assert found == [len(known[n]) == pages and page not in known[n] for n in numbers]
        for number in numbers:
            if page not in known[number] and len(known[number]) < pages:
                known[number].append(page)


def test_a_text_with_an_equal_checksum_is_not_a_hit() -> None:
    # the two have one CRC-32, so that anybody could make the one pass for the other
    memory = SiteMemory(KEY, SiteOptions(pages=1))

    found = [memory.meet(HOST, text, [text]) for text in ("plumless", "buckeroo", "plumless2")]

    assert crc32(b"plumless") == crc32(b"buckeroo")
    assert found == [[False]] * 3


@pytest.mark.parametrize("length", [0, 15, 65])
def test_memory_refuses_a_key_of_a_length_out_of_its_range(length: int) -> None:
    with pytest.raises(OptionsError, match=f"not of {length}"):
        SiteMemory(bytes(length))


@pytest.mark.parametrize(
    "wrong",
    [
        {"pages": 0},
        {"pages": 17},
        {"hosts": 0},
        {"blocks": 7},
        {"blocks": 12},
        {"forget_after": 0},
        {"forget_after": 1 << 32},
    ],
)
def test_options_refuse_numbers_out_of_their_range(wrong: dict[str, int]) -> None:
    with pytest.raises(OptionsError):
        SiteOptions(**wrong)
