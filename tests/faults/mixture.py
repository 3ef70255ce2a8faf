"""A seed -> which faults fall when: the plan of a mixture."""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Kind(StrEnum):
    """What can be done to workers, brokers, Redis, disks, clocks and the network between them."""

    WORKER_KILLED = "worker killed"
    WORKER_STOPPED = "worker stopped"
    WORKER_FROZEN = "worker frozen"
    WORKER_JOINS = "worker joins, then leaves"
    WORKER_LEAVES = "worker leaves, then joins"
    WORKER_DISK_FULL = "temporary folder of the workers full"
    CLOCK_CHANGED = "clock of a worker changed"
    BROKER_KILLED = "broker killed"
    BROKER_FROZEN = "broker frozen"
    BROKER_DISK_FULL = "disk of a broker full"
    ALL_BROKERS_KILLED = "all brokers killed"
    ALL_BROKERS_FROZEN = "all brokers frozen"
    PARTITIONS_ADDED = "partitions added"
    REDIS_KILLED = "Redis killed"
    REDIS_FROZEN = "Redis frozen"
    NETWORK_SLOW = "network slow"
    NETWORK_CUT = "network to a broker cut"


@dataclass(frozen=True, slots=True)
class Bounds:
    """How long a fault of a kind lasts, and what its amount can be."""

    shortest_s: float
    longest_s: float
    amounts: tuple[float, ...] = (0.0,)


# A worker's session is 10 s and a broker's 9 s: each kind that lasts falls on both sides of them.
# Clocks stay within the hour that brokers allow a record to be ahead.
BOUNDS: Final[Mapping[Kind, Bounds]] = {
    Kind.WORKER_KILLED: Bounds(0, 0),
    Kind.WORKER_STOPPED: Bounds(0, 0),
    Kind.WORKER_FROZEN: Bounds(2, 14),
    Kind.WORKER_JOINS: Bounds(4, 15),
    Kind.WORKER_LEAVES: Bounds(2, 12),
    Kind.WORKER_DISK_FULL: Bounds(5, 20),
    Kind.CLOCK_CHANGED: Bounds(5, 20, (-7200.0, -40.0, 40.0, 1800.0)),  # seconds
    Kind.BROKER_KILLED: Bounds(2, 15),
    Kind.BROKER_FROZEN: Bounds(2, 15),
    Kind.BROKER_DISK_FULL: Bounds(4, 12),
    Kind.ALL_BROKERS_KILLED: Bounds(1, 8),
    Kind.ALL_BROKERS_FROZEN: Bounds(2, 14),
    Kind.PARTITIONS_ADDED: Bounds(0, 0, (1.0, 2.0)),  # partitions
    Kind.REDIS_KILLED: Bounds(1, 12),
    Kind.REDIS_FROZEN: Bounds(2, 15),
    Kind.NETWORK_SLOW: Bounds(4, 15, (0.02, 0.1, 0.25)),  # seconds per chunk
    Kind.NETWORK_CUT: Bounds(1, 12),
}
# However many workers, brokers or relays there are: targets count them round and round.
TARGETS: Final = 60


@dataclass(frozen=True, slots=True, order=True)
class Fault:
    """One fault.

    Attributes:
        at_s: when it begins, from the start of the mixture.
        lasts_s: how long until it is mended; 0 for what happens in a moment.
        target: which of those that it can fall on, counted round and round.
        amount: how much of it, in the unit that `BOUNDS` says.
    """

    at_s: float
    kind: Kind
    lasts_s: float
    target: int
    amount: float

    def __str__(self) -> str:
        """Return one line of the printed plan."""
        line = f"{self.at_s:5.1f} s  {self.kind} (target {self.target}"
        line += f", amount {self.amount:g})" if self.amount else ")"
        return line + (f" for {self.lasts_s:.1f} s" if self.lasts_s else "")


@dataclass(frozen=True, slots=True)
class Size:
    """How long a mixture is: faults at times of their own, and some that begin all at once."""

    length_s: float
    single: int
    at_once: int


LONG: Final = Size(length_s=30.0, single=6, at_once=4)
SHORT: Final = Size(length_s=10.0, single=2, at_once=3)


def plan(seed: int, size: Size) -> tuple[Fault, ...]:
    """Return the faults of a seed in the order of their begins, no kind twice.

    The same seed gives the same plan in every process and release of Python.
    """
    chooser = random.Random(seed)
    deck = list(Kind)
    chooser.shuffle(deck)
    together_s = chooser.uniform(0.2, 0.8) * size.length_s
    times = [chooser.uniform(0, size.length_s) for _ in range(size.single)]
    times += [together_s] * size.at_once
    return tuple(sorted(_fault(chooser, *each) for each in zip(deck, times, strict=False)))


def _fault(chooser: random.Random, kind: Kind, at_s: float) -> Fault:
    bounds = BOUNDS[kind]
    return Fault(
        at_s=round(at_s, 1),
        kind=kind,
        lasts_s=round(chooser.uniform(bounds.shortest_s, bounds.longest_s), 1),
        target=chooser.randrange(TARGETS),
        amount=chooser.choice(bounds.amounts),
    )
