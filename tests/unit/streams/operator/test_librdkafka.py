"""What the commands say when brokers do not answer."""

import pytest
from confluent_kafka import KafkaError, KafkaException

from winnow.streams.errors import KafkaUnavailable
from winnow.streams.kafka.connection import Connection
from winnow.streams.operator.librdkafka import LastError, translated

CONNECTION = Connection(("kafka-0:9092", "kafka-1:9092"))
TIMED_OUT = KafkaError(KafkaError._MSG_TIMED_OUT)
ALL_DOWN = KafkaError(KafkaError._ALL_BROKERS_DOWN)
REFUSED = KafkaError(KafkaError._TRANSPORT, "kafka-0:9092: connection refused")


def test_a_dead_broker_is_named_with_every_address_and_the_reason() -> None:
    last_error = LastError(CONNECTION)
    last_error(REFUSED)
    last_error(ALL_DOWN)

    with pytest.raises(KafkaUnavailable) as caught, translated(last_error, lambda _: None):
        raise KafkaException(TIMED_OUT)

    assert str(caught.value) == (
        "cannot connect to any broker at kafka-0:9092,kafka-1:9092: "
        "kafka-0:9092: connection refused"
    )


def test_one_dead_broker_of_several_is_not_taken_for_all() -> None:
    last_error = LastError(CONNECTION)
    last_error(REFUSED)

    assert "cannot connect to any broker" not in last_error.explain(TIMED_OUT)


def test_a_request_after_an_outage_is_not_a_lost_connection() -> None:
    last_error = LastError(CONNECTION)
    last_error(ALL_DOWN)
    last_error.connected()

    with pytest.raises(KafkaUnavailable) as caught, translated(last_error, lambda _: None):
        raise TimeoutError

    assert str(caught.value) == ("the brokers at kafka-0:9092,kafka-1:9092 do not answer in time")
