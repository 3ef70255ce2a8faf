"""Resiliparse as a step of datatrove, which has none."""

from datatrove.pipeline.extractors.base import BaseExtractor
from resiliparse.extract.html2text import extract_plain_text


class Resiliparse(BaseExtractor):
    """Main content by resiliparse's rules."""

    name = "⛏ Resiliparse"

    def __init__(self, timeout: float = 1) -> None:
        """Give a page so many seconds."""
        super().__init__(timeout)

    def extract(self, text: str) -> str:
        """Return the text of a page."""
        plain: str = extract_plain_text(text, main_content=True)
        return plain
