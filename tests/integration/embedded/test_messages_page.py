"""The programs of docs/messages.md on the embedded broker."""

from pathlib import Path

import pytest

from tests.messages.examples import HTML, URL, start_worker
from tests.messages.programs import WITHIN_S, Programs
from winnow.streams.topics import TopicNames
from winnow.worker.demo.embedded import EmbeddedBroker

pytestmark = [pytest.mark.integration, pytest.mark.timeout(120)]


def test_a_page_that_the_producer_publishes_comes_out_of_the_consumer(tmp_path: Path) -> None:
    names = TopicNames()
    with EmbeddedBroker() as broker:
        for name in (names.pages, names.documents, names.stats, names.dead):
            broker.create_topic(name, 2)
        programs = Programs(tmp_path, ",".join(broker.bootstrap))
        worker = start_worker(programs.bootstrap, tmp_path)
        try:
            exit_code = programs.publish(URL, HTML.encode())
            with programs.reading() as lines:
                first = lines.get(timeout=WITHIN_S)
        finally:
            worker.kill()
            worker.wait()

    assert exit_code == 0
    assert first == f"{URL} Bees in the city\n"
