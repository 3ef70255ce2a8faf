"""Verdicts of a page and the memory of its host to verdicts that drop what the site repeats."""

from typing import Final
from urllib.parse import urlsplit

import numpy as np
import numpy.typing as npt

from models._kernel import VERDICTS, JudgedPage, Sentences
from models.document import Verdict
from models.sites.memory import Digests, SiteMemory

_KEPT: Final = VERDICTS.index(Verdict.KEPT)
_SEEN: Final = VERDICTS.index(Verdict.SEEN)
# What these three cost is measured in docs/decisions/0125-keep-long-blocks-whoever-repeats-them.md.
# A page of which more is seen than this share of its kept tokens stays whole: it is a copy of other
# pages, or they were written to take its text away.
MOST_SEEN: Final = 0.6
# A kept block of so many tokens is never dropped: when the engine is sure of it, and in any case.
LONG_IF_SURE: Final = 20
LONG: Final = 60


def seen_verdicts(memory: SiteMemory, url: str, judged: JudgedPage) -> bytes:
    """Remember the blocks of a page, and return its verdicts with kept blocks dropped as seen.

    Args:
        memory: changed by the call.
        url: a page without a host in it is neither remembered nor changed.
        judged: what an engine makes of the page.
    """
    host, sentences = host_of(url), judged.sentences
    if not host or not len(sentences):
        return judged.verdicts
    owners = np.frombuffer(sentences.column("block"), np.uint32)
    page = memory.digest(url.encode("utf-8", "surrogatepass"))
    seen = memory.meet(host, page, _digests(memory, sentences))
    places = np.cumsum(np.diff(owners, prepend=owners[:1]) != 0)
    codes = np.frombuffer(judged.verdicts, np.uint8)
    tokens = np.frombuffer(sentences.column("tokens"), np.uint32)
    kept = codes == _KEPT
    # sentences of one block may have different verdicts
    block_tokens = np.bincount(places, weights=tokens * kept)[places]
    dropped = kept & seen[places] & ~_is_long(block_tokens, judged.sure)
    if tokens[dropped].sum() > MOST_SEEN * tokens[kept].sum():
        return judged.verdicts
    return np.where(dropped, np.uint8(_SEEN), codes).tobytes()


def _is_long(tokens: npt.NDArray[np.float64], sure: bytes) -> npt.NDArray[np.bool_]:
    """Say of each sentence whether its block, of so many tokens, is not to be dropped."""
    is_long: npt.NDArray[np.bool_] = tokens >= LONG
    if sure:
        is_long |= (tokens >= LONG_IF_SURE) & (np.frombuffer(sure, np.uint8) != 0)
    return is_long


def host_of(url: str) -> str:
    """Return the host of a URL in lower case; empty if it has none."""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:  # a bracket that belongs to no IPv6 address
        return ""


def _digests(memory: SiteMemory, sentences: Sentences) -> Digests:
    """Return the digest of each block that has sentences, in order."""
    owners = np.frombuffer(sentences.column("block"), np.uint32)
    starts = np.frombuffer(sentences.column("start"), np.uint32)
    ends = np.frombuffer(sentences.column("end"), np.uint32)
    firsts = np.flatnonzero(np.diff(owners, prepend=owners[:1] + 1))
    lasts = np.append(firsts[1:], len(owners)) - 1
    text = memoryview(sentences.blocks.text.encode())
    spans = zip(starts[firsts].tolist(), ends[lasts].tolist(), strict=True)
    return np.array([memory.digest(text[start:end]) for start, end in spans], np.uint64)
