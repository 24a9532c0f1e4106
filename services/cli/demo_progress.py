"""The progress of a demonstration: the log's version, then the game's address and winner."""

from random import Random

import msgspec
import typer
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

from clients.demonstrations.game import Demonstrated, Plan, demonstrate
from spina_client.connection import connected
from spina_client.ids import StreamVersion


async def shown(url: str, plan: Plan, seed: int) -> Demonstrated:
    """Play while the number of events is shown; on standard error, and only to a person.

    Of several seats that fail together, the first failure is raised.
    """
    columns = SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn()
    numbers = Random(seed)  # noqa: S311  the bots' whims, which a seed repeats
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        bar = progress.add_task("opening", total=None)

        def on_version(version: StreamVersion) -> None:
            progress.update(bar, description=f"{version} events")

        async with connected(url) as connection:
            # A person who forgot to start the server should not wait until one that restarts would be back.
            await connection.meet()
            try:
                return await demonstrate(connection, plan, numbers=numbers, on_version=on_version)
            except ExceptionGroup as failed:
                raise failed.exceptions[0] from None


def print_demonstration(demonstrated: Demonstrated, *, as_json: bool) -> None:
    ranking = demonstrated.game.ranking or ()
    if as_json:
        found = {
            "url": demonstrated.url,
            "page": demonstrated.page,
            "status": demonstrated.game.status,
            "ranking": ranking,
        }
        typer.echo(msgspec.json.encode({**found, "bots": demonstrated.bots}).decode())
        return
    table = Table("place", "seat", "bot", box=None)
    for placing in ranking:
        table.add_row(str(placing.place), str(placing.seat), demonstrated.bots[placing.seat])
    typer.echo(f"{demonstrated.game.status} after {demonstrated.game.version} events: {demonstrated.page}")
    Console().print(table)
