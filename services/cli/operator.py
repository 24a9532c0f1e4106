"""Acts that stand in the operators' record: the options that state by whom and why, and refusals in a sentence."""

import getpass
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

from services.terminal.refusal import told_in_a_sentence


def read_operator(given: str = "") -> str:
    """Return the given operator, else the login behind a shell of `sudo`, else that of this process."""
    try:
        return given or os.environ.get("SUDO_USER") or getpass.getuser()
    except (KeyError, OSError):
        return f"user {os.getuid()}"


By = Annotated[
    str,
    typer.Option("--by", callback=read_operator, help="The operator, for the record; else the login of this shell."),
]
Reason = Annotated[str, typer.Option("--reason", help="Why, for the record; at most 80 characters.")]
ReasonAsked = Annotated[str | None, typer.Option("--reason", help="Why, for the record; at most 80 characters.")]


@contextmanager
def acting(*refusals: type[Exception]) -> Iterator[None]:
    """Print these refusals, and those of every act on a database as its owner, in a sentence."""
    import asyncpg

    from domain.rejection import Rejection
    from infra.postgres.records import RecordMoved
    from infra.settings import SettingsRefused
    from infra.store_faults import StoreUnavailable
    from services.commands.records import NoRecord
    from services.node.addresses import NoServerRunning
    from services.node.databases import DatabaseRefused
    from services.node.records import ActRefused

    with told_in_a_sentence(
        *(SettingsRefused, NoServerRunning, DatabaseRefused, StoreUnavailable),
        *(ActRefused, NoRecord, RecordMoved, Rejection),
        *(asyncpg.PostgresError, OSError),
        *refusals,
    ):
        yield
