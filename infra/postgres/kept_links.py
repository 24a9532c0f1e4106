"""Links of seats and entries in the server's custody, each in a box: their players go on by signing in elsewhere."""

import asyncpg

from domain.ids import PlayerId, StreamId
from infra.keys import MasterKey, open_box, seal_box
from infra.postgres.connection import borrowed

# Games and tournaments of one player at a time; the oldest make room.
STREAMS_MAX = 500

# The first link stays: the seat was taken with its anchor, and a second device has no better one.
KEEP = """
with added as (
    insert into kept_links (account, stream, sealed_box) values ($1, $2, $3) on conflict do nothing
)
delete from kept_links where account = $1 and stream in (
    select stream from kept_links where account = $1 and stream <> $2 order by kept_at desc offset $4)
"""

FIND = """
select sealed_box from kept_links where account = $1 and stream = $2
"""


class KeptLinks:
    """The last link of a chain: all the others follow from it."""

    def __init__(self, pool: asyncpg.Pool, key: MasterKey) -> None:
        self._pool = pool
        self._key = key

    async def keep(self, account: PlayerId, stream: StreamId, link: str) -> None:
        box = seal_box(self._key, bytes.fromhex(link), context=_context(account, stream))
        async with borrowed(self._pool) as connection:
            await connection.execute(KEEP, account, stream, box, STREAMS_MAX - 1)

    async def find(self, account: PlayerId, stream: StreamId) -> str | None:
        """Return the last link; None where the account keeps none for this game or tournament."""
        async with borrowed(self._pool) as connection:
            box = await connection.fetchval(FIND, account, stream)
        return None if box is None else open_box(self._key, box, context=_context(account, stream)).hex()


def _context(account: PlayerId, stream: StreamId) -> bytes:
    return f"spina/kept-links/v1/{account}/{stream}".encode()
