"""A consumer group in simpy: partitions with waiting pages, members, and rebalances."""

import itertools
from collections import deque
from collections.abc import Generator
from dataclasses import dataclass, field
from typing import Any, Final

import simpy

from bench.capacity.waits import Waits

Steps = Generator[Any, Any, None]  # a simpy process
STRIDE_BATCHES: Final = 16  # batches per simulated event, so that days can be simulated


@dataclass(frozen=True, slots=True)
class Times:
    """Times in seconds.

    Attributes:
        page_s: cleaning one page on one process.
        pod_s: from the decision to start a pod to its process (scheduling, container).
        start_s: from the start of the process until it asks to join.
        pause_s: a rebalance, from the first member that stops until all continue.
        session_s: until the brokers notice a dead member.
    """

    page_s: float
    pod_s: float
    start_s: float
    pause_s: float
    session_s: float


@dataclass(slots=True)
class Partition:
    """Waiting pages, oldest first: arrival times and counts."""

    waiting: deque[tuple[float, int]] = field(default_factory=deque)
    pages: int = 0

    def put(self, at: float, pages: int) -> None:
        """Add pages at the end."""
        self.waiting.append((at, pages))
        self.pages += pages

    def take(self, most: int) -> list[tuple[float, int]]:
        """Return the oldest pages."""
        taken = []
        while most and self.waiting:
            at, pages = self.waiting.popleft()
            part = min(pages, most)
            if part < pages:
                self.waiting.appendleft((at, pages - part))
            taken.append((at, part))
            most -= part
            self.pages -= part
        return taken

    def give_back(self, taken: list[tuple[float, int]]) -> None:
        """Put pages back at the front."""
        self.waiting.extendleft(reversed(taken))
        self.pages += sum(pages for _, pages in taken)


@dataclass(frozen=True, slots=True)
class Taken:
    """Pages of a batch."""

    partition: Partition
    at: float
    pages: int


class Member:
    """One process of the group."""

    def __init__(self, group: "Group", number: int) -> None:
        """Start without partitions."""
        self.group = group
        self.number = number
        self.partitions: list[Partition] = []
        self._busy_s = 0.0
        self._begun: float | None = None
        self._ended = False
        self.process = group.env.process(self._work())

    @property
    def busy_s(self) -> float:
        """Seconds of work so far, including the current turn."""
        now = float(self.group.env.now)
        return self._busy_s + (0.0 if self._begun is None else now - self._begun)

    def end(self, cause: str) -> None:
        """Stop at once; other members repeat the current pages."""
        self._ended = True
        self.process.interrupt(cause)

    def _work(self) -> Steps:
        group = self.group
        while not self._ended:
            try:
                yield from self._turn(group)
            except simpy.Interrupt:
                continue

    def _turn(self, group: "Group") -> Steps:
        if group.is_rebalancing:
            yield group.settled
            return
        taken = self._take(group.batch_pages * STRIDE_BATCHES)
        if not taken:
            yield group.arrived
            return
        pages = sum(each.pages for each in taken)
        started = self._begun = group.env.now
        try:
            yield group.env.timeout(pages * group.times.page_s)
        except simpy.Interrupt:
            self._give_back(taken, started)
            raise
        finally:
            self._busy_s, self._begun = self.busy_s, None
        group.finish(taken, started)

    def _take(self, most: int) -> list["Taken"]:
        """Take an even share of every partition first, then the rest."""
        taken: list[Taken] = []
        if self.partitions:
            self.partitions.append(self.partitions.pop(0))
        for share in (max(1, most // max(1, len(self.partitions))), most):
            for partition in self.partitions:
                chunks = partition.take(min(share, most))
                taken += [Taken(partition, at, pages) for at, pages in chunks]
                most -= sum(pages for _, pages in chunks)
        return taken

    def _give_back(self, taken: list["Taken"], started: float) -> None:
        """Commit complete batches; the current one will be repeated."""
        group = self.group
        begun = round((group.env.now - started) / group.times.page_s)
        stored = left = begun // group.batch_pages * group.batch_pages
        done, rest = [], []
        for each in taken:
            part = min(each.pages, left)
            left -= part
            done.append(Taken(each.partition, each.at, part))
            rest.append(Taken(each.partition, each.at, each.pages - part))
        group.finish(done, started)
        group.repeats += begun - stored
        for each in reversed(rest):
            if each.pages:
                each.partition.give_back([(each.at, each.pages)])


class Group:
    """Members that share the partitions; every change of members stops all members."""

    def __init__(
        self, env: simpy.Environment, times: Times, partitions: int, batch_pages: int = 128
    ) -> None:
        """Start without members and pages."""
        self.env = env
        self.times = times
        self.batch_pages = batch_pages
        self.partitions = [Partition() for _ in range(partitions)]
        self.members: list[Member] = []
        self.is_rebalancing = False
        self.settled = env.event()
        self.arrived = env.event()
        self.published = self.done = 0
        self.repeats = self.rebalances = 0
        self.waits = Waits()
        self._generations = itertools.count(1)
        self._generation = 0

    @property
    def lag(self) -> int:
        """Uncommitted pages."""
        return self.published - self.done

    def publish(self, pages: list[int]) -> None:
        """Add pages to each partition."""
        for partition, count in zip(self.partitions, pages, strict=True):
            if count:
                partition.put(self.env.now, count)
                self.published += count
        arrived, self.arrived = self.arrived, self.env.event()
        arrived.succeed()

    def finish(self, taken: list[Taken], started: float) -> None:
        """Commit pages, which were cleaned one after another since `started`."""
        ahead = 0
        for each in taken:
            if each.pages:
                middle = started + (ahead + (each.pages + 1) / 2) * self.times.page_s
                self.waits.add(middle - each.at, each.pages)
                ahead += each.pages
        self.done += ahead

    def join(self, member: Member) -> None:
        """Add a member."""
        self.members.append(member)
        self._rebalance()

    def leave(self, member: Member) -> None:
        """Remove a member that leaves."""
        self.members.remove(member)
        member.partitions = []
        member.end("leave")
        self._rebalance()

    def die(self, member: Member) -> None:
        """Lose a member without notice: the group notices when its session ends."""
        member.end("death")
        self.env.process(self._forget(member))

    def _forget(self, member: Member) -> Steps:
        yield self.env.timeout(self.times.session_s)
        self.members.remove(member)
        member.partitions = []
        self._rebalance()

    def _rebalance(self) -> None:
        self._generation = next(self._generations)
        self.rebalances += 1
        if not self.is_rebalancing:
            self.is_rebalancing = True
            for member in self.members:
                if member.process.is_alive and member.process is not self.env.active_process:
                    member.process.interrupt("rebalance")
        self.env.process(self._settle(self._generation))

    def _settle(self, generation: int) -> Steps:
        yield self.env.timeout(self.times.pause_s)
        if generation != self._generation:
            return  # another change came in the meantime: all wait for it
        for number, member in enumerate(self.members):
            member.partitions = self.partitions[number :: len(self.members)]
        self.is_rebalancing = False
        settled, self.settled = self.settled, self.env.event()
        settled.succeed()
