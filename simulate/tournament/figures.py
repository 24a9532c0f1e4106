"""The result of a rehearsal, counted from its bundle alone, for people and for machines."""

import os
import time
from collections import Counter

from msgspec import Struct
from rich.table import Table

from domain.audit.bundle import parse_bundle
from domain.audit.case import Trust
from domain.audit.tournament_bundle import parse_tournament_bundle
from domain.ledger.policy_file import parse_policy
from domain.log.record import parse_line
from domain.rulesets.released import RELEASED
from domain.tournament.ruling_events import RULING_TYPES
from services.audits.audit import Terms
from services.audits.tournament_audit import audit_tournament
from services.terminal.plain_console import PlainConsole
from services.terminal.printing import say_json
from simulate.tournament.rehearsal import Rehearsal

# Remarkable facts of a tournament beside that it was played.
TOLD = (
    "entrant_entered",
    "entrant_withdrawn",
    "no_show_told",
    "walkover_given",
    "bye_given",
    "table_drawn",
    "result_taken",
    "helper_joined",
    "organiser_called",
    "call_answered",
    "announced",
    "entry_taken",
    *RULING_TYPES,
)


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


def print_rehearsal(rehearsal: Rehearsal, *, as_json: bool) -> int:
    """Verify the bundle by the policy of its operator, print the figures, and return the exit code."""
    figures = _measure(rehearsal)
    if as_json:
        say_json(figures)
    else:
        _print_figures(figures)
    return max(verified.exit_code for verified in figures.verified)


def _measure(rehearsal: Rehearsal) -> RehearsalFigures:
    bundle = parse_tournament_bundle(rehearsal.bundle)
    policy = None if bundle.policy is None else parse_policy(bundle.policy)
    terms = Terms(trust=Trust(policy=policy), builders=RELEASED)
    types = Counter(parse_line(line).type for line in bundle.log.splitlines())
    return RehearsalFigures(
        games=len(bundle.games),
        events=types.total(),
        game_events=sum(parse_bundle(game.raw).log.count(b"\n") for game in bundle.games),
        bundle_size=len(rehearsal.bundle),
        played_s=rehearsal.played_s,
        away_s=rehearsal.away_s,
        happened={name: types[name] for name in TOLD if types[name]},
        verified=tuple(_verify(rehearsal.bundle, terms, each) for each in sorted({1, os.cpu_count() or 1})),
    )


def _verify(raw: bytes, terms: Terms, processes: int) -> Verified:
    begun_s = time.perf_counter()
    audit = audit_tournament(raw, terms, name="rehearsal", processes=processes)
    return Verified(processes=processes, seconds=time.perf_counter() - begun_s, exit_code=audit.exit_code)


def _print_figures(figures: RehearsalFigures) -> None:
    console = PlainConsole(soft_wrap=True)
    size = f"{figures.bundle_size / 1_000_000:.1f} MB"
    about = f"{figures.games} games, {figures.events} events of the tournament, {figures.game_events} of its games"
    console.print(f"{about}: {figures.played_s:.0f} s, of which the server was away for {figures.away_s:.1f} s; {size}")
    table = Table("event", "times", box=None)
    for name, times in figures.happened.items():
        table.add_row(name, str(times))
    console.print(table)
    for verified in figures.verified:
        cores = "1 core" if verified.processes == 1 else f"{verified.processes} cores"
        console.print(f"verified on {cores} in {verified.seconds:.1f} s: exit code {verified.exit_code}", markup=False)
