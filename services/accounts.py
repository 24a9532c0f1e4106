"""Accounts that only the owner of the database may make: whoever may rule on games, or end them."""

import re

from msgspec import Struct

from infra.embedded.servers import find_server_urls
from infra.postgres.accounts import NAME_CHARS_MAX, NAME_PATTERN, Account, Scope, create_account
from infra.settings import Settings
from services.building import read_clock_ms
from services.serving import database_at
from services.uuid7 import build_uuid7


class AccountRefused(Exception):
    """The account cannot be made as asked."""


class MadeAccount(Struct, frozen=True, kw_only=True):
    """An account with its token, which is shown this once."""

    id: str
    name: str
    scope: Scope
    token: str


async def made_by_owner(settings: Settings, *, name: str, scope: Scope) -> MadeAccount:
    """Make an account of any scope. Raises AccountRefused, and DatabaseRefused when the database cannot be reached."""
    if not re.match(NAME_PATTERN, name) or len(name) > NAME_CHARS_MAX:
        raise AccountRefused(f"expected a name of 1 to {NAME_CHARS_MAX} characters in one line, found {name!r}")
    account = Account(id=build_uuid7(read_clock_ms()), name=name, scope=scope)
    async with database_at(_owner_url(settings), variable="SPINA_OWNER_DATABASE_URL") as owner:
        token = await create_account(owner, account)
    return MadeAccount(id=account.id, name=name, scope=scope, token=token)


def _owner_url(settings: Settings) -> str:
    given = settings.owner_database_url or settings.database_url
    if given is not None:
        return given
    running = find_server_urls(settings.data)
    if running is None:
        raise AccountRefused(f"expected a server that was started with its data in {settings.data}, found none")
    return running.owner_url
