"""The accounts of organisers and operators, and moderation of players: for the owner of the database alone."""

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from uuid import UUID

import asyncpg
from msgspec import Struct
from msgspec.structs import replace

from domain.names import NameRefused, read_name, read_player_name
from infra.postgres.account_acts import NEUTRAL_NAME, Act, DoneAct, Kind, list_acts, moderate, record
from infra.postgres.accounts import RulingAccount, add_owned_token, create_account, end_all, list_ruling
from infra.postgres.tokens import Account, Role
from infra.settings import Settings
from infra.uuid7 import build_uuid7
from services.node.addresses import find_owner_url
from services.node.building import read_clock_ms
from services.node.serving import database_at


class AccountRefused(Exception):
    """The account cannot be made, or taken back, as asked."""


class MadeToken(Struct, frozen=True, kw_only=True):
    """A token of an account, which is shown this once."""

    id: str
    token: str


class MadeAccount(MadeToken, frozen=True, kw_only=True):
    name: str
    role: Role


async def made_by_owner(settings: Settings, *, name: str, role: Role, by: str) -> MadeAccount:
    """Make an account of any role. Raises AccountRefused, NoServerRunning, or DatabaseRefused, as all of these do."""
    try:
        account = Account(id=build_uuid7(read_clock_ms()), name=read_name(name), role=role)
    except NameRefused as refused:
        raise AccountRefused(str(refused)) from None
    act = _act(account.id, "created", by=by)
    async with owner_of(settings) as owner, owner.transaction():
        token = await create_account(owner, account)
        await record(owner, act)
    return MadeAccount(id=account.id, name=account.name, role=role, token=token)


async def listed_by_owner(settings: Settings) -> Sequence[RulingAccount]:
    """List the organisers and operators."""
    async with owner_of(settings) as owner:
        return await list_ruling(owner)


async def renewed_by_owner(settings: Settings, account: str, *, by: str) -> MadeToken:
    """End all tokens of an account and make a new one."""
    act = _act(account, "renewed", by=by)
    async with owner_of(settings) as owner, owner.transaction():
        await end_all(owner, act.account)
        token = await add_owned_token(owner, act.account, name="Renewed token")
        if token is None:
            # Within the transaction: `end_all` takes the id of a token as well, and that one must stay.
            raise AccountRefused(f"expected the id of an account, found {account}")
        await record(owner, act)
    return MadeToken(id=account, token=token)


async def revoked_by_owner(settings: Settings, named: str, *, by: str) -> int:
    """End a token, or all of an account, and return how many were live."""
    act = _act(named, "revoked", by=by)
    async with owner_of(settings) as owner, owner.transaction():
        ended = await end_all(owner, act.account)
        if not ended:
            raise AccountRefused(f"expected the id of a live token, or of an account with one, found {named}")
        await record(owner, replace(act, account=ended[0]))
    return len(ended)


async def moderated_by_owner(
    settings: Settings, account: str, kind: Kind, *, name: str | None = None, by: str, reason: str
) -> None:
    """Do and record an act on a player's account; muting and closing take its name away."""
    act = _act(account, kind, by=by, reason=reason)
    try:
        named = None if name is None else read_player_name(name)
    except NameRefused as refused:
        raise AccountRefused(str(refused)) from None
    if kind in {"muted", "closed"}:
        named = NEUTRAL_NAME
    async with owner_of(settings) as owner:
        if not await moderate(owner, act, name=named):
            raise AccountRefused(f"expected the id of a player's account, found {account}")


async def acts_listed_by_owner(settings: Settings, account: str | None) -> Sequence[DoneAct]:
    """List the recorded acts on an account, or on all."""
    async with owner_of(settings) as owner:
        return await list_acts(owner, None if account is None else _read_id(account))


def _act(account: str, kind: Kind, *, by: str, reason: str | None = None) -> Act:
    try:
        return Act(
            account=_read_id(account), act=kind, by=read_name(by), reason="" if reason is None else read_name(reason)
        )
    except NameRefused as refused:
        raise AccountRefused(str(refused)) from None


def _read_id(given: str) -> UUID:
    try:
        return UUID(given)
    except ValueError:
        raise AccountRefused(f"expected an id, found {given}") from None


def owner_of(settings: Settings) -> AbstractAsyncContextManager[asyncpg.Connection]:
    """Connect as the owner of the database. Raises NoServerRunning or DatabaseRefused."""
    return database_at(find_owner_url(settings), variable=_find_source(settings))


def _find_source(settings: Settings) -> str:
    """Name the variable of the owner's URL, for the operator who has to correct it."""
    if settings.owner_database_url is not None:
        return "SPINA_OWNER_DATABASE_URL"
    return f"the server of {settings.data}" if settings.database_url is None else "SPINA_DATABASE_URL"
