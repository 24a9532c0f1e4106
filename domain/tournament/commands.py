"""Commands of a tournament: the event that shall be logged, in the envelope of every log's commands."""

from domain.canonical import Json
from domain.chance import Secret
from domain.game.events import ClockTerms
from domain.ids import Hex32Field, OrganiserIdField, TournamentIdField
from domain.log.command import Command
from domain.log.events import Demand
from domain.tournament.events import TAGS, InputEvent
from domain.tournament.formats import Format
from domain.tournament.scoring import Points
from domain.tournament.sizes import TableSizes
from domain.tournament.standings import TieBreak


class OpenTournament(Command, frozen=True, kw_only=True):
    """By an organiser it names. The stream is the command's id. `secret` and `leaf_key` are fresh random bytes."""

    stream: TournamentIdField
    name: str
    ruleset: str
    ruleset_version: int
    components: Hex32Field
    options: dict[str, Json]
    clock: ClockTerms | None
    delay_s: int
    demands: tuple[Demand, ...]
    organisers: dict[OrganiserIdField, Hex32Field | None]
    format: Format
    tables: TableSizes
    points: dict[str, tuple[Points, ...]]
    bye_points: int
    tie_breaks: tuple[TieBreak, ...]
    entries_max: int
    check_in_ms: int
    sit_down_ms: int
    secret: Secret
    leaf_key: Hex32Field

    @property
    def type(self) -> str:
        """The type of the line that it asks for."""
        return "tournament_opened"

    def __repr__(self) -> str:
        """Leave out the secret: a command may end up in a traceback."""
        return f"OpenTournament(id={self.id!r}, name={self.name!r}, secret=<hidden>)"


class TournamentCommand(Command, frozen=True, kw_only=True):
    """Any other command."""

    stream: TournamentIdField
    event: InputEvent

    @property
    def type(self) -> str:
        """The type of the line that it asks for."""
        return TAGS[type(self.event)]
