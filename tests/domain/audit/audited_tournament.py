"""A whole tournament of Torches with its games, from which forgeries are made, and bundles of it."""

from collections.abc import Callable, Sequence
from functools import cache
from hashlib import sha256
from typing import Any

import msgspec
from msgspec import Struct

from domain.audit.bundle import format_bundle
from domain.audit.case import NO_TRUST
from domain.audit.check import always
from domain.audit.findings import Broken
from domain.audit.played_games import PlayedGame, verify_member
from domain.audit.tournament import CHECKS, TournamentReport, verify_tournament
from domain.audit.tournament_bundle import GameMember, TournamentBundle, build_howto
from domain.canonical import encode
from domain.chance import Secret
from domain.game.events import TableSeat, TournamentTable
from domain.ids import CommandId, GameId, StreamVersion
from domain.log.record import GENESIS, line_hash
from domain.rulesets.released import Rebuilder
from domain.signature import signed_input
from domain.tournament.formats import ScoreRounds
from domain.tournament.state import Awaited
from domain.tournament.state import Table as Seating
from tests.domain.audit.audited_game import BUILDERS, OF_THE_LEDGER, bundle_of
from tests.domain.game.game_harness import Table, public_hex, signing_key
from tests.domain.tournament.tournament_harness import CUP, HOUR, NOON, ORGA, ORGANISER, RULES, Club

ORGANISER_KEY = signing_key(9)
# These look at the ledger, which a bundle may be without.
OFFLINE = tuple(check for check in CHECKS if check.name not in OF_THE_LEDGER and check.is_asked is always)


class Played(Struct, frozen=True, kw_only=True):
    """A tournament's lines, and the lines of its games by their ids, in the order in which they were drawn."""

    raws: tuple[bytes, ...]
    games: dict[GameId, tuple[bytes, ...]]


def play_game(club: Club, seating: Seating, *, ends: str = "finished", **terms: Any) -> Table:
    """Play the game of a table to its end, or seat every entrant, or abort it at once."""
    opened = club.tournament.opened
    entries = [club.tournament.entries[entrant] for entrant in seating.entrants]
    table = TournamentTable(
        tournament=CUP,
        round=club.round.number,
        table=seating.number,
        attempt=seating.attempt,
        seats=tuple(TableSeat(player=entry.player, key=entry.key) for entry in entries),
    )
    fields: dict[str, Any] = {
        "id": CommandId(seating.game),
        "stream": seating.game,
        "actor": ORGANISER,
        "seats": len(entries),
        "organisers": opened.organisers,
        "options": opened.options,
        "delay_s": opened.delay_s,
        "at_ms": club.now,
        "secret": Secret(sha256(seating.game.encode()).digest()),
        "table": table,
    }
    game = Table(**(fields | terms))
    game.now = club.now
    game.players = tuple(entry.player for entry in entries)
    if ends == "aborted":
        game.abort()
    elif ends == "finished":
        game.start().finish()
    elif ends == "seated":
        for seat in range(len(entries)):
            game.take(seat)
    return game


def take(club: Club, game: Table, *, number: int = 0) -> None:
    """Take the result that the last lines of a game state, for its own table or for this one."""
    number = number or next(table.number for table in club.round.tables if table.game == game.id)
    last = game.entries[-2].event
    ranking = getattr(last, "ranking", None)
    version = StreamVersion(len(game.raws))
    club.take(number, version=version, hash=line_hash(game.raws[-1]), ranking=ranking)


@cache
def cup() -> Played:
    """Seven play two rounds: a withdrawal, a no-show, an aborted game, a replayed table, points that are ruled."""
    club = Club(format=ScoreRounds(rounds=2), organisers={ORGA: public_hex(ORGANISER_KEY)})
    club.keys = {ORGANISER: ORGANISER_KEY}
    club.enter(7)
    games: list[Table] = []
    club.draw()
    games += [play_game(club, club.table(1), ends="aborted"), play_game(club, club.table(2), ends="aborted")]
    take(club, games[0])
    club.replace(1, *range(1, len(club.table(1).seats) + 1))
    club.now = NOON + HOUR + 1
    club.tell_no_show(2, club.table(2).entrants[0])
    games.append(play_game(club, club.table(2)))
    take(club, games[-1])
    club.replay(2)
    games.append(play_game(club, club.table(2)))
    take(club, games[-1])
    club.withdraw(6)
    club.draw()
    for seating in club.round.tables:
        assert isinstance(seating.status, Awaited)
        games.append(play_game(club, seating))
        take(club, games[-1])
    club.rule(0, -7)
    club.close()
    return Played(raws=tuple(club.raws), games={game.id: tuple(game.raws) for game in games})


def bundle(played: Played) -> TournamentBundle:
    members = tuple(GameMember(game=game, raw=format_bundle(bundle_of(raws))) for game, raws in played.games.items())
    log = b"".join(raw + b"\n" for raw in played.raws)
    return TournamentBundle(log=log, components=RULES.components, howto=build_howto(CUP), games=members)


@cache
def _verify_once(member: GameMember) -> PlayedGame:
    return verify_member(member, rebuilder=Rebuilder(BUILDERS), trust=NO_TRUST)


def audit(found: TournamentBundle, *, without: str = "") -> TournamentReport:
    """Run the checks without the ledger. Most games of most forgeries are the same, and are verified once."""
    games = {member.game: _without_ledger(_verify_once(member)) for member in found.games}
    checks = [check for check in OFFLINE if check.name != without]
    return verify_tournament(found, games, rebuilder=Rebuilder(BUILDERS), checks=checks)


def _without_ledger(game: PlayedGame) -> PlayedGame:
    return msgspec.structs.replace(game, unchecked=tuple(name for name in game.unchecked if name not in OF_THE_LEDGER))


def broken_in(report: TournamentReport) -> dict[str, Broken]:
    return {finding.check: finding.result for finding in report.broken if isinstance(finding.result, Broken)}


def rechain(lines: Sequence[dict[str, Any]], *, is_signed_again: bool = True) -> tuple[bytes, ...]:
    """Number, chain and sign lines anew, as an operator would who has the organiser's key too."""
    raws: list[bytes] = []
    for version, fields in enumerate(lines, start=1):
        line = fields | {"prev": line_hash(raws[-1]) if raws else GENESIS, "version": version}
        if line["sig"] is not None and is_signed_again:
            line["base"] = line["prev"]
            line["sig"] = _sign(line)
        raws.append(encode(line))
    return tuple(raws)


def edit(change: Callable[[list[dict[str, Any]]], Any], *, is_signed_again: bool = True) -> Played:
    """Forge the log of the cup, and leave its games as they are."""
    lines = [msgspec.json.decode(raw) for raw in cup().raws]
    change(lines)
    return msgspec.structs.replace(cup(), raws=rechain(lines, is_signed_again=is_signed_again))


def _sign(line: dict[str, Any]) -> str:
    message = signed_input(
        base=line["base"], command=line["command"], data=line["data"], stream=line["stream"], type_=line["type"]
    )
    return ORGANISER_KEY.sign(message).hex()
