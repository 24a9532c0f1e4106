"""Readers over HTTP whose process reads at a replica, behind or not: each version that was seen is there."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from domain.ids import GameId
from tests.appends import new_game
from tests.infra.postgres.test_queries import count_sources, fit
from tests.replication import Primary, ReplicaServer, replica_of
from tests.services.api.player import expect, register
from tests.services.api.server import Api, running_api


@asynccontextmanager
async def processes(primary: Primary) -> AsyncIterator[tuple[Api, Api, ReplicaServer]]:
    """Two processes, the second of which reads at a replica."""
    async with (
        primary.database() as database,
        replica_of(primary, database) as replica,
        running_api(database) as near,
        running_api(database, replica_urls=(replica.database.app_url,)) as far,
    ):
        yield near, far, replica


async def read_everywhere(api: Api, game: GameId) -> set[int]:
    """Return the version that each surface of a process shows of a game."""
    board = await expect(api.client.get(f"/v1/games/{game}"), 200)
    events = await expect(api.client.get(f"/v1/games/{game}/events"), 200)
    await api.project()
    listed: Any = await expect(api.client.get("/v1/games", params={"limit": 1}), 200)
    bundle = await api.audits.bundles.build(game)
    return {board["version"], len(events["items"]), listed["items"][0]["version"], bundle.log.count(b"\n")}


@pytest.mark.parametrize("is_behind", [True, False])
async def test_no_reader_is_shown_an_older_version_than_another_was(primary: Primary, *, is_behind: bool) -> None:
    async with processes(primary) as (near, far, replica):
        ada, bob = await register(near, "Ada", number=1), await register(near, "Bob", number=2)
        ada.game = bob.game = GameId(new_game())
        sources = count_sources(far.queries)
        # A busy replica is left out at any moment.
        while not sources["replica"]:
            await fit(far.queries)
            await expect(far.client.get("/v1/games"), 200)
        if is_behind:
            await replica.hold()

        shown = [
            ((await acting).json()["last_version"], await read_everywhere(far, ada.game))
            for acting in (ada.open(), ada.take(0), bob.take(1), ada.ready(), bob.ready(), ada.resign())
        ]

        assert [versions for _, versions in shown] == [{acknowledged} for acknowledged, _ in shown]
