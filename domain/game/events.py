"""Facts about one game, in the order they became true. Stored for ever: a tag never changes, a new field has a default.

These are the events of every game; a ruleset adds outcomes of its own (`outcome_types`).
"""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from domain.canonical import Json
from domain.chance import DeckShuffled, DiceRolled
from domain.ids import (
    SEATS_MAX,
    DecisionIdField,
    GameIdField,
    Hex32Field,
    LedgerNameField,
    OrganiserIdField,
    PlayerIdField,
    SeatField,
    StreamVersion,
    TournamentIdField,
)
from domain.log.events import Demand, LinkCount, OpeningWitnessed, Reason, RulesetRef, SecretDisclosed
from domain.ruleset.decision import Placing

# A decision may be given a month at most: correspondence play; beyond it a deadline states nothing.
CLOCK_MS_MAX = 31 * 24 * 3600 * 1000
# A seat that let so many clocks run out has lost its race.
EXPIRIES_MAX = 16
# A viewer's delay of a day covers every broadcast; longer would hide a game for no reader's benefit.
DELAY_S_MAX = 24 * 3600

Milliseconds = Annotated[int, Meta(ge=0, le=CLOCK_MS_MAX)]
BotName = Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_-]{0,39}$(?!\n)", description="the name of a bot of the ruleset")]
ForfeitReason = Literal["illegal", "unrevealed"]
# The aim of a consent.
Aim = Literal["end", "pause"]


class ClockTerms(Struct, frozen=True, kw_only=True):
    per_decision_ms: Annotated[int, Meta(ge=1, le=CLOCK_MS_MAX)]
    bank_ms: Milliseconds
    # Added to the bank by each seal and each action in the open; absent where nothing is.
    increment_ms: Annotated[int, Meta(ge=1, le=CLOCK_MS_MAX)] | UnsetType = UNSET


class StandIn(Struct, frozen=True, kw_only=True):
    """A house bot that plays for a seat whose clock ran out `after` times in a row, until its player takes it back."""

    bot: BotName
    after: Annotated[int, Meta(ge=1, le=EXPIRIES_MAX)]


class HouseOffer(Struct, frozen=True, kw_only=True, tag_field="kind", tag="house"):
    """A seat called for the house's player of its number; `bot` names one of the ruleset's bots."""

    bot: BotName
    # Whether the bot answers players without time to think; absent where the call does not ask for that.
    at_once: bool | UnsetType = UNSET


class LinkOffer(Struct, frozen=True, kw_only=True, tag_field="kind", tag="link"):
    """A seat for the holder of a secret of 32 bytes, of which the log has the SHA-256 alone."""

    hash: Hex32Field


class PlayerOffer(Struct, frozen=True, kw_only=True, tag_field="kind", tag="player"):
    """A seat for one player."""

    player: PlayerIdField


Offer = HouseOffer | LinkOffer | PlayerOffer


class TableSeat(Struct, frozen=True, kw_only=True):
    """The player for whom a seat is kept; with a key, the holder of that key."""

    player: PlayerIdField
    key: Hex32Field | None


class TournamentTable(Struct, frozen=True, kw_only=True):
    """Which table of which tournament a game is played at, and who sits where; the game's id follows from the rest."""

    tournament: TournamentIdField
    round: Annotated[int, Meta(ge=1)]
    table: Annotated[int, Meta(ge=1)]
    attempt: Annotated[int, Meta(ge=1)]
    seats: tuple[TableSeat, ...]


class GameOpened(Struct, frozen=True, kw_only=True):
    """The terms of a seat before it is taken; `commit` and `anchors` bind the operator to one source of chance."""

    ruleset: RulesetRef
    seats: Annotated[int, Meta(ge=1, le=SEATS_MAX)]
    options: dict[str, Json]
    clock: ClockTerms | None
    visibility: Literal["public", "private"]
    delay_s: Annotated[int, Meta(ge=0, le=DELAY_S_MAX)]
    demands: tuple[Demand, ...]  # ascending, none twice
    organisers: dict[OrganiserIdField, Hex32Field | None]  # whose rulings count; with a key, they must be signed
    ledger: LedgerNameField
    commit: Hex32Field
    anchors: tuple[Hex32Field, ...]
    leaf_key: Hex32Field
    # Absent, not null, in a game that belongs to no tournament, so that the line of such a game has one spelling.
    table: TournamentTable | UnsetType = UNSET
    # For each seat the players to whom it is open; absent where every seat is open to all who see the game.
    offers: tuple[Offer | None, ...] | UnsetType = UNSET
    # The game whose terms these are, with the seats rotated; absent in any other game.
    rematch_of: GameIdField | UnsetType = UNSET
    # Absent where no seat is handed over.
    stand_in: StandIn | UnsetType = UNSET


class SeatOffered(Struct, frozen=True, kw_only=True):
    """The seat is open to other players from now on: to all who see the game where `to` is null.

    The player or house bot that sits there is sent away, and may return only to a seat that is offered to it by name.
    """

    seat: SeatField
    to: Offer | None


class SeatTaken(Struct, frozen=True, kw_only=True):
    seat: SeatField
    player: PlayerIdField
    anchor: Hex32Field | None
    links: LinkCount  # 0 exactly when there is no anchor
    key: Hex32Field | None


class SeatLeft(Struct, frozen=True, kw_only=True):
    seat: SeatField


class SeatReadied(Struct, frozen=True, kw_only=True):
    seat: SeatField
    nonce: Hex32Field | None


class GameStarted(Struct, frozen=True, kw_only=True):
    seats: tuple[SeatField, ...]


class ActionSealed(Struct, frozen=True, kw_only=True):
    seat: SeatField
    decision: DecisionIdField
    seal: Hex32Field


class ActionRevealed(Struct, frozen=True, kw_only=True):
    seat: SeatField
    decision: DecisionIdField
    action: Json
    salt: Hex32Field
    nonce: Hex32Field | None


class ActionPlayed(Struct, frozen=True, kw_only=True):
    seat: SeatField
    decision: DecisionIdField
    action: Json
    nonce: Hex32Field | None


class DecisionAsked(Struct, frozen=True, kw_only=True):
    """A play stopped in its middle: this seat must answer before it goes on."""

    seat: SeatField
    decision: DecisionIdField


class ClockExpired(Struct, frozen=True, kw_only=True):
    seat: SeatField
    decision: DecisionIdField


class SeatHanded(Struct, frozen=True, kw_only=True):
    """The stand-in plays for the seat from now on."""

    seat: SeatField


class SeatReclaimed(Struct, frozen=True, kw_only=True):
    seat: SeatField


class ActionDefaulted(Struct, frozen=True, kw_only=True):
    seat: SeatField
    decision: DecisionIdField
    action: Json


class ActionForfeited(Struct, frozen=True, kw_only=True):
    seat: SeatField
    decision: DecisionIdField
    reason: ForfeitReason


class ClockExtended(Struct, frozen=True, kw_only=True):
    seats: tuple[SeatField, ...]  # ascending, none twice
    ms: Annotated[int, Meta(ge=1, le=CLOCK_MS_MAX)]
    reason: Reason


class SeatRemoved(Struct, frozen=True, kw_only=True):
    seat: SeatField
    reason: Reason


class SeatResigned(Struct, frozen=True, kw_only=True):
    seat: SeatField


class ConsentGiven(Struct, frozen=True, kw_only=True):
    """The seat agrees to end the game without a result, or to pause its clocks, once all who are asked agree."""

    seat: SeatField
    to: Aim


class ConsentWithdrawn(Struct, frozen=True, kw_only=True):
    seat: SeatField
    to: Aim


class GamePaused(Struct, frozen=True, kw_only=True):
    """All who were asked, if any, have agreed: no clock runs until the pause ends."""

    seats: tuple[SeatField, ...]


class TablePaused(Struct, frozen=True, kw_only=True):
    """The ruling in this line of the tournament's log pauses the round: no clock runs until the pause ends."""

    line: Annotated[StreamVersion, Meta(ge=1)]


class PauseEnded(Struct, frozen=True, kw_only=True):
    """By a seat, or with null by the clock, or by the server at the table of a tournament."""

    seat: SeatField | None


class GameStopped(Struct, frozen=True, kw_only=True):
    """All who were asked have agreed to end the game without a result; `absent` are players who were not asked."""

    seats: tuple[SeatField, ...]
    absent: tuple[SeatField, ...]


class GameFinished(Struct, frozen=True, kw_only=True):
    ranking: tuple[Placing, ...]


class GameAborted(Struct, frozen=True, kw_only=True):
    reason: Reason


class GameCancelled(Struct, frozen=True, kw_only=True):
    """A seat was left or removed after a seat had been ready: the link disclosed there must not make another deal."""

    seat: SeatField


# The ends of a game without a result.
Unranked = GameAborted | GameCancelled | GameStopped

InputEvent = (
    GameOpened
    | OpeningWitnessed
    | SeatOffered
    | SeatTaken
    | SeatLeft
    | SeatReadied
    | ActionSealed
    | ActionRevealed
    | ActionPlayed
    | ClockExpired
    | ClockExtended
    | SeatRemoved
    | SeatResigned
    | SeatReclaimed
    | ConsentGiven
    | ConsentWithdrawn
    | PauseEnded
    | TablePaused
    | GameAborted
)
OutcomeEvent = (
    GameStarted
    | DiceRolled
    | DeckShuffled
    | DecisionAsked
    | ActionDefaulted
    | ActionForfeited
    | SeatHanded
    | GamePaused
    | GameFinished
    | GameStopped
    | GameCancelled
    | SecretDisclosed
)

INPUT_TYPES: dict[str, type[InputEvent]] = {
    "game_opened": GameOpened,
    "opening_witnessed": OpeningWitnessed,
    "seat_offered": SeatOffered,
    "seat_taken": SeatTaken,
    "seat_left": SeatLeft,
    "seat_readied": SeatReadied,
    "action_sealed": ActionSealed,
    "action_revealed": ActionRevealed,
    "action_played": ActionPlayed,
    "clock_expired": ClockExpired,
    "clock_extended": ClockExtended,
    "seat_removed": SeatRemoved,
    "seat_resigned": SeatResigned,
    "seat_reclaimed": SeatReclaimed,
    "consent_given": ConsentGiven,
    "consent_withdrawn": ConsentWithdrawn,
    "pause_ended": PauseEnded,
    "table_paused": TablePaused,
    "game_aborted": GameAborted,
}
OUTCOME_TYPES: dict[str, type[OutcomeEvent]] = {
    "game_started": GameStarted,
    "dice_rolled": DiceRolled,
    "deck_shuffled": DeckShuffled,
    "decision_asked": DecisionAsked,
    "action_defaulted": ActionDefaulted,
    "action_forfeited": ActionForfeited,
    "seat_handed": SeatHanded,
    "game_paused": GamePaused,
    "game_finished": GameFinished,
    "game_stopped": GameStopped,
    "game_cancelled": GameCancelled,
    "secret_disclosed": SecretDisclosed,
}
INPUT_TAGS: dict[type[Struct], str] = {event: tag for tag, event in INPUT_TYPES.items()}
OUTCOME_TAGS: dict[type[Struct], str] = {event: tag for tag, event in OUTCOME_TYPES.items()}
