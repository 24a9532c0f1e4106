"""Opening a tournament over HTTP: the names it may have, as every page and sheet shows it; its default terms."""

import json
import re
from pathlib import Path

from domain.accounts.account import Account
from services.api.tournaments.tournament_examples import OPEN_EXAMPLE
from tests.database import Database
from tests.domain.game.game_harness import ORGA
from tests.services.api.opening_defaults import DEFAULT_TERMS
from tests.services.api.player import Player
from tests.services.api.server import running_api

DOCUMENT = Path(__file__).parents[3] / "docs" / "tournaments.md"
REFUSED = {
    "Cup \u202eabc": "U+202E",
    "Cup\nabc": "U+000A",
    "Cup\u200b": "U+200B",
    " Cup": "without space around it",
    "  ": "without space around it",
}


async def test_a_name_that_is_not_shown_as_it_is_opens_nothing(database: Database) -> None:
    async with running_api(database) as api:
        orga = Player(api, await api.create_account(Account(id=ORGA, name="Orga", role="organiser")), number=9)
        terms = {**OPEN_EXAMPLE, "ruleset": "torches@1", "options": {}, "clock": None, "demands": []}

        for name, found in REFUSED.items():
            response = await orga.post("/tournaments", {**terms, "name": name})

            assert response.status_code == 400, response.text
            assert found in response.text
        listed = await api.client.get("/v1/tournaments")

    assert listed.json()["items"] == []


def test_the_defaults_are_those_of_the_document() -> None:
    rows = re.findall(r"^\| `(\w+)` \| `(.+?)` \|", DOCUMENT.read_text(), re.MULTILINE)

    assert {name: json.loads(value) for name, value in rows} == DEFAULT_TERMS
