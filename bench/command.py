"""`spina bench`: the speed of this machine, each figure beside its baseline."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from services.terminal.rulesets import RulesetGroup

bench = typer.Typer(
    name="bench",
    cls=RulesetGroup,
    help="Measure on servers of its own, side by side with plainer ways. Example: spina bench all",
    no_args_is_help=True,
)

JsonFile = Annotated[Path | None, typer.Option("--json", help="Save the figures there as JSON.")]
Quick = Annotated[bool, typer.Option("--quick", help="A smaller measurement, to see that it runs.")]


@bench.command()
def append(json: JsonFile = None, quick: Quick = False) -> None:
    """Measure how fast events become durable, beside plain inserts, and how that changes as the log grows.

    Example: spina bench append --quick
    """
    _measure("append", json=json, quick=quick)


@bench.command()
def fold(json: JsonFile = None, quick: Quick = False) -> None:
    """Measure the cost of reading a log, beside decoding and hashing alone.

    Example: spina bench fold
    """
    _measure("fold", json=json, quick=quick)


@bench.command()
def ruleset(context: typer.Context, json: JsonFile = None, quick: Quick = False) -> None:
    """Measure this ruleset: whole games, answers, offers, folds, and the same with everything that is recorded.

    Example: spina bench charioteer --quick
    """
    from services.terminal.kits import require_kit

    _measure(require_kit(str(context.info_name)).name, json=json, quick=quick)


@bench.command()
def audit(json: JsonFile = None, quick: Quick = False) -> None:
    """Measure the cost of verifying a bundle: beside decoding and hashing, beside bare signatures, and on every core.

    Example: spina bench audit --quick
    """
    _measure("audit", json=json, quick=quick)


@bench.command()
def commands(json: JsonFile = None, quick: Quick = False) -> None:
    """Measure commands over HTTP and sockets, beside the appender alone and, where npm is, boardgame.io with Postgres.

    Example: spina bench commands --quick
    """
    _measure("commands", json=json, quick=quick)


@bench.command()
def live(json: JsonFile = None, quick: Quick = False) -> None:
    """Measure how soon the last of a thousand spectators knows of a move, beside a bare broadcast of the same bytes.

    Example: spina bench live --quick
    """
    _measure("live", json=json, quick=quick)


@bench.command()
def page(json: JsonFile = None, quick: Quick = False) -> None:
    """Measure a game's page in a real browser: until a replay can be used, its frames, its memory and its bytes.

    Example: spina bench page --quick
    """
    _measure("page", json=json, quick=quick)


@bench.command()
def tournament(json: JsonFile = None, quick: Quick = False) -> None:
    """Measure tournaments: pairing 2,000, verifying 500 games on one core and on all, and standings under load.

    Example: spina bench tournament --quick
    """
    _measure("tournament", json=json, quick=quick)


@bench.command()
def ledger(json: JsonFile = None, quick: Quick = False) -> None:
    """Measure the notary, and proofs and memory as the ledger grows to two million leaves.

    Example: spina bench ledger --quick
    """
    _measure("ledger", json=json, quick=quick)


@bench.command(name="all")
def all_(json: JsonFile = None, quick: Quick = False) -> None:
    """Measure everything, a few minutes long.

    Example: spina bench all --json bench.json
    """
    _measure(None, json=json, quick=quick)


def _measure(subject: str | None, *, json: Path | None, quick: bool) -> None:
    """Take the steps of one subject, or all."""
    import msgspec
    import uvloop
    from rich.console import Console

    from bench.suite import FULL, QUICK, STEPS, Report, read_machine
    from bench.tables import build_tables
    from infra.logging import configure_logging

    configure_logging("error")
    size, console = QUICK if quick else FULL, Console()
    report = Report(machine=read_machine())
    # The event loop that `spina serve` runs on.
    with console.status("measuring") as status, asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        for step in STEPS:
            if subject in (None, step.subject):
                status.update(step.doing)
                report = runner.run(step.add(report, size))
    for table in build_tables(report):
        console.print(table)
    if json is not None:
        json.parent.mkdir(parents=True, exist_ok=True)
        json.write_bytes(msgspec.json.format(msgspec.json.encode(report)) + b"\n")
