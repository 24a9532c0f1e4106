"""Accounts that only the owner of the database may make: organisers and operators."""

from msgspec import Struct

from domain.names import NameRefused, read_name
from infra.postgres.accounts import Account, Scope, create_account
from infra.settings import Settings
from infra.uuid7 import build_uuid7
from services.node.addresses import find_owner_url
from services.node.building import read_clock_ms
from services.node.serving import database_at


class AccountRefused(Exception):
    """The account cannot be made as asked."""


class MadeAccount(Struct, frozen=True, kw_only=True):
    """An account with its token, which is shown this once."""

    id: str
    name: str
    scope: Scope
    token: str


async def made_by_owner(settings: Settings, *, name: str, scope: Scope) -> MadeAccount:
    """Make an account of any scope. Raises AccountRefused, NoServerRunning, or DatabaseRefused."""
    try:
        account = Account(id=build_uuid7(read_clock_ms()), name=read_name(name), scope=scope)
    except NameRefused as refused:
        raise AccountRefused(str(refused)) from None
    async with database_at(find_owner_url(settings), variable=_find_source(settings)) as owner:
        token = await create_account(owner, account)
    return MadeAccount(id=account.id, name=account.name, scope=scope, token=token)


def _find_source(settings: Settings) -> str:
    """Name the variable of the owner's URL, for the operator who has to correct it."""
    if settings.owner_database_url is not None:
        return "SPINA_OWNER_DATABASE_URL"
    return f"the server of {settings.data}" if settings.database_url is None else "SPINA_DATABASE_URL"
