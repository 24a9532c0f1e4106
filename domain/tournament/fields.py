"""The ranges of the numbers and texts in events of a tournament."""

from typing import Annotated

from msgspec import Meta

from domain.game.events import CLOCK_MS_MAX
from domain.ids import StreamVersion
from domain.tournament.formats import ROUNDS_MAX

# More than any table-top event had; the lots of one round are one line, and so are the entrants of a round.
ENTRIES_MAX = 2_048
# A table that was drawn so often is an organiser's problem, not one that another draw solves.
ATTEMPTS_MAX = 32
# A long name still fits a heading.
NAME_CHARS_MAX = 100

EntrantField = Annotated[int, Meta(ge=0, lt=ENTRIES_MAX)]
RoundField = Annotated[int, Meta(ge=1, le=ROUNDS_MAX)]
TableField = Annotated[int, Meta(ge=1, le=ENTRIES_MAX // 2)]
AttemptField = Annotated[int, Meta(ge=1, le=ATTEMPTS_MAX)]
Duration = Annotated[int, Meta(ge=1, le=CLOCK_MS_MAX)]
VersionField = Annotated[StreamVersion, Meta(ge=1)]
