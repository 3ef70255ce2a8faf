"""Tables of what others have named: shown as it stands, and harmless to the terminal."""

from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from winnow.worker.terminal import without_controls


class PlainConsole(Console):
    """A console that takes nothing in a text for colour, and passes no control characters on."""

    def __init__(self, *, stderr: bool = False, width: int | None = None) -> None:
        """Write to a standard stream, by default in the width of the terminal."""
        super().__init__(stderr=stderr, width=width, markup=False, emoji=False)

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """Yield what is to be written; the console's own control codes are segments of a kind."""
        for segment in super().render(renderable, options):
            is_harmless = segment.control is not None or segment.text.isprintable()
            yield segment if is_harmless else segment._replace(text=without_controls(segment.text))
