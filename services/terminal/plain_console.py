"""A console for tables, styles and progress, in which no text is markup or a command of the terminal."""

from collections.abc import Iterable
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from services.terminal.printing import escape_lines


class PlainConsole(Console):
    """Text in it is written out as `printing.py` does; styles and cursor movements are the console's own."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"markup": False, "emoji": False, **options})

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        for segment in super().render(renderable, options):
            if segment.control is None:
                yield Segment(escape_lines(segment.text), segment.style)
            else:
                yield segment
