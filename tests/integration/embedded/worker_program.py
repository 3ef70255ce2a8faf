"""A process of `winnow.worker.service.child` with a cleaner that is slow, hangs or raises.

worker_program.py SECONDS-A-PAGE SECONDS-TO-START: a page with `hang` in it is never done, `bad` is
invalid, `bug` makes the cleaner raise, of `doubt` it is not sure.
"""

import asyncio
import sys
import time
from collections.abc import Sequence
from dataclasses import replace

from aiokafka.consumer.group_coordinator import CoordinatorGroupRebalance

from winnow.models.checksum import content_digest
from winnow.models.document import Document, Page, PageStats
from winnow.models.errors import InvalidPage, Reason
from winnow.streams.isolation import PageCleaner
from winnow.worker.service import child
from winnow.worker.settings import Settings

# librdkafka's mock cluster refuses a follower that syncs before the leader has: let it be later.
LEADER_DELAY_S = 0.4


class ProgrammedCleaner:
    fingerprint = "programmed"

    def __init__(self, page_s: float) -> None:
        self._page_s = page_s

    def clean_batch(self, pages: Sequence[Page]) -> list[Document | InvalidPage]:
        return [self._clean(page) for page in pages]

    def _clean(self, page: Page) -> Document | InvalidPage:
        time.sleep(self._page_s)
        if b"hang" in page.body:
            time.sleep(3600)
        if b"bug" in page.body:
            raise RuntimeError("a bug of the cleaner")
        if b"bad" in page.body:
            return InvalidPage(Reason.TOO_DEEP)
        text = page.body.decode(errors="replace")
        stats = PageStats(len(page.body), "utf-8", 1, 1, 1, 1, 1, 1, 1, 1, {}, (), 0.0)
        digest = content_digest(page.body)
        made = Document(
            page.url, "", "", "", "", "", text, "", "programmed", "", 0.0, digest, "", stats
        )
        return replace(made, confidence=0.1) if b"doubt" in page.body else made


def build(settings: Settings) -> PageCleaner:
    time.sleep(float(sys.argv[2]))
    return ProgrammedCleaner(float(sys.argv[1]))


async def _late_leader(self: CoordinatorGroupRebalance, response: object) -> object:
    await asyncio.sleep(LEADER_DELAY_S)
    return await _on_join_leader(self, response)


_on_join_leader = CoordinatorGroupRebalance._on_join_leader
CoordinatorGroupRebalance._on_join_leader = _late_leader  # type: ignore[method-assign]
child.main(0, build)
