"""The values of a verdict, the first line of a report; `domain/sentences/verdicts.toml` has the words."""

from typing import Literal

from msgspec import Struct

from domain.ids import PlayerId

Kind = Literal["proven", "unvouched", "untold", "changed"]


class Holder(Struct, frozen=True, kw_only=True):
    seat: int
    player: PlayerId


class RulingTold(Struct, frozen=True, kw_only=True):
    """A ruling that may have changed the winner; `leaders` would have led a tournament without it."""

    line: int
    by: str
    seat: int | None
    reason: str
    leaders: tuple[int, ...] = ()


class Outcome(Struct, frozen=True, kw_only=True):
    """The end of a game or tournament by its own lines; of one that goes on, its last line.

    `winners` are seats or entrants. `by` and `reason` are of an abort, `left` of a game that a seat cancelled.
    """

    status: str
    title: str
    line: int
    date: str
    time: str
    winners: tuple[int, ...] = ()
    by: str | None = None
    reason: str | None = None
    left: int | None = None
    holders: tuple[Holder, ...] = ()
    rulings: tuple[RulingTold, ...] = ()


class Verdict(Struct, frozen=True, kw_only=True):
    """`check` and `line` are those of the first finding that does not hold; `changed_at` where that is a changed line.

    `missing` is the party without whose word no outsider vouches, as `summing_up.py` names it. `untold` is the reason
    for which nothing can be told yet.
    """

    kind: Kind
    outcome: Outcome | None
    has_rules: bool = True
    log: str | None = None
    witnesses: tuple[str, ...] = ()
    missing: str | None = None
    untold: str | None = None
    check: str | None = None
    line: int | None = None
    changed_at: int | None = None
