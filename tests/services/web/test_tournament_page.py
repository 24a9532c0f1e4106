"""The public page of a tournament in a real browser: it agrees with the API while the tournament runs."""

import re
from typing import Any

from playwright.async_api import Page, expect

from domain.canonical import Json
from domain.tournament.contender import LOT_SIDES
from tests.infra.embedded.conditions import eventually
from tests.services.web.axe import find_serious, find_serious_by_day_and_night
from tests.services.web.test_pictures import READ_WIDE
from tests.services.web.tournament_server import ADA, BOB, CEM, CUP_NAME, HOSTILE, LONGEST, LOOK_MS_MAX, NAMES, CupStage
from tests.services.web.watching import WAIT_MS

READ_STANDINGS = """
() => [...document.querySelectorAll(".standings tbody tr")].map((row) =>
  [...row.children].map((cell) => (cell.querySelector("bdi") ?? cell).textContent.replace("§", "")))
"""
READ_TABLES = """
() => [...document.querySelectorAll("article.table")].map((table) =>
  [...table.querySelectorAll(".seats > li")].map((seat) =>
    [seat.querySelector("bdi").textContent, seat.querySelector(".seat-score").textContent]))
"""
NEWEST = "Lupercalia <i>& Sons</i> 🏆"
PLACES = {1: "1st", 2: "2nd", 3: "3rd"}


async def open_cup(page: Page, cup: CupStage, place: str = "") -> None:
    await page.goto(cup.page + place)
    await expect(page.locator(".live-state")).to_have_text("Updates by itself", timeout=WAIT_MS)


def number(value: int) -> str:
    return f"{value}".replace("-", "\N{MINUS SIGN}")


def tell_tie_break(*, name: str, value: int) -> str:
    if name == "lot":
        return "\N{EN DASH}" if -value > LOT_SIDES else str(-value)
    return number(value)


async def test_every_number_of_the_standings_is_the_one_of_the_api(cup: CupStage, page: Page) -> None:
    await open_cup(page, cup)

    told = await page.evaluate(READ_STANDINGS)

    standings = await cup.read("/standings")
    assert told == [
        [
            str(item["place"]),
            item["name"],
            number(item["points"]),
            *map(number, item["rounds"]),
            *(tell_tie_break(**broken) for broken in item["tie_breaks"]),
        ]
        for item in standings["items"]
    ]
    heads = await page.locator(".standings thead th").all_text_contents()
    assert heads == ["#", "Name", "Points", "R1", "Wins", "Opp.", "Last", "Lot"]


async def test_tables_tell_who_sits_there_what_it_counts_and_why(cup: CupStage, page: Page) -> None:
    await open_cup(page, cup)

    told = await page.evaluate(READ_TABLES)

    tables = (await cup.read("/pairings"))["items"][0]["tables"]
    assert told == [[[seat["name"], tell_score(table, seat)] for seat in table["seats"]] for table in tables]
    played, awaited = page.get_by_role("article", name="Table 1"), page.get_by_role("article", name="Table 2")
    await played.get_by_text("Why this table").click()
    await expect(played).to_contain_text(tables[0]["why"])
    replay = played.get_by_role("link", name="Replay the game")
    await expect(replay).to_have_attribute("href", f"/games/{tables[0]['game']}")
    await expect(awaited).to_contain_text(re.compile(r"sit down within \d+:"))


def tell_score(table: dict[str, Any], seat: dict[str, Any]) -> str:
    scored = [each for each in table["scored"] if each["entrant"] == seat["entrant"]]
    return "".join(f"{PLACES[each['place']]}, {number(each['points'])} points" for each in scored)


async def test_a_ruling_tells_who_made_it_why_and_what_it_changed(cup: CupStage, page: Page) -> None:
    line = await cup.rule("points_ruled", entrant=BOB, round=1, points=5, reason="Found a wheel.")

    await open_cup(page, cup)

    ruling = page.locator(f"#ruling-{line}")
    told = next(ruling for ruling in (await cup.read())["rulings"] if ruling["line"] == line)["told"]
    assert told.startswith("Orga gave Bob 5 points in round 1. Reason: Found a wheel. Points changed: Bob ")
    await expect(ruling).to_contain_text(told)
    await expect(ruling).to_contain_text(f"line {line}, by Orga.")
    await expect(page.locator(f"#standing-{BOB} .points")).to_contain_text("§")


async def test_entrants_are_told_with_what_became_of_them(cup: CupStage, page: Page) -> None:
    await open_cup(page, cup)

    await page.locator("summary", has=page.get_by_role("heading", name="Entrants")).click()

    rows = page.locator(".entrants > li")
    told = [await locator.locator("bdi").text_content() for locator in await rows.all()]
    assert told[: len(NAMES)] == list(NAMES)
    await expect(rows.nth(CEM)).to_contain_text("withdrawn")
    await expect(rows.nth(ADA).locator(".tag")).to_have_count(0)


async def test_a_name_leads_to_its_games_and_the_address_leads_back(cup: CupStage, page: Page) -> None:
    table = (await cup.tables())[1]
    waited = table.seats[0]
    await open_cup(page, cup)

    await page.get_by_label("Find a name").fill((waited.name or "").upper())
    await page.keyboard.press("Enter")

    card = page.locator(".my-card")
    await expect(card.get_by_role("heading")).to_have_text(waited.name or "")
    await expect(card.get_by_role("link", name="Round 1, table 2")).to_have_attribute("href", f"/games/{table.game}")
    await expect(card).to_contain_text("to be played, against")
    await expect(page.locator(f"#standing-{waited.entrant}")).to_have_class("mine")
    assert page.url.endswith(f"#entrant={waited.entrant}")
    await page.reload()
    await expect(card.get_by_role("heading")).to_have_text(waited.name or "")


async def test_what_changes_is_told_without_taking_the_place_of_whoever_reads(cup: CupStage, page: Page) -> None:
    await page.clock.install()
    await page.set_viewport_size({"width": 390, "height": 500})
    await open_cup(page, cup)
    link = page.locator(f"#standing-{ADA} a.name")
    await page.locator("summary", has_text="Why this table").nth(1).click()
    await link.focus()
    before = await page.locator(f"#standing-{ADA} .points").text_content()
    scrolled = await page.evaluate("scrollY")

    await cup.rule("points_ruled", entrant=ADA, round=1, points=7, reason="Came early once.")
    await page.clock.run_for(LOOK_MS_MAX)

    await expect(page.locator(f"#standing-{ADA} .points")).not_to_have_text(before or "", timeout=WAIT_MS)
    await expect(link).to_be_focused()
    assert await page.locator(".why").nth(1).get_attribute("open") is not None
    assert abs(await page.evaluate("scrollY") - scrolled) < 100


async def test_a_look_at_what_is_the_same_costs_no_body(cup: CupStage, page: Page) -> None:
    await open_cup(page, cup)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))

    async with page.expect_response(lambda answer: answer.url.endswith("/deadlines")) as looked:
        await look(page)

    assert (await looked.value).status == 304
    assert len(asked) == 1


async def look(page: Page) -> None:
    """Let the page look now, and not at its own time."""
    await page.evaluate("dispatchEvent(new Event('online'))")


async def test_only_who_is_missing_is_named_and_nobody_once_a_game_has_begun(cup: CupStage, page: Page) -> None:
    one: dict[str, Json] = {"kind": "score", "rounds": 1}
    duel = await cup.open_another("Fay", "Gus", name="Due", format=one, tables={"min": 2, "max": 2, "preferred": 2})
    await duel.draw()
    (table,) = await duel.tables()
    first, second = (seat.name or "" for seat in table.seats)
    due, card = page.locator(".due li"), page.get_by_role("article", name="Table 1")
    seats = [await duel.sit(table, 0)]

    await open_cup(page, duel)
    await expect(due).to_contain_text(f"be seated: {second}")
    await expect(due).not_to_contain_text(first)
    seats.append(await duel.sit(table, 1))
    await look(page)
    await expect(due).to_contain_text("table 1, get ready: ")
    for seat in seats:
        await seat.ready()
    await look(page)

    await expect(page.locator(".due")).to_be_hidden()
    await expect(card).to_contain_text("is being played")


async def test_each_game_says_what_the_server_finds_and_how_to_check_it(cup: CupStage, page: Page) -> None:
    game = (await cup.tables())[0].game
    await open_cup(page, cup)
    table = page.get_by_role("article", name="Table 1")

    await table.get_by_text("Check this game").click()

    audit = (await cup.ask(f"/v1/games/{game}/audit"))["verdict"]
    await expect(table.locator(".check-state")).to_contain_text(audit, timeout=WAIT_MS)
    await expect(table.locator(".check")).to_contain_text(f"spina verify {game}.spina.zip")
    bundle = table.get_by_role("link", name="bundle")
    await expect(bundle).to_have_attribute("href", f"/v1/games/{game}/bundle")


async def test_it_has_nothing_serious_and_fits_a_phone_with_names_that_mean_no_good(
    cup: CupStage, page: Page, axe: str
) -> None:
    await page.set_viewport_size({"width": 390, "height": 844})
    met = next(table for table in await cup.tables() if LONGEST in [seat.name for seat in table.seats])
    opponent = next(seat.entrant for seat in met.seats if seat.name != LONGEST)
    await open_cup(page, cup, f"#entrant={opponent}")
    for locator in await page.locator("details").all():
        await locator.evaluate("details => { details.open = true; }")

    await expect(page.get_by_role("heading", level=1)).to_have_text(CUP_NAME)
    await expect(page.locator(".my-card li")).to_contain_text(LONGEST)
    for name in HOSTILE:
        await expect(page.locator(".standings bdi", has_text=name)).to_have_count(1)
    assert await page.evaluate(READ_WIDE) == []
    assert await find_serious_by_day_and_night(page, axe) == []


async def test_a_table_that_is_cut_says_so_and_shows_the_rest_when_it_is_scrolled(cup: CupStage, page: Page) -> None:
    hint, last = page.locator(".standings .wide-note"), page.locator(".standings thead th").last
    await open_cup(page, cup)
    await expect(hint).to_be_hidden()

    await page.set_viewport_size({"width": 320, "height": 844})

    await expect(hint).to_be_visible()
    await last.scroll_into_view_if_needed()
    # All of it but the loss to rounding to whole pixels.
    await expect(last).to_be_in_viewport(ratio=0.9)


async def test_where_there_is_no_tournament_it_says_so(cup: CupStage, page: Page, complaints: list[str]) -> None:
    await page.goto(f"{cup.url}/tournaments/nonsense")

    await expect(page.get_by_role("alert")).to_have_text("There is no tournament here. ", timeout=WAIT_MS)
    assert [complaint for complaint in complaints if "404" not in complaint] == []
    complaints.clear()


async def test_a_player_has_a_page_with_every_result_and_the_way_to_each_game(cup: CupStage, page: Page) -> None:
    played = (await cup.tables())[0]
    # By the game's own result: rulings change the tournament's count, not the play.
    winner = next(played.seats[placing.seat] for placing in played.result or () if placing.place == 1)
    await open_cup(page, cup)

    await page.locator(f"#standing-{winner.entrant} a.name").click()

    await expect(page.get_by_role("heading", level=1)).to_have_text(winner.name or "", timeout=WAIT_MS)
    (record,) = (await cup.ask(f"/v1/players/{winner.player}"))["rulesets"]
    cells = page.get_by_role("region", name="Results").locator("tbody td")
    first = sum(place["count"] for place in record["places"] if place["place"] == 1)
    assert await cells.all_text_contents() == [
        str(each) for each in (record["games"], record["finished"], first, 0, 0, 0, record["running"], 0)
    ]
    (game,) = (await cup.ask(f"/v1/players/{winner.player}/games"))["items"]
    row = page.get_by_role("region", name="Games").get_by_role("link")
    await expect(row).to_have_attribute("href", f"/games/{game['game']}")
    await expect(row).to_contain_text("1st of 3 against")
    await page.goto(f"{cup.url}/players/{cup.cup.client.account.id}")
    opened = (await cup.ask(f"/v1/players/{cup.cup.client.account.id}"))["opened"]["games"]
    told = f"organiser of {opened}, with a key that signs rulings in 0"
    await expect(page.locator(".game-head")).to_contain_text(told, timeout=WAIT_MS)


async def test_tournaments_are_listed_where_somebody_looks_for_them(cup: CupStage, page: Page, axe: str) -> None:
    # The front page has the newest three, and other tests open some beside the cup.
    newest = await cup.open_another("Ivo", "Lea", name=NEWEST)
    await newest.draw()
    await eventually(lambda: is_running(newest))
    await page.set_viewport_size({"width": 390, "height": 844})
    await page.goto(f"{cup.url}/")
    listed = page.get_by_role("region", name="Tournaments").get_by_role("link", name=NEWEST)
    await listed.wait_for(timeout=WAIT_MS)
    await page.goto(f"{cup.url}/tournaments")

    row = page.get_by_role("region", name="Running").get_by_role("link", name=NEWEST)
    await expect(row).to_contain_text(" entrants, round 1", timeout=WAIT_MS)
    await expect(page.get_by_role("region", name="Open for entry")).to_be_visible()
    assert (await page.evaluate(READ_WIDE), await find_serious(page, axe)) == ([], [])
    await row.click()
    await expect(page.get_by_role("heading", level=1)).to_have_text(NEWEST, timeout=WAIT_MS)


async def is_running(cup: CupStage) -> bool:
    """Whether the list of the API has it among those that run."""
    listed = await cup.ask("/v1/tournaments?status=running")
    return any(row["id"] == cup.cup.tournament for row in listed["items"])
