"""Bytes of a broker -> whole answers, with as few copies as aiokafka's decoders allow.

With asyncio's streams a fetched page is copied five times between the socket and its record,
through buffers that grow as they fill. Here it is copied twice: into a buffer as large as the
answer, and into a value. The buffer is free again when nobody reads records of the answer.
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
ROOM_BYTES: Final = 64 << 10
# A batch of records arrives whole, even above the requested size; brokers accept at most 100 MB.
MAX_ANSWER_BYTES: Final = 128 << 20
# larger than most answers: a worker requests 8 MB per fetch
SPARE_BYTES: Final = 16 << 20


class AnswersInPlace(asyncio.BufferedProtocol):
    """Cuts the received bytes into answers, and passes each on as soon as it is complete."""

    # shared by all connections: a new buffer is zeroed first, which costs half as much as a copy
    _spare: ClassVar[list[bytearray]] = []

    def __init__(self, streams: asyncio.Protocol, take: Callable[[memoryview], object]) -> None:
        """Start with nothing received.

        Args:
            streams: the previous protocol, which writers wait for; gets every event except data.
            take: receives each answer without its length; it may keep parts of more than
                `ROOM_BYTES`, the other bytes are valid until it returns.
        """
        self._streams = streams
        self._take = take
        self._small = memoryview(bytearray(ROOM_BYTES))
        self._room = self._small
        self._start = self._end = 0  # received and not yet passed on
        self.ended = asyncio.get_running_loop().create_future()
        """Done when no more answers come; its exception is the reason."""

    def get_buffer(self, sizehint: int) -> memoryview:  # noqa: ARG002 - asyncio's name
        """Return the buffer for the next bytes."""
        return self._room[self._end :]

    def buffer_updated(self, nbytes: int) -> None:
        """Pass on the complete answers."""
        self._end += nbytes
        try:
            self._hand_on()
        except Exception as error:  # noqa: BLE001 - any decoder error ends the connection
            self._end_with(error)

    def eof_received(self) -> bool | None:
        """Handle the end of the stream; the other side sends nothing more."""
        self._end_with(asyncio.IncompleteReadError(b"", _SIZE.size))
        return self._streams.eof_received()

    def connection_lost(self, exc: Exception | None) -> None:
        """Handle a lost connection."""
        self._end_with(exc or asyncio.IncompleteReadError(b"", _SIZE.size))
        self._streams.connection_lost(exc)

    def pause_writing(self) -> None:
        """Pause the writer."""
        self._streams.pause_writing()

    def resume_writing(self) -> None:
        """Resume the writer."""
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
        """Return the bytes of the next answer and its length field, or of the field alone."""
        if self._end - self._start < _SIZE.size:
            return _SIZE.size
        (size,) = _SIZE.unpack_from(self._room, self._start)
        if not 0 <= size <= MAX_ANSWER_BYTES:
            raise KafkaConnectionError(f"an answer of {size} bytes: is this a Kafka broker?")
        return int(size) + _SIZE.size

    def _make_room(self, whole: int) -> None:
        """Make room for the whole current answer, from its first byte on."""
        if whole > ROOM_BYTES and self._start + whole <= len(self._room):
            return
        left, received = self._room, self._room[self._start : self._end]
        self._room = self._small if whole <= ROOM_BYTES else self._large(whole)
        self._room[: len(received)] = received
        self._start, self._end = 0, len(received)
        if ROOM_BYTES < len(left) <= SPARE_BYTES and isinstance(left.obj, bytearray):
            self._spare[:] = [left.obj]

    def _large(self, whole: int) -> memoryview:
        spare = self._spare.pop() if self._spare else bytearray()
        is_fit = len(spare) >= whole and _is_unread(spare)
        return memoryview(spare if is_fit else bytearray(whole))

    def _end_with(self, error: Exception) -> None:
        if not self.ended.done():
            self.ended.set_exception(error)


class BrokerConnection(AIOKafkaConnection):
    """aiokafka's connection, reading answers in place."""

    def _create_reader_task(self) -> "asyncio.Future[None]":
        """Return a future that is done when no more answers come; called once connected."""
        of = weakref.ref(self)  # a strong reference would hide a connection left open
        answers = AnswersInPlace(self._protocol, lambda answer: _taken(of(), answer))
        self._writer.transport.set_protocol(answers)
        answers.ended.add_done_callback(lambda ended: self._on_read_task_error(of, ended))
        return answers.ended

    def take(self, answer: memoryview) -> None:
        """Give an answer to the request that waits for it."""
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
    """The stream interface that aiokafka's decoders need: it copies short fields alone."""

    def __init__(self, answer: memoryview) -> None:
        self._answer = answer
        self._at = 0

    def read(self, count: int) -> bytes | memoryview:
        start, self._at = self._at, self._at + count
        field = self._answer[start : self._at]
        return field if count > ROOM_BYTES else bytes(field)


def _is_unread(buffer: bytearray) -> bool:
    """Return whether there is no view of a buffer: Python then allows to change its length."""
    try:
        del buffer[-1:]
    except BufferError:
        return False
    buffer.append(0)
    return True


def _taken(connection: BrokerConnection | None, answer: memoryview) -> None:
    if connection is not None:
        connection.take(answer)
