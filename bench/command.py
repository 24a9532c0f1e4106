"""`spina bench`: the speed of this machine, each figure beside its baseline."""

import asyncio
import os
import platform
from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer

from services.terminal.rulesets import RulesetGroup

ALL, RULESET = "all", "ruleset"
# A measurement is the module of its name with `measure`; `ruleset` goes by the name of each ruleset.
MEASUREMENTS = {
    "fold": "the cost of reading a log, beside decoding and hashing alone",
    RULESET: "this ruleset: whole games, answers, offers, folds, and the same with everything that is recorded",
    "audit": "the cost of verifying a bundle: beside decoding and hashing, beside bare signatures, and on every core",
    "append": "how fast events become durable, beside plain inserts, and how that changes as the log grows",
    "commands": "commands over HTTP and sockets, beside the appender alone and, where npm is, beside boardgame.io",
    "live": "how soon the last of a thousand spectators knows of a move, beside a bare broadcast of the same bytes",
    "routes": "the processor time of an answer of each route; the exit code is 1 where one is above its price",
    "page": "a game's page in a real browser: until a replay can be used, its frames, its memory and its bytes",
    "visits": "a first and a second visit to a page over a slow line: requests, bytes and time to the board",
    "tournament": "tournaments: pairing 2,000, verifying 500 games on one core and on all, and standings under load",
    "ledger": "the notary, and proofs and memory as the ledger grows to two million leaves",
}

bench = typer.Typer(
    name="bench",
    cls=RulesetGroup,
    help="Measure on servers of its own, side by side with plainer ways. Example: spina bench all",
    no_args_is_help=True,
)

JsonFile = Annotated[Path | None, typer.Option("--json", help="Save the figures there as JSON.")]
Quick = Annotated[bool, typer.Option("--quick", help="A smaller measurement, to see that it runs.")]


def measure(context: typer.Context, json: JsonFile = None, quick: Quick = False) -> None:
    """Take the measurement by whose name the command goes, or all."""
    import msgspec
    import uvloop

    from bench.figures import Asked, Figures, build_table
    from domain.rulesets.released import KITS, find_kit
    from infra.logging import configure_logging
    from services.terminal.plain_console import PlainConsole

    configure_logging("error")
    name, console = str(context.info_name), PlainConsole()
    kit = find_kit(name)
    names = tuple(MEASUREMENTS) if name == ALL else (name if kit is None else RULESET,)
    asked = Asked(is_quick=quick, kits=KITS if kit is None else (kit,))
    measured: list[Figures] = []
    report: dict[str, object] = {"machine": _read_machine()}
    # The event loop that `spina serve` runs on.
    with console.status("measuring") as status, asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        for text in names:
            status.update(f"measuring: {text}")
            found = runner.run(import_module(f"bench.{text}").measure(asked))
            report[text] = found
            measured += found
            for figures in found:
                console.print(build_table(figures))
    if json is not None:
        json.parent.mkdir(parents=True, exist_ok=True)
        json.write_bytes(msgspec.json.format(msgspec.json.encode(report)) + b"\n")
    beyond = [row for figures in measured for row in figures.beyond]
    if beyond:
        console.print(f"above their price: {', '.join(beyond)}")
        raise typer.Exit(1)


for _name, _help in (*MEASUREMENTS.items(), (ALL, "everything, a few minutes long")):
    _example = "charioteer" if _name == RULESET else _name
    bench.command(name=_name, help=f"Measure {_help}.\n\nExample: spina bench {_example} --quick")(measure)


def _read_machine() -> dict[str, object]:
    from infra.version import VERSION

    system = f"{platform.system()} {platform.release()} {platform.machine()}"
    return {"spina": VERSION, "python": platform.python_version(), "system": system, "cpu_count": os.cpu_count() or 0}
