"""Forgers of a played tournament: the operator has its secret, but no player's key.

They decide the consequences of their changes again, as far as possible; every line is numbered and chained anew.
"""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.audit.bundle import format_bundle, parse_bundle
from domain.audit.tournament_bundle import GameMember, TournamentBundle, list_games
from domain.canonical import encode
from domain.chance import Secret
from domain.ids import LineHash
from domain.log.enact import carry_out
from domain.log.record import GENESIS, line_hash
from domain.log.replay import read_entry, read_input
from domain.tournament.kind import TOURNAMENTS
from domain.tournament.opening import begin_tournament

Lines = list[dict[str, Any]]


class Forger(Struct, frozen=True, kw_only=True):
    """`found_by` is a check that must find it, and `is_recounted` states that counting again finds it too."""

    name: str
    forge: Callable[[TournamentBundle], TournamentBundle]
    found_by: str
    is_recounted: bool = True


def read(bundle: TournamentBundle) -> Lines:
    return [msgspec.json.decode(raw) for raw in bundle.log.splitlines()]


def write(bundle: TournamentBundle, raws: Sequence[bytes], games: Sequence[GameMember] = ()) -> TournamentBundle:
    """Put other lines in; the proofs of the old ones, which the forger cannot have for these, are left out."""
    log = b"".join(raw + b"\n" for raw in raws)
    # A ruling may lead to other tables, and a file has the games of its log in their order.
    filed = {member.game: member for member in games or bundle.games}
    drawn = tuple(filed[game] for game in list_games(log) if game in filed)
    return replace(bundle, log=log, games=drawn, last_proof=None, first_seat_proof=None)


def chain(lines: Lines) -> list[bytes]:
    raws: list[bytes] = []
    for version, line in enumerate(lines, start=1):
        prev = line_hash(raws[-1]) if raws else GENESIS
        raws.append(encode(line | {"prev": prev, "version": version}))
    return raws


def decide_again(lines: Lines) -> list[bytes]:
    """Decide every input again, so that pairings, scores and standings follow from the change."""
    tournament = begin_tournament(
        read_entry(TOURNAMENTS, encode(lines[0])), None, Secret(bytes.fromhex(lines[-1]["data"]["secret"]))
    )
    raws = [encode(lines[0])]
    for line in lines[1:]:
        if line["kind"] == "input":
            put = read_input(
                read_entry(TOURNAMENTS, encode(line | {"prev": tournament.head, "version": tournament.version + 1}))
            )
            decided = carry_out(TOURNAMENTS, tournament, put)
            tournament = decided.state
            raws += [entry.raw for entry in decided.entries]
    return raws


def turn_a_result_round(bundle: TournamentBundle) -> TournamentBundle:
    """Let the first of a table come last, in all that is stated of it in the tournament."""
    lines = read(bundle)
    _turn_round(_last_result(lines)["ranking"])
    return write(bundle, decide_again(lines))


def hand_over_a_table(bundle: TournamentBundle) -> TournamentBundle:
    """Let two who were drawn at different tables of the first round change places."""
    lines = read(bundle)
    one, other, *_ = (line["data"]["seats"] for line in lines if line["type"] == "table_drawn")
    one[0], other[0] = other[0], one[0]
    return write(bundle, chain(lines))


def rule_more_points(bundle: TournamentBundle) -> TournamentBundle:
    lines = read(bundle)
    _last(lines, "points_ruled")["data"]["points"] *= 2
    return write(bundle, decide_again(lines))


def drop_a_ruling(bundle: TournamentBundle) -> TournamentBundle:
    """Leave a ruling out as if it had never been; the proof of the ledger is kept, unread."""
    lines = read(bundle)
    lines.remove(_last(lines, "points_ruled"))
    forged = write(bundle, decide_again(lines))
    return replace(forged, last_proof=bundle.last_proof, first_seat_proof=bundle.first_seat_proof)


def promote_the_last(bundle: TournamentBundle) -> TournamentBundle:
    """Let the last of the final standings have as many points as the first."""
    lines = read(bundle)
    standings = _last(lines, "standings_told")["data"]["standings"]
    standings[-1]["points"] = standings[0]["points"]
    return write(bundle, chain(lines))


def turn_a_game_round(bundle: TournamentBundle) -> TournamentBundle:
    """Let a game end the other way round, and the tournament take just that result."""
    lines = read(bundle)
    taken = _last_result(lines)
    drawn = next(
        line["data"]
        for line in lines
        if line["type"] == "table_drawn"
        and all(line["data"][name] == taken[name] for name in ("round", "table", "attempt"))
    )
    member = next(member_game for member_game in bundle.games if member_game.game == drawn["game"])
    game = parse_bundle(member.raw)
    game_lines = [msgspec.json.decode(raw) for raw in game.log.splitlines()]
    _turn_round(_last(game_lines, "game_finished")["data"]["ranking"])
    raws = chain(game_lines)
    forged = replace(game, log=b"".join(raw + b"\n" for raw in raws), last_proof=None, first_seat_proof=None)
    taken |= {"hash": LineHash(line_hash(raws[-1])), "ranking": _last(game_lines, "game_finished")["data"]["ranking"]}
    games = [
        GameMember(game=member_game.game, raw=format_bundle(forged)) if member_game is member else member_game
        for member_game in bundle.games
    ]
    return write(bundle, decide_again(lines), games=tuple(games))


def _turn_round(ranking: list[dict[str, int]]) -> None:
    last = max(seat["place"] for seat in ranking)
    for placing in ranking:
        placing["place"] = last + 1 - placing["place"]


def _last_result(lines: Lines) -> dict[str, Any]:
    """Find the last result in which one seat was better than another, so that it can be turned round."""
    results = (line["data"] for line in reversed(lines) if line["type"] == "result_taken")
    return next(data for data in results if len({each["place"] for each in data["ranking"] or ()}) > 1)


def _last(lines: Lines, type_: str) -> dict[str, Any]:
    return next(line for line in reversed(lines) if line["type"] == type_)


FORGERS = (
    Forger(name="a result", forge=turn_a_result_round, found_by="results"),
    Forger(name="a pairing", forge=hand_over_a_table, found_by="redecision"),
    Forger(name="a ruling", forge=rule_more_points, found_by="signatures", is_recounted=False),
    Forger(name="a ruling left out", forge=drop_a_ruling, found_by="inclusion", is_recounted=False),
    Forger(name="a standing", forge=promote_the_last, found_by="redecision"),
    Forger(name="a game", forge=turn_a_game_round, found_by="games", is_recounted=False),
)
