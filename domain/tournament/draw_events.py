"""A drawn seat with its numbers, and the reasons for which a table is as it is."""

from typing import Annotated

from msgspec import Meta, Struct

from domain.tournament.contender import Repeat
from domain.tournament.fields import EntrantField, VersionField


class DrawnSeat(Struct, frozen=True, kw_only=True):
    """One seat of a table with the numbers that brought its entrant there, as they were when the round was called."""

    entrant: EntrantField
    points: int
    lot: int
    lateness: int


class DrawnByScore(Struct, frozen=True, kw_only=True, tag_field="kind", tag="score"):
    """Scores near each other, and as few who meet again as possible; `repeats` are those who do."""

    repeats: tuple[Repeat, ...]


class DrawnByMeetings(Struct, frozen=True, kw_only=True, tag_field="kind", tag="meetings"):
    """By lot, and with as few repeated meetings as possible, regardless of scores."""

    repeats: tuple[Repeat, ...]


class DrawnByCircle(Struct, frozen=True, kw_only=True, tag_field="kind", tag="circle"):
    """Whom the circle of the first round's lots brings together, from turn 0."""

    turn: Annotated[int, Meta(ge=0)]
    repeats: tuple[Repeat, ...]


class DrawnAsFinal(Struct, frozen=True, kw_only=True, tag_field="kind", tag="final"):
    """Those who were best in the heats."""

    repeats: tuple[Repeat, ...]


class DrawnAgain(Struct, frozen=True, kw_only=True, tag_field="kind", tag="drawn_again"):
    """The same table without those who did not come."""

    absent: tuple[EntrantField, ...]


class PlayedAgain(Struct, frozen=True, kw_only=True, tag_field="kind", tag="played_again"):
    """The same table once more, as the ruling in this line states."""

    line: VersionField


class SeatedByHand(Struct, frozen=True, kw_only=True, tag_field="kind", tag="seated"):
    """As an organiser seated them, by the ruling in this line."""

    line: VersionField


class HandedOn(Struct, frozen=True, kw_only=True, tag_field="kind", tag="handed"):
    """The same table once more, as the entry of one of it went on from another device, in this line."""

    line: VersionField


Why = DrawnByScore | DrawnByMeetings | DrawnByCircle | DrawnAsFinal | DrawnAgain | PlayedAgain | SeatedByHand | HandedOn
