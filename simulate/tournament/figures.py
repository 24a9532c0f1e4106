"""The result of a rehearsal, counted from its bundle alone."""

import time
from collections import Counter

from msgspec import Struct

from domain.audit.bundle import parse_bundle
from domain.audit.tournament_bundle import TournamentBundle, parse_tournament_bundle
from domain.log.record import parse_line
from services.audits.audit import Terms
from services.audits.tournament_audit import audit_tournament


class Verified(Struct, frozen=True, kw_only=True):
    """One verification: on so many processes, in so many seconds, with this exit code."""

    processes: int
    seconds: float
    exit_code: int


class RehearsalFigures(Struct, frozen=True, kw_only=True):
    """`events` are the lines of the tournament's log, `game_events` those of all games; `happened` counts by type."""

    games: int
    events: int
    game_events: int
    bundle_size: int
    played_s: float
    away_s: float
    happened: dict[str, int]
    verified: tuple[Verified, ...]


# Remarkable facts of a tournament beside that it was played.
TOLD = (
    "entrant_entered",
    "entrant_withdrawn",
    "no_show_told",
    "walkover_given",
    "bye_given",
    "table_drawn",
    "result_taken",
    "points_ruled",
    "result_replaced",
    "table_replayed",
    "game_voided",
)


def count_events(raw: bytes) -> tuple[int, int, dict[str, int]]:
    """Count the lines of the tournament, those of all its games, and the incidents."""
    bundle = parse_tournament_bundle(raw)
    types = Counter(parse_line(line).type for line in bundle.log.splitlines())
    return types.total(), _count_game_events(bundle), {name: types[name] for name in TOLD if types[name]}


def measure_verifying(raw: bytes, terms: Terms, *, processes: int) -> Verified:
    begun_s = time.perf_counter()
    audit = audit_tournament(raw, terms, name="rehearsal", processes=processes)
    return Verified(processes=processes, seconds=time.perf_counter() - begun_s, exit_code=audit.exit_code)


def _count_game_events(bundle: TournamentBundle) -> int:
    return sum(parse_bundle(each.raw).log.count(b"\n") for each in bundle.games)
