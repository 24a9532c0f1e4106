"""Exports over HTTP: their types, the headers that protect their readers, and the requested version."""

from collections.abc import AsyncIterator

import pytest

from domain.accounts.account import Account
from services.api.http.examples import TOURNAMENT
from services.api.tournaments.tournament_examples import CALL_EXAMPLE, OPEN_EXAMPLE
from tests.database import Database
from tests.domain.game.game_harness import ORGA
from tests.services.api.player import Player, expect, register
from tests.services.api.server import Api, running_api

PATH = f"/v1/tournaments/{TOURNAMENT}/export"


@pytest.fixture
async def cup(database: Database) -> AsyncIterator[Api]:
    """A tournament with one entrant, called in a way that a spreadsheet would carry out."""
    async with running_api(database) as api:
        token = await api.create_account(Account(id=ORGA, name="Orga", role="organiser"))
        terms = {**OPEN_EXAMPLE, "ruleset": "torches@1", "options": {}, "clock": None, "demands": []}
        await expect(Player(api, token, number=9).post("/tournaments", terms), 201)
        ada = await register(api, "=HYPERLINK(1)", number=1)
        entry = {"command": CALL_EXAMPLE["command"], "entrant": 0}
        await expect(ada.post(f"/tournaments/{TOURNAMENT}/entries", entry), 200)
        yield api


async def test_every_format_has_its_type_its_name_and_its_protection(cup: Api) -> None:
    found = {format_: await cup.client.get(f"{PATH}?format={format_}") for format_ in ("csv", "json", "html")}

    assert {each: response.headers["content-type"] for each, response in found.items()} == {
        "csv": "text/csv; header=present; charset=utf-8",
        "json": "application/json",
        "html": "text/html; charset=utf-8",
    }
    assert "'=HYPERLINK(1)" in found["csv"].text
    assert found["csv"].headers["content-disposition"] == f'inline; filename="{TOURNAMENT}.v2.standings.csv"'
    assert found["html"].headers["content-security-policy"].startswith("default-src 'none'; style-src")
    assert found["html"].headers["x-content-type-options"] == "nosniff"
    assert found["json"].json()["tournament"]["version"] == 2


async def test_an_older_version_is_exported_as_it_stood(cup: Api) -> None:
    found = await cup.client.get(f"{PATH}?format=csv&at=1")
    later = await cup.client.get(f"{PATH}?format=csv&at=3")

    assert found.text.count("\r\n") == 1
    assert later.status_code == 404


async def test_what_somebody_has_already_is_not_sent_again(cup: Api) -> None:
    found = await cup.client.get(f"{PATH}?format=html")

    again = await cup.client.get(f"{PATH}?format=html", headers={"if-none-match": found.headers["etag"]})

    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("query", ["format=pdf", "format=csv&part=dice", "at=0"])
async def test_what_there_is_no_export_of_is_refused(cup: Api, query: str) -> None:
    refused = await cup.client.get(f"{PATH}?{query}")

    assert refused.status_code == 400
    assert refused.json()["type"] == "urn:spina:problem:invalid-input"
