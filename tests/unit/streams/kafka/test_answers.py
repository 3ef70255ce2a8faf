"""Bytes of brokers are cut into answers at any split, and decoded as aiokafka does."""

import asyncio
import struct
from collections.abc import Iterator
from typing import Any

import pytest
from aiokafka.conn import AIOKafkaConnection
from aiokafka.errors import CorrelationIdError, KafkaConnectionError
from aiokafka.protocol import fetch, metadata
from hypothesis import given
from hypothesis import strategies as st

from winnow.streams.kafka.answers import (
    MAX_ANSWER_BYTES,
    SPARE_BYTES,
    AnswersInPlace,
    BrokerConnection,
)

LARGE = 70_000  # more than the room that every connection has


class Streams(asyncio.Protocol):
    """The protocol that a connection had before."""

    def __init__(self) -> None:
        self.calls: list[object] = []

    def eof_received(self) -> bool:
        self.calls.append("eof")
        return True

    def connection_lost(self, exc: Exception | None) -> None:
        self.calls.append(exc)

    def pause_writing(self) -> None:
        self.calls.append("pause")

    def resume_writing(self) -> None:
        self.calls.append("resume")


@pytest.fixture(autouse=True)
def no_spare_room() -> Iterator[None]:
    AnswersInPlace._spare.clear()
    yield
    AnswersInPlace._spare.clear()


def sent(*answers: bytes) -> bytes:
    return b"".join(struct.pack(">i", len(each)) + each for each in answers)


def receive(answers: AnswersInPlace, data: bytes, most: int = 1 << 30) -> None:
    """Give data like a transport: as much as there is room for, up to a limit at a time."""
    while data:
        room = answers.get_buffer(-1)
        count = min(len(room), len(data), most)
        assert count
        room[:count] = data[:count]
        data = data[count:]
        answers.buffer_updated(count)


def reader() -> tuple[AnswersInPlace, list[bytes], Streams]:
    taken: list[bytes] = []
    streams = Streams()
    return AnswersInPlace(streams, lambda answer: taken.append(bytes(answer))), taken, streams


def pattern(size: int) -> bytes:
    return (bytes(range(251)) * (size // 251 + 1))[:size]


@given(
    st.lists(st.one_of(st.integers(0, 40), st.integers(65_000, 300_000)), max_size=6),
    st.one_of(st.integers(1, 60), st.integers(1000, 400_000)),
)
async def test_answers_are_whole_however_they_arrive(sizes: list[int], most: int) -> None:
    answers, taken, _ = reader()
    wanted = [pattern(size) for size in sizes if size < 40 or most > 60]

    receive(answers, sent(*wanted), most)

    assert taken == wanted
    assert not answers.ended.done()


@pytest.mark.parametrize("size", [-1, MAX_ANSWER_BYTES + 1, 0x48545450])
async def test_a_length_that_no_broker_sends_ends_the_connection(size: int) -> None:
    answers, taken, _ = reader()

    receive(answers, sent(b"first") + struct.pack(">i", size))

    with pytest.raises(KafkaConnectionError, match=f"an answer of {size} bytes"):
        await answers.ended
    assert taken == [b"first"]


async def test_the_end_of_a_connection_reaches_both_protocols() -> None:
    answers, _, streams = reader()

    answers.pause_writing()
    answers.resume_writing()
    assert answers.eof_received()
    answers.connection_lost(None)

    assert streams.calls == ["pause", "resume", "eof", None]
    with pytest.raises(asyncio.IncompleteReadError):
        await answers.ended


async def test_a_lost_connection_ends_with_its_own_error() -> None:
    answers, _, streams = reader()
    error = ConnectionResetError("by peer")

    answers.connection_lost(error)

    assert streams.calls == [error]
    assert answers.ended.exception() is error


async def test_an_answer_that_cannot_be_decoded_is_the_last() -> None:
    taken = []

    def take(answer: memoryview) -> None:
        taken.append(bytes(answer))
        raise ValueError("Buffer underrun")

    answers = AnswersInPlace(Streams(), take)

    receive(answers, sent(b"first", b"second"))

    assert taken == [b"first"]
    with pytest.raises(ValueError, match="underrun"):
        await answers.ended


async def test_nothing_is_handed_on_after_a_close() -> None:
    taken = []

    def take(answer: memoryview) -> None:
        taken.append(bytes(answer))
        answers.ended.cancel()  # as the connection does when it is closed

    answers = AnswersInPlace(Streams(), take)

    receive(answers, sent(b"first", b"second"))

    assert taken == [b"first"]


async def test_one_buffer_serves_the_large_answers_of_all_connections() -> None:
    first, second = reader()[0], reader()[0]
    whole = sent(pattern(LARGE))

    receive(first, whole)
    (spare,) = AnswersInPlace._spare
    receive(second, whole[: LARGE // 2])
    assert AnswersInPlace._spare == []
    receive(second, whole[LARGE // 2 :])

    assert [id(each) for each in AnswersInPlace._spare] == [id(spare)]


async def test_a_buffer_is_left_alone_while_somebody_reads_an_answer_in_it() -> None:
    kept: list[memoryview] = []
    answers = AnswersInPlace(Streams(), kept.append)
    wanted = [bytes([number]) * LARGE for number in range(4)]

    for each in wanted:
        receive(answers, sent(each))

    assert kept == wanted
    (spare,) = AnswersInPlace._spare
    kept.clear()
    receive(answers, sent(pattern(LARGE)))
    assert kept == [pattern(LARGE)]
    assert kept[0].obj is spare


async def test_memory_of_a_single_large_answer_is_freed() -> None:
    answers, taken, _ = reader()

    receive(answers, sent(bytes(SPARE_BYTES)))

    assert len(taken) == 1
    assert AnswersInPlace._spare == []
    assert len(answers.get_buffer(-1)) < LARGE


FETCHED = [("pages", [(0, 0, 9, 9, [(4, 5)], b"records" * 20_000), (1, 0, 3, 3, None, b"")])]
HEADER = struct.pack(">i", 7)


def a_fetch() -> object:
    return fetch.FetchRequest_v4(-1, 0, 0, 0, 0, [])


def connection(request: object, correlation_id: int = 7) -> tuple[BrokerConnection, Any]:
    found: Any = BrokerConnection("127.0.0.1", 1)
    waiting = asyncio.get_running_loop().create_future()
    found._requests.append((correlation_id, request, waiting))
    return found, waiting


async def test_fetched_records_are_decoded_as_aiokafka_decodes_them() -> None:
    answer = HEADER + fetch.FetchResponse_v4(0, FETCHED).encode()
    link, waiting = connection(a_fetch())
    other, expected = connection(a_fetch())

    link.take(memoryview(answer))
    AIOKafkaConnection._handle_frame(other, answer)

    assert waiting.result() == expected.result()
    assert waiting.result().topics == FETCHED
    assert isinstance(waiting.result().topics[0][1][0][-1], memoryview)  # of the answer itself
    assert not link._requests


async def test_other_answers_are_left_to_aiokafka() -> None:
    answer = metadata.MetadataResponse_v1([], 1, [])
    link, waiting = connection(metadata.MetadataRequest_v1([]))

    link.take(memoryview(HEADER + answer.encode()))

    assert waiting.result() == answer


async def test_an_answer_to_another_request_is_refused() -> None:
    link, waiting = connection(a_fetch(), correlation_id=8)

    link.take(memoryview(HEADER + fetch.FetchResponse_v4(0, FETCHED).encode()))

    with pytest.raises(CorrelationIdError):
        waiting.result()


async def test_an_answer_without_a_waiting_request_is_dropped() -> None:
    link, waiting = connection(a_fetch())
    waiting.cancel()

    link.take(memoryview(HEADER + fetch.FetchResponse_v4(0, FETCHED).encode()))

    assert not link._requests
