"""A ruling can be previewed: the answer is the ruling as it would be logged, and the log stays as it was."""

from collections.abc import AsyncIterator
from secrets import token_bytes
from typing import Any

import pytest

from domain.accounts.account import Account
from services.api.http.examples import TOURNAMENT
from services.api.tournaments.tournament_examples import OPEN_EXAMPLE
from services.commands.table_games import TableAt, build_opening
from tests.database import Database
from tests.domain.game.game_harness import ORGA
from tests.services.api.player import Player, expect, register
from tests.services.api.server import running_api

CUP = f"/tournaments/{TOURNAMENT}"
SIZES = {"min": 2, "max": 3, "preferred": 3}
TERMS = {**OPEN_EXAMPLE, "ruleset": "torches@1", "options": {}, "clock": None, "demands": [], "tables": SIZES}
TERMS |= {"points": {"2": [60, 0], "3": [60, 30, 0]}}


class CheckIn:
    """A tournament of three whose first round waits for the last of them."""

    def __init__(self, organiser: Player, entrants: list[Player]) -> None:
        self.organiser = organiser
        self.entrants = entrants

    async def check_in(self, entrant: int) -> None:
        player = self.entrants[entrant]
        body = {"command": player.next_id(), "entrant": entrant, "round": 1, "nonce": None}
        await expect(player.post(f"{CUP}/check-ins", body), 200)

    def ruling(self, kind: str, **fields: Any) -> dict[str, Any]:
        return {"command": self.organiser.next_id(), "ruling": kind, "reason": "as seen by all", **fields}

    async def open_game(self) -> None:
        """Open the game of the only table, as the steward does."""
        parts = self.organiser.api.parts
        tournament = await parts.tournaments.write_path.read_newest(TOURNAMENT)
        at = TableAt(tournament=tournament, round=1, table=tournament.rounds[0].tables[0])
        await parts.games.arena.handle(build_opening(at, at_ms=parts.now_ms(), random_bytes=token_bytes))

    async def read(self, path: str = "") -> Any:
        return (await self.organiser.api.client.get(f"/v1{CUP}{path}")).json()


@pytest.fixture
async def cup(database: Database) -> AsyncIterator[CheckIn]:
    async with running_api(database) as api:
        token = await api.create_account(Account(id=ORGA, name="Orga", role="organiser"))
        organiser = Player(api, token, number=9)
        await expect(organiser.post("/tournaments", {**TERMS, "organisers": {ORGA: None}}), 201)
        entrants = [await register(api, name, number=number) for number, name in enumerate(("Ada", "Bea", "Cem"))]
        for number, player in enumerate(entrants):
            body = {"command": player.next_id(), "entrant": number, "anchor": None, "links": 0, "key": None}
            await expect(player.post(f"{CUP}/entries", body), 200)
        await expect(organiser.post(f"{CUP}/rounds", {"command": organiser.next_id(), "round": 1}), 200)
        cup = CheckIn(organiser, entrants)
        await cup.check_in(0)
        await cup.check_in(1)
        yield cup


async def test_a_previewed_ruling_is_made_just_so_and_only_when_it_is_sent(cup: CheckIn) -> None:
    await cup.check_in(2)
    await cup.open_game()
    before = await cup.read("/events")
    no_show = cup.ruling("no_show_told", round=1, table=1, attempt=1, entrants=[0, 1])

    preview = await expect(cup.organiser.post(f"{CUP}/rulings/previews", no_show), 200)

    assert await cup.read("/events") == before
    await expect(cup.organiser.post(f"{CUP}/rulings", no_show), 200)
    assert preview["ruling"] == (await cup.read())["rulings"][-1]
    ruling, *outcomes = (await cup.read("/events"))["items"][preview["version"] :]
    assert ruling["type"] == "no_show_told"
    assert [(outcome["type"], outcome["data"]) for outcome in preview["outcomes"]] == [
        (outcome["type"], outcome["data"]) for outcome in outcomes
    ]
    walkover = preview["outcomes"][0]
    assert walkover["told"] == "Too few are left at round 1, table 1: Cem walks over and has 60 points."


async def test_a_preview_tells_nothing_of_a_draw(cup: CheckIn) -> None:
    removal = cup.ruling("entrant_removed", entrant=2)

    preview = await expect(cup.organiser.post(f"{CUP}/rulings/previews", removal), 200)

    (drawn,) = preview["outcomes"]
    assert drawn["data"] == {"round": 1, "entrants": [0, 1]}
    await expect(cup.organiser.post(f"{CUP}/rulings", removal), 200)
    types = [item["type"] for item in (await cup.read("/events"))["items"][preview["version"] :]]
    assert types == ["entrant_removed", "round_drawn", "dice_rolled", "table_drawn"]


async def test_only_an_organiser_of_the_tournament_may_preview(cup: CheckIn) -> None:
    removal = cup.ruling("entrant_removed", entrant=2)

    await expect(cup.entrants[0].post(f"{CUP}/rulings/previews", removal), 403)
    await expect(Player(cup.organiser.api, None).post(f"{CUP}/rulings/previews", removal), 401)


@pytest.mark.parametrize(
    "fields",
    [
        {"ruling": "entrant_removed", "entrant": 3},
        {"ruling": "points_ruled", "entrant": 0, "round": 1, "points": 0},
        {"ruling": "game_voided", "round": 1, "table": 1, "attempt": 2},
        {"ruling": "no_show_told", "round": 1, "table": 1, "attempt": 1, "entrants": [0]},
    ],
)
async def test_a_preview_is_refused_as_the_ruling_is(cup: CheckIn, fields: dict[str, Any]) -> None:
    await cup.check_in(2)
    ruling = cup.ruling(fields["ruling"]) | fields

    previewed = await cup.organiser.post(f"{CUP}/rulings/previews", ruling)
    ruled = await cup.organiser.post(f"{CUP}/rulings", ruling)

    assert previewed.status_code >= 400
    assert (previewed.status_code, previewed.json()["type"]) == (ruled.status_code, ruled.json()["type"])
