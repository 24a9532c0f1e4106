"""Notices: facts of a game or a tournament that concern one account, each sent at least once to each of its ways."""

from typing import Literal, assert_never, get_args

from msgspec import Struct

from domain.ids import DecisionId, LogPosition, StreamId, StreamVersion

ChosenKind = Literal[
    "your_turn",
    "seat_offered",
    "seat_handed",
    "game_started",
    "game_over",
    "round_called",
    "table_drawn",
    "ruling",
    "announced",
    "organiser_called",
]
CHOSEN: tuple[ChosenKind, ...] = get_args(ChosenKind)
# A test is asked for; `more` stands for notices beyond those that may wait. Neither is chosen.
NoticeKind = Literal[ChosenKind, "test", "more"]
# Sent first, and let in by a bound of their own: a player who misses them loses a turn or a round.
DEADLINES: tuple[NoticeKind, ...] = ("your_turn", "round_called", "table_drawn", "seat_handed")
# The kinds as they are sent, each in the order of the log. Of strangers come the offers alone.
ORDER: tuple[NoticeKind, ...] = (
    *(*DEADLINES, "test", "organiser_called", "announced", "ruling"),
    *("game_started", "game_over", "more", "seat_offered"),
)


class TurnOwed(Struct, frozen=True, kw_only=True):
    """`decision d1 since 1795082400000`: a decision that is owed since an instant."""

    decision: DecisionId
    since_ms: int


class OfferMade(Struct, frozen=True, kw_only=True):
    """`offer`: offers of a game to a player are one fact, so that one notice of them waits, however many are made."""


class OfRound(Struct, frozen=True, kw_only=True):
    """`round 3`: a round of a tournament, called or drawn."""

    number: int


class AtLine(Struct, frozen=True, kw_only=True):
    """`line 12`: a line of a game or a tournament."""

    version: StreamVersion


Fact = TurnOwed | OfferMade | OfRound | AtLine


class Notice(Struct, frozen=True, kw_only=True):
    """A fact that concerns one account. A test, and `more`, have none.

    Its id follows from the fact, and stays the same however often it is sent.
    """

    id: str
    account: str
    kind: NoticeKind
    stream: StreamId
    fact: Fact | None
    version: StreamVersion
    position: LogPosition
    at_ms: int


def format_fact(fact: Fact | None) -> str:
    """Write a fact as it is stored, and as the id of its notice is derived; no fact is empty text."""
    match fact:
        case None:
            return ""
        case TurnOwed(decision=decision, since_ms=since_ms):
            return f"decision {decision} since {since_ms}"
        case OfferMade():
            return "offer"
        case OfRound(number=number):
            return f"round {number}"
        case AtLine(version=version):
            return f"line {version}"
    assert_never(fact)


def parse_fact(text: str) -> Fact | None:
    """Read a fact as `format_fact` writes it. Raises ValueError for any other text."""
    match text.split(" "):
        case [""]:
            return None
        case ["decision", decision, "since", since_ms]:
            return TurnOwed(decision=DecisionId(decision), since_ms=int(since_ms))
        case ["offer"]:
            return OfferMade()
        case ["round", number]:
            return OfRound(number=int(number))
        case ["line", version]:
            return AtLine(version=StreamVersion(int(version)))
        case _:
            raise ValueError(f"expected a fact such as `round 3`, found {text!r}")
