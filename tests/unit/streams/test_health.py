"""A stuck worker is distinguished from an idle one and from one that waits for brokers."""

import pytest

from winnow.streams.health import COMMIT_STUCK_S, Phase, StreamState


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def state(clock: Clock) -> StreamState:
    return StreamState(60.0, clock)


@pytest.mark.parametrize("phase", [Phase.WAITING, Phase.HANDING_OVER, Phase.STARTING])
def test_state_is_live_for_any_wait(state: StreamState, clock: Clock, phase: Phase) -> None:
    state.enter(phase)
    clock.now = 1e6

    assert state.why_not_live() is None


def test_state_is_not_live_when_one_batch_takes_too_long_to_clean(
    state: StreamState, clock: Clock
) -> None:
    clock.now = 1000.0
    state.enter(Phase.CLEANING)
    state.in_group = True
    clock.now = 1060.0
    assert state.why_not_live() is None

    clock.now = 1061.0

    assert state.why_not_live() == "stuck: cleaning one batch for 61 s"
    assert state.why_not_ready() == state.why_not_live()


def test_state_is_not_live_when_a_commit_does_not_come_back(state: StreamState) -> None:
    state.in_group = True
    state.enter(Phase.WAITING)
    state.commit_s = lambda: COMMIT_STUCK_S
    assert state.why_not_live() is None

    state.commit_s = lambda: COMMIT_STUCK_S + 1

    assert state.why_not_live() == "stuck: a commit has not returned for 331 s"
    assert state.why_not_ready() == state.why_not_live()


def test_state_is_not_live_when_the_agent_ends_by_itself(state: StreamState) -> None:
    state.enter(Phase.ENDED)
    assert state.why_not_live() == "the agent has ended"

    state.draining = True

    assert state.why_not_live() is None


def test_state_is_ready_when_it_is_a_member_of_the_group(state: StreamState) -> None:
    assert state.why_not_ready() == "starting"
    state.enter(Phase.WAITING)
    assert state.why_not_ready() == "not in the group yet"
    state.in_group = True
    assert state.why_not_ready() is None
    state.rebalancing = True
    assert state.why_not_ready() == "rebalancing"
    state.draining = True
    assert state.why_not_ready() == "draining"
