"""A datatrove step for Resiliparse, which datatrove does not have."""

from datatrove.pipeline.extractors.base import BaseExtractor
from resiliparse.extract.html2text import extract_plain_text


class Resiliparse(BaseExtractor):
    """Main content by resiliparse's rules."""

    name = "⛏ Resiliparse"

    def __init__(self, timeout: float = 1) -> None:
        """Set the time limit per page, in seconds."""
        super().__init__(timeout)

    def extract(self, text: str) -> str:
        """Return the text of a page."""
        plain: str = extract_plain_text(text, main_content=True)
        return plain
