"""`spina bench`: how fast this machine is, each figure beside what it is to be compared with."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer

bench = typer.Typer(
    name="bench",
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
    _measure(("append",), json=json, quick=quick)


@bench.command()
def fold(json: JsonFile = None, quick: Quick = False) -> None:
    """Measure what reading a log costs, beside decoding and hashing alone.

    Example: spina bench fold
    """
    _measure(("fold",), json=json, quick=quick)


@bench.command()
def charioteer(json: JsonFile = None, quick: Quick = False) -> None:
    """Measure Charioteer: whole games, a hand's moves, folding, and the same with everything that is recorded.

    Example: spina bench charioteer --quick
    """
    _measure(("charioteer",), json=json, quick=quick)


@bench.command(name="chariot-race")
def chariot_race(json: JsonFile = None, quick: Quick = False) -> None:
    """Measure Chariot Race: whole races, the search for paths, and the same with everything that is recorded.

    Example: spina bench chariot-race --quick
    """
    _measure(("chariot-race",), json=json, quick=quick)


@bench.command()
def audit(json: JsonFile = None, quick: Quick = False) -> None:
    """Measure what verifying a bundle costs: beside decoding and hashing, beside bare signatures, and on every core.

    Example: spina bench audit --quick
    """
    _measure(("audit",), json=json, quick=quick)


@bench.command()
def ledger(json: JsonFile = None, quick: Quick = False) -> None:
    """Measure the notary, and proofs and memory as the ledger grows to two million leaves.

    Example: spina bench ledger --quick
    """
    _measure(("ledger",), json=json, quick=quick)


@bench.command(name="all")
def all_(json: JsonFile = None, quick: Quick = False) -> None:
    """Measure everything, a few minutes long.

    Example: spina bench all --json bench.json
    """
    _measure(("fold", "charioteer", "chariot-race", "audit", "append", "ledger"), json=json, quick=quick)


def _measure(subjects: tuple[str, ...], *, json: Path | None, quick: bool) -> None:
    import msgspec
    import uvloop
    from rich.console import Console

    from infra.logging import configure_logging
    from services.bench.suite import (
        FULL,
        QUICK,
        Report,
        read_machine,
        run_append,
        run_audits,
        run_chariot_race,
        run_charioteer,
        run_fold,
        run_growth,
        run_ledger,
        run_tailing,
    )
    from services.cli.bench_tables import build_tables

    configure_logging("error")
    size, console = QUICK if quick else FULL, Console()
    report = Report(machine=read_machine())
    # The event loop that `spina serve` runs on.
    with console.status("measuring") as status, asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        if "fold" in subjects:
            status.update("reading a log")
            report = msgspec.structs.replace(report, fold=run_fold(size))
        if "charioteer" in subjects:
            status.update("playing Charioteer")
            figures, recorded = run_charioteer(size)
            report = msgspec.structs.replace(report, charioteer=figures, recorded=(*report.recorded, recorded))
        if "chariot-race" in subjects:
            status.update("playing Chariot Race")
            cost, recorded = run_chariot_race(size)
            report = msgspec.structs.replace(report, chariot_race=cost, recorded=(*report.recorded, recorded))
        if "audit" in subjects:
            status.update("verifying bundles")
            report = msgspec.structs.replace(report, audits=run_audits(size))
        if "append" in subjects:
            status.update("appending")
            report = msgspec.structs.replace(report, append=runner.run(run_append()))
            status.update("appending to a log that grows")
            report = msgspec.structs.replace(report, growth=runner.run(run_growth(size)))
            status.update("following the log while eight processes write")
            report = msgspec.structs.replace(report, tailing=runner.run(run_tailing(size)))
        if "ledger" in subjects:
            status.update("keeping a ledger")
            report = msgspec.structs.replace(report, ledger=runner.run(run_ledger(size)))
    for table in build_tables(report):
        console.print(table)
    if json is not None:
        json.parent.mkdir(parents=True, exist_ok=True)
        json.write_bytes(msgspec.json.format(msgspec.json.encode(report)) + b"\n")
