"""Binds a database to its master key: the first key it is served with stays the only one, until it is turned.

The root key closes the boxes of the database, and is the first master key. A turn puts it into a box that the new
master key opens, so that no other box changes and processes that run need nothing new.
"""

import asyncpg
from asyncpg.pool import PoolConnectionProxy

from infra.keys import MasterKey, box_key_id, open_box, seal_box

KNOWN_TEXT = b"spina master key check"
CONTEXT = b"master_key_check/1"

ROOT_CONTEXT = b"root_key/1"

READ_BOX = "select sealed_box from spina.master_key_check"
ADD_BOX = "insert into spina.master_key_check (sealed_box) values ($1) on conflict do nothing"
READ_ROOT = "select sealed_box from spina.root_key"
LOCK_ROOT = "lock table spina.root_key in exclusive mode"
PUT_ROOT = """
insert into spina.root_key (sealed_box) values ($1) on conflict (is_only) do update set sealed_box = excluded.sealed_box
"""


async def find_expected_key_id(connection: asyncpg.Connection | PoolConnectionProxy) -> str | None:
    """Return the id of the master key that opens this database; None when it has not been served yet."""
    box = await connection.fetchval(READ_ROOT) or await connection.fetchval(READ_BOX)
    return None if box is None else box_key_id(box)


async def open_root_key(connection: asyncpg.Connection | PoolConnectionProxy, key: MasterKey) -> MasterKey:
    """Return the root key, which is the master key until that is turned. Raises WrongMasterKey or BoxDamaged."""
    box = await connection.fetchval(READ_ROOT)
    return key if box is None else MasterKey(open_box(key, box, context=ROOT_CONTEXT))


async def check_master_key(owner: asyncpg.Connection, key: MasterKey) -> MasterKey:
    """Bind a new database to the key, or check that it is the one, and return the root key.

    Raises WrongMasterKey or BoxDamaged.
    """
    root = await open_root_key(owner, key)
    box = await owner.fetchval(READ_BOX)
    if box is None:
        await owner.execute(ADD_BOX, seal_box(root, KNOWN_TEXT, context=CONTEXT))
        # Read again: of two servers that start at once with two keys, one was first and the other is refused.
        box = await owner.fetchval(READ_BOX)
    opened = open_box(root, box, context=CONTEXT)
    assert opened == KNOWN_TEXT
    return root


async def turn_master_key(owner: asyncpg.Connection, *, former: MasterKey, new: MasterKey) -> None:
    """Let a new master key open the database from now on, and the former one no more."""
    async with owner.transaction():
        # One turn after the other: two at once would leave the key of one of them without a box.
        await owner.execute(LOCK_ROOT)
        root = await check_master_key(owner, former)
        await owner.execute(PUT_ROOT, seal_box(new, root, context=ROOT_CONTEXT))
