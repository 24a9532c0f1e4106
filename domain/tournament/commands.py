"""What can be asked of a tournament. Time, seeds and ids arrive in the command: deciding depends on nothing else.

Fields are of the types that a line may hold; whoever decides checks them first.
"""

from typing import Annotated

from msgspec import Meta, Struct

from domain.canonical import Json
from domain.chance import Secret
from domain.game.events import ClockTerms
from domain.ids import CommandIdField, Hex32Field, Hex64Field, OrganiserIdField, TournamentIdField
from domain.log.actors import Actor
from domain.log.events import LINKS_MAX, Demand, Reason
from domain.log.record import AT_MAX_MS
from domain.ruleset.decision import Placing
from domain.tournament.events import (
    AttemptField,
    EntrantField,
    LineHashField,
    RoundField,
    TableField,
    VersionField,
)
from domain.tournament.formats import Format
from domain.tournament.scoring import Points
from domain.tournament.sizes import TableSizes
from domain.tournament.standings import TieBreak


class Command(Struct, frozen=True, kw_only=True):
    """What all commands carry. `at_ms` is the time of receipt; `sig` signs the input, where a key was registered."""

    id: CommandIdField
    tournament: TournamentIdField
    at_ms: Annotated[int, Meta(ge=0, le=AT_MAX_MS)]
    actor: Actor
    sig: Hex64Field | None = None


class OpenTournament(Command, frozen=True, kw_only=True, tag="open_tournament"):
    """By an organiser it names. Its id is the tournament's. `secret` and `leaf_key` are fresh random bytes."""

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

    def __repr__(self) -> str:
        """Leave out the secret: a command may end up in a traceback."""
        return f"OpenTournament(id={self.id!r}, name={self.name!r}, secret=<hidden>)"


class WitnessOpening(Command, frozen=True, kw_only=True, tag="witness_opening"):
    """By the server, before anybody enters."""

    proof: str


class Enter(Command, frozen=True, kw_only=True, tag="enter"):
    """By a player, who becomes the next entrant: `entrant` is the count of those who are entered."""

    entrant: EntrantField
    anchor: Hex32Field | None
    links: Annotated[int, Meta(ge=0, le=LINKS_MAX)]
    key: Hex32Field | None


class Withdraw(Command, frozen=True, kw_only=True, tag="withdraw"):
    """By the entrant's player."""

    entrant: EntrantField


class CloseEntries(Command, frozen=True, kw_only=True, tag="close_entries"):
    """By an organiser."""


class CallRound(Command, frozen=True, kw_only=True, tag="call_round"):
    """By an organiser: opens the check-in of the next round."""

    round: RoundField


class CheckIn(Command, frozen=True, kw_only=True, tag="check_in"):
    """By the entrant's player."""

    entrant: EntrantField
    round: RoundField
    nonce: Hex32Field | None


class CloseCheckIn(Command, frozen=True, kw_only=True, tag="close_check_in"):
    """By the clock or an organiser, once the time for it is over."""

    round: RoundField


class TakeResult(Command, frozen=True, kw_only=True, tag="take_result"):
    """By the server, from the last lines of the table's game."""

    round: RoundField
    table: TableField
    attempt: AttemptField
    version: VersionField
    hash: LineHashField
    ranking: tuple[Placing, ...] | None


class TellNoShow(Command, frozen=True, kw_only=True, tag="tell_no_show"):
    """By the server without a reason, once the time to sit down is over; by an organiser with one at any time."""

    round: RoundField
    table: TableField
    attempt: AttemptField
    entrants: tuple[EntrantField, ...]
    reason: Reason | None


class ReplaceResult(Command, frozen=True, kw_only=True, tag="replace_result"):
    """A ruling by an organiser, as are the four after it."""

    round: RoundField
    table: TableField
    attempt: AttemptField
    ranking: tuple[Placing, ...]
    reason: Reason


class RulePoints(Command, frozen=True, kw_only=True, tag="rule_points"):
    entrant: EntrantField
    round: RoundField
    points: int
    reason: Reason


class VoidGame(Command, frozen=True, kw_only=True, tag="void_game"):
    round: RoundField
    table: TableField
    attempt: AttemptField
    reason: Reason


class ReplayTable(Command, frozen=True, kw_only=True, tag="replay_table"):
    round: RoundField
    table: TableField
    attempt: AttemptField
    reason: Reason


class RemoveEntrant(Command, frozen=True, kw_only=True, tag="remove_entrant"):
    entrant: EntrantField
    reason: Reason


class CloseTournament(Command, frozen=True, kw_only=True, tag="close_tournament"):
    """By an organiser between rounds; with a reason where rounds are left, without one where none are."""

    reason: Reason | None


class AbortTournament(Command, frozen=True, kw_only=True, tag="abort_tournament"):
    """By an organiser or the operator, at any time."""

    reason: Reason


TournamentCommand = (
    WitnessOpening
    | Enter
    | Withdraw
    | CloseEntries
    | CallRound
    | CheckIn
    | CloseCheckIn
    | TakeResult
    | TellNoShow
    | ReplaceResult
    | RulePoints
    | VoidGame
    | ReplayTable
    | RemoveEntrant
    | CloseTournament
    | AbortTournament
)
