"""Outcomes: facts that follow from the seats' actions by the rules alone, told so that reading them settles a dispute.

Stored for ever. A card is named only here, at the moment it is turned up; a face-down discard never is.
"""

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from domain.ids import Seat
from domain.rulesets.charioteer.cards import Colour
from domain.rulesets.charioteer.skills import EmperorFace


class Outcome(Struct, frozen=True, kw_only=True):
    """The base of all of them."""


class CardsDrawn(Outcome, frozen=True, kw_only=True):
    """A seat drew cards that it alone sees."""

    seat: Seat
    draws: tuple[int, ...]


class CrowdCardDealt(Outcome, frozen=True, kw_only=True):
    slot: int
    draw: int
    card: str


class CrowdCardsSlid(Outcome, frozen=True, kw_only=True):
    """The crowd card of this turn was discarded, the next two moved up."""

    discarded: int


class SkillsCardDrawn(Outcome, frozen=True, kw_only=True):
    seat: Seat
    order: tuple[Colour, ...]


class FirstPlayerChosen(Outcome, frozen=True, kw_only=True):
    seat: Seat


class TurnBegan(Outcome, frozen=True, kw_only=True):
    turn: int
    emperor: EmperorFace


class DamageTaken(Outcome, frozen=True, kw_only=True):
    """Cubes put into the attack boxes, and those that were not, with the reason."""

    seat: Seat
    cause: Literal["emperor", "minor_attack", "major_attack"]
    attacker: Seat | None
    cubes: int
    ignored: int
    ignored_because: Literal["boxes_full", "shield", "reset"] | None


class MovesClosed(Outcome, frozen=True, kw_only=True):
    """Every seat has sealed; now all must open."""

    turn: int


class CardShown(Struct, frozen=True, kw_only=True):
    draw: int
    card: str


class MoveRevealed(Outcome, frozen=True, kw_only=True):
    """A move turned up. Cards thrown away stay face down: only their draw numbers are public."""

    seat: Seat
    symbol: str
    cards: tuple[CardShown, ...]
    crowd_card: str | None
    token: str | None
    fan_token: int | None
    changed: int | None
    discard_token: str | None
    discard_fan_token: int | None
    discarded: tuple[int, ...]


class ResetRevealed(Outcome, frozen=True, kw_only=True):
    seat: Seat
    cards: tuple[CardShown, ...]
    discard_token: str | None
    discard_fan_token: int | None
    discarded: tuple[int, ...]


class TokenLost(Struct, frozen=True, kw_only=True):
    """`fan_token` is the running number of its draw, null for a player token."""

    token: str
    fan_token: int | None


class MoveForfeited(Outcome, frozen=True, kw_only=True):
    """Sealed and not opened, or opened to an illegal action: stands still, loses cards unseen and tokens shown."""

    seat: Seat
    discarded: tuple[int, ...]
    tokens: tuple[TokenLost, ...]


class BoxesClosed(Outcome, frozen=True, kw_only=True):
    """A shield or a reset empties the attack boxes and keeps them empty this turn."""

    seat: Seat
    reason: Literal["shield", "reset"]
    removed: int


class ChariotCalmed(Outcome, frozen=True, kw_only=True):
    """A reset cleared the damage box."""

    seat: Seat
    removed: int


class DamageRecovered(Outcome, frozen=True, kw_only=True):
    """One recovery halves the damage box, two or more clear it."""

    seat: Seat
    recoveries: int
    removed: int
    left: int


class DistanceReckoned(Outcome, frozen=True, kw_only=True):
    """distance = symbols + number + token + skill - damage, and never below 0."""

    seat: Seat
    symbol: str
    symbols: int
    number: int
    token: int
    skill: int
    damage: int
    distance: int


class RivalPassed(Struct, frozen=True, kw_only=True):
    """Passed in a space, for a point or for nothing (turn 1, and rivals on an outer space that was skipped)."""

    rival: Seat
    space: int
    price: int


class ChariotMoved(Outcome, frozen=True, kw_only=True):
    """Spaces entered, in order; `progress` is where it stands now, `inside_of` the rival next outside it there."""

    seat: Seat
    distance: int
    came_from: int
    entered: tuple[int, ...]
    passed: tuple[RivalPassed, ...]
    inside_of: Seat | None
    progress: int


class WhipUsed(Outcome, frozen=True, kw_only=True):
    """Steps after the move, and the reason why they ended."""

    seat: Seat
    whips: int
    steps_max: int
    entered: tuple[int, ...]
    ended_by: Literal["spent", "rival_ahead", "is_leading", "has_passed", "first_turn"]
    progress: int


class LapCompleted(Outcome, frozen=True, kw_only=True):
    seat: Seat
    lap: int


class SkillAdvanced(Outcome, frozen=True, kw_only=True):
    """Steps for the move, the emperor's wish and learning icons; left-over steps into the bonus box are lost."""

    seat: Seat
    colour: Colour
    move: int
    emperor: int
    learning: int
    came_from: int
    place: int
    bonus: int


class FanTokenEarned(Outcome, frozen=True, kw_only=True):
    """A token for six symbols or more. `fan_token` is the running number of its draw, null when none was left.

    `token` is its face where all see it.
    """

    seat: Seat
    symbols: int
    fan_token: int | None
    token: str | UnsetType = UNSET


class LapCounterTurned(Outcome, frozen=True, kw_only=True):
    lap: int


class TableCleared(Outcome, frozen=True, kw_only=True):
    """Everything played was discarded, and the cubes in attack boxes went to the damage boxes."""

    turn: int


class ChariotWithdrawn(Outcome, frozen=True, kw_only=True):
    seat: Seat


class RaceEnded(Outcome, frozen=True, kw_only=True):
    reason: Literal["line_crossed", "turns_max", "last_seat", "last_team"]
    order: tuple[Seat, ...]


OUTCOME_TYPES: dict[str, type[Outcome]] = {
    "cards_drawn": CardsDrawn,
    "crowd_card_dealt": CrowdCardDealt,
    "crowd_cards_slid": CrowdCardsSlid,
    "skills_card_drawn": SkillsCardDrawn,
    "first_player_chosen": FirstPlayerChosen,
    "turn_began": TurnBegan,
    "damage_taken": DamageTaken,
    "moves_closed": MovesClosed,
    "move_revealed": MoveRevealed,
    "reset_revealed": ResetRevealed,
    "move_forfeited": MoveForfeited,
    "boxes_closed": BoxesClosed,
    "chariot_calmed": ChariotCalmed,
    "damage_recovered": DamageRecovered,
    "distance_reckoned": DistanceReckoned,
    "chariot_moved": ChariotMoved,
    "whip_used": WhipUsed,
    "lap_completed": LapCompleted,
    "skill_advanced": SkillAdvanced,
    "fan_token_earned": FanTokenEarned,
    "lap_counter_turned": LapCounterTurned,
    "table_cleared": TableCleared,
    "chariot_withdrawn": ChariotWithdrawn,
    "race_ended": RaceEnded,
}
