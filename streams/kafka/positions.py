"""Handle a position that a broker calls out of range: ask the leader where to continue.

aiokafka believes the broker and restarts at the first record. But since version 11 of a fetch every
replica may answer, and a replica that lost its log answers that everything is out of range.
"""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from aiokafka import TopicPartition
from aiokafka.consumer import consumer
from aiokafka.consumer.fetcher import Fetcher, OffsetResetStrategy
from aiokafka.errors import KafkaError

# A new leader may need a moment to know the log end of all replicas in sync.
MOST_DENIALS: Final = 4
ASK_AGAIN_S: Final = 1.0
_LOGGER: Final = logging.getLogger(__name__)

Span = tuple[int, int]


@dataclass(slots=True)
class Doubt:
    """A position that a broker called out of range, and how often the leader has agreed since."""

    position: int
    denials: int = 0


class CarefulFetcher(Fetcher):
    """aiokafka's fetcher, which asks the leader before it gives up a position.

    If the position is inside the log of the leader, it is kept. If the log begins after it,
    retention has removed the records: reading continues at the first record. If the log ends before
    it, the log was cut or recreated: reading restarts at the first record, once the leader has
    confirmed it a few times.
    """

    def __init__(self, *args: Any, **options: Any) -> None:  # noqa: ANN401 - aiokafka's
        """Start with no doubts."""
        self._doubts: dict[TopicPartition, Doubt] = {}
        super().__init__(*args, **options)

    async def _proc_fetch_request(
        self,
        assignment: Any,  # noqa: ANN401 - aiokafka's
        node_id: int,
        request: Any,  # noqa: ANN401
    ) -> bool:
        """Fetch, and keep each position that aiokafka drops."""
        asked = {
            TopicPartition(topic, number): position
            for topic, partitions in request.topics
            for number, position, _ in partitions
        }
        for tp in asked:
            self._doubts.pop(tp, None)  # it fetched data, so its position was set by another path
        has_records = await super()._proc_fetch_request(assignment, node_id, request)
        for tp, position in asked.items():
            if assignment.active and assignment.state_value(tp).awaiting_reset:
                self._doubts.setdefault(tp, Doubt(position))
        return has_records

    async def _update_fetch_positions(
        self,
        assignment: Any,  # noqa: ANN401 - aiokafka's
        node_id: int,
        tps: Iterable[TopicPartition],
    ) -> bool:
        """Find positions for partitions without one; those in doubt by asking their leaders."""
        states = {tp: assignment.state_value(tp) for tp in tps}
        doubtful = {
            tp: state for tp, state in states.items() if state.awaiting_reset and tp in self._doubts
        }
        others = [tp for tp in states if tp not in doubtful]
        has_records = False
        if others:
            has_records = await super()._update_fetch_positions(assignment, node_id, others)
        if doubtful:
            await self._settle(doubtful)
        return has_records

    async def _settle(self, doubtful: Mapping[TopicPartition, Any]) -> None:
        """Ask once for the ends of the logs; wait a moment if a doubt remains."""
        try:
            for tp, span in (await self._spans(doubtful)).items():
                if doubtful[tp].awaiting_reset:  # nothing has set it meanwhile
                    self._judge(tp, doubtful[tp], span)
            if any(tp in self._doubts for tp in doubtful):
                await asyncio.sleep(ASK_AGAIN_S)
        except asyncio.CancelledError:  # aiokafka awaits the tasks that it cancels
            return

    def _judge(self, tp: TopicPartition, state: Any, span: Span) -> None:  # noqa: ANN401
        """Continue at the position, restart at the first record, or stay in doubt."""
        doubt, (first, end) = self._doubts[tp], span
        doubt.denials += 1
        facts = (doubt.position, *tp, first, end)
        if first <= doubt.position <= end:
            state.reset_to(doubt.position)
            _LOGGER.warning("position %d of %s/%d is in the log of its leader, %d to %d", *facts)
        elif doubt.position < first or doubt.denials >= MOST_DENIALS:
            _LOGGER.warning(
                "position %d of %s/%d is out of range, its leader has %d to %d: begins again",
                *facts,
            )
        else:
            return
        del self._doubts[tp]

    async def _spans(self, tps: Iterable[TopicPartition]) -> dict[TopicPartition, Span]:
        """Return the first and the end offset of the logs whose leaders answer."""
        if not await self._client.force_metadata_update():
            return {}
        by_leader: defaultdict[int | None, list[TopicPartition]] = defaultdict(list)
        for tp in tps:
            by_leader[self._client.cluster.leader_for_partition(tp)].append(tp)
        spans: dict[TopicPartition, Span] = {}
        for leader, led in by_leader.items():
            if leader is None or leader < 0:
                continue
            try:
                firsts = await self._ask(leader, led, OffsetResetStrategy.EARLIEST)
                ends = await self._ask(leader, led, OffsetResetStrategy.LATEST)
            except KafkaError as error:
                _LOGGER.warning("broker %d does not say where its logs end: %r", leader, error)
            else:
                spans |= {tp: (firsts[tp], ends[tp]) for tp in led}
        return spans

    async def _ask(
        self, leader: int, tps: Iterable[TopicPartition], which: int
    ) -> dict[TopicPartition, int]:
        wanted: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        for topic, number in tps:
            wanted[topic].append((number, which))
        answer = await self._proc_offset_request(leader, wanted)
        return {tp: offset for tp, (offset, _) in answer.items()}


def install() -> None:
    """Make every consumer of this process fetch this way: aiokafka has no option for it."""
    consumer.Fetcher = CarefulFetcher
