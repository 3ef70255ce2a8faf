"""Bytes of a broker -> whole answers, in as few copies as aiokafka's decoders allow.

Read by asyncio's streams, a fetched page is copied five times on its way from the socket to its
record, through buffers that grow as they fill. Here it is three times: into a buffer that is as
large as the answer, out of it as a set of records, out of that as a value.
"""

import asyncio
import struct
import time
import weakref
from collections.abc import Callable
from typing import ClassVar, Final

from aiokafka.conn import AIOKafkaConnection
from aiokafka.errors import KafkaConnectionError
from aiokafka.protocol.fetch import FetchRequest

_SIZE: Final = struct.Struct(">i")
_ROOM_BYTES: Final = 64 << 10
# A batch of records comes whole, however little was asked for; no broker takes one above 100 MB.
MAX_ANSWER_BYTES: Final = 128 << 20
# as large as most answers: of what is fetched, a worker asks for 8 MB
SPARE_BYTES: Final = 16 << 20


class AnswersInPlace(asyncio.BufferedProtocol):
    """Cuts what a connection receives into answers, and hands each on as it is complete."""

    # of all connections: a new room is cleared first, which costs as much as a copy
    _spare: ClassVar[list[memoryview]] = []

    def __init__(self, streams: asyncio.Protocol, take: Callable[[memoryview], object]) -> None:
        """Start with nothing received.

        Args:
            streams: the protocol before, which writers wait for; is told of all but data.
            take: gets each answer without its length; the bytes are good until it returns.
        """
        self._streams = streams
        self._take = take
        self._small = memoryview(bytearray(_ROOM_BYTES))
        self._room = self._small
        self._start = self._end = 0  # of what is received and not handed on
        self.ended = asyncio.get_running_loop().create_future()
        """Done with why no more answers come."""

    def get_buffer(self, sizehint: int) -> memoryview:  # noqa: ARG002 - asyncio's name
        """Return where the next bytes go."""
        return self._room[self._end :]

    def buffer_updated(self, nbytes: int) -> None:
        """Hand on what is complete."""
        self._end += nbytes
        try:
            self._hand_on()
        except Exception as error:  # noqa: BLE001 - whatever a decoder raises ends the connection
            self._end_with(error)

    def eof_received(self) -> bool | None:
        """End; the other side sends nothing more."""
        self._end_with(asyncio.IncompleteReadError(b"", _SIZE.size))
        return self._streams.eof_received()

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        self._end_with(exc or asyncio.IncompleteReadError(b"", _SIZE.size))
        self._streams.connection_lost(exc)

    def pause_writing(self) -> None:
        """Tell the writer to wait."""
        self._streams.pause_writing()

    def resume_writing(self) -> None:
        """Tell the writer to go on."""
        self._streams.resume_writing()

    def _hand_on(self) -> None:
        while self._end - self._start >= (whole := self._whole()):
            answer = self._room[self._start + _SIZE.size : self._start + whole]
            self._start += whole
            self._take(answer)
            if self.ended.done():
                return
        self._make_room(whole)

    def _whole(self) -> int:
        """Return the length of the next answer and of its length, or of the latter as yet."""
        if self._end - self._start < _SIZE.size:
            return _SIZE.size
        (size,) = _SIZE.unpack_from(self._room, self._start)
        if not 0 <= size <= MAX_ANSWER_BYTES:
            raise KafkaConnectionError(f"an answer of {size} bytes: is this a Kafka broker?")
        return int(size) + _SIZE.size

    def _make_room(self, whole: int) -> None:
        """Have room for the answer that is being received, from its first byte on."""
        if whole > _ROOM_BYTES and self._start + whole <= len(self._room):
            return
        left, received = self._room, self._room[self._start : self._end]
        self._room = self._small if whole <= _ROOM_BYTES else self._large(whole)
        self._room[: len(received)] = received
        self._start, self._end = 0, len(received)
        if _ROOM_BYTES < len(left) <= SPARE_BYTES:
            self._spare[:] = [left]

    def _large(self, whole: int) -> memoryview:
        try:
            spare = self._spare.pop()
        except IndexError:
            spare = self._small
        return spare if len(spare) >= whole else memoryview(bytearray(whole))

    def _end_with(self, error: Exception) -> None:
        if not self.ended.done():
            self.ended.set_exception(error)


class BrokerConnection(AIOKafkaConnection):
    """aiokafka's connection, which reads answers in place."""

    def _create_reader_task(self) -> "asyncio.Future[None]":
        """Return what is done when no more answers come; called once connected."""
        of = weakref.ref(self)  # else nobody would see that a connection was left open
        answers = AnswersInPlace(self._protocol, lambda answer: _taken(of(), answer))
        self._writer.transport.set_protocol(answers)
        answers.ended.add_done_callback(lambda ended: self._on_read_task_error(of, ended))
        return answers.ended

    def take(self, answer: memoryview) -> None:
        """Give an answer to whoever waits for it."""
        correlation_id, request, waiting = self._requests[0]
        if getattr(request, "API_KEY", None) == FetchRequest.API_KEY and not waiting.done():
            fields = _Fields(answer)
            if request.parse_response_header(fields).correlation_id == correlation_id:
                waiting.set_result(request.RESPONSE_TYPE.decode(fields))
                self._last_action = time.monotonic()
                self._requests.popleft()
                return
        self._handle_frame(bytes(answer))


class _Fields:
    """What aiokafka's decoders ask of a stream: it copies a field, not the answer."""

    def __init__(self, answer: memoryview) -> None:
        self._answer = answer
        self._at = 0

    def read(self, count: int) -> bytes:
        start, self._at = self._at, self._at + count
        return bytes(self._answer[start : self._at])


def _taken(connection: BrokerConnection | None, answer: memoryview) -> None:
    if connection is not None:
        connection.take(answer)
