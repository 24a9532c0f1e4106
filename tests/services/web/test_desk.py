"""The arbiter's desk in real browsers: every kind of ruling, a draw changed by hand, a lost phone, calls and words."""

import asyncio
import json
import re
from typing import Any

from playwright.async_api import Browser, Page, Route, ViewportSize, expect

from services.reading.tournaments.ruling_forms import list_ruling_forms
from spina_client.formats import Json
from tests.domain.tournament.desk_harness import LINK, SECRET
from tests.services.web.axe import find_serious_by_day_and_night
from tests.services.web.test_organiser_page import clear_refusals, organise
from tests.services.web.tournament_server import ADA, CupStage
from tests.services.web.watching import WAIT_MS, hurried_context

PHONE: ViewportSize = {"width": 390, "height": 844}
# A name of a dozen letters stands in two lines at most.
NAME_PX_MIN = 100


async def rule(page: Page, reason: str) -> None:
    """Send the ruling that is filled in, after its preview."""
    await page.get_by_label("Reason").first.fill(reason)
    await page.get_by_role("button", name="Rule…").click()
    await page.get_by_role("dialog").get_by_role("button", name="Rule so, for ever").click(timeout=WAIT_MS)
    await page.get_by_text("It stands in line").wait_for(timeout=WAIT_MS)


async def test_every_kind_of_ruling_is_laid_out_with_its_fields_and_says_what_it_lacks(
    cup: CupStage, page: Page
) -> None:
    await organise(page, cup)
    kind = page.get_by_label("Kind of ruling")
    forms = list_ruling_forms().items
    assert await kind.locator("option").all_text_contents() == [form.label for form in forms]

    for form in forms:
        await kind.select_option(form.ruling)
        await expect(page.locator(".ruling > .note").first).to_have_text(form.note)
        for field in form.fields:
            if field.kind != "link":
                await expect(page.locator(".about").get_by_text(field.label, exact=True).first).to_be_attached()
        await page.get_by_role("button", name="Rule…").click()
        await expect(page.locator(".ruling .problem")).not_to_be_empty()


async def test_a_draw_is_held_looked_at_changed_by_hand_and_released(
    cup: CupStage, page: Page, complaints: list[str]
) -> None:
    held = await cup.open_another("Ike", "Jen", "Kai", "Leo", "Mia", "Noa")
    await organise(page, held)
    await page.get_by_role("button", name="Look at the draw first…").click()
    await rule(page, "We look first.")
    await held.draw()
    await page.get_by_text("Round 1 is drawn and held").wait_for(timeout=WAIT_MS)
    first, second = await held.tables()
    mover, other = first.seats[0], second.seats[0]

    await page.get_by_role("button", name="Change the seats…").click()
    await page.get_by_label(mover.name or "", exact=True).select_option("2")
    await page.get_by_label(other.name or "", exact=True).select_option("1")
    await rule(page, "They came in one car.")

    tables = await held.tables()
    assert [table.attempt for table in tables] == [2, 2]
    assert mover.entrant in {seat.entrant for seat in tables[1].seats}
    assert other.entrant in {seat.entrant for seat in tables[0].seats}
    assert (await held.ask(f"/v1/games/{tables[0].game}"))["type"].endswith("no-such-game")
    await page.get_by_role("button", name="Release the draw…").click()
    await rule(page, "It is as it should be.")
    await held.sit((await held.tables())[0], 0)
    # The games of a held draw are not opened.
    clear_refusals(complaints)


async def test_a_round_is_paused_and_goes_on_and_its_sheet_reads_on_a_phone(
    cup: CupStage, page: Page, complaints: list[str]
) -> None:
    paused = await cup.open_another("Wim", "Xia", "Yan", "Ula")
    await paused.draw()
    await organise(page, paused)
    await page.get_by_role("button", name="Pause the round…").click()
    await rule(page, "The lamps went out.")
    await expect(page.get_by_text("Round 1 is paused")).to_be_visible(timeout=WAIT_MS)
    assert (await paused.read())["paused_at"] is not None

    await page.get_by_role("button", name="Let it go on…").click()
    await rule(page, "They burn again.")
    await expect(page.get_by_text("Round 1 is being played")).to_be_visible(timeout=WAIT_MS)
    assert (await paused.read())["paused_at"] is None
    await page.set_viewport_size(PHONE)
    await page.goto(f"{paused.url}/v1{paused.cup.path.removeprefix('/v1')}/export?format=html")
    width, name = await page.evaluate(
        "[document.documentElement.scrollWidth, document.querySelector('table table td:nth-child(2)').clientWidth]"
    )
    assert width == PHONE["width"]
    assert name >= NAME_PX_MIN
    # Its games may not be opened yet.
    clear_refusals(complaints)


async def test_a_phone_is_lost_and_another_goes_on_with_the_entry_by_a_link(
    cup: CupStage, page: Page, browser: Browser
) -> None:
    lost = await cup.open_another("Pia", "Rut")
    await organise(page, lost)
    await page.get_by_label("Kind of ruling").select_option("entry_handed")
    await page.get_by_label("Who", exact=True).select_option(label="Pia (0)")
    await rule(page, "Her phone fell into the river.")
    link = await page.locator(".handed-link").get_attribute("href")
    assert link is not None

    phone = await _open_elsewhere(browser, link)
    await phone.get_by_role("heading", name="Go on with an entry").wait_for(timeout=WAIT_MS)
    await expect(phone.get_by_text("An organiser lets you go on with the entry of Pia")).to_be_visible()
    await phone.get_by_label("Your name").fill("Pia again")
    await phone.get_by_role("button", name="Go on here").click()
    await phone.get_by_role("heading", name="You have entered").wait_for(timeout=WAIT_MS)
    await lost.cup.call_round(1)
    await phone.get_by_role("button", name="I am here").click(timeout=WAIT_MS)

    await phone.get_by_text("You are checked in for round 1").wait_for(timeout=WAIT_MS)
    secret = link.rpartition(".")[2]
    events = await lost.ask(f"{lost.cup.path}/events")
    assert secret not in str(events)
    assert "entry_taken" in {line["type"] for line in events["items"]}


async def test_a_device_that_left_before_its_answer_has_the_entry_that_it_took_by_the_link(
    cup: CupStage, page: Page, browser: Browser
) -> None:
    lost = await cup.open_another("Ezra", "Nan")
    await organise(page, lost)
    await page.get_by_label("Kind of ruling").select_option("entry_handed")
    await page.get_by_label("Who", exact=True).select_option(label="Ezra (0)")
    await rule(page, "His phone fell into the river.")
    link = await page.locator(".handed-link").get_attribute("href")
    assert link is not None
    phone = await _open_elsewhere(browser, link)

    anchors, stored = set(), asyncio.Event()

    async def refuse(route: Route) -> None:
        anchors.add(json.loads(route.request.post_data or "")["anchor"])
        await route.abort()

    async def lose(route: Route) -> None:
        await route.fetch()
        await refuse(route)
        stored.set()

    await phone.route("**/continuations", refuse)
    await phone.get_by_label("Your name").fill("Ezra again")
    await phone.get_by_role("button", name="Go on here").click()
    await phone.get_by_text("No answer from the server").wait_for(timeout=WAIT_MS)
    await phone.reload()
    await phone.get_by_role("button", name="Go on here").click()
    await phone.get_by_text("No answer from the server").wait_for(timeout=WAIT_MS)
    await phone.route("**/continuations", lose)
    await asyncio.wait_for(stored.wait(), WAIT_MS / 1000)
    # A further try of the page may be on its way through the handler.
    await phone.unroute_all(behavior="wait")
    await phone.reload()

    await phone.get_by_role("heading", name="You have entered").wait_for(timeout=WAIT_MS)
    await expect(phone.get_by_text("This link is not good any more")).to_have_count(0, timeout=WAIT_MS)
    assert "#" not in phone.url
    assert len(anchors) == 1


async def test_a_helper_comes_by_a_link_with_a_key_and_does_what_the_role_allows(
    cup: CupStage, page: Page, browser: Browser, axe: str
) -> None:
    helped = await cup.open_another("Sif", "Tor")
    await organise(page, helped)
    await page.get_by_role("button", name="Invite a helper…").click()
    await page.get_by_label("As", exact=True).select_option("desk")
    await rule(page, "She sits at the desk tonight.")
    link = await page.locator(".handed-link").get_attribute("href")
    assert link is not None

    phone = await _open_elsewhere(browser, link)
    await phone.get_by_label("Your name").fill("Una")
    await phone.get_by_role("button", name="Help here").click(timeout=WAIT_MS)
    await expect(phone.get_by_text("You help here at the desk")).to_be_visible(timeout=WAIT_MS)
    offered = phone.get_by_label("Kind of ruling").locator("option")
    await expect(offered).to_have_text([form.label for form in list_ruling_forms().items if "desk" in form.roles])
    assert await find_serious_by_day_and_night(phone, axe) == []
    await phone.get_by_text("Announce something").click()
    await phone.get_by_label("Your word").fill("Tea is ready.")
    await phone.get_by_role("button", name="Announce", exact=True).click()

    await expect(page.locator(".helpers")).to_contain_text("Una, desk", timeout=WAIT_MS)
    said = (await wait_for_line(helped, "announced"))[-1]
    assert said["by"] == "helper:0"
    assert said["sig"] is not None
    assert (await helped.read())["announcements"][0]["by_name"] == "Una"


async def test_a_commentator_follows_a_table_that_spectators_are_shown_later(
    cup: CupStage, browser: Browser, axe: str
) -> None:
    late = await cup.open_another("Uli", "Vea", delay_s=600)
    await late.rule("helper_invited", role="commentator", link=LINK, reason="She comments tonight.")
    phone = await _open_elsewhere(browser, f"{late.page}/organise#help={SECRET}")
    await phone.get_by_label("Your name").fill("Wyn")
    await phone.get_by_role("button", name="Help here").click(timeout=WAIT_MS)
    await late.draw()
    (table,) = await late.tables()
    await late.sit(table, 0)

    await phone.get_by_role("button", name="Follow without delay").click(timeout=WAIT_MS)
    await phone.get_by_role("link", name="Watch without delay").wait_for(timeout=WAIT_MS)
    assert await find_serious_by_day_and_night(phone, axe) == []
    await expect(phone.get_by_label("Kind of ruling")).to_be_hidden()
    await phone.get_by_role("link", name="Watch without delay").click()

    await expect(phone.get_by_text(table.seats[0].name or "").first).to_be_visible(timeout=WAIT_MS)
    assert (await late.ask(f"/v1/games/{table.game}"))["type"].endswith("no-such-game")
    (look,) = (await late.read())["looks"]
    assert (look["by"], look["by_name"], look["table"]) == ("helper:0", "Wyn", 1)


async def test_a_team_is_founded_at_entry_and_a_mate_joins_by_its_link(
    cup: CupStage, browser: Browser, axe: str
) -> None:
    teams: dict[str, Json] = {"members_max": 2, "counting": 1, "seating": "apart"}
    teamed = await cup.open_another("Zia", teams=teams)
    founder = await _open_elsewhere(browser, teamed.page)
    await founder.get_by_label("Your name").fill("Abe")
    await founder.get_by_label("Team", exact=True).fill("Reds & Co. #1")
    await founder.get_by_role("button", name="Enter", exact=True).click(timeout=WAIT_MS)
    link = await founder.locator(".team-link").get_attribute("href", timeout=WAIT_MS)
    assert link is not None
    mate = await _open_elsewhere(browser, link)
    await expect(mate.get_by_label("Team", exact=True)).to_have_value("Reds & Co. #1")
    assert await find_serious_by_day_and_night(mate, axe) == []
    await mate.get_by_label("Your name").fill("Bea")
    await mate.get_by_role("button", name="Enter", exact=True).click(timeout=WAIT_MS)

    await mate.locator(".team-link").wait_for(timeout=WAIT_MS)
    standings = await teamed.read("/standings")
    assert [(team["letter"], team["name"]) for team in standings["teams"]] == [("A", "Reds & Co. #1")]
    assert [who["team"] and who["team"]["letter"] for who in standings["items"]] == [None, "A", "A"]
    events = await teamed.ask(f"{teamed.cup.path}/events")
    assert link.rpartition(".")[2] not in str(events)


async def wait_for_line(cup: CupStage, type_: str) -> list[dict[str, Any]]:
    """Return the lines of a type, once there is one."""
    while True:
        seen = await cup.read()
        lines = [line for line in (await cup.ask(f"{cup.cup.path}/events"))["items"] if line["type"] == type_]
        if lines:
            return lines
        await cup.cup.wait_on(seen["version"])


async def test_an_entrant_calls_an_organiser_answers_and_a_word_reaches_all(
    cup: CupStage, page: Page, browser: Browser, axe: str
) -> None:
    await cup.players[ADA].signed("calls", "organiser_called", {"entrant": ADA, "text": "Who was first?"})
    await organise(page, cup)
    call = page.locator(".call", has_text="Who was first?")
    await expect(call).to_contain_text("Ada", timeout=WAIT_MS)

    await call.get_by_label("Answer to Ada").fill("You were.")
    await call.get_by_role("button", name="Answer", exact=True).click()
    await page.get_by_text("No call waits for an answer.").wait_for(timeout=WAIT_MS)
    await page.get_by_text("Announce something").click()
    await page.get_by_label("Your word").fill("Round two begins at nine.")
    assert await find_serious_by_day_and_night(page, axe) == []
    await page.get_by_role("button", name="Announce", exact=True).click()

    public = await _open_elsewhere(browser, cup.page)
    word = public.locator(".announced > li").first
    await expect(word).to_contain_text(re.compile(r"Round two begins at nine\..*line \d+"), timeout=WAIT_MS)
    assert (await cup.read())["calls"][0]["answer"] == "You were."


async def test_a_list_of_names_becomes_slips_with_codes_and_each_lets_one_person_in(
    cup: CupStage, page: Page, browser: Browser
) -> None:
    await page.goto(f"{cup.url}/tournaments/new")
    await page.get_by_label("Organiser's token").fill(cup.token)
    await page.keyboard.press("Enter")
    await page.get_by_label("Name", exact=True).fill("Lupercalia")
    await page.get_by_label("Entry is open for").select_option("list")
    await page.get_by_label("The list, a person in each line").fill("Xenia\nYves\n")
    await page.get_by_label("After approval").check()
    await page.get_by_label("Place", exact=True).fill("The cellar")
    await page.get_by_label("Start", exact=True).fill("Thursday 19:30, Vienna")
    await page.get_by_role("button", name="Open the tournament…").click()
    await page.get_by_role("button", name="Open it").click()
    await page.get_by_role("heading", name="2 codes").wait_for(timeout=WAIT_MS)
    slip = page.locator(".slip", has_text="Xenia")
    link = await slip.get_by_role("link").get_attribute("href")
    code = (await slip.locator(".slip-code").text_content() or "").strip()
    assert link is not None

    phone = await _open_elsewhere(browser, link)
    await phone.get_by_text("Thursday 19:30, Vienna · The cellar").wait_for(timeout=WAIT_MS)
    await expect(phone.get_by_label("Code")).to_have_value(code)
    await phone.get_by_label("Your name").fill("Xenia")
    await phone.get_by_role("button", name="Enter", exact=True).click()
    await phone.get_by_role("heading", name="You wait to be admitted").wait_for(timeout=WAIT_MS)
    await page.get_by_role("button", name="To the desk").click()
    # The key of the organiser was made when the tournament was opened.
    async with page.expect_request(
        lambda request: request.method == "POST" and request.url.endswith("/rulings")
    ) as sent:
        await page.get_by_role("button", name="Admit", exact=True).click(timeout=WAIT_MS)
    body = (await sent.value).post_data_json
    assert body is not None
    assert len(body["sig"]) == 128
    await phone.get_by_role("heading", name="You have entered").wait_for(timeout=WAIT_MS)
    other = await _open_elsewhere(browser, link)
    await other.get_by_label("Your name").fill("Zoe")
    await other.get_by_role("button", name="Enter", exact=True).click()

    await other.get_by_text("or another has used it").wait_for(timeout=WAIT_MS)
    opened = await cup.ask(f"/v1/tournaments/{link.split('/')[4].partition('#')[0]}/events")
    assert code.replace("-", "") not in str(opened)
    assert "Yves" not in str(opened)


async def _open_elsewhere(browser: Browser, url: str) -> Page:
    page = await (await hurried_context(browser)).new_page()
    page.set_default_timeout(WAIT_MS)
    await page.goto(url)
    return page
