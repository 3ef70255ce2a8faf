"""A console that prints untrusted text literally and strips control characters."""

from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from winnow.worker.terminal import without_controls


class PlainConsole(Console):
    """A console that does not interpret markup in a text, and strips control characters."""

    def __init__(self, *, stderr: bool = False, width: int | None = None) -> None:
        """Write to a standard stream; the default width is the terminal's."""
        super().__init__(stderr=stderr, width=width, markup=False, emoji=False)

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """Yield the segments to write; the console's own control codes are control segments."""
        for segment in super().render(renderable, options):
            is_harmless = segment.control is not None or segment.text.isprintable()
            yield segment if is_harmless else segment._replace(text=without_controls(segment.text))
