"""The circuit breaker, step by step."""

from tests.clocks import ManualClock
from winnow.streams.cache.breaker import BreakerLimits, BreakerState, CircuitBreaker

LIMITS = BreakerLimits(failures=2, first_wait_s=1.0, longest_wait_s=4.0)


def an_open_breaker(clock: ManualClock) -> CircuitBreaker:
    breaker = CircuitBreaker(LIMITS, clock)
    breaker.failed()
    breaker.failed()
    return breaker


def test_it_stays_closed_when_failures_are_not_in_a_row() -> None:
    breaker = CircuitBreaker(LIMITS, ManualClock())

    for _ in range(5):
        breaker.failed()
        assert breaker.allows()
        breaker.succeeded()


def test_it_opens_when_enough_requests_fail_in_a_row() -> None:
    breaker = an_open_breaker(ManualClock())

    assert breaker.state is BreakerState.OPEN
    assert not breaker.allows()


def test_it_lets_one_probe_through_when_the_wait_is_over() -> None:
    clock = ManualClock()
    breaker = an_open_breaker(clock)

    clock.advance(1.0)

    assert breaker.allows()
    assert not breaker.allows()
    assert breaker.state is BreakerState.HALF_OPEN


def test_it_closes_when_the_probe_succeeds() -> None:
    clock = ManualClock()
    breaker = an_open_breaker(clock)
    clock.advance(1.0)
    breaker.allows()

    breaker.succeeded()

    assert breaker.state is BreakerState.CLOSED
    assert breaker.allows()


def test_it_waits_twice_as_long_up_to_the_longest_when_probes_fail() -> None:
    clock = ManualClock()
    breaker = an_open_breaker(clock)

    waits = []
    for wait_s in (1.0, 2.0, 4.0, 4.0):
        clock.advance(wait_s - 0.01)
        too_early = breaker.allows()
        clock.advance(0.01)
        waits.append((too_early, breaker.allows()))
        breaker.failed()

    assert waits == [(False, True)] * 4


def test_it_waits_the_first_wait_again_when_it_had_closed_between() -> None:
    clock = ManualClock()
    breaker = an_open_breaker(clock)
    clock.advance(1.0)
    breaker.allows()
    breaker.failed()
    clock.advance(2.0)
    breaker.allows()
    breaker.succeeded()

    breaker.failed()
    breaker.failed()
    clock.advance(1.0)

    assert breaker.allows()


def test_late_failures_do_not_put_the_probe_off_when_it_is_open() -> None:
    clock = ManualClock()
    breaker = an_open_breaker(clock)
    clock.advance(0.9)

    breaker.failed()
    clock.advance(0.1)

    assert breaker.allows()
