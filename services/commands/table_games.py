"""The game of a table: its opening, the result taken at its end, and its no-shows.

Ids follow from the table, so that a command sent again does nothing twice.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Literal

import msgspec
from msgspec import Struct

from domain.chance import Secret
from domain.derived_ids import derive_command, derive_game
from domain.game.commands import GameCommand, OpenGame
from domain.game.events import GameAborted, PauseEnded, TablePaused, TournamentTable
from domain.game.state import Game, Held
from domain.ids import CommandId, GameId, OrganiserId
from domain.log.actors import ByClock, ByOrganiser, ByServer
from domain.log.record import line_hash, parse_line
from domain.log.state import is_over
from domain.ruleset.decision import Placing
from domain.tournament.commands import TournamentCommand
from domain.tournament.contender import Entrant
from domain.tournament.events import CheckInClosed, NoShowTold, ResultTaken
from domain.tournament.rejections import GameNotOpen
from domain.tournament.state import Round, Table, Tournament, is_settled
from domain.tournament.subjects import find_subject
from domain.tournament.teams import build_options
from infra.event_store import EventStore
from infra.store_faults import UnknownStream

# Always the last line of a game.
ENDED = "secret_disclosed"
STARTED = "game_started"
# The result of a game stands just before its last line; an input that ended it may stand before that.
LAST_LINES = 3
SECRET_BYTES = 32


class TableAt(Struct, frozen=True, kw_only=True):
    """A table of a tournament as it was drawn last."""

    tournament: Tournament
    round: int
    table: Table


def build_opening(at: TableAt, *, at_ms: int, random_bytes: Callable[[int], bytes]) -> OpenGame:
    """Open a table's game on the tournament's terms, in the name of the tournament's opener."""
    tournament, table = at.tournament, at.table
    opened = tournament.opened
    return OpenGame(
        id=CommandId(table.game),
        stream=table.game,
        at_ms=at_ms,
        actor=ByOrganiser(organiser=OrganiserId(tournament.opened_by.removeprefix("organiser:"))),
        ruleset=opened.ruleset.name,
        ruleset_version=opened.ruleset.version,
        components=opened.ruleset.components,
        seats=len(table.people),
        options=build_options(opened, [tournament.entries[entrant].team for entrant in table.entrants]),
        clock=opened.clock,
        visibility="public",
        delay_s=opened.delay_s,
        demands=opened.demands,
        organisers=opened.organisers,
        ledger=opened.ledger,
        secret=Secret(random_bytes(SECRET_BYTES)),
        leaf_key=random_bytes(SECRET_BYTES).hex(),
        table=TournamentTable(
            tournament=tournament.id, round=at.round, table=table.number, attempt=table.attempt, seats=table.people
        ),
    )


def build_result(at: TableAt, last_lines: Sequence[bytes], *, at_ms: int) -> TournamentCommand:
    """Take the result from the last lines of a table's game: its ranking, or none where it was aborted."""
    lines = [parse_line(raw) for raw in last_lines]
    assert lines[-1].type == ENDED, f"{at.table.game} is not over"
    rankings = [line.data["ranking"] for line in lines if line.type == "game_finished"]
    event = ResultTaken(
        round=at.round,
        table=at.table.number,
        attempt=at.table.attempt,
        version=lines[-1].version,
        hash=line_hash(last_lines[-1]),
        ranking=msgspec.convert(rankings[0], tuple[Placing, ...]) if rankings else None,
    )
    return TournamentCommand(
        id=_name(at, "result"), stream=at.tournament.id, at_ms=at_ms, actor=ByServer(), event=event
    )


def build_no_show(at: TableAt, absent: tuple[Entrant, ...], *, at_ms: int) -> TournamentCommand:
    event = NoShowTold(round=at.round, table=at.table.number, attempt=at.table.attempt, entrants=absent, reason=None)
    return TournamentCommand(
        id=_name(at, "no show"), stream=at.tournament.id, at_ms=at_ms, actor=ByServer(), event=event
    )


def build_check_in_closing(tournament: Tournament, round_: Round, *, at_ms: int) -> TournamentCommand:
    return TournamentCommand(
        id=derive_command(tournament.id, f"end of the check-in for round {round_.number}"),
        stream=tournament.id,
        at_ms=at_ms,
        actor=ByClock(),
        event=CheckInClosed(round=round_.number),
    )


def build_abort(at: TableAt, game: GameId, *, at_ms: int) -> GameCommand:
    """End a game that its table waits for no more; the reason names the ruling, if there is one."""
    rulings = [
        ruled.line
        for ruled in at.tournament.rulings
        if (about := find_subject(ruled.event)).attempt is not None
        and (about.round, about.table) == (at.round, at.table.number)
        and game == _name_game(at, about.attempt)
    ]
    if rulings:
        reason = f"By the ruling in line {rulings[-1]} of tournament {at.tournament.id}."
    else:
        over = f"is {at.tournament.status}" if is_over(at.tournament) else "goes on without it: entrants did not come"
        reason = f"Tournament {at.tournament.id} {over}."
    return GameCommand(
        id=derive_command(game, "no table waits for it"),
        stream=game,
        at_ms=at_ms,
        actor=ByServer(),
        event=GameAborted(reason=reason),
    )


def build_pause(at: TableAt, game: Game, *, at_ms: int) -> GameCommand | None:
    """Stop the clocks of a table's game, or let them run again, as its round is paused or not."""
    round_ = at.tournament.rounds[at.round - 1]
    if game.status != "running" or game.opened.clock is None or (game.paused_ms is None) == (round_.paused_ms is None):
        return None
    event: TablePaused | PauseEnded = PauseEnded(seat=None)
    subject = f"end of the pause since {game.paused_ms}"
    if game.paused_ms is None:
        event, subject = TablePaused(line=round_.paused_line), f"pause by line {round_.paused_line}"
    return GameCommand(
        id=derive_command(game.id, subject, secret=game.chance.secret),
        stream=game.id,
        at_ms=at_ms,
        actor=ByServer(),
        event=event,
    )


def list_absent(table: Table, game: Game) -> tuple[Entrant, ...]:
    """List the entrants who keep a game from starting: those not seated; where all are, those not ready."""
    if game.status != "open":
        return ()
    seats = list(zip(table.entrants, game.seats, strict=True))
    absent = [entrant for entrant, status in seats if not isinstance(status, Held)]
    idle = [entrant for entrant, status in seats if isinstance(status, Held) and not status.is_ready]
    return tuple(sorted(absent or idle))


async def require_unbegun(store: EventStore, game: GameId) -> None:
    """Check that a game was opened and has not begun. Raises GameNotOpen."""
    found = "is not opened yet"
    with suppress(UnknownStream):
        types = {parse_line(raw).type for raw in (await store.load_stream(game)).lines}
        if not types & {STARTED, ENDED}:
            return
        found = "is over" if ENDED in types else "has begun"
    expected = "a game before its start: remove an entrant, void the table or replace its result instead"
    raise GameNotOpen(expected=expected, found=f"game {game}, which {found}")


def list_unwanted_games(at: TableAt) -> tuple[GameId, ...]:
    """List the games of a table that it does not wait for: drawn again since, settled without it, or all over.

    They are aborted only after the tournament states so: one that ends while its table waits for it is a result.
    """
    table = at.table
    before = tuple(_name_game(at, attempt) for attempt in range(1, table.attempt))
    return (*before, table.game) if is_settled(table) or is_over(at.tournament) else before


def _name_game(at: TableAt, attempt: int) -> GameId:
    return derive_game(at.tournament.id, round_=at.round, table=at.table.number, attempt=attempt)


def _name(at: TableAt, what: Literal["result", "no show"]) -> CommandId:
    place = f"round {at.round}, table {at.table.number}, attempt {at.table.attempt}"
    return derive_command(at.tournament.id, f"{what} of {place}")
