"""The page of a game names its race for the services that show links, as far as the public sees it."""

from litestar.testing import TestClient

from services.api.app import build_app
from tests.services.api.player import GAME, expect, register, seat_two
from tests.services.api.server import PROBES, Api, memory_parts

CLUB = "https://club.example"


async def read_card(api: Api) -> dict[str, str]:
    """Read the properties of the page's card by their names."""
    answer = await api.client.get(f"/games/{GAME}")
    assert answer.status_code == 200
    lines = [line for line in answer.text.splitlines() if line.startswith('<meta property="og:')]
    return {line.split('"')[1]: line.split('"')[3] for line in lines}


async def test_a_card_names_the_drivers_and_the_end(api: Api) -> None:
    ada, _bob = await seat_two(api)
    running = await read_card(api)

    await expect(ada.resign(), 200)

    ended = await read_card(api)
    assert running["og:title"] == ended["og:title"] == "Torches: Ada and Bob"
    assert running["og:description"].startswith("The race is on.")
    assert ended["og:description"].startswith("Final order: 1. Bob and 2. Ada")


async def test_a_private_game_has_no_card(api: Api) -> None:
    ada = await register(api, "Ada")
    await expect(ada.open(visibility="private"), 201)

    assert "og:title" not in await read_card(api)


def test_a_race_is_shown_in_frames_of_the_named_origins_alone() -> None:
    with TestClient(build_app(probes=PROBES, parts=memory_parts(), cors_origins=[CLUB])) as client:
        policies = {
            path: client.get(f"{path}/{GAME}").headers["content-security-policy"] for path in ("/games", "/embed/games")
        }

    assert "frame-ancestors 'none';" in policies["/games"]
    assert f"frame-ancestors {CLUB};" in policies["/embed/games"]
