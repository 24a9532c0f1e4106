"""From the front page into a race: against house bots in two clicks, with a friend by a link that is worth one seat."""

import re
from uuid import uuid4

import httpx2
import pytest
from playwright.async_api import Browser, Page, expect

from domain.rulesets.chariot_race.kit.kit import KIT as CHARIOT_RACE
from tests.services.web.axe import find_serious
from tests.services.web.seat.table import laid_table, sit_down
from tests.services.web.test_pictures import READ_WIDE, picture
from tests.services.web.watching import WAIT_MS, hurried_context

IS_DIALOG_WIDE = """() => {
  const dialog = document.querySelector("dialog");
  return dialog.scrollWidth > dialog.clientWidth;
}"""
# Rules of axe that it calls moderate.
FIND_LANDMARKS = """async () => {
  const { violations } = await axe.run({ runOnly: { type: "rule", values: ["landmark-unique", "region"] } });
  return violations.map(({ id, nodes }) => [id, nodes[0].html]);
}"""
# A first name and a driver.
SUGGESTED = re.compile(r"^[A-Z]\. [A-Z][a-z]{3,}$")
TITLES = ("Chariot Race", "Charioteer", "Chariotmaster")


@pytest.mark.parametrize("title", TITLES)
async def test_two_clicks_lead_to_a_race_against_house_bots(served: str, page: Page, title: str) -> None:
    await page.goto(served)

    await page.get_by_role("button", name=f"Play {title}", exact=True).click()
    await expect(page.get_by_label("Your name")).to_have_value(SUGGESTED)
    await page.get_by_role("button", name="To the start").click()

    await page.get_by_role("heading", name=re.compile("^(Your turn|.* choosing …|The race goes on)")).wait_for(
        timeout=WAIT_MS
    )
    await expect(page.locator(".story")).to_contain_text("The game begins, with 4 seats.", timeout=WAIT_MS)
    await page.get_by_role("heading", name="Your turn").wait_for(timeout=WAIT_MS)


async def test_a_friend_sits_down_by_the_link_and_the_secret_leaves_the_address(served: str, browser: Browser) -> None:
    host, friend = [await (await hurried_context(browser)).new_page() for _ in range(2)]
    await host.goto(served)
    await host.get_by_role("button", name="Play Charioteer", exact=True).click()
    await host.get_by_label("Friends: a link for each seat").check()
    await host.get_by_text("More choices").click()
    await host.get_by_label("Seats", exact=True).select_option("2")
    await host.get_by_role("button", name="To the start").click()
    link = await host.get_by_label("Link to this seat").input_value(timeout=WAIT_MS)

    await friend.goto(link)
    await friend.get_by_role("heading", name=re.compile(r"^\w\. \w+ invites you to race$")).wait_for(timeout=WAIT_MS)
    await expect(friend).not_to_have_url(re.compile("invitation"))
    await friend.get_by_role("button", name="Take the seat").click()

    for page in (host, friend):
        await page.get_by_role("heading", name="Your turn").wait_for(timeout=WAIT_MS)


async def test_a_stranger_without_the_link_finds_no_game(served: str, browser: Browser) -> None:
    host, stranger = [await (await hurried_context(browser)).new_page() for _ in range(2)]
    await host.goto(served)
    await host.get_by_role("button", name="Play Charioteer", exact=True).click()
    await host.get_by_label("Friends: a link for each seat").check()
    await host.get_by_role("button", name="To the start").click()
    await host.get_by_role("heading", name="Waiting for 3 players to sit down").wait_for(timeout=WAIT_MS)

    await stranger.goto(host.url)

    await expect(stranger.get_by_role("alert")).to_contain_text("There is no such game", timeout=WAIT_MS)


async def test_house_bots_fill_the_seats_of_friends_who_do_not_come(served: str, page: Page) -> None:
    await page.goto(served)
    await page.get_by_role("button", name="Play Chariot Race", exact=True).click()
    await page.get_by_label("Friends: a link for each seat").check()
    await page.get_by_text("More choices").click()
    await page.get_by_label("Seats", exact=True).select_option("2")
    await page.get_by_role("button", name="To the start").click()

    await page.get_by_role("button", name="Call a house bot").click()

    await expect(page.locator(".story")).to_contain_text("The game begins, with 2 seats.", timeout=WAIT_MS)


async def test_a_table_of_three_against_two_is_laid_joined_and_raced_in_teams(served: str, browser: Browser) -> None:
    host, friend = [await (await hurried_context(browser)).new_page() for _ in range(2)]
    await host.goto(served)
    await host.get_by_role("button", name="Play Chariotmaster", exact=True).click()
    await host.get_by_label("Players from the lobby").check()
    await host.get_by_text("More choices").click()
    await host.get_by_label("Seats", exact=True).select_option("5")
    for seat, team in enumerate("AAABB"):
        await host.get_by_label(f"Team of seat {seat}").select_option(team)
    await host.get_by_role("button", name="To the start").click()
    rows = host.locator(".table-seats li")
    await expect(rows).to_have_text([re.compile(f"Team {team}: ") for team in "AAABB"], timeout=WAIT_MS)

    await friend.goto(host.url)
    teams = friend.get_by_label("Your team")
    await expect(teams.locator("option")).to_have_text(["A: 1 of 3 seats taken", "B: 0 of 2 seats taken"])
    await teams.select_option(label="B: 0 of 2 seats taken")
    await friend.get_by_role("button", name="Take the seat").click()
    for seat in (1, 2, 4):
        await rows.nth(seat).get_by_role("button", name="Call a house bot").click()

    await friend.get_by_role("heading", name="Your turn").wait_for(timeout=WAIT_MS)
    await expect(friend.locator(".driver-own")).to_contain_text("[B] ")
    for page in (host, friend):
        drivers = page.locator(".driver-name")
        await expect(drivers).to_have_text([re.compile(rf"^\[{team}\] ") for team in "AAABB"], timeout=WAIT_MS)
        await expect(page.locator(".story")).to_contain_text("[B] ")


@pytest.mark.parametrize("width", [1280, 390])
async def test_the_front_page_fits_and_has_nothing_serious(served: str, page: Page, width: int, axe: str) -> None:
    await page.set_viewport_size({"width": width, "height": 844})
    await page.goto(served)
    await page.get_by_role("button", name="Play Charioteer", exact=True).wait_for()
    wide, before = await page.evaluate(READ_WIDE), await find_serious(page, axe)
    await picture(page, f"front-{width}")

    await page.get_by_role("button", name="Play Charioteer", exact=True).click()
    await page.get_by_text("More choices").click()
    await picture(page, f"front-dialog-{width}")

    assert (wide, before) == ([], [])
    assert not await page.evaluate(IS_DIALOG_WIDE)
    assert await find_serious(page, axe) == []


async def test_all_words_of_a_player_and_of_a_tip_stand_in_one_landmark_each(served: str, page: Page, axe: str) -> None:
    async with laid_table(served, CHARIOT_RACE) as table:
        await sit_down(page, table)
        await page.get_by_role("heading", name="Your turn").wait_for(timeout=WAIT_MS)
        await page.locator(".die-button").first.hover()
        await page.locator("#tip").wait_for(timeout=WAIT_MS)
        await page.evaluate(axe)
        of_tip = await page.evaluate(FIND_LANDMARKS)

        await page.locator(".drivers-strip .driver-own a").click()
        await page.get_by_role("heading", name="Results").wait_for(timeout=WAIT_MS)

        await page.evaluate(axe)
        assert (of_tip, await page.evaluate(FIND_LANDMARKS)) == ([], [])


async def test_a_rematch_of_a_rival_is_shown_where_the_race_ended(served: str, page: Page) -> None:
    async with laid_table(served, CHARIOT_RACE) as table:
        await sit_down(page, table)
        await page.get_by_role("heading", name="Your turn").wait_for(timeout=WAIT_MS)
        (rival,) = table.rivals
        await rival.resign()
        await page.get_by_role("button", name="Rematch").wait_for(timeout=WAIT_MS)
        await expect(page.locator(".seat")).to_contain_text("Only this browser plays as", timeout=WAIT_MS)

        await rival.client.post(f"/v1/games/{table.game}/rematch", {})

        await expect(page.locator(".seat")).to_contain_text(
            re.compile(r"Rival 1( #\d+)? keeps a seat in a rematch"), timeout=WAIT_MS
        )
        await expect(page.locator(".drivers-strip a")).to_have_count(2)


async def test_a_rematch_is_opened_by_one_click(served: str, page: Page) -> None:
    await page.goto(served)
    await page.get_by_role("button", name="Play Chariot Race", exact=True).click()
    # Of two seats one resigns, and the race is over.
    await page.get_by_text("More choices").click()
    await page.get_by_label("Seats", exact=True).select_option("2")
    await page.get_by_role("button", name="To the start").click()
    await page.get_by_role("heading", name="Your turn").wait_for(timeout=WAIT_MS)
    await page.get_by_text("Your seat", exact=True).click()
    await page.get_by_role("button", name="Resign …").click()
    await page.get_by_role("button", name="Resign", exact=True).click()
    await expect(page.get_by_role("button", name="Resign …")).to_be_hidden(timeout=WAIT_MS)
    await page.get_by_role("button", name="Rematch").wait_for(timeout=WAIT_MS)
    former = page.url

    await page.get_by_role("button", name="Rematch").click()

    await expect(page).not_to_have_url(former, timeout=WAIT_MS)
    await page.get_by_role("heading", name="Your turn").wait_for(timeout=WAIT_MS)


async def test_the_opener_sends_a_player_away_and_finds_the_game_on_the_front_page(served: str, page: Page) -> None:
    await page.goto(served)
    await page.get_by_role("button", name="Play Charioteer", exact=True).click()
    await page.get_by_label("Players from the lobby").check()
    await page.get_by_role("button", name="To the start").click()
    await page.get_by_role("heading", name="Waiting for 3 players to sit down").wait_for(timeout=WAIT_MS)
    game = page.url
    async with httpx2.AsyncClient(base_url=f"{served.rstrip('/')}/v1") as http:
        token = (await http.post("/players", json={"name": "Idle"})).json()["token"]
        taken = {"command": str(uuid4()), "seat": 1, "anchor": None, "links": 0, "key": None}
        headers = {"authorization": f"Bearer {token}"}
        sat = await http.post(f"/games/{game.rpartition('/')[2]}/seats", json=taken, headers=headers)
    assert sat.status_code == 200, sat.text

    await page.get_by_role("button", name="Send away").click(timeout=WAIT_MS)
    await page.get_by_role("heading", name="Waiting for 3 players to sit down").wait_for(timeout=WAIT_MS)

    await page.goto(served)

    mine = page.locator("spina-my-games").get_by_role("link")
    await expect(mine).to_contain_text("Not begun", timeout=WAIT_MS)
    assert game.endswith(await mine.get_attribute("href") or "none")


async def test_offered_seats_are_listed_apart_and_declined_one_by_one_or_by_sender(served: str, page: Page) -> None:
    await page.goto(served)
    async with httpx2.AsyncClient(base_url=f"{served.rstrip('/')}/v1") as http:
        await page.get_by_role("button", name="Play Charioteer", exact=True).click()
        await page.get_by_label("Players from the lobby").check()
        await page.get_by_role("button", name="To the start").click()
        await page.get_by_role("heading", name="Waiting for 3 players to sit down").wait_for(timeout=WAIT_MS)
        account = await page.evaluate("import('/web/parts/api.js').then((api) => api.readAccount())")
        for opener in ("Ida", "Max"):
            token = (await http.post("/players", json={"name": opener})).json()["token"]
            opening = {"command": str(uuid4()), "ruleset": "chariot-race@1", "seats": 2, "visibility": "private"}
            offers = {"offers": [None, {"kind": "player", "player": account["id"]}]}
            opened = await http.post("/games", json=opening | offers, headers={"authorization": f"Bearer {token}"})
            assert opened.status_code == 201, opened.text

    await page.goto(served)
    offered = page.get_by_role("region", name="Seats offered to you")
    await expect(offered.get_by_role("listitem")).to_have_count(2, timeout=WAIT_MS)
    await page.get_by_role("button", name="Decline the offer of Ida").click()
    await expect(offered.get_by_role("listitem")).to_have_count(1, timeout=WAIT_MS)
    await page.get_by_role("button", name="Decline all offers of Max").click()

    await expect(offered).to_be_hidden(timeout=WAIT_MS)
    await page.reload()
    await expect(page.locator("spina-my-games").get_by_role("link")).to_contain_text("Not begun", timeout=WAIT_MS)
    await expect(offered).to_be_hidden()
