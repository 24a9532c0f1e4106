"""Rulings: the statements of organisers that change how a tournament goes on, each with its reason.

A ruling edits nothing that stands in the log. `rulings.py` states when each is possible, and its effect.
"""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.ids import Hex32Field
from domain.log.events import Reason
from domain.ruleset.decision import Placing
from domain.tournament.contender import WISHED_MAX, WishKind
from domain.tournament.fields import (
    AttemptField,
    EntrantField,
    RoundField,
    TableField,
)
from domain.tournament.role_events import HelperField, Role
from domain.tournament.scoring import POINTS_MAX, Points

TABLES_BY_HAND_MAX = 256
# A day: a longer rest is another evening.
MINUTES_MAX = 1_440


class RulingEvent(Struct, frozen=True, kw_only=True):
    reason: Reason


class ResultReplaced(RulingEvent, frozen=True, kw_only=True):
    """The given ranking of the table's seats counts, instead of its game's."""

    round: RoundField
    table: TableField
    attempt: AttemptField
    ranking: tuple[Placing, ...]


class PointsRuled(RulingEvent, frozen=True, kw_only=True):
    """An award, or a penalty if below 0, in the round it is for."""

    entrant: EntrantField
    round: RoundField
    points: Annotated[int, Meta(ge=-POINTS_MAX, le=POINTS_MAX)]


class GameVoided(RulingEvent, frozen=True, kw_only=True):
    """The table counts nothing."""

    round: RoundField
    table: TableField
    attempt: AttemptField


class TableReplayed(RulingEvent, frozen=True, kw_only=True):
    """The table plays again, and only that game counts. Until the next round is called."""

    round: RoundField
    table: TableField
    attempt: AttemptField  # the one that no longer counts


class EntrantRemoved(RulingEvent, frozen=True, kw_only=True):
    """It is drawn no more. Its scores stay its own; a table it sits at plays on."""

    entrant: EntrantField


class EntrantAdmitted(RulingEvent, frozen=True, kw_only=True):
    """An entry that waited for an organiser is drawn from the next draw on."""

    entrant: EntrantField


class EntrantReturned(RulingEvent, frozen=True, kw_only=True):
    """Who withdrew or was removed is drawn again, from the next draw on."""

    entrant: EntrantField


class EntrantExcused(RulingEvent, frozen=True, kw_only=True):
    """It sits out a round that is not drawn yet, for so many points."""

    entrant: EntrantField
    round: RoundField
    points: Points


class EntryHanded(RulingEvent, frozen=True, kw_only=True):
    """The holder of a secret, of which `link` is the SHA-256, may go on with the entry from another device.

    `game` states what becomes of the game that the entrant sits at by then: all play it again, or it goes on without.
    """

    entrant: EntrantField
    link: Hex32Field
    game: Literal["again", "goes_on"]


class PairingWished(RulingEvent, frozen=True, kw_only=True):
    """How the coming draws treat a group, ascending; `none` takes back an earlier wish for the same group."""

    entrants: Annotated[tuple[EntrantField, ...], Meta(min_length=2, max_length=WISHED_MAX)]
    wish: WishKind


class SeatedTable(Struct, frozen=True, kw_only=True):
    """A table as it was drawn last, and who sits there from now on, in the order of the seats; none where it is empty.

    `attempt` is the draw that this replaces.
    """

    table: TableField
    attempt: AttemptField
    entrants: tuple[EntrantField, ...]


class TablesSeated(RulingEvent, frozen=True, kw_only=True):
    """The seats of these tables by hand, ascending, while no result of theirs is known."""

    round: RoundField
    tables: Annotated[tuple[SeatedTable, ...], Meta(min_length=1, max_length=TABLES_BY_HAND_MAX)]


class DrawHeld(RulingEvent, frozen=True, kw_only=True):
    """No game of the round is opened after its draw, so that the draw can be looked at and changed by hand."""

    round: RoundField


class DrawReleased(RulingEvent, frozen=True, kw_only=True):
    """The tables of the round are final: their games are opened, and the time to sit down begins."""

    round: RoundField


class TimeGiven(RulingEvent, frozen=True, kw_only=True):
    """More time to check in, or once the round is drawn to sit down: at one table, or at all where it is null."""

    round: RoundField
    table: TableField | None
    minutes: Annotated[int, Meta(ge=1, le=MINUTES_MAX)]


class RoundPaused(RulingEvent, frozen=True, kw_only=True):
    """No time of the round counts from here on: to check in, to sit down, or on the clocks of its games."""

    round: RoundField


class RoundResumed(RulingEvent, frozen=True, kw_only=True):
    """The time of a paused round runs again."""

    round: RoundField


class HelperInvited(RulingEvent, frozen=True, kw_only=True):
    """The holder of a secret, of which `link` is the SHA-256, may join in this role. Helpers are numbered from 0."""

    role: Role
    link: Hex32Field


class HelperDismissed(RulingEvent, frozen=True, kw_only=True):
    """The rights of a helper, or an invitation that was not taken, end here."""

    helper: HelperField


RULING_TYPES: dict[str, type[RulingEvent]] = {
    "points_ruled": PointsRuled,
    "result_replaced": ResultReplaced,
    "game_voided": GameVoided,
    "table_replayed": TableReplayed,
    "entrant_removed": EntrantRemoved,
    "entrant_admitted": EntrantAdmitted,
    "entrant_returned": EntrantReturned,
    "entrant_excused": EntrantExcused,
    "entry_handed": EntryHanded,
    "pairing_wished": PairingWished,
    "draw_held": DrawHeld,
    "draw_released": DrawReleased,
    "tables_seated": TablesSeated,
    "time_given": TimeGiven,
    "round_paused": RoundPaused,
    "round_resumed": RoundResumed,
    "helper_invited": HelperInvited,
    "helper_dismissed": HelperDismissed,
}
