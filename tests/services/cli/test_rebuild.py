"""`spina rebuild`: the same rows again, beside a running server or without one; what is not there is reported."""

import json
from pathlib import Path
from typing import Any

import pytest
from httpx2 import AsyncClient

from infra.postgres.event_store import open_event_store
from projections.released import OF_GAMES
from tests.database import Database
from tests.domain.game.game_harness import GAME
from tests.infra.embedded.conditions import eventually
from tests.projections.games import fold_whole
from tests.services.audits.files import race
from tests.services.audits.test_bundles import store_race
from tests.services.cli.program import PATIENCE_S, one_sentence, run, serving
from tests.services.workers.projecting import postgres_rows, spell

LINES = race().log.splitlines()


@pytest.mark.parametrize("projection", OF_GAMES, ids=lambda each: each.name)
async def test_a_projection_is_rebuilt_to_the_same_bytes(database: Database, projection: Any) -> None:
    async with open_event_store(database.app_url) as store:
        await store_race(store)
    expected = {key: spell(row) for key, row in fold_whole(projection, LINES).items()}

    first = run("rebuild", projection.name, "--database", database.app_url)
    again = run("rebuild", projection.name, "--json", SPINA_DATABASE_URL=database.app_url)

    served = json.loads(again.stdout)
    assert first.stdout == f"Serving {projection.name}, version {projection.version}, built from {len(LINES)} events.\n"
    assert (served["status"], served["position"], served["version"]) == ("live", len(LINES), projection.version)
    assert await postgres_rows(database.owner_url) == {served["id"]: expected}


async def test_a_running_server_goes_on_with_what_was_rebuilt(tmp_path: Path) -> None:
    with serving(tmp_path / "data") as server:
        url = server.until_ready().removesuffix("/v1/health")
        rebuilt = [run("rebuild", "lobby", SPINA_DATA=str(tmp_path / "data")) for _ in range(2)]

        async with AsyncClient(base_url=url, timeout=PATIENCE_S) as client:
            made = (await client.post("/v1/players", json={"name": "Ada"})).json()
            opening = {"command": GAME, "ruleset": "charioteer@1", "seats": 2}
            headers = {"authorization": f"Bearer {made['token']}"}
            opened = await client.post("/v1/games", json=opening, headers=headers)
            await eventually(lambda: is_listed(client))

        assert server.stop() == 0
    assert [process.returncode for process in rebuilt] == [0, 0]
    assert opened.status_code == 201


async def is_listed(client: AsyncClient) -> bool:
    return [item["id"] for item in (await client.get("/v1/games")).json()["items"]] == [GAME]


def test_what_is_no_projection_and_no_server_is_told(tmp_path: Path) -> None:
    unknown = run("rebuild", "boards", SPINA_DATA=str(tmp_path))
    nowhere = run("rebuild", "lobby", SPINA_DATA=str(tmp_path))

    assert "expected one of lobby, players, tournaments, found boards" in " ".join(
        unknown.stderr.replace("│", "").split()
    )
    assert f"expected a running server with its data in {tmp_path}, found none; start it" in one_sentence(nowhere)


async def test_a_database_before_the_first_start_is_told(database: Database) -> None:
    async with database.owned() as owner:
        await owner.execute("drop schema spina cascade")

    told = one_sentence(run("rebuild", "lobby", SPINA_DATABASE_URL=database.owner_url))

    assert told.endswith("found: no tables of Spina; the first start of `spina serve` makes them")
