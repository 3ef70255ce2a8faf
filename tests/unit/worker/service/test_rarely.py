"""An expensive answer is made rarely, for any number of requests."""

import asyncio

import pytest

from winnow.worker.service.once import Reply
from winnow.worker.service.rarely import Rarely


@pytest.fixture
def now() -> list[float]:
    """Seconds that a test sets."""
    return [100.0]


async def test_concurrent_callers_get_one_answer(now: list[float]) -> None:
    made: list[int] = []

    async def make() -> Reply:
        made.append(len(made))
        await asyncio.sleep(0)
        return Reply(b"%d" % made[-1])

    answer = Rarely(make, lambda: now[0])

    replies = await asyncio.gather(*(answer() for _ in range(50)))

    assert {each.body for each in replies} == {b"0"}


@pytest.mark.parametrize(("cost_s", "good_s"), [(0.01, 0.09), (5.0, 1.0)])
async def test_an_answer_expires_after_ten_times_its_cost_or_a_second(
    now: list[float], cost_s: float, good_s: float
) -> None:
    made: list[int] = []

    async def make() -> Reply:
        made.append(len(made))
        now[0] += cost_s
        return Reply(b"%d" % made[-1])

    answer = Rarely(make, lambda: now[0])

    first = (await answer()).body
    now[0] += good_s * 0.9
    again = (await answer()).body
    now[0] += good_s * 0.2
    expired = (await answer()).body

    assert (first, again, expired) == (b"0", b"0", b"1")


async def test_a_cancelled_caller_does_not_cancel_the_answer(now: list[float]) -> None:
    go_on = asyncio.Event()

    async def make() -> Reply:
        await go_on.wait()
        return Reply(b"made")

    answer = Rarely(make, lambda: now[0])
    gone, stays = asyncio.create_task(answer()), asyncio.create_task(answer())
    await asyncio.sleep(0)

    gone.cancel()
    go_on.set()

    assert (await stays).body == b"made"
