"""With the database gone: every answer states so, when to come again, and that the same one may be sent."""

import pytest

from tests.database import Database
from tests.services.api.player import Player, expect, register
from tests.services.api.server import Api, running_api
from tests.services.api.test_health import close_database, open_database
from tests.services.api.test_problems import problem_of


@pytest.mark.parametrize("path", ["", "/boards", "/events"])
async def test_a_reader_is_told_to_come_again(api: Api, database: Database, path: str) -> None:
    ada = await register(api, "Ada")
    await expect(ada.open(), 201)

    await close_database(database)

    response = await Player(api, None).get(path)
    assert problem_of(response) == (503, "store-unavailable")
    assert int(response.headers["retry-after"]) >= 1


async def test_a_command_is_told_that_it_may_be_sent_again_and_is_accepted_then(api: Api, database: Database) -> None:
    ada = await register(api, "Ada")
    await expect(ada.open(), 201)
    body = {"command": ada.next_id(), "seat": 0}

    # Another process, which remembers nothing of the game, so that it has to ask.
    async with running_api(database) as other:
        there = Player(other, ada.headers["authorization"].removeprefix("Bearer "))
        await close_database(database)
        refused = await there.post(f"/games/{ada.game}/seats", body)
        await open_database(database)
        answer = await expect(there.post(f"/games/{ada.game}/seats", body), 200)

    assert problem_of(refused) == (503, "store-unavailable")
    assert refused.json()["may_send_again"] is True
    assert answer["last_version"] == 2


async def test_a_token_that_cannot_be_looked_up_is_not_called_a_wrong_one(api: Api, database: Database) -> None:
    await close_database(database)

    response = await Player(api, "spina_" + "a" * 43).get()

    assert problem_of(response) == (503, "store-unavailable")
