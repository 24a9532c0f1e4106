"""The pauses of rounds, held against the games of their tables."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from domain.audit.findings import Held, Result, broken
from domain.audit.played_games import PlayedGame
from domain.audit.tables import CLOCKS_APART_MS, MEANWHILE_MS
from domain.audit.tournament_case import TournamentCase
from domain.ids import StreamVersion
from domain.log.record import format_at, parse_at
from domain.tournament.events import RoundClosed, TableDrawn, TournamentAborted
from domain.tournament.ruling_events import RoundPaused, RoundResumed


class Ruled(Struct, frozen=True, kw_only=True):
    """A pause of a round, ruled in this line; without an end it goes on."""

    line: StreamVersion
    round: int
    from_ms: int
    to_ms: int | None


def check_pauses(case: TournamentCase) -> Result:
    """Check that each pause at a table is one of its round, and that no clock ran out there meanwhile."""
    ruled = tuple(_list_pauses(case))
    count = 0
    for entry in case.entries:
        game = case.games.get(entry.event.game) if isinstance(entry.event, TableDrawn) else None
        if game is None or not isinstance(entry.event, TableDrawn):
            continue
        misfit = _find_misfit(game, [pause for pause in ruled if pause.round == entry.event.round])
        if misfit is not None:
            return broken(entry.line.version, expected=misfit[0], found=f"game {game.game} with {misfit[1]}")
        count += len(game.pauses)
    return Held(seen=f"{count} pauses")


def _list_pauses(case: TournamentCase) -> Iterator[Ruled]:
    since: tuple[StreamVersion, int, int] | None = None
    for entry in case.entries:
        at_ms = parse_at(entry.line.at)
        match entry.event:
            case RoundPaused(round=round_):
                since = (entry.line.version, round_, at_ms)
            case RoundResumed() | RoundClosed() | TournamentAborted() if since is not None:
                yield Ruled(line=since[0], round=since[1], from_ms=since[2], to_ms=at_ms)
                since = None
            case _:
                pass
    if since is not None:
        yield Ruled(line=since[0], round=since[1], from_ms=since[2], to_ms=None)


def _find_misfit(game: PlayedGame, ruled: Sequence[Ruled]) -> tuple[str, str] | None:
    by_line = {pause.line: pause for pause in ruled}
    for pause in game.pauses:
        cause = by_line.get(pause.line)
        if cause is None or pause.from_ms < cause.from_ms - CLOCKS_APART_MS:
            return "pauses that a ruling on the round made", f"one by line {pause.line}"
        ends_ms = cause.to_ms
        if pause.to_ms is not None and (ends_ms is None or pause.to_ms < ends_ms - CLOCKS_APART_MS):
            return "a pause as long as that of the round", f"one that ended at {format_at(pause.to_ms)}"
    for at_ms in game.lapsed_ms:
        # The server stops the clocks of all tables after the ruling, one by one.
        if any(
            pause.from_ms + MEANWHILE_MS < at_ms and (pause.to_ms is None or at_ms < pause.to_ms - CLOCKS_APART_MS)
            for pause in ruled
        ):
            return "no clock that ran out while the round was paused", f"one at {format_at(at_ms)}"
    return None
