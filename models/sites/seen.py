"""Verdicts of a page and the memory of its host to verdicts that drop what the site repeats."""

from typing import Final
from urllib.parse import urlsplit
from zlib import crc32

import numpy as np
import numpy.typing as npt

from models._kernel import Sentences
from models.document import Verdict
from models.sites.memory import SiteMemory

_KEPT: Final = tuple(Verdict).index(Verdict.KEPT)
_SEEN: Final = tuple(Verdict).index(Verdict.SEEN)
# A page of which more is seen than this share of its kept tokens is a copy of other pages, not
# content between furniture, and stays as it was.
MOST_SEEN: Final = 0.9


def seen_verdicts(memory: SiteMemory, url: str, sentences: Sentences, verdicts: bytes) -> bytes:
    """Remember the blocks of a page, and return its verdicts with kept blocks dropped as seen.

    Args:
        memory: changed by the call.
        url: a page without a host in it is neither remembered nor changed.
        sentences: of the page, in order.
        verdicts: one code a sentence, the position of its verdict in `Verdict`.
    """
    host = host_of(url)
    if not host or not len(sentences):
        return verdicts
    owners = np.frombuffer(sentences.column("block"), np.uint32)
    seen = memory.meet(host, crc32(url.encode("utf-8", "surrogatepass")), _hashes(sentences))
    places = np.cumsum(np.diff(owners, prepend=owners[:1]) != 0)
    codes = np.frombuffer(verdicts, np.uint8)
    kept, tokens = codes == _KEPT, np.frombuffer(sentences.column("tokens"), np.uint32)
    dropped = kept & seen[places]
    if tokens[dropped].sum() > MOST_SEEN * tokens[kept].sum():
        return verdicts
    return np.where(dropped, np.uint8(_SEEN), codes).tobytes()


def host_of(url: str) -> str:
    """Return the host of a URL in lower case; empty if it has none."""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:  # a bracket that belongs to no IPv6 address
        return ""


def _hashes(sentences: Sentences) -> npt.NDArray[np.uint32]:
    """Return a hash of each block that has sentences, in order."""
    owners = np.frombuffer(sentences.column("block"), np.uint32)
    starts = np.frombuffer(sentences.column("start"), np.uint32)
    ends = np.frombuffer(sentences.column("end"), np.uint32)
    firsts = np.flatnonzero(np.diff(owners, prepend=owners[:1] + 1))
    lasts = np.append(firsts[1:], len(owners)) - 1
    text = memoryview(sentences.blocks.text.encode())
    spans = zip(starts[firsts].tolist(), ends[lasts].tolist(), strict=True)
    return np.array([crc32(text[start:end]) for start, end in spans], np.uint32)
