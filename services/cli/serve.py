"""`spina serve`: the server, with embedded Postgres and Valkey unless others are given."""

import asyncio
import os
from collections.abc import Iterable
from typing import Annotated

import typer

from services.cli.operator import read_operator
from services.terminal.printing import say
from services.terminal.refusal import told_in_a_sentence


def serve(
    new_origin: Annotated[
        bool, typer.Option("--new-origin", help="Begin a new ledger under SPINA_ORIGIN, after a restored backup.")
    ] = False,
    without: Annotated[
        list[str] | None,
        typer.Option(help="Leave this worker to other processes on this database: notary, for example. Repeatable."),
    ] = None,
) -> None:
    """Serve until Ctrl-C. Everything is kept in .spina, or where SPINA_DATA states; SPINA_* variables set the rest.

    Example: SPINA_PORT=8080 spina serve
    """
    import asyncpg
    import uvloop

    from infra.checkpoint_file import CheckpointFileDamaged
    from infra.embedded.binaries import BinaryMissing
    from infra.embedded.credentials import NoFreePort
    from infra.embedded.folder import FolderInUse, ServersLeftRunning
    from infra.embedded.program import ServerFailed
    from infra.ends_file import EndsFileDamaged
    from infra.keys import BoxDamaged, KeyRefused, WrongMasterKey
    from infra.logging import configure_logging
    from infra.open_files import raise_limit
    from infra.postgres.migrations import MigrationBusy, MigrationChanged
    from infra.settings import SettingsRefused, read_settings
    from infra.store_faults import StoreUnavailable
    from services.ledger.signed_memory import OlderLedger
    from services.node.databases import DatabaseAway, DatabaseRefused
    from services.node.http_server import PortRefused
    from services.node.ledger import LedgerFileRefused
    from services.node.otlp import read_tracing
    from services.node.serving import serve_until_stopped
    from services.node.start import StartFlags
    from services.workers.notary_standby import UnknownOrigin

    left = read_workers(without or [])
    with told_in_a_sentence(
        *(SettingsRefused, PortRefused, DatabaseRefused),
        *(BinaryMissing, NoFreePort, FolderInUse, ServersLeftRunning, ServerFailed),
        *(KeyRefused, WrongMasterKey, BoxDamaged),
        *(OlderLedger, UnknownOrigin, CheckpointFileDamaged, EndsFileDamaged, LedgerFileRefused),
        *(MigrationChanged, asyncpg.PostgresError),
        # A folder that may not be written, a disk that is full: the system's own message names the place.
        OSError,
        # A service manager starts it again.
        passing=(DatabaseAway, MigrationBusy, StoreUnavailable, asyncpg.LockNotAvailableError),
    ):
        settings = read_settings(os.environ)
        flags = StartFlags(
            without=left, is_new_origin=new_origin, operator=read_operator(), tracing=read_tracing(os.environ)
        )
        configure_logging(settings.log)
        raise_limit()
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(serve_until_stopped(settings, on_ready=_tell, flags=flags))


def read_workers(names: Iterable[str]) -> frozenset[str]:
    """Read names of workers, or refuse the parameter."""
    from services.workers.kinds import WORKERS

    known = [kind.name for kind in WORKERS]
    for name in names:
        if name not in known:
            raise typer.BadParameter(f"expected a worker ({', '.join(known)}), found {name}")
    return frozenset(names)


def _tell(health_url: str) -> None:
    say(f"Spina is running: {health_url}")
    say(f"Open {health_url.removesuffix('v1/health')} in a browser; Ctrl-C ends it.")
