"""`spina simulate kills`: servers killed at random moments under load, and whether anything was lost."""

from typing import Annotated

import typer

from simulate.load.telling import AsJson, Minutes, run_and_tell

KillCount = Annotated[int, typer.Option(min=1, max=100_000, help="How many servers are killed.")]
Servers = Annotated[int, typer.Option(min=1, max=8, help="How many servers there are; each starts again.")]
Tables = Annotated[int, typer.Option(min=1, max=64, help="How many pairs play, one game after the other.")]
KillSeed = Annotated[int, typer.Option(help="The seed of the moments.")]


def kill(
    kills: KillCount = 20,
    minutes: Minutes = 600,
    servers: Servers = 3,
    tables: Tables = 3,
    seed: KillSeed = 1,
    as_json: AsJson = False,
) -> None:
    """Kill servers with SIGKILL under load, then check every acknowledged command, game and stream.

    Ctrl-C ends the kills, and the checks follow. The exit code is 1 where a command was lost or doubled, a clock ran
    out, the ledger took something back, or the run was too short to show it: no game was finished, or all players gave
    up.

    Example: spina simulate kills --kills 100
    """
    from simulate.kills.simulation import simulate_kills

    run_and_tell(
        lambda folder, run: simulate_kills(folder, run, servers=servers, tables=tables, seed=seed),
        kills=kills,
        minutes=minutes,
        as_json=as_json,
    )
