"""The tournament's statements about its games, held against the games themselves."""

from collections.abc import Mapping, Sequence

from msgspec import UNSET, Struct, UnsetType

from domain.audit.cross_checks import AuditedLog, compare_bundles
from domain.audit.findings import Broken, Held, Result, Unchecked, broken
from domain.audit.played_games import PlayedGame
from domain.audit.tournament_case import TournamentCase
from domain.canonical import encode
from domain.game.events import GameOpened, TableSeat, TournamentTable
from domain.ids import OrganiserId, StreamVersion, TournamentId
from domain.log.entry import Entry
from domain.log.record import parse_at
from domain.tournament.contender import Entrant
from domain.tournament.events import (
    EntrantEntered,
    EntryTaken,
    NoShowTold,
    ResultTaken,
    TableDrawn,
    TableScored,
    TournamentAborted,
    TournamentOpened,
    WalkoverGiven,
)
from domain.tournament.ruling_events import DrawHeld, DrawReleased
from domain.tournament.team_events import TeamChosen
from domain.tournament.teams import build_options

_Key = tuple[int, int, int]
# In place of the number of an input, for all inputs while a draw is held.
_HELD = 0

# A command of a player may be on its way into the log for as long when an absence is reported.
MEANWHILE_MS = 20_000
# The clocks of two processes differ by less. Players act on a start that they have seen, so that their first act in a
# game comes after a no-show for which the server had found no start.
CLOCKS_APART_MS = 1_000


def check_games(case: TournamentCase) -> Result:
    """Check that every game of the bundle holds by itself, and stands in its own place."""
    unchecked = 0
    drawn = {entry.event.game: entry for entry in case.entries if isinstance(entry.event, TableDrawn)}
    for place, game in case.games.items():
        version = drawn[place].line.version if place in drawn else None
        if game.refusal is not None:
            return broken(version, expected=f"a bundle of game {place}", found=game.refusal)
        if game.game != place:
            return broken(version, expected=f"game {place}", found=f"game {game.game}")
        first = game.broken
        if first is not None:
            claim, result = first
            told = f"line {result.version} of game {place}: {result.found}"
            return broken(version, expected=f"{claim} {result.expected}", found=told)
        unchecked += not game.is_proven
    if unchecked:
        return Unchecked(reason=f"of {len(case.games)} games, {unchecked} cannot be checked in everything yet")
    return Held(seen=f"{len(case.games)} games")


def check_all_games(case: TournamentCase) -> Result:
    """Check that the file has the game of each table, but of one that was drawn again before a game could be opened.

    That is so within one input, and as long as an organiser holds the draw: a table that is ruled on meanwhile, or a
    tournament that ends, has no game there.
    """
    tables: dict[tuple[int, int, int], TableDrawn] = {}
    number = held = 0
    for entry in case.entries:
        number += entry.line.kind == "input"
        match entry.event:
            case DrawHeld(round=round_):
                held = round_
            case DrawReleased():
                held = 0
            case TableDrawn(round=round_, table=table) as drawn:
                tables[_HELD if round_ == held else number, round_, table] = drawn
            case TournamentAborted() if held:
                tables = {key: drawn for key, drawn in tables.items() if key[:2] != (_HELD, held)}
            case WalkoverGiven(round=round_, table=table) | TableScored(round=round_, table=table) if round_ == held:
                tables.pop((_HELD, round_, table), None)
            case _:
                pass
    missing = [table for table in tables.values() if table.game not in case.games]
    if missing:
        first = missing[0]
        return Unchecked(
            reason=f"the file lacks {len(missing)} of {len(tables)} games, the first that of round {first.round}, "
            f"table {first.table}"
        )
    return Held(seen=f"{len(tables)} tables")


def check_results(case: TournamentCase) -> Result:
    """Check each result against the last lines of its game: that version, that hash, that ranking."""
    drawn, missing, count = _list_drawn(case), [], 0
    for entry in case.entries:
        taken = entry.event
        if not isinstance(taken, ResultTaken):
            continue
        table = drawn.get((taken.round, taken.table, taken.attempt))
        game = case.games.get(table.game) if table is not None else None
        if game is None:
            missing.append(entry.line.version)
            continue
        if game.aborted_by == "server":
            expected = (
                f"game {game.game} ended by its players, an organiser or the operator, as its table waited for it"
            )
            return broken(entry.line.version, expected=expected, found="one ended by the server")
        misfit = _find_other_result(entry, taken, game)
        if misfit is not None:
            return misfit
        count += 1
    if missing:
        return Unchecked(reason=f"the bundle has no game for {_tell_lines('the result', missing)}")
    return Held(seen=f"{count} results")


def _tell_lines(what: str, lines: Sequence[StreamVersion]) -> str:
    more = f", nor for {len(lines) - 1} more" if len(lines) > 1 else ""
    return f"{what} of line {lines[0]}{more}"


def check_terms(case: TournamentCase) -> Result:
    """Check that each game was opened on the terms of the tournament, for those who were drawn at its table."""
    if case.opened is None or case.tournament is None:
        return Unchecked(reason="the terms of the tournament cannot be read")
    people: dict[Entrant, TableSeat] = {}
    teams: dict[Entrant, TeamChosen | UnsetType] = {}
    for entry in case.entries:
        table = entry.event
        if isinstance(table, EntrantEntered):
            teams[table.entrant] = table.team
        if isinstance(table, EntrantEntered | EntryTaken):
            people[table.entrant] = TableSeat(player=table.player, key=table.key)
        game = case.games.get(table.game) if isinstance(table, TableDrawn) else None
        if game is None or game.opened is None or not isinstance(table, TableDrawn):
            continue
        expected = expect_opening(case.tournament, case.opened, table, people, teams)
        found = _describe_opening(game.opened)
        if expected != found or game.opened_by not in {
            f"organiser:{organiser}" for organiser in case.opened.organisers
        }:
            told = f"by {game.opened_by}, {encode(found).decode()}"
            return broken(entry.line.version, expected=f"a game with {encode(expected).decode()}", found=told)
    return Held(seen=f"{len(case.games)} openings")


def check_no_shows(case: TournamentCase) -> Result:
    """Check that no seat was reported absent from a game that had begun, nor by the server one that was ready there.

    That there was a game to come to shows only where the bundle has it. No order holds between the lines of two logs
    but that of their times: a game may start while an absence is reported, and is not played on before that.
    """
    drawn, missing, count = _list_drawn(case), [], 0
    for entry in case.entries:
        event = entry.event
        if not isinstance(event, NoShowTold):
            continue
        table = drawn.get((event.round, event.table, event.attempt))
        game = case.games.get(table.game) if table is not None else None
        if table is None or game is None:
            missing.append(entry.line.version)
            continue
        presence = _find_presence(entry, event, table, game)
        if presence is not None:
            expected = f"entrants {event.entrants} absent"
            return broken(entry.line.version, expected=expected, found=f"a game that {presence}")
        count += 1
    if missing:
        return Unchecked(reason=f"the bundle has no game for {_tell_lines('the no-show', missing)}")
    return Held(seen=f"{count} no-shows")


def _find_presence(entry: Entry, event: NoShowTold, table: TableDrawn, game: PlayedGame) -> str | None:
    at_ms = parse_at(entry.line.at)
    if game.started_ms is not None and game.started_ms < at_ms - MEANWHILE_MS:
        return "had begun"
    if entry.line.by == "server":
        readied = {seat for seat, ready_ms in game.readied_ms.items() if ready_ms < at_ms - MEANWHILE_MS}
        return "they were ready for" if any(table.seats[seat].entrant in event.entrants for seat in readied) else None
    is_played = game.played_ms is not None and game.played_ms < at_ms - CLOCKS_APART_MS
    return "was being played" if is_played else None


def check_own_chance(case: TournamentCase) -> Result:
    """Check that no two games draw from one secret, nor one from the secret of the lots."""
    logs = [
        AuditedLog(name=game.game, stream=game.game, fingerprint=game.fingerprint)
        for game in case.games.values()
        if game.fingerprint is not None
    ]
    if case.fingerprint is not None and case.stream is not None:
        logs.append(AuditedLog(name=case.stream, stream=case.stream, fingerprint=case.fingerprint))
    shared = compare_bundles(logs)
    if shared and isinstance(shared[0].finding.result, Broken):
        result = shared[0].finding.result
        return broken(None, expected=f"{shared[0].names[1]} with {result.expected}", found=result.found)
    return Held(seen=f"{len(case.games)} games")


class ExpectedOpening(Struct, frozen=True, kw_only=True):
    """The terms of a game's opening that follow from its tournament."""

    ruleset: str
    components: str
    options: dict[str, object]
    clock: object
    delay_s: int
    demands: tuple[str, ...]
    ledger: str
    visibility: str
    organisers: dict[OrganiserId, str | None]
    table: TournamentTable | None


def expect_opening(
    tournament: TournamentId,
    opened: TournamentOpened,
    table: TableDrawn,
    people: Mapping[Entrant, TableSeat],
    teams: Mapping[Entrant, TeamChosen | UnsetType],
) -> ExpectedOpening:
    """Return the terms with which the game of a table must open; `people` are the entrants at the time of its draw."""
    seats = tuple(people[seat.entrant] for seat in table.seats)
    return ExpectedOpening(
        ruleset=f"{opened.ruleset.name}@{opened.ruleset.version}",
        components=opened.ruleset.components,
        options=dict(build_options(opened, [teams[seat.entrant] for seat in table.seats])),
        clock=opened.clock,
        delay_s=opened.delay_s,
        demands=opened.demands,
        ledger=opened.ledger,
        visibility="public",
        organisers=dict(opened.organisers),
        table=TournamentTable(
            tournament=tournament, round=table.round, table=table.table, attempt=table.attempt, seats=seats
        ),
    )


def _describe_opening(opened: GameOpened) -> ExpectedOpening:
    return ExpectedOpening(
        ruleset=f"{opened.ruleset.name}@{opened.ruleset.version}",
        components=opened.ruleset.components,
        options=dict(opened.options),
        clock=opened.clock,
        delay_s=opened.delay_s,
        demands=opened.demands,
        ledger=opened.ledger,
        visibility=opened.visibility,
        organisers=dict(opened.organisers),
        table=None if opened.table is UNSET else opened.table,
    )


def _find_other_result(entry: Entry, taken: ResultTaken, game: PlayedGame) -> Broken | None:
    told = (taken.version, taken.hash, taken.ranking)
    ended = game.ranking is not None or game.is_aborted
    if ended and told == (game.version, game.hash, game.ranking):
        return None
    expected = f"line {game.version} of game {game.game}, {game.hash}, ranking {_spell(game)}"
    found = f"line {taken.version}, {taken.hash}, ranking {encode(taken.ranking).decode()}"
    return broken(entry.line.version, expected=expected, found=found)


def _spell(game: PlayedGame) -> str:
    return encode(game.ranking).decode() if game.ranking is not None or game.is_aborted else "none, as it goes on"


def _list_drawn(case: TournamentCase) -> dict[_Key, TableDrawn]:
    drawn = (entry.event for entry in case.entries)
    return {(event.round, event.table, event.attempt): event for event in drawn if isinstance(event, TableDrawn)}
