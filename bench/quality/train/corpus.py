"""The development pages as the kernel sees them: blocks, labels, sites."""

import html
import json
import re
import tarfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import zstandard
from selectolax.lexbor import LexborHTMLParser

from bench.quality.train.align import Labels, align
from models._kernel import Blocks, prepare, walk_with_elements
from models.errors import InvalidPage
from models.page.limits import DEFAULT_LIMITS
from worker.labelled import LabelledPage, labelled_pages

ARCHIVES: Final = ("cleaneval", "dragnet", "page-signal", "daniel", "wcxb")
# what follows this line of a dragnet gold file are readers' comments
_COMMENTS: Final = re.compile(r"^[ !@#$%^&*()\t]{5,}COMMENTS\s*$", re.MULTILINE)
_WRAPPER: Final = re.compile(rb"^\s*<text[^>]*>|</text>\s*$")
_LINK: Final = re.compile(rb"href=[\"']?https?://([\w.-]+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Sample:
    """One labelled page.

    Attributes:
        family: set of pages that share a convention of what content is.
        group: finer than the family: the language of a DAnIEL page.
        site: pages of one site never stand on both sides of a split.
        page_type: what WCXB says of the page, empty elsewhere.
    """

    family: str
    group: str
    page_id: str
    site: str
    page_type: str
    blocks: Blocks
    labels: Labels


def samples(pages: Path) -> Iterator[Sample]:
    """Yield all labelled pages that have both text and gold text."""
    for name in ARCHIVES:
        archive = pages / f"{name}.tar.zst"
        meta = _meta(archive) if name == "wcxb" else {}
        for page in labelled_pages(archive):
            sample = _sample(name, page, meta.get(page.page_id, {}))
            if sample:
                yield sample


def _sample(name: str, page: LabelledPage, meta: dict[str, str]) -> Sample | None:
    content, comments = gold_texts(name, page.gold)
    body = _WRAPPER.sub(b"", page.html) if name == "cleaneval" else page.html
    try:
        prepared = prepare(body, "text/html", "", DEFAULT_LIMITS)
    except InvalidPage:
        return None
    blocks = walk_with_elements(LexborHTMLParser(prepared.markup))
    if not len(blocks) or not content.strip():
        return None
    language = page.page_id.split("/")[0] if name == "daniel" else "english"
    texts = [blocks.block(order).text for order in range(len(blocks))]
    return Sample(
        family=name,
        group=f"{name}/{language}" if name == "daniel" else name,
        page_id=page.page_id,
        site=_site(name, page, meta),
        page_type=meta.get("type", ""),
        blocks=blocks,
        labels=align(texts, content, comments, by_character=language == "chinese"),
    )


def gold_texts(name: str, gold: str) -> tuple[str, str]:
    """Return content and readers' comments of a gold file of the set `name`."""
    if name == "cleaneval":
        text = gold.partition("\n")[2] if gold.lstrip().upper().startswith("URL") else gold
        return html.unescape(re.sub(r"</?[phl]>", " ", text, flags=re.IGNORECASE)), ""
    if name == "dragnet":
        parts = _COMMENTS.split(gold, maxsplit=1)
        return parts[0], parts[1] if len(parts) > 1 else ""
    if name == "page-signal":
        return _annotated_text(gold), ""
    if name == "daniel":
        return html.unescape(re.sub(r"<[^>]*>", " ", gold)), ""
    return gold, ""


def _annotated_text(gold: str) -> str:
    """Text whose innermost annotation is one of the classes of content."""
    body = LexborHTMLParser(gold).body
    parts: list[str] = []
    stack = [(body.first_child, False)] if body is not None else []
    while stack:
        node, is_content = stack.pop()
        if node is None:
            continue
        stack.append((node.next, is_content))
        if node.tag == "-text":
            parts.append(node.text_content or "" if is_content else "")
        elif node.tag not in {"script", "style"}:
            label = node.attributes.get("class") or "" if node.tag == "span" else ""
            inner = label[8:9] in "123" if label.startswith("x-nc-sel") else is_content
            parts.append("" if node.tag in {"span", "a", "b", "i", "em", "strong"} else " ")
            stack.append((node.first_child, inner))
    return "".join(parts)


def _meta(archive: Path) -> dict[str, dict[str, str]]:
    with (
        archive.open("rb") as packed,
        zstandard.ZstdDecompressor().stream_reader(packed) as plain,
        tarfile.open(fileobj=plain, mode="r|") as tar,
    ):
        for member in tar:
            content = tar.extractfile(member) if member.name.endswith("meta.json") else None
            if content:
                meta: dict[str, dict[str, str]] = json.loads(content.read())
                return meta
    raise FileNotFoundError(f"{archive}: no meta.json")


def _site(name: str, page: LabelledPage, meta: dict[str, str]) -> str:
    url = meta.get("url", "")
    if name == "cleaneval":
        url = page.gold.partition("\n")[0].strip()[4:].strip(": ")
    elif name == "daniel":
        dated = re.match(r"\d{8}_(.+?)_[0-9a-f]{20,}", page.page_id.split("/")[-1])
        url = dated.group(1) if dated else ""
    host = urlsplit(url if "//" in url else f"http://{url}").hostname if url else ""
    if not host:
        # most links of a page lead to its own site
        links = Counter(_LINK.findall(page.html[:400_000])).most_common(1)
        host = links[0][0].decode("ascii", "replace") if links else page.page_id
    return re.sub(r"^www\d*\.", "", host.lower())
