"""The programs of docs/messages.md on the real Kafka."""

from pathlib import Path

import pytest

from tests.integration.kafka.conftest import Deployment, StartWorker, held, publish
from tests.messages.examples import HTML, URL
from tests.messages.programs import WITHIN_S, Programs
from winnow.streams.records import Outgoing

pytestmark = pytest.mark.integration


def test_a_page_that_the_producer_publishes_comes_out_of_the_consumer(
    topics: Deployment, start_worker: StartWorker, tmp_path: Path
) -> None:
    programs = Programs(tmp_path, topics.bootstrap, topics.names)
    start_worker()

    exit_code = programs.publish(URL, HTML.encode())

    with programs.reading() as lines:
        text = [lines.get(timeout=WITHIN_S) for _ in range(3)]
    assert exit_code == 0
    assert text[0] == f"{URL} Bees in the city\n"
    assert text[2].startswith("The bees find more flowers")


def test_the_producer_sends_no_value_for_a_page_that_is_gone(
    topics: Deployment, tmp_path: Path
) -> None:
    exit_code = Programs(tmp_path, topics.bootstrap, topics.names).publish(URL, b"")

    (record,) = held(topics, topics.names.pages)
    assert exit_code == 0
    assert (record.key, record.value) == (URL.encode(), None)


def test_the_consumer_reports_a_page_that_is_gone(topics: Deployment, tmp_path: Path) -> None:
    publish(topics, Outgoing(topics.names.documents, URL.encode(), None, ()))

    with Programs(tmp_path, topics.bootstrap, topics.names).reading() as lines:
        assert lines.get(timeout=WITHIN_S) == f"{URL} is gone\n"
