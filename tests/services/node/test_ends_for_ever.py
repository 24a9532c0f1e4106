"""Ends are for ever: what was revoked, deleted, closed or muted after a dump has ended in every restore of it."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from urllib.parse import urlsplit
from uuid import uuid4

import asyncpg
import msgspec
import pytest
from msgspec import Struct

from domain.accounts.token import SESSIONS_MAX, Passkey, TokenKind, hash_token
from domain.accounts.way import NewWay
from infra.ends_file import EndsFile
from infra.postgres.accounts import Accounts
from infra.postgres.connection import build_app_pool
from infra.postgres.ends import KINDS
from infra.postgres.notice_ways import NoticeWays
from infra.postgres.notices import Outbox
from infra.postgres.passkeys import Passkeys
from infra.postgres.tokens import Tokens
from infra.settings import read_settings
from services.node.accounts import Kind, moderated_by_owner, renewed_by_owner, revoked_by_owner
from services.node.addresses import Places
from services.node.ends import EndsKeeper, restore_ends
from tests.database import Database, database_of_its_own
from tests.servers import ServersForTests

pytestmark = pytest.mark.usefixtures("record")

# All that opens an account, reaches it or names it.
LIST_OPEN = """
select 'token ' || id from spina.token where spina.is_live(token)
union all select 'way ' || id from spina.notice_way where sealed_box is not null
union all select 'name ' || id || ' ' || name from spina.account
union all select 'voice ' || id from spina.account where not is_muted
"""


class Keys(Struct, frozen=True, kw_only=True):
    """A player with a way in of each kind, and a way of notice."""

    id: str
    token: str
    session: str
    code: str
    way: str


class Guest:
    """A player of a database, and the operations on it."""

    def __init__(self, keys: Keys, database: Database, pool: asyncpg.Pool) -> None:
        self.settings = read_settings({"SPINA_DATABASE_URL": database.owner_url})
        self.tokens, self.ways, self.accounts = Tokens(pool), NoticeWays(pool), Accounts(pool)
        self.outbox = Outbox(pool)
        self.id, self.token, self.session, self.code, self.way = msgspec.structs.astuple(keys)
        self.asking = hash_token(keys.token)

    async def find(self, kind: TokenKind) -> str:
        """Return the id of the newest way in of a kind."""
        return [row.id for row in await self.tokens.list_of(self.asking) if row.kind == kind][-1]

    async def end(self, kind: TokenKind) -> None:
        await self.tokens.end(self.asking, [await self.find(kind)])

    async def moderate(self, *kinds: Kind) -> None:
        for kind in kinds:
            name = "Kind Name" if kind == "renamed" else None
            await moderated_by_owner(self.settings, self.id, kind, name=name, by="Grace", reason="said so")


async def crowd_out_a_session(guest: Guest) -> None:
    for number in range(SESSIONS_MAX):
        await guest.tokens.open_session(guest.token, name=f"browser {number}")


async def replace_the_code(guest: Guest) -> None:
    await guest.tokens.add(guest.asking, kind="code", name="new", scopes=["read"], minutes=None)


async def forget_once_muted(guest: Guest) -> None:
    await guest.moderate("muted")
    await guest.accounts.forget(guest.asking)


async def revoke_by_operator(guest: Guest) -> None:
    await revoked_by_owner(guest.settings, await guest.find("token"), by="Grace")


ENDS: dict[str, Callable[[Guest], Awaitable[object]]] = {
    "a token is revoked": lambda guest: guest.end("token"),
    "a session is revoked with its way": lambda guest: guest.end("session"),
    "a code is revoked": lambda guest: guest.end("code"),
    "a passkey is revoked": lambda guest: guest.end("passkey"),
    "all others are revoked with their ways": lambda guest: guest.tokens.end(guest.asking, None),
    "a browser signs out": lambda guest: guest.tokens.end_session(hash_token(guest.session)),
    "a code is used up": lambda guest: guest.tokens.open_session(guest.code, name="browser"),
    "a code is replaced": replace_the_code,
    "a session is crowded out": crowd_out_a_session,
    "an account is deleted": lambda guest: guest.accounts.forget(guest.asking),
    "a way of notice is removed": lambda guest: guest.ways.remove(guest.id, guest.way),
    "a way of notice ends": lambda guest: guest.outbox.end(guest.way, "gone"),
    "an operator renames": lambda guest: guest.moderate("renamed"),
    "an operator mutes": lambda guest: guest.moderate("muted"),
    "an operator mutes again": lambda guest: guest.moderate("muted", "unmuted", "muted"),
    "an operator closes": lambda guest: guest.moderate("closed"),
    "an operator unmutes": lambda guest: guest.moderate("muted", "unmuted"),
    "an operator renews": lambda guest: renewed_by_owner(guest.settings, guest.id, by="Grace"),
    "an operator revokes a token": revoke_by_operator,
    "an operator revokes an account": lambda guest: revoked_by_owner(guest.settings, guest.id, by="Grace"),
    "a muted account is deleted": forget_once_muted,
}


async def register(pool: asyncpg.Pool, number: int) -> Keys:
    tokens, id_, way = Tokens(pool), str(uuid4()), str(uuid4())
    token = await Accounts(pool).create_player(id_, f"Guest {number:02}")
    asking = hash_token(token)
    await tokens.add(asking, kind="token", name="program", scopes=["read"], minutes=None)
    code = await tokens.add(asking, kind="code", name="paper", scopes=["read"], minutes=None)
    session = await tokens.open_session(token, name="browser")
    await Passkeys(pool).add(asking, uuid4().bytes, Passkey(public_key=b"key", sign_count=0), name="phone")
    (opened,) = [row.id for row in await tokens.list_of(asking) if row.kind == "session"]
    mail = NewWay(
        id=way, account=id_, kind="mail", name="mail", sealed_box=b"box", kinds=(), quiet=None, added_by=opened
    )
    assert await NoticeWays(pool).add(mail)
    assert code is not None
    assert session is not None
    return Keys(id=id_, token=token, session=session, code=code[1], way=way)


async def list_open(database: Database) -> set[str]:
    async with database.owned() as owner:
        return {row[0] for row in await owner.fetch(LIST_OPEN)}


def places_of(database: Database) -> Places:
    return Places(database_url=database.app_url, owner_url=database.owner_url, redis_url=None)


async def test_all_that_ended_after_a_dump_has_ended_in_each_restore_and_nothing_else_has(
    database: Database, servers_for_tests: ServersForTests, tmp_path: Path
) -> None:
    urls, name = servers_for_tests.urls, urlsplit(database.owner_url).path[1:]
    async with build_app_pool(database.app_url) as pool:
        all_keys = [await register(pool, number) for number, _ in enumerate(ENDS)]
    first = await list_open(database)

    async with (
        database_of_its_own(urls, template=name) as one,
        database_of_its_own(urls, template=name) as other,
    ):
        ended = []
        async with build_app_pool(database.app_url) as pool:
            keeper = EndsKeeper(pool, tmp_path)
            for keys, end in zip(all_keys, ENDS.values(), strict=True):
                before = await list_open(database)
                await end(Guest(keys, database, pool))
                await keeper.step()
                ended.append(before - await list_open(database))
        last = await list_open(database)
        back = [await list_open(restored) for restored in (one, other)]
        for restored in (one, other, one):
            await restore_ends(tmp_path, places_of(restored))
        after = [await list_open(restored) for restored in (one, other)]

    print(f"{len(ENDS)} ends, {len(first - last)} ways in, ways and names closed, in two restores")  # noqa: T201  the number is asked for with -s
    assert back == [first, first]
    assert [name for name, things in zip(ENDS, ended, strict=True) if not things] == []
    for found in after:
        assert found & (first - last) == set()
        assert first & last <= found
    assert {end.kind for end in EndsFile(tmp_path).read()} == set(KINDS)


async def test_a_machine_that_is_new_takes_down_the_ends_of_before(database: Database, tmp_path: Path) -> None:
    async with build_app_pool(database.app_url) as pool:
        keys = await register(pool, 1)
        await Accounts(pool).forget(hash_token(keys.token))

    await restore_ends(tmp_path, places_of(database))

    assert ("account", keys.id) in {(end.kind, end.key) for end in EndsFile(tmp_path).read()}


async def test_the_record_of_ends_holds_no_name_and_no_secret(database: Database, tmp_path: Path) -> None:
    async with build_app_pool(database.app_url) as pool:
        keys = await register(pool, 1)
        await Accounts(pool).forget(hash_token(keys.token))
        await EndsKeeper(pool, tmp_path).step()

    written = (tmp_path / "ends").read_text()

    assert written.count("\n") >= len(("token", "token", "code", "session", "passkey", "account"))
    assert not any(each in written for each in ("Guest", keys.token, keys.session, keys.code))
