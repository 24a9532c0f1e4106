"""Links of a seat in the server's custody, kept for another device: its account's alone, and never in the open."""

from tests.database import Database
from tests.services.api.player import GAME, expect, register
from tests.services.api.server import Api

LINKS = "/v1/account/links"
FIRST, SECOND = "5d" * 32, "7e" * 32


async def test_the_links_of_a_seat_are_read_by_its_account_alone(api: Api) -> None:
    ada, bob = await register(api, "Ada", number=1), await register(api, "Bob", number=2)

    await expect(ada.post("/account/links", {"stream": GAME, "link": FIRST}), 201)

    own = await api.client.get(f"{LINKS}/{GAME}", headers=ada.headers)
    assert own.json() == {"stream": GAME, "link": FIRST}
    assert own.headers["cache-control"] == "no-store"
    assert (await api.client.get(f"{LINKS}/{GAME}", headers=bob.headers)).json()["link"] is None
    assert (await api.client.get(f"{LINKS}/{GAME}")).status_code == 401


async def test_the_first_links_of_a_game_stay(api: Api) -> None:
    ada = await register(api, "Ada", number=1)

    for link in (FIRST, SECOND):
        await expect(ada.post("/account/links", {"stream": GAME, "link": link}), 201)

    assert (await api.client.get(f"{LINKS}/{GAME}", headers=ada.headers)).json()["link"] == FIRST


async def test_no_row_has_a_link_in_the_open(api: Api, database: Database) -> None:
    ada = await register(api, "Ada", number=1)

    await expect(ada.post("/account/links", {"stream": GAME, "link": FIRST}), 201)

    async with database.owned() as owner:
        boxes = [row["sealed_box"] for row in await owner.fetch("select sealed_box from spina.kept_links")]
    assert [bytes.fromhex(FIRST) in box for box in boxes] == [False]
