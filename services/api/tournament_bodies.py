"""What clients send about tournaments, parsed once. Unknown fields are refused."""

from typing import Annotated, Any

from msgspec import Meta, field

from domain.game.events import DELAY_S_MAX, ClockTerms
from domain.ids import SEATS_MAX, Hex32Field, OrganiserIdField
from domain.log.events import LINKS_MAX, ORGANISERS_MAX, Demand, Reason
from domain.ruleset.decision import Placing
from domain.tournament.events import (
    ENTRIES_MAX,
    NAME_CHARS_MAX,
    AttemptField,
    Duration,
    EntrantField,
    RoundField,
    TableField,
)
from domain.tournament.formats import Format
from domain.tournament.scoring import FULL_POINTS, POINTS_MAX, Points
from domain.tournament.sizes import TableSizes
from domain.tournament.standings import TieBreak
from services.api.bodies import DEMANDS_MAX, Body

# Time to come back from the last round, and time to find the table: what people need who play online.
CHECK_IN_MS = 600_000
SIT_DOWN_MS = 300_000
# There are five, and none counts twice.
TIE_BREAKS_MAX = 5
TIE_BREAKS: tuple[TieBreak, ...] = ("wins", "opponents", "last_round", "lot")


class OpenTournamentBody(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The terms of a tournament and of all its games. `points` are of each table size's places, 60 to 0 by default.

    `organisers` names who may rule, each with the key that must sign their rulings, or null; whoever opens it is one.
    """

    name: Annotated[str, Meta(min_length=1, max_length=NAME_CHARS_MAX)]
    ruleset: Annotated[str, Meta(pattern=r"^[a-z][a-z0-9-]{1,39}@[1-9][0-9]{0,3}$(?!\n)")]
    format: Format
    tables: TableSizes
    components: Hex32Field | None = None
    options: dict[str, Any] = field(default_factory=dict)
    clock: ClockTerms | None = None
    delay_s: Annotated[int, Meta(ge=0, le=DELAY_S_MAX)] = 0
    demands: Annotated[tuple[Demand, ...], Meta(max_length=DEMANDS_MAX)] = ()
    organisers: Annotated[dict[OrganiserIdField, Hex32Field | None], Meta(max_length=ORGANISERS_MAX)] = field(
        default_factory=dict
    )
    points: Annotated[dict[str, tuple[Points, ...]], Meta(max_length=SEATS_MAX)] | None = None
    bye_points: Points = FULL_POINTS // 2
    tie_breaks: Annotated[tuple[TieBreak, ...], Meta(max_length=TIE_BREAKS_MAX)] = TIE_BREAKS
    entries_max: Annotated[int, Meta(ge=2, le=ENTRIES_MAX)] = ENTRIES_MAX
    check_in_ms: Duration = CHECK_IN_MS
    sit_down_ms: Duration = SIT_DOWN_MS


class EnterBody(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`entrant` is the count of those who have entered, which is this entrant's number from then on."""

    entrant: EntrantField
    anchor: Hex32Field | None = None
    links: Annotated[int, Meta(ge=0, le=LINKS_MAX)] = 0
    key: Hex32Field | None = None


class WithdrawBody(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    entrant: EntrantField


class RoundBody(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    round: RoundField


class CheckInBody(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`nonce` is the entrant's next link, while it has any."""

    entrant: EntrantField
    round: RoundField
    nonce: Hex32Field | None = None


class TableBody(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which table is ruled on, as it was drawn last. The reason stays in the log for ever."""

    round: RoundField
    table: TableField
    attempt: AttemptField
    reason: Reason


class ReplaceBody(
    TableBody, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="ruling", tag="result_replaced"
):
    """The table counts as if its seats had come in like this; a seat that is not named has no place and no points."""

    ranking: Annotated[tuple[Placing, ...], Meta(max_length=SEATS_MAX)]


class VoidBody(TableBody, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="ruling", tag="game_voided"):
    """The table counts nothing."""


class ReplayBody(
    TableBody, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="ruling", tag="table_replayed"
):
    """The table plays again."""


class NoShowBody(
    TableBody, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="ruling", tag="no_show_told"
):
    """These are not there: the table is drawn without them. The server tells it by itself when time is up."""

    entrants: Annotated[tuple[EntrantField, ...], Meta(max_length=SEATS_MAX)]


class PointsBody(Body, frozen=True, kw_only=True, tag_field="ruling", tag="points_ruled", forbid_unknown_fields=True):
    """An award, or a penalty below 0. The reason stays in the log for ever."""

    entrant: EntrantField
    round: RoundField
    points: Annotated[int, Meta(ge=-POINTS_MAX, le=POINTS_MAX)]
    reason: Reason


class RemoveEntrantBody(
    Body, frozen=True, kw_only=True, tag_field="ruling", tag="entrant_removed", forbid_unknown_fields=True
):
    """The entrant is drawn no more. The reason stays in the log for ever."""

    entrant: EntrantField
    reason: Reason


TournamentRulingBody = ReplaceBody | VoidBody | ReplayBody | NoShowBody | PointsBody | RemoveEntrantBody


class EmptyBody(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A command that says nothing more than which one it is."""


class CloseBody(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`reason` where rounds are left, which stays in the log for ever."""

    reason: Reason | None = None
