"""The accounts of organisers and operators, and moderation of players: for the owner of the database alone.

Every change stands in the operators' record, in the transaction that makes it.
"""

from collections.abc import Sequence
from typing import Literal
from uuid import UUID

from msgspec import Struct

from domain.accounts.account import Account, Role
from domain.ids import PlayerId
from domain.names import NameRefused, read_name, read_player_name
from domain.operators.events import (
    AccountClosed,
    AccountMade,
    AccountMuted,
    AccountRenamed,
    AccountUnmuted,
    TokensRenewed,
    TokensRevoked,
)
from infra.postgres.accounts import RulingAccount, add_owned_token, create_account, end_all, list_ruling
from infra.postgres.moderation import NEUTRAL_NAME, end_every_way_in, mute, name_player
from infra.settings import Settings
from infra.uuid7 import build_uuid7
from services.commands.records import put_on_record
from services.node.records import acting_owner, owner_of, read_words
from services.node.steady_clock import read_clock_ms

Kind = Literal["renamed", "muted", "unmuted", "closed"]
MODERATIONS: dict[Kind, type[AccountRenamed | AccountMuted | AccountUnmuted | AccountClosed]] = {
    "renamed": AccountRenamed,
    "muted": AccountMuted,
    "unmuted": AccountUnmuted,
    "closed": AccountClosed,
}


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
    """Make an account of any role. Raises AccountRefused or ActRefused, or as `owner_of` does, as all of these do."""
    try:
        account = Account(id=build_uuid7(read_clock_ms()), name=read_name(name), role=role)
    except NameRefused as refused:
        raise AccountRefused(str(refused)) from None
    act = AccountMade(account=PlayerId(account.id), role=role, **read_words(by, None))
    async with acting_owner(settings) as owner:
        token = await create_account(owner, account)
        await put_on_record(owner, act)
    return MadeAccount(id=account.id, name=account.name, role=role, token=token)


async def listed_by_owner(settings: Settings) -> Sequence[RulingAccount]:
    """List the organisers and operators."""
    async with owner_of(settings) as owner:
        return await list_ruling(owner)


async def renewed_by_owner(settings: Settings, account: str, *, by: str) -> MadeToken:
    """End all tokens of an account and make a new one."""
    named = _read_id(account)
    act = TokensRenewed(account=PlayerId(str(named)), **read_words(by, None))
    async with acting_owner(settings) as owner:
        await end_all(owner, named)
        token = await add_owned_token(owner, named, name="Renewed token")
        if token is None:
            # Within the transaction: `end_all` takes the id of a token as well, and that one must stay.
            raise AccountRefused(f"expected the id of an account, found {account}")
        await put_on_record(owner, act)
    return MadeToken(id=account, token=token)


async def revoked_by_owner(settings: Settings, named: str, *, by: str) -> int:
    """End a token, or all of an account, and return how many were live."""
    words = read_words(by, None)
    async with acting_owner(settings) as owner:
        ended = await end_all(owner, _read_id(named))
        if not ended:
            raise AccountRefused(f"expected the id of a live token, or of an account with one, found {named}")
        await put_on_record(owner, TokensRevoked(account=PlayerId(str(ended[0])), **words))
    return len(ended)


async def moderated_by_owner(
    settings: Settings, account: str, kind: Kind, *, name: str | None = None, by: str, reason: str
) -> None:
    """Moderate a player's account; muting and closing take its name away."""
    player = _read_id(account)
    act = MODERATIONS[kind](account=PlayerId(str(player)), **read_words(by, reason))
    try:
        named = None if name is None else read_player_name(name)
    except NameRefused as refused:
        raise AccountRefused(str(refused)) from None
    if isinstance(act, AccountMuted | AccountClosed):
        named = NEUTRAL_NAME
    is_muted = None if isinstance(act, AccountRenamed) else not isinstance(act, AccountUnmuted)
    async with acting_owner(settings) as owner:
        if isinstance(act, AccountClosed):
            await end_every_way_in(owner, player)
        if not await mute(owner, player, is_muted=is_muted):
            raise AccountRefused(f"expected the id of a player's account, found {account}")
        if named is not None:
            await name_player(owner, player, named)
        await put_on_record(owner, act)


def _read_id(given: str) -> UUID:
    try:
        return UUID(given)
    except ValueError:
        raise AccountRefused(f"expected an id, found {given}") from None
