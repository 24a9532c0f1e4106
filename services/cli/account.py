"""`spina account`: organisers and operators, made by the owner of the machine. Players make their own over HTTP."""

import asyncio
import os
from enum import StrEnum
from typing import Annotated

import typer

from services.terminal.printing import say, say_json
from services.terminal.refusal import told_in_a_sentence

account = typer.Typer(
    name="account",
    help="Make accounts that may rule. Example: spina account create --scope organiser --name Ada",
    no_args_is_help=True,
)


class Role(StrEnum):
    ORGANISER = "organiser"
    OPERATOR = "operator"


Name = Annotated[str, typer.Option("--name", help="Shown to everyone; at most 80 characters.")]
Scope = Annotated[Role, typer.Option("--scope", help="What the account may do.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


@account.callback()
def group() -> None:
    """Make accounts that may rule."""


@account.command()
def create(name: Name, scope: Scope, as_json: Json = False) -> None:
    """Make an account and print its token, which cannot be read again.

    Asks the database of SPINA_OWNER_DATABASE_URL or SPINA_DATABASE_URL, else that of a running `spina serve`.

    Example: spina account create --scope organiser --name "Ada of the Circus"
    """
    import asyncpg

    from infra.settings import SettingsRefused, read_settings
    from services.node.accounts import AccountRefused, made_by_owner
    from services.node.addresses import NoServerRunning
    from services.node.serving import DatabaseRefused

    with told_in_a_sentence(
        *(SettingsRefused, NoServerRunning, DatabaseRefused, AccountRefused), *(asyncpg.PostgresError, OSError)
    ):
        made = asyncio.run(made_by_owner(read_settings(os.environ), name=name, scope=scope.value))
        if as_json:
            say_json(made)
        else:
            say(f"Made the {made.scope} {made.id}. The token, shown once:\n{made.token}")
