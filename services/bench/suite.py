"""Every measurement with what it needs: its own servers, in a folder that goes away, and its own database.

What it is compared with runs beside it, on the same servers in the same minute; figures of two runs are not comparable.
"""

import os
import platform
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from msgspec import Struct

from infra.embedded.binaries import find_binaries
from infra.embedded.servers import ServerUrls, embedded_servers
from infra.postgres.migrations import migrate
from services.bench.append import AppendFigures, GrowthFigures, measure_append, measure_growth
from services.bench.audits import AuditFigures, measure_audits
from services.bench.chariot_race import RaceCost, measure_chariot_race
from services.bench.charioteer import CharioteerFigures, measure_charioteer
from services.bench.fold import LINES, FoldFigures, measure_fold
from services.bench.ledger import LedgerFigures, measure_ledger
from services.bench.recorded_games import RecordedFigures, measure_recorded_games
from services.bench.tailing import TailingFigures, measure_tailing
from services.rulesets import load_chariot_race, load_charioteer
from services.version import VERSION


class Size(Struct, frozen=True, kw_only=True):
    """How much is measured. Only the large one is worth keeping the figures of."""

    fold_lines: int
    small_events: int
    large_events: int
    tailed_events: int
    ledger_leaves: tuple[int, ...]
    games: int
    bundles: int


# A log that fits every cache, and one that has a few thousand games: twenty times the size.
FULL = Size(
    fold_lines=LINES,
    small_events=50_000,
    large_events=5_000_000,
    tailed_events=1_000_000,
    games=100,
    bundles=500,
    ledger_leaves=(10_000, 2_000_000),
)
QUICK = Size(
    fold_lines=LINES // 4,
    small_events=10_000,
    large_events=100_000,
    tailed_events=20_000,
    games=4,
    bundles=10,
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
    recorded: tuple[RecordedFigures, ...] = ()
    audits: tuple[AuditFigures, ...] = ()


def read_machine() -> Machine:
    system = f"{platform.system()} {platform.release()} {platform.machine()}"
    return Machine(spina=VERSION, python=platform.python_version(), system=system, cpu_count=os.cpu_count() or 0)


def run_fold(size: Size) -> FoldFigures:
    return measure_fold(size.fold_lines)


def run_charioteer(size: Size) -> tuple[CharioteerFigures, RecordedFigures]:
    rules = load_charioteer()
    return measure_charioteer(rules, size.games), measure_recorded_games(rules, games=size.games)


def run_chariot_race(size: Size) -> tuple[RaceCost, RecordedFigures]:
    rules = load_chariot_race()
    return measure_chariot_race(rules, races=size.games), measure_recorded_games(rules, games=size.games)


def run_audits(size: Size) -> tuple[AuditFigures, ...]:
    return tuple(measure_audits(rules, files=size.bundles) for rules in (load_charioteer(), load_chariot_race()))


async def run_append() -> AppendFigures:
    pgbench = find_binaries().postgres.with_name("pgbench")
    async with new_servers() as urls:
        return await measure_append(urls.owner_url, urls.database_url, pgbench=pgbench)


async def run_growth(size: Size) -> GrowthFigures:
    async with new_servers() as urls:
        return await measure_growth(
            urls.owner_url, urls.database_url, small_events=size.small_events, large_events=size.large_events
        )


async def run_tailing(size: Size) -> TailingFigures:
    async with new_servers() as urls:
        return await measure_tailing(urls.database_url, events=size.tailed_events)


async def run_ledger(size: Size) -> tuple[LedgerFigures, ...]:
    with tempfile.TemporaryDirectory(prefix="spina-bench-") as folder:
        async with new_servers() as urls:
            figures = await measure_ledger(urls.owner_url, urls.database_url, Path(folder), sizes=size.ledger_leaves)
            return tuple(figures)


@asynccontextmanager
async def new_servers() -> AsyncIterator[ServerUrls]:
    """Start embedded servers, whatever is given: a measurement fills the database it runs on."""
    with tempfile.TemporaryDirectory(prefix="spina-bench-") as folder:
        async with embedded_servers(Path(folder) / "data") as urls:
            await migrate(urls.owner_url)
            yield urls
