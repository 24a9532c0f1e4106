"""`spina account`: organisers and operators, and acts on players' accounts, by the owner of the machine."""

import asyncio
import os
from collections.abc import Callable, Coroutine
from enum import StrEnum
from typing import Annotated, Any, TypeVar

import typer

from services.cli.operator import By, Reason, acting
from services.terminal.printing import say, say_json

Result = TypeVar("Result")

account = typer.Typer(
    name="account",
    help="Accounts that may rule, and moderation. Example: spina account create --role organiser --name Ada",
    no_args_is_help=True,
)


class Role(StrEnum):
    ORGANISER = "organiser"
    OPERATOR = "operator"


Name = Annotated[str, typer.Option("--name", help="Shown to everyone; at most 80 characters.")]
RoleGiven = Annotated[Role, typer.Option("--role", help="What the account may do.")]
AccountGiven = Annotated[str, typer.Argument(metavar="ACCOUNT", help="The id of the account.")]
RevokedGiven = Annotated[str, typer.Argument(metavar="ID", help="The id of a token or of an account.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


@account.callback()
def group() -> None:
    """Make, list and take back the accounts that may rule, and their tokens; moderate players."""


@account.command()
def create(name: Name, role: RoleGiven, by: By = "", as_json: Json = False) -> None:
    """Make an account and print its token, which cannot be read again.

    Asks the database of SPINA_OWNER_DATABASE_URL or SPINA_DATABASE_URL, else that of a running `spina serve`.

    Example: spina account create --role organiser --name "Ada of the Circus"
    """
    from services.node.accounts import made_by_owner

    made = _ask(made_by_owner, name=name, role=role.value, by=by)
    if as_json:
        say_json(made)
    else:
        say(f"Made the {made.role} {made.id}. The token, shown once:\n{made.token}")


@account.command(name="list")
def list_(as_json: Json = False) -> None:
    """List organisers and operators, with the number of their live tokens.

    Example: spina account list
    """
    from services.node.accounts import listed_by_owner

    found = _ask(listed_by_owner)
    if as_json:
        say_json(found)
        return
    for finding in found:
        say(f"{finding.id} {finding.role} {finding.name}: {finding.tokens} live tokens")


@account.command()
def renew(account_id: AccountGiven, by: By = "", as_json: Json = False) -> None:
    """End all tokens of an account and print a new one, which cannot be read again.

    Example: spina account renew 0199c0de-0000-7000-8000-0000000000f0
    """
    from services.node.accounts import renewed_by_owner

    made = _ask(renewed_by_owner, account_id, by=by)
    if as_json:
        say_json(made)
    else:
        say(f"The new token of {made.id}, shown once:\n{made.token}")


@account.command()
def revoke(named: RevokedGiven, by: By = "") -> None:
    """End a token by its id, or all tokens of an account; no process takes them a second later.

    Example: spina account revoke 0199c0de-0000-7000-8000-0000000000f0
    """
    from services.node.accounts import revoked_by_owner

    say(f"Ended {_ask(revoked_by_owner, named, by=by)} tokens.")


@account.command()
def rename(account_id: AccountGiven, name: Name, reason: Reason, by: By = "") -> None:
    """Give a player another name, which is shown in games of the past too. The player may change it again.

    Example: spina account rename 0199c0de-0000-7000-8000-0000000000f0 --name Ada --reason "as she asked"
    """
    _moderate(account_id, "renamed", name=name, by=by, reason=reason)


@account.command()
def mute(account_id: AccountGiven, reason: Reason, by: By = "") -> None:
    """Take a player's name away: the account is called Player, with a number, and cannot change it.

    Example: spina account mute 0199c0de-0000-7000-8000-0000000000f0 --reason "an insult"
    """
    _moderate(account_id, "muted", by=by, reason=reason)


@account.command()
def unmute(account_id: AccountGiven, reason: Reason, by: By = "") -> None:
    """Let a player choose a name again.

    Example: spina account unmute 0199c0de-0000-7000-8000-0000000000f0 --reason "asked nicely"
    """
    _moderate(account_id, "unmuted", by=by, reason=reason)


@account.command()
def close(account_id: AccountGiven, reason: Reason, by: By = "") -> None:
    """Mute a player's account and end every way into it; seats stay as they are, and their clocks run.

    Example: spina account close 0199c0de-0000-7000-8000-0000000000f0 --reason "sells wins"
    """
    _moderate(account_id, "closed", by=by, reason=reason)


def _moderate(account_id: str, kind: str, *, name: str | None = None, by: str, reason: str) -> None:
    from services.node.accounts import moderated_by_owner

    _ask(moderated_by_owner, account_id, kind, name=name, by=by, reason=reason)
    say(f"The account {account_id} is {kind}.")


def _ask(work: Callable[..., Coroutine[Any, Any, Result]], *given: str | None, **named: Any) -> Result:
    """Do it with the settings of the environment, and print a refusal in a sentence."""
    from infra.settings import read_settings
    from services.node.accounts import AccountRefused

    with acting(AccountRefused):
        return asyncio.run(work(read_settings(os.environ), *given, **named))
    raise AssertionError
