"""Binds a database to its master key: the first key it is served with stays the only one it is served with."""

import asyncpg

from infra.keys import MasterKey, box_key_id, open_box, seal_box

KNOWN_TEXT = b"spina master key check"
CONTEXT = b"master_key_check/1"

READ_BOX = "select sealed_box from spina.master_key_check"
ADD_BOX = "insert into spina.master_key_check (sealed_box) values ($1) on conflict do nothing"


async def find_expected_key_id(connection: asyncpg.Connection) -> str | None:
    """Say which key this database was made with; None when it has not been served yet."""
    box = await connection.fetchval(READ_BOX)
    return None if box is None else box_key_id(box)


async def check_master_key(owner: asyncpg.Connection, key: MasterKey) -> None:
    """Bind a new database to the key, or check that it is the one. Raises WrongMasterKey or BoxDamaged."""
    box = await owner.fetchval(READ_BOX)
    if box is None:
        await owner.execute(ADD_BOX, seal_box(key, KNOWN_TEXT, context=CONTEXT))
        # Read again: of two servers that start at once with two keys, one was first and the other is refused.
        box = await owner.fetchval(READ_BOX)
    opened = open_box(key, box, context=CONTEXT)
    assert opened == KNOWN_TEXT
