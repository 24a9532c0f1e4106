"""The data of a box as it stands in components.toml: shapes, limits, sources. Nothing here is derived."""

from typing import Annotated, Generic, Literal, TypeVar

from msgspec import Meta, Struct

from domain.rulesets.charioteer.cards import Colour, TokenIcon
from domain.rulesets.charioteer.skills import EmperorFace
from domain.rulesets.charioteer.track import Point, SpaceKind

Source = Literal["stated", "public", "inferred", "default"]
Value = TypeVar("Value")

# Wide limits: they catch a slip of the hand, not a house rule.
Count = Annotated[int, Meta(ge=1, le=1_000)]
# Every set of cards of a hand is looked at when a clock runs out: 6,884 sets at most.
HandSize = Annotated[int, Meta(ge=1, le=16)]
HandCards = Annotated[int, Meta(ge=1, le=5)]
CountOrNone = Annotated[int, Meta(ge=0, le=1_000)]
Coordinate = Annotated[int, Meta(ge=0, le=100_000)]
Text = Annotated[str, Meta(min_length=1, max_length=80)]

# Seats 2, 3, 4, 5 and 6.
SEAT_COUNTS = range(2, 7)


class Sourced(Struct, Generic[Value], frozen=True, kw_only=True, forbid_unknown_fields=True):
    value: Value
    source: Source


class NumbersTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    hand_size: Sourced[HandSize]
    hand_cards_max: Sourced[HandCards]
    matching_cards_min: Sourced[Count]
    fan_symbols_min: Sourced[Count]
    attack_boxes: Sourced[Count]
    minor_attack_cards: Sourced[Count]
    minor_attack_cubes: Sourced[Count]
    major_attack_cards: Sourced[Count]
    major_attack_cubes: Sourced[Count]
    whip_steps: Sourced[Count]
    wild_symbols: Sourced[Count]


class EmperorDieTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    faces: Annotated[tuple[EmperorFace, ...], Meta(min_length=2, max_length=100)]
    source: Source


class DisruptRow(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    name: Text
    cubes: Annotated[tuple[CountOrNone, ...], Meta(min_length=5, max_length=5)]
    source: Source


class SkillsTrackTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    start_spaces: Sourced[Count]
    start_bonus: Sourced[CountOrNone]
    middle_spaces: Sourced[Count]
    middle_bonus: Sourced[CountOrNone]
    box_bonuses: Sourced[tuple[CountOrNone, ...]]


class SkillsCardsTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    orders: tuple[Text, ...]
    source: Source


class SymbolRow(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    colour: Colour
    number: Annotated[int, Meta(ge=0, le=20)]
    source: Source


class CardsRow(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    faces: tuple[Text, ...]
    source: Source


class TokenRow(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    icon: TokenIcon
    amount: CountOrNone
    colour: Colour | Literal["any"]
    per_player: Annotated[int, Meta(ge=0, le=1)]
    in_bag: CountOrNone
    rank: Count
    source: Source


class SpaceRow(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    kind: SpaceKind
    corners: tuple[Point, Point, Point, Point]


class TrackTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    start_before_line: Sourced[Count]
    width: Coordinate
    height: Coordinate
    spaces: Annotated[tuple[SpaceRow, ...], Meta(min_length=8, max_length=1_000)]
    source: Source


class ComponentFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    numbers: NumbersTable
    emperor_die: EmperorDieTable
    disrupt: tuple[DisruptRow, ...]
    skills_track: SkillsTrackTable
    skills_cards: SkillsCardsTable
    symbols: Annotated[tuple[SymbolRow, ...], Meta(min_length=1, max_length=100)]
    cards: tuple[CardsRow, ...]
    tokens: tuple[TokenRow, ...]
    track: TrackTable
