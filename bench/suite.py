"""Every measurement with what it needs: its own servers, in a folder that goes away, and its own database.

What it is compared with runs beside it, on the same servers in the same minute; figures of two runs are not comparable.
"""

import os
import platform
import tempfile
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from bench.append import AppendFigures, GrowthFigures, measure_append, measure_growth
from bench.audits import AuditFigures, measure_audits
from bench.chariot_race import RaceCost, measure_chariot_race
from bench.charioteer import CharioteerFigures, measure_charioteer
from bench.chariotmaster import CHARIOT_TURNS, TableCost, measure_chariotmaster
from bench.commands import CommandFigures, measure_commands
from bench.cups import CupSize
from bench.devtools import NoChromium, find_chromium
from bench.fold import LINES, FoldFigures, measure_fold
from bench.ledger import LedgerFigures, measure_ledger
from bench.live import LiveFigures, measure_live
from bench.page import PageFigures, PageSize, measure_page
from bench.recorded_games import RecordedFigures, measure_recorded_games
from bench.tailing import TailingFigures, measure_tailing
from bench.tournaments import TournamentFigures, measure_tournaments
from clients.bots.roster import ONE_LAP
from domain.ruleset.ruleset import AnyRuleset
from infra.embedded.binaries import find_binaries
from infra.embedded.servers import ServerUrls, embedded_servers
from infra.postgres.migrations import migrate
from infra.version import VERSION
from services.commands.rulesets import load_chariot_race, load_charioteer, load_chariotmaster

# A race of Chariotmaster has several times the lines of the others, and each takes several times as long.
LONGER = 10
# Kept from one measurement to the next: it is some sixty megabytes from the npm registry.
PEER_FOLDER = Path(".build") / "boardgame.io"


class Size(Struct, frozen=True, kw_only=True):
    """How much is measured. Only the large one is worth keeping the figures of."""

    fold_lines: int
    small_events: int
    large_events: int
    tailed_events: int
    ledger_leaves: tuple[int, ...]
    games: int
    chariot_turns: int
    bundles: int
    command_rounds: int
    spectators: int
    spectated_moves: int
    page: PageSize
    cup: CupSize


# A log that fits every cache, and one that has a few thousand games: twenty times the size.
FULL = Size(
    fold_lines=LINES,
    small_events=50_000,
    large_events=5_000_000,
    tailed_events=1_000_000,
    games=100,
    chariot_turns=CHARIOT_TURNS,
    bundles=500,
    command_rounds=3,
    spectators=1_000,
    spectated_moves=75,
    page=PageSize(games=10, openings=5, frames_max=1_000),
    cup=CupSize(entrants=400, rounds=5),
    ledger_leaves=(10_000, 2_000_000),
)
QUICK = Size(
    fold_lines=LINES // 4,
    small_events=10_000,
    large_events=100_000,
    tailed_events=20_000,
    games=4,
    chariot_turns=30,
    bundles=10,
    command_rounds=1,
    spectators=50,
    spectated_moves=5,
    page=PageSize(games=2, openings=1, frames_max=100),
    cup=CupSize(entrants=16, rounds=2),
    ledger_leaves=(2_000, 20_000),
)


class Machine(Struct, frozen=True, kw_only=True):
    """Where the figures come from."""

    spina: str
    python: str
    system: str
    cpu_count: int


class Report(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Only what was measured stands in it."""

    machine: Machine
    fold: FoldFigures | None = None
    append: AppendFigures | None = None
    growth: GrowthFigures | None = None
    tailing: TailingFigures | None = None
    ledger: tuple[LedgerFigures, ...] = ()
    charioteer: CharioteerFigures | None = None
    chariot_race: RaceCost | None = None
    chariotmaster: TableCost | None = None
    commands: CommandFigures | None = None
    live: LiveFigures | None = None
    page: PageFigures | None = None
    # Why there are no figures of it.
    page_missing: str | None = None
    tournaments: TournamentFigures | None = None
    recorded: tuple[RecordedFigures, ...] = ()
    audits: tuple[AuditFigures, ...] = ()


def read_machine() -> Machine:
    system = f"{platform.system()} {platform.release()} {platform.machine()}"
    return Machine(spina=VERSION, python=platform.python_version(), system=system, cpu_count=os.cpu_count() or 0)


async def add_fold(report: Report, size: Size) -> Report:
    return replace(report, fold=measure_fold(size.fold_lines))


async def add_charioteer(report: Report, size: Size) -> Report:
    rules = load_charioteer()
    recorded = measure_recorded_games(rules, games=size.games)
    figures = measure_charioteer(rules, size.games)
    return replace(report, charioteer=figures, recorded=(*report.recorded, recorded))


async def add_chariot_race(report: Report, size: Size) -> Report:
    rules = load_chariot_race()
    recorded = measure_recorded_games(rules, games=size.games)
    figures = measure_chariot_race(rules, races=size.games)
    return replace(report, chariot_race=figures, recorded=(*report.recorded, recorded))


async def add_chariotmaster(report: Report, size: Size) -> Report:
    rules = load_chariotmaster()
    # A race of a lap is a hundred chariot turns and more: as long as several games of the other two.
    recorded = measure_recorded_games(rules, games=max(size.games // 10, 1), options=ONE_LAP)
    figures = measure_chariotmaster(rules, chariot_turns=size.chariot_turns)
    return replace(report, chariotmaster=figures, recorded=(*report.recorded, recorded))


async def add_audits(report: Report, size: Size) -> Report:
    several: tuple[tuple[AnyRuleset, int], ...] = (
        (load_charioteer(), size.bundles),
        (load_chariot_race(), size.bundles),
        (load_chariotmaster(), size.bundles // LONGER),
    )
    return replace(report, audits=tuple(measure_audits(rules, files=files) for rules, files in several))


async def add_append(report: Report, size: Size) -> Report:  # noqa: ARG001  as all steps are called
    pgbench = find_binaries().postgres.with_name("pgbench")
    async with new_servers() as urls:
        return replace(report, append=await measure_append(urls.owner_url, urls.database_url, pgbench=pgbench))


async def add_growth(report: Report, size: Size) -> Report:
    async with new_servers() as urls:
        figures = await measure_growth(
            urls.owner_url, urls.database_url, small_events=size.small_events, large_events=size.large_events
        )
    return replace(report, growth=figures)


async def add_tailing(report: Report, size: Size) -> Report:
    async with new_servers() as urls:
        return replace(report, tailing=await measure_tailing(urls.database_url, events=size.tailed_events))


async def add_commands(report: Report, size: Size) -> Report:
    async with new_servers() as urls:
        return replace(report, commands=await measure_commands(urls, PEER_FOLDER, rounds=size.command_rounds))


async def add_live(report: Report, size: Size) -> Report:
    async with new_servers() as urls:
        figures = await measure_live(
            urls.database_url, urls.redis_url, spectators=size.spectators, moves=size.spectated_moves
        )
    return replace(report, live=figures)


async def add_page(report: Report, size: Size) -> Report:
    try:
        chromium = find_chromium()
    except NoChromium as error:
        return replace(report, page_missing=str(error))
    async with new_servers() as urls:
        places = urls.database_url, urls.redis_url
        return replace(report, page=await measure_page(chromium, places, size.page))


async def add_tournaments(report: Report, size: Size) -> Report:
    async with new_servers() as urls:
        return replace(report, tournaments=await measure_tournaments(load_charioteer(), size.cup, urls))


async def add_ledger(report: Report, size: Size) -> Report:
    with tempfile.TemporaryDirectory(prefix="spina-bench-") as folder:
        async with new_servers() as urls:
            figures = await measure_ledger(urls.owner_url, urls.database_url, Path(folder), sizes=size.ledger_leaves)
    return replace(report, ledger=tuple(figures))


class Step(Struct, frozen=True, kw_only=True):
    """One measurement, which adds its figures to the report. `doing` is what is said meanwhile."""

    subject: str
    doing: str
    add: Callable[[Report, Size], Coroutine[None, None, Report]]


STEPS = (
    Step(subject="fold", doing="reading a log", add=add_fold),
    Step(subject="charioteer", doing="playing Charioteer", add=add_charioteer),
    Step(subject="chariot-race", doing="playing Chariot Race", add=add_chariot_race),
    Step(subject="chariotmaster", doing="playing Chariotmaster", add=add_chariotmaster),
    Step(subject="audit", doing="verifying bundles", add=add_audits),
    Step(subject="append", doing="appending", add=add_append),
    Step(subject="append", doing="appending to a log that grows", add=add_growth),
    Step(subject="append", doing="following the log while eight processes write", add=add_tailing),
    Step(subject="commands", doing="sending commands", add=add_commands),
    Step(subject="live", doing="telling spectators", add=add_live),
    Step(subject="page", doing="following and replaying games in a browser", add=add_page),
    Step(subject="tournament", doing="pairing, verifying and showing tournaments", add=add_tournaments),
    Step(subject="ledger", doing="keeping a ledger", add=add_ledger),
)


@asynccontextmanager
async def new_servers() -> AsyncIterator[ServerUrls]:
    """Start embedded servers, whatever is given: a measurement fills the database it runs on."""
    with tempfile.TemporaryDirectory(prefix="spina-bench-") as folder:
        async with embedded_servers(Path(folder) / "data") as urls:
            await migrate(urls.owner_url)
            yield urls
