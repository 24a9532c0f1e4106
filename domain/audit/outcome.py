"""The end of a game by its own lines: who won, when, and by which ruling. It believes the log.

Must agree with services/web/verify/outcome.js.
"""

from typing import Any

from domain.audit.case import Case
from domain.audit.findings import shorten
from domain.audit.verdict import Holder, Outcome, RulingTold
from domain.game.events import (
    GameAborted,
    GameCancelled,
    GameFinished,
    GameStarted,
    GameStopped,
    SeatHanded,
    SeatLeft,
    SeatOffered,
    SeatRemoved,
    SeatTaken,
    Unranked,
)
from domain.ids import PlayerId
from domain.log.entry import Entry
from domain.ruleset.teams import find_team


def read_game_outcome(case: Case) -> Outcome | None:
    """Read the end of a game; None where not even the first line can be read."""
    if case.opened is None or not case.entries:
        return None
    title = " ".join(word.capitalize() for word in case.opened.ruleset.name.split("-"))
    end = next((entry for entry in case.entries if isinstance(entry.event, GameFinished | Unranked)), None)
    is_started = any(isinstance(entry.event, GameStarted) for entry in case.entries)
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
            RulingTold(
                type=entry.line.type,
                line=entry.line.version,
                by=role_of(entry),
                seat=entry.event.seat,
                reason=shorten(entry.event.reason),
            )
            for entry in case.entries
            if isinstance(entry.event, SeatRemoved)
        ),
        "stood_in": tuple(sorted({entry.event.seat for entry in case.entries if isinstance(entry.event, SeatHanded)})),
    }
    match end.event if end is not None else None:
        case GameFinished(ranking=ranking):
            winners = sorted(place.seat for place in ranking if place.place == 1)
            about |= {"winners": tuple(winners), "team": find_team(case.opened.options.get("teams"), winners)}
        case GameAborted(reason=reason) if end is not None:
            about |= {"by": role_of(end), "reason": shorten(reason)}
        case GameCancelled(seat=seat):
            about["left"] = seat
        case GameStopped():
            about |= {"by": "players", "reason": "All who were asked agreed to end it."}
        case _:
            return outcome_at(case.entries[-1], "running" if is_started else "open", about)
    assert end is not None, "matched just now"
    return outcome_at(end, "finished" if isinstance(end.event, GameFinished) else "aborted", about)


def role_of(entry: Entry) -> str:
    """Name the kind of an author. An operator who rules has an id; without one it is the server, by its own rules."""
    return "server" if entry.line.by == "operator" else entry.line.by.partition(":")[0]


def outcome_at(entry: Entry, status: str, about: dict[str, Any]) -> Outcome:
    at = entry.line.at
    return Outcome(status=status, line=entry.line.version, date=at[:10], time=at[11:16], **about)
