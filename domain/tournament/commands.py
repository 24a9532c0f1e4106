"""Commands of a tournament: the event that shall be logged, in the envelope of every log's commands."""

from msgspec import UNSET, UnsetType

from domain.game.events import ClockTerms
from domain.ids import Hex32Field, TournamentIdField
from domain.log.command import Command, OpeningCommand
from domain.tournament.door import About, Code, Door
from domain.tournament.events import TAGS, InputEvent
from domain.tournament.fields import VersionField
from domain.tournament.formats import Format
from domain.tournament.scoring import Points
from domain.tournament.sizes import TableSizes
from domain.tournament.standings import TieBreak
from domain.tournament.team_events import TeamTerms


class OpenTournament(OpeningCommand, frozen=True, kw_only=True):
    """By an organiser it names."""

    stream: TournamentIdField
    name: str
    clock: ClockTerms | None
    format: Format
    tables: TableSizes
    points: dict[str, tuple[Points, ...]]
    bye_points: int
    tie_breaks: tuple[TieBreak, ...]
    entries_max: int
    check_in_ms: int
    sit_down_ms: int
    door: Door | UnsetType = UNSET
    about: About | UnsetType = UNSET
    teams: TeamTerms | UnsetType = UNSET

    @property
    def type(self) -> str:
        return "tournament_opened"


class TournamentCommand(Command, frozen=True, kw_only=True):
    """Any other command.

    `invitation` is the secret of a link, with which an entry is taken or a helper joins, `code` the code of an entry,
    `team_code` that of its team.
    `seen` is the newest line that the sender of a ruling had seen. None of them is logged.
    """

    stream: TournamentIdField
    event: InputEvent
    invitation: Hex32Field | None = None
    code: Code | None = None
    team_code: Code | None = None
    seen: VersionField | None = None

    @property
    def type(self) -> str:
        return TAGS[type(self.event)]
