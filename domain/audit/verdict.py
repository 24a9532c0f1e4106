"""The values of a verdict, the first line of a report; `domain/sentences/verdicts.toml` has the words."""

from typing import Literal

from msgspec import Struct

from domain.ids import PlayerId

Kind = Literal["proven", "undecided", "unvouched", "untold", "changed", "contradicted"]
Reserved = Literal["moves", "dice", "rulings", "components", "history"]


class Reserve(Struct, frozen=True, kw_only=True):
    """A part that stays the operator's word although every check holds; `seats` and `games` are those it concerns."""

    about: Reserved
    seats: tuple[int, ...] = ()
    games: int = 0


class Holder(Struct, frozen=True, kw_only=True):
    seat: int
    player: PlayerId


class RulingTold(Struct, frozen=True, kw_only=True):
    """A ruling that may have changed the winner, by its type; `leaders` would have led a tournament without it.

    `seat` is the seat of a game, or the entrant that the ruling names. `passed_over` are the winners of a game that was
    over when the ruling was made, and whose result was never taken.
    """

    type: str
    line: int
    by: str
    seat: int | None
    reason: str
    leaders: tuple[int, ...] = ()
    passed_over: tuple[int, ...] = ()


class Outcome(Struct, frozen=True, kw_only=True):
    """The end of a game or tournament by its own lines; of one that goes on, its last line.

    `winners` are seats or entrants, `team` the letter of their team, `stood_in` the seats that a stand-in played for.
    `by` and `reason` are of an abort, `left` of a game that a seat cancelled.
    """

    status: str
    title: str
    line: int
    date: str
    time: str
    winners: tuple[int, ...] = ()
    team: str | None = None
    by: str | None = None
    reason: str | None = None
    left: int | None = None
    holders: tuple[Holder, ...] = ()
    rulings: tuple[RulingTold, ...] = ()
    stood_in: tuple[int, ...] = ()


class Verdict(Struct, frozen=True, kw_only=True):
    """`check` and `line` are those of the first finding that does not hold; `changed_at` where that is a changed line.

    `missing` is the party without whose word no outsider vouches, as `summing_up.py` names it. `reserved` narrows the
    word "Proven"; `contradicted_by` names files that rule this one out. `untold` is the reason for which nothing can be
    told yet.
    """

    kind: Kind
    outcome: Outcome | None
    has_rules: bool = True
    log: str | None = None
    witnesses: tuple[str, ...] = ()
    missing: str | None = None
    reserved: tuple[Reserve, ...] = ()
    contradicted_by: tuple[str, ...] = ()
    untold: str | None = None
    check: str | None = None
    line: int | None = None
    changed_at: int | None = None
