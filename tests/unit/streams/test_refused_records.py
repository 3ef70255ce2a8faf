"""What the agent does with records that a topic refuses."""

import pytest

from tests.unit.streams.agent_host import FakeHost, Start, a_page
from winnow.models.errors import Reason
from winnow.streams.cleaning import Unchanged
from winnow.streams.deadletters import DeadLetterLimits
from winnow.streams.errors import DeliveryError, TooManyDeadLetters
from winnow.streams.outcomes import DeadPage


async def test_agent_publishes_a_dead_letter_when_a_topic_refuses_the_document(
    start: Start,
) -> None:
    running = start(FakeHost(sizes={"winnow.documents": 400}))
    running.host.stored.set()

    running.put(a_page(1, b"x" * 100))
    await running.until(lambda: bool(running.observer.results))

    assert running.host.happened == ["take 1", "stats 1", "dead 1", "done 1", "commit"]
    (result,) = running.observer.results
    assert isinstance(result, DeadPage)
    assert result.error.reason is Reason.TOO_LARGE


async def test_agent_publishes_a_document_that_its_topic_refused_when_it_comes_again(
    start: Start,
) -> None:
    running = start(FakeHost(sizes={"winnow.documents": 400}), unchanged=Unchanged.STATS_ONLY)
    running.host.stored.set()
    running.put(a_page(1, b"x" * 100))
    await running.until(lambda: len(running.observer.results) == 1)

    running.host.sizes.clear()
    running.put(a_page(1, b"x" * 100))
    await running.until(lambda: len(running.observer.results) == 2)

    assert "documents 1" in running.host.happened


async def test_agent_stops_after_a_commit_when_a_topic_refuses_too_many_documents(
    start: Start,
) -> None:
    limits = DeadLetterLimits(consecutive=2)
    running = start(FakeHost(sizes={"winnow.documents": 400}), limits)
    running.host.stored.set()

    running.put(a_page(1, b"x" * 100), a_page(2, b"y" * 100))

    with pytest.raises(TooManyDeadLetters, match="2 dead letters in a row, the last for too_large"):
        await running.task
    assert running.host.happened[-1] == "commit"


async def test_agent_publishes_a_pointer_when_the_dead_letter_topic_refuses_the_page(
    start: Start,
) -> None:
    running = start(FakeHost(sizes={"winnow.dead": 300}))
    running.host.stored.set()

    running.put(a_page(1, b"bad" * 200))
    await running.until(lambda: "commit" in running.host.happened)

    assert running.host.happened == ["take 1", "dead 1 stub too_deep", "done 1", "commit"]


async def test_agent_publishes_a_pointer_when_both_topics_refuse(start: Start) -> None:
    running = start(FakeHost(sizes={"winnow.documents": 400, "winnow.dead": 300}))
    running.host.stored.set()

    running.put(a_page(1, b"x" * 400))
    await running.until(lambda: "commit" in running.host.happened)

    assert "dead 1 stub too_large" in running.host.happened


async def test_agent_fails_when_the_dead_letter_topic_refuses_even_a_pointer(
    start: Start,
) -> None:
    running = start(FakeHost(sizes={"winnow.dead": 1}))
    running.host.stored.set()

    running.put(a_page(1, b"bad"))

    with pytest.raises(DeliveryError, match="refuses even the stub"):
        await running.task
