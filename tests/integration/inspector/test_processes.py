"""The processes that work for the inspector: killed at their deadline, and started again."""

import asyncio
import os
import signal
from dataclasses import replace
from pathlib import Path

import orjson
import pytest

from tests.services.processes import children_of
from winnow.models import Convention
from winnow.models.options import CleanerOptions
from winnow.worker.inspector.parts import InspectorParts
from winnow.worker.web.frames import Answer
from winnow.worker.web.limits import WebLimits
from winnow.worker.web.processes import CannotServe, working

pytestmark = [pytest.mark.integration, pytest.mark.timeout(180)]

PARTS = InspectorParts(CleanerOptions())
EASY = orjson.dumps({"html": "<p>The bees find flowers."})


def children() -> list[int]:
    found = children_of(os.getpid())
    return [each for each in found if b"web.child" in Path(f"/proc/{each}/cmdline").read_bytes()]


def error_of(answer: Answer) -> tuple[int, str, str | None]:
    fields = orjson.loads(answer.body)
    return answer.status, fields["error"], fields.get("reason")


def let_hang() -> list[int]:
    """Stop all processes: what they are asked is never done."""
    for pid in children():
        os.kill(pid, signal.SIGSTOP)
    return children()


async def test_work_beyond_its_deadline_is_killed_and_the_next_request_is_answered() -> None:
    async with working(PARTS, WebLimits(work_s=2, processes=1)) as processes:
        before = let_hang()
        stopped = await processes.answer("/api/clean", EASY)
        after = children()
        answered = await processes.answer("/api/clean", EASY)

    assert error_of(stopped) == (504, "stopped: it took more than 2 s", "timeout")
    assert len(before) == 1
    assert after == []
    assert answered.status == 200


@pytest.mark.alone
async def test_all_processes_end_with_the_server_at_any_moment() -> None:
    loop = asyncio.get_running_loop()
    async with working(PARTS, WebLimits(work_s=60, processes=2)) as processes:
        let_hang()
        asked = [asyncio.create_task(processes.answer("/api/clean", EASY)) for _ in range(3)]
        await asyncio.sleep(0)
        begun_s = loop.time()

    assert loop.time() - begun_s < 3
    assert children() == []
    assert sorted([(await each).status for each in asked]) == [500, 500, 503]


async def test_a_process_that_dies_is_reported_and_replaced() -> None:
    async with working(PARTS, WebLimits(processes=1)) as processes:
        (pid,) = children()
        let_hang()
        asked = asyncio.create_task(processes.answer("/api/clean", EASY))
        await asyncio.sleep(0)
        os.kill(pid, signal.SIGKILL)
        died = await asked
        answered = await processes.answer("/api/clean", EASY)

    assert error_of(died) == (500, "the process that worked on it has ended: SIGKILL", "bug")
    assert answered.status == 200


async def test_a_client_without_a_free_process_gets_a_retry_time() -> None:
    async with working(PARTS, WebLimits(work_s=1, processes=1)) as processes:
        let_hang()
        asked = [asyncio.create_task(processes.answer("/api/clean", EASY)) for _ in range(2)]
        answers = [error_of(await each) for each in asked]

    assert answers == [
        (504, "stopped: it took more than 1 s", "timeout"),
        (503, "busy: try again", None),
    ]


async def test_unusable_options_are_reported_at_the_start() -> None:
    wrong = replace(PARTS, options=CleanerOptions(engine="contrast", comments=Convention.DROP))

    with pytest.raises(CannotServe, match="does not have the option comments"):
        async with working(wrong, WebLimits()):
            pass

    assert children() == []


async def test_a_missing_model_is_reported_at_the_start(tmp_path: Path) -> None:
    with pytest.raises(CannotServe, match="no-such"):
        async with working(replace(PARTS, model=tmp_path / "no-such"), WebLimits()):
            pass
