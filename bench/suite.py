"""Every measurement with its needs: its own servers, in a folder that goes away, and its own database.

Baselines run beside it, on the same servers in the same minute; figures of two runs are not comparable.
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
from bench.commands import CommandFigures, measure_commands
from bench.cups import CupSize
from bench.devtools import NoChromium, find_chromium
from bench.fold import LINES, FoldFigures, measure_fold
from bench.ledger import LedgerFigures, measure_ledger
from bench.live import LiveFigures, measure_live
from bench.page import PageFigures, PageSize, measure_page
from bench.ruleset import RulesetFigures, measure_ruleset
from bench.tailing import TailingFigures, measure_tailing
from bench.tournaments import TournamentFigures, measure_tournaments
from domain.ruleset.kit import Kit
from domain.rulesets.charioteer.kit import kit as charioteer
from domain.rulesets.released import KITS
from infra.components import load_ruleset
from infra.embedded.binaries import find_binaries
from infra.embedded.servers import ServerUrls, embedded_servers
from infra.postgres.migrations import migrate
from infra.version import VERSION

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
    bundled_events: int
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
    bundled_events=500_000,
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
    bundled_events=10_000,
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
    """The report; it holds measured figures only."""

    machine: Machine
    fold: FoldFigures | None = None
    append: AppendFigures | None = None
    growth: GrowthFigures | None = None
    tailing: TailingFigures | None = None
    ledger: tuple[LedgerFigures, ...] = ()
    rulesets: tuple[RulesetFigures, ...] = ()
    commands: CommandFigures | None = None
    live: LiveFigures | None = None
    page: PageFigures | None = None
    # Why there are no figures of it.
    page_missing: str | None = None
    tournaments: TournamentFigures | None = None
    audits: tuple[AuditFigures, ...] = ()


Add = Callable[[Report, Size], Coroutine[None, None, Report]]


def read_machine() -> Machine:
    system = f"{platform.system()} {platform.release()} {platform.machine()}"
    return Machine(spina=VERSION, python=platform.python_version(), system=system, cpu_count=os.cpu_count() or 0)


async def add_fold(report: Report, size: Size) -> Report:
    return replace(report, fold=measure_fold(size.fold_lines))


def add_ruleset(kit: Kit) -> Add:
    async def add(report: Report, size: Size) -> Report:
        return replace(report, rulesets=(*report.rulesets, measure_ruleset(kit, games=size.games)))

    return add


async def add_audits(report: Report, size: Size) -> Report:
    return replace(report, audits=tuple(measure_audits(kit, events=size.bundled_events) for kit in KITS))


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
        return replace(report, tournaments=await measure_tournaments(load_ruleset(charioteer.KIT), size.cup, urls))


async def add_ledger(report: Report, size: Size) -> Report:
    with tempfile.TemporaryDirectory(prefix="spina-bench-") as folder:
        async with new_servers() as urls:
            figures = await measure_ledger(urls.owner_url, urls.database_url, Path(folder), sizes=size.ledger_leaves)
    return replace(report, ledger=tuple(figures))


class Step(Struct, frozen=True, kw_only=True):
    """One measurement, which adds its figures to the report. `doing` is the text shown meanwhile."""

    subject: str
    doing: str
    add: Add


STEPS = (
    Step(subject="fold", doing="reading a log", add=add_fold),
    *(Step(subject=kit.name, doing=f"playing {kit.name}", add=add_ruleset(kit)) for kit in KITS),
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
    """Start embedded servers, even where others are given: a measurement fills the database it runs on."""
    with tempfile.TemporaryDirectory(prefix="spina-bench-") as folder:
        async with embedded_servers(Path(folder) / "data") as urls:
            await migrate(urls.owner_url)
            yield urls
