"""The end of a game or tournament by its own lines: who won, when, and by which ruling. It believes the log.

Must agree with services/web/verify/outcome.js.
"""

from collections.abc import Sequence
from typing import Any

from domain.audit.case import Case, StreamCase
from domain.audit.findings import shorten
from domain.audit.verdict import Holder, Outcome, RulingTold
from domain.game.events import (
    GameAborted,
    GameCancelled,
    GameFinished,
    GameStarted,
    GameStopped,
    SeatLeft,
    SeatOffered,
    SeatRemoved,
    SeatTaken,
    Unranked,
)
from domain.ids import PlayerId
from domain.log.entry import Entry
from domain.tournament.events import TournamentAborted, TournamentFinished
from domain.tournament.standings import Standing
from domain.tournament.state import Tournament


def read_game_outcome(case: Case) -> Outcome | None:
    """Read the end of a game; None where not even the first line can be read."""
    if case.opened is None or not case.entries:
        return None
    title = " ".join(word.capitalize() for word in case.opened.ruleset.name.split("-"))
    end = next((each for each in case.entries if isinstance(each.event, GameFinished | Unranked)), None)
    is_started = any(isinstance(each.event, GameStarted) for each in case.entries)
    holders: dict[int, PlayerId] = {}
    for entry in case.entries:
        if isinstance(entry.event, SeatTaken):
            holders[entry.event.seat] = entry.event.player
        elif isinstance(entry.event, SeatLeft | SeatOffered):
            holders.pop(entry.event.seat, None)
    about: dict[str, Any] = {
        "title": title,
        "holders": tuple(Holder(seat=seat, player=player) for seat, player in sorted(holders.items())),
        "rulings": tuple(
            _tell_ruling(entry, seat=entry.event.seat, reason=entry.event.reason)
            for entry in case.entries
            if isinstance(entry.event, SeatRemoved)
        ),
    }
    match end.event if end is not None else None:
        case GameFinished(ranking=ranking):
            about["winners"] = tuple(sorted(each.seat for each in ranking if each.place == 1))
        case GameAborted(reason=reason) if end is not None:
            about |= {"by": _role_of(end), "reason": shorten(reason)}
        case GameCancelled(seat=seat):
            about["left"] = seat
        case GameStopped():
            about |= {"by": "players", "reason": "All who were asked agreed to end it."}
        case _:
            return _at(case.entries[-1], "running" if is_started else "open", about)
    assert end is not None, "matched just now"
    return _at(end, "finished" if isinstance(end.event, GameFinished) else "aborted", about)


def read_tournament_outcome(case: StreamCase[Tournament], standings: Sequence[Standing]) -> Outcome | None:
    """Read the end of a tournament, with `standings` as they were decided again."""
    last = case.walk.decided
    if last is None:
        return None
    about: dict[str, Any] = {"title": shorten(last.opened.name)}
    end = next((each for each in case.entries if isinstance(each.event, TournamentFinished | TournamentAborted)), None)
    if end is None:
        return _at(case.entries[-1], "running" if last.rounds else "open", about)
    if isinstance(end.event, TournamentAborted):
        return _at(end, "aborted", about | {"by": _role_of(end), "reason": shorten(end.event.reason)})
    about |= {
        "winners": tuple(each.entrant for each in standings if each.place == 1),
        "rulings": tuple(_tell_points(last, standings)),
    }
    return _at(end, "finished", about)


def _tell_points(last: Tournament, standings: Sequence[Standing]) -> list[RulingTold]:
    """Tell each ruling that moved points, with those who would have led without it, where they are others."""
    points = {each.entrant: each.points for each in standings}
    led = _leaders(points)
    told = []
    for ruled in last.rulings:
        moved = {each.entrant: each.points_after - each.points_before for each in ruled.changes}
        without = _leaders({entrant: number - moved.get(entrant, 0) for entrant, number in points.items()})
        if moved:
            leaders = () if without == led else without
            by, reason = ruled.by.partition(":")[0], shorten(ruled.reason)
            told.append(RulingTold(line=ruled.line, by=by, seat=ruled.entrant, reason=reason, leaders=leaders))
    return told


def _leaders(points: dict[int, int]) -> tuple[int, ...]:
    most = max(points.values(), default=0)
    return tuple(sorted(entrant for entrant, number in points.items() if number == most))


def _tell_ruling(entry: Entry, *, seat: int, reason: str) -> RulingTold:
    return RulingTold(line=entry.line.version, by=_role_of(entry), seat=seat, reason=shorten(reason))


def _role_of(entry: Entry) -> str:
    return entry.line.by.partition(":")[0]


def _at(entry: Entry, status: str, about: dict[str, Any]) -> Outcome:
    at = entry.line.at
    return Outcome(status=status, line=entry.line.version, date=at[:10], time=at[11:16], **about)
