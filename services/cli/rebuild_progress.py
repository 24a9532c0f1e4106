"""The progress of a rebuild: its position in the log, and the time left."""

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from domain.ids import LogPosition
from infra.postgres.event_store import open_event_store
from infra.postgres.projection_store import projector_desk
from infra.projection_store import Build
from projections.released import AnyProjection
from services.node.databases import database_at
from services.terminal.plain_console import PlainConsole
from services.workers.projector import rebuild


async def shown(url: str, projection: AnyProjection, *, variable: str) -> Build:
    """Rebuild while the events are counted; on standard error, and only to a person. Raises DatabaseRefused."""
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=PlainConsole(stderr=True), transient=True) as progress:
        bar = progress.add_task(projection.name, total=None)

        def on_progress(position: LogPosition, head: LogPosition) -> None:
            progress.update(bar, completed=position, total=head)

        async with (
            database_at(url, variable=variable),
            open_event_store(url) as log,
            projector_desk(url) as desk,
        ):
            return await rebuild(log, desk, projection, on_progress=on_progress)
