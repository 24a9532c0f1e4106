"""`spina rebuild`: a projection folded anew from the log, beside the one that is served until it is ready."""

import asyncio
import os
from typing import Annotated

import typer

from services.terminal.printing import say, say_json
from services.terminal.refusal import told_in_a_sentence

Name = Annotated[str, typer.Argument(help="lobby, players or tournaments.")]
Database = Annotated[str | None, typer.Option("--database", help="Its URL, in place of the one in the settings.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


def rebuild(name: Name, database: Database = None, as_json: AsJson = False) -> None:
    """Fold a projection anew and serve it when it has caught up. Servers may run meanwhile, and serve the old one.

    A rebuild that was stopped is continued. Asks the database of SPINA_DATABASE_URL, else that of a running
    `spina serve`. A server does this by itself for a projection that its release folds otherwise than before.

    Example: spina rebuild lobby
    """
    import asyncpg

    from infra.logging import configure_logging
    from infra.projection_store import BuildMoved
    from infra.settings import SettingsRefused, read_settings
    from infra.store_faults import StoreUnavailable
    from projections.released import PROJECTIONS
    from services.cli.rebuild_progress import shown
    from services.node.addresses import NoServerRunning, find_database_url, name_source
    from services.node.databases import DatabaseRefused

    configure_logging("warning")
    projection = next((projection for projection in PROJECTIONS if projection.name == name), None)
    if projection is None:
        raise typer.BadParameter(
            f"expected one of {', '.join(projection.name for projection in PROJECTIONS)}, found {name}"
        )
    with told_in_a_sentence(
        *(SettingsRefused, NoServerRunning, DatabaseRefused, StoreUnavailable, BuildMoved),
        *(asyncpg.PostgresError, OSError),
    ):
        settings = read_settings(os.environ)
        url, variable = find_database_url(settings, given=database), name_source(settings, given=database)
        build = asyncio.run(shown(url, projection, variable=variable))
    if as_json:
        say_json(build)
    else:
        say(f"Serving {build.projection}, version {build.version}, built from {build.position} events.")
