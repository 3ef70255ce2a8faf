"""Connections of the operator's commands: `Connection` -> configuration of librdkafka's clients."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from confluent_kafka import Consumer, KafkaError, KafkaException
from confluent_kafka.admin import (  # type: ignore[attr-defined]  # public, but not listed
    AdminClient,
    ClusterMetadata,
)

from winnow.streams.errors import KafkaUnavailable
from winnow.streams.kafka.connection import Connection, cannot_connect, in_words

Config = dict[str, Any]  # librdkafka's own types: texts, numbers, callbacks

CLIENT_ID: Final = "winnow"
_LOOK_S: Final = 1.0
_FINAL: Final = frozenset({KafkaError._AUTHENTICATION, KafkaError._SSL})  # noqa: SLF001 - public
# error codes of requests without a connection
_UNANSWERED: Final = frozenset(
    {
        KafkaError._TRANSPORT,  # noqa: SLF001 - public, as those below
        KafkaError._TIMED_OUT,  # noqa: SLF001
        KafkaError._MSG_TIMED_OUT,  # noqa: SLF001
        KafkaError._ALL_BROKERS_DOWN,  # noqa: SLF001
        KafkaError._RESOLVE,  # noqa: SLF001
    }
)


class LastError:
    """Remembers why librdkafka cannot connect, because its exceptions do not say it."""

    def __init__(self, connection: Connection) -> None:
        """Start without an error."""
        self._addresses = connection.bootstrap
        self._text = ""
        self._whys: dict[str, str] = {}  # by address
        self._none_connects = False
        self.is_final = False  # a retry would not help: wrong password, certificate

    def __call__(self, error: KafkaError) -> None:
        """Record an error of the client (`error_cb`); the summary at the end has fewer details."""
        if error.code() == KafkaError._ALL_BROKERS_DOWN:  # noqa: SLF001 - public
            self._none_connects = True
        else:
            self._text = error.str()
            address, _, why = self._text.partition(": ")
            self._whys[address.split("/")[0]] = in_words(why or self._text)
            self.is_final = error.code() in _FINAL

    def connected(self) -> None:
        """Note that a broker answers."""
        self._none_connects = False

    def explain(self, error: KafkaError) -> str:
        """Return the text of an error together with the errors before it."""
        is_cut_off = self._none_connects or self.is_final
        if is_cut_off and error.code() in _UNANSWERED | _FINAL:
            return cannot_connect(self._addresses, self._why() or error.str())
        return f"{error.str()} ({self._text})" if self._text else error.str()

    def unanswered(self) -> str:
        """Return the text for a request that timed out."""
        if self._none_connects or self.is_final:
            return cannot_connect(self._addresses, self._why() or "no answer in time")
        return f"the brokers at {','.join(self._addresses)} do not answer in time"

    def _why(self) -> str:
        """Return the problem of each address that failed; each address is named once."""
        if len(self._addresses) == 1:
            return "; ".join(self._whys.values())
        return "; ".join(f"{address}: {why}" for address, why in self._whys.items())


def client_config(connection: Connection, on_error: Callable[[KafkaError], None]) -> Config:
    """Return the connection settings of any librdkafka client; they hold the password."""
    config: Config = {
        "bootstrap.servers": ",".join(connection.bootstrap),
        "client.id": CLIENT_ID,
        "security.protocol": connection.security.value,
        "log_level": 0,
        "error_cb": on_error,
    }
    if connection.security.uses_sasl:
        config |= {
            "sasl.mechanism": connection.mechanism.value,
            "sasl.username": connection.username,
            "sasl.password": connection.password.reveal(),
        }
    if connection.security.uses_tls:
        files = {
            "ssl.ca.location": connection.ca_file,
            "ssl.certificate.location": connection.cert_file,
            "ssl.key.location": connection.key_file,
        }
        config |= {name: str(path) for name, path in files.items() if path}
    return config


@contextmanager
def translated(last_error: LastError, poll: Callable[[float], object]) -> Iterator[None]:
    """Raise librdkafka's exceptions as ours; the client's `poll` reports errors to `last_error`.

    Raises:
        KafkaUnavailable: with the reason as text.
    """
    try:
        yield
    except KafkaException as error:
        poll(0)
        raise KafkaUnavailable(last_error.explain(error.args[0])) from None
    except TimeoutError:
        poll(0)
        raise KafkaUnavailable(last_error.unanswered()) from None


def cluster_metadata(
    client: AdminClient | Consumer, last_error: LastError, timeout_s: float
) -> ClusterMetadata:
    """Return brokers and topics; stops waiting when an answer can never come.

    Raises:
        KafkaException: no broker answers in time, or none accepts the connection.
    """
    deadline = time.monotonic() + timeout_s
    while True:
        try:
            metadata = client.list_topics(timeout=min(_LOOK_S, timeout_s))
        except KafkaException:
            client.poll(0)
            if last_error.is_final or time.monotonic() > deadline:
                raise
        else:
            last_error.connected()
            return metadata
