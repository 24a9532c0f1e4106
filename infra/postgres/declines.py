"""Declined offers: of one game, or of all games that an account opens. The oldest make room for new ones."""

from collections.abc import Sequence

import asyncpg

from domain.game.offers import OfferFrom
from domain.ids import GameId, PlayerId, StreamId
from infra.postgres.connection import borrowed

# An offer lasts a day after the last change of its game; a player who declines more of them declines their senders.
GAMES_MAX = 500
SENDERS_MAX = 500

DECLINE_OFFER = """
with added as (
    insert into declined_offer (account, game) values ($1, $2) on conflict do nothing
)
delete from declined_offer where account = $1 and game in (
    select game from declined_offer where account = $1 order by declined_at desc offset $3)
"""

DECLINE_SENDER = """
with added as (
    insert into declined_sender (account, sender) values ($1, $2) on conflict do nothing
)
delete from declined_sender where account = $1 and sender in (
    select sender from declined_sender where account = $1 order by declined_at desc offset $3)
"""

ACCEPT_SENDER = """
delete from declined_sender where account = $1 and sender = $2 returning true
"""

LIST_SENDERS = """
select sender from declined_sender where account = $1 order by declined_at desc
"""

FIND = """
select game from unnest($2::uuid[], $3::uuid[]) as offer (game, sender)
 where exists (select from declined_offer where account = $1 and declined_offer.game = offer.game)
    or exists (select from declined_sender where account = $1 and declined_sender.sender = offer.sender)
"""


class Declines:
    """Each method concerns one account."""

    def __init__(self, pool: asyncpg.Pool) -> None:
        self._pool = pool

    async def decline_offer(self, account: PlayerId, game: GameId) -> None:
        async with borrowed(self._pool) as connection:
            await connection.execute(DECLINE_OFFER, account, game, GAMES_MAX - 1)

    async def decline_sender(self, account: PlayerId, sender: PlayerId) -> None:
        async with borrowed(self._pool) as connection:
            await connection.execute(DECLINE_SENDER, account, sender, SENDERS_MAX - 1)

    async def accept_sender(self, account: PlayerId, sender: PlayerId) -> bool:
        """Take back the decline of a sender; False where there was none."""
        async with borrowed(self._pool) as connection:
            return bool(await connection.fetchval(ACCEPT_SENDER, account, sender))

    async def list_senders(self, account: PlayerId) -> list[PlayerId]:
        """Return the declined senders, the last one first."""
        async with borrowed(self._pool) as connection:
            return [PlayerId(str(row["sender"])) for row in await connection.fetch(LIST_SENDERS, account)]

    async def find(self, account: PlayerId, offers: Sequence[OfferFrom]) -> set[GameId]:
        """Return the games of those offers that the account declined."""
        if not offers:
            return set()
        given = [offer.game for offer in offers], [offer.sender for offer in offers]
        async with borrowed(self._pool) as connection:
            return {GameId(StreamId(str(row["game"]))) for row in await connection.fetch(FIND, account, *given)}
