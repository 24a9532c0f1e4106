"""The organiser's pages in a real browser: opened by a form, led by buttons, ruled on with the keyboard alone."""

from typing import Any

from playwright.async_api import Page, Request, expect

from domain.canonical import Json
from tests.services.api.opening_defaults import DEFAULT_TERMS, pick_defaults
from tests.services.web.axe import find_serious_by_day_and_night
from tests.services.web.test_account_page import REACHABLE
from tests.services.web.test_pictures import READ_WIDE
from tests.services.web.tournament_server import ADA, LOOK_MS_MAX, CupStage
from tests.services.web.watching import WAIT_MS


def note_requests(page: Page) -> list[Request]:
    """Return a list that every request of the tab is added to."""
    sent: list[Request] = []
    page.on("request", lambda request: sent.append(request))  # noqa: PLW0108  it marks its argument
    return sent


async def organise(page: Page, cup: CupStage) -> None:
    """Open the page and sign in."""
    await page.goto(f"{cup.page}/organise")
    await page.get_by_label("Organiser's token").fill(cup.token)
    await page.get_by_role("button", name="Sign in").click()
    await expect(page.locator("spina-token")).to_contain_text("Signed in as Orga, organiser.")
    await expect(page.get_by_label("Kind of ruling")).to_be_enabled()


def clear_refusals(complaints: list[str]) -> None:
    """Forget the refusals that a test provoked, which a browser calls errors of the page."""
    complaints[:] = [
        complaint for complaint in complaints if "the server responded with a status of 4" not in complaint
    ]


def points_of(standings: dict[str, Any], entrant: int) -> int:
    (points,) = [item["points"] for item in standings["items"] if item["entrant"] == entrant]
    return int(points)


async def test_a_ruling_is_made_with_the_keyboard_alone_and_does_what_was_told(cup: CupStage, page: Page) -> None:
    sent = note_requests(page)
    before = points_of(await cup.read("/standings"), ADA)
    await organise(page, cup)
    keyboard = page.keyboard

    await page.get_by_label("Kind of ruling").focus()
    await keyboard.type("Award")
    await keyboard.press("Tab")
    await keyboard.type("Ada")
    await keyboard.press("Tab")
    await keyboard.press("Tab")
    await keyboard.type("-3")
    await keyboard.press("Tab")
    await keyboard.type("Came late.")
    await keyboard.press("Tab")
    await keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="Award or take points")
    told = f"Orga took 3 points from Ada in round 1. Reason: Came late. Points changed: Ada {before} → {before - 3}."
    await expect(dialog).to_contain_text(told)
    seen = (await cup.read())["version"]
    await keyboard.press("Tab")
    await keyboard.press("Enter")

    await page.get_by_text("It stands in line").wait_for(timeout=WAIT_MS)
    await expect(page.get_by_role("button", name="Rule…")).to_be_focused()
    assert points_of(await cup.read("/standings"), ADA) == before - 3
    _, previewed, ruled = [request for request in sent if request.method == "POST"]
    assert previewed.url == f"{ruled.url}/previews"
    # The line that the sender had seen is of the ruling alone: another may rule on the same meanwhile.
    assert ruled.post_data_json == {**(previewed.post_data_json or {}), "seen": seen}
    assert cup.token not in "".join(request.url for request in sent)
    assert (await ruled.all_headers())["authorization"] == "Session organiser"
    assert cup.token not in await page.evaluate(REACHABLE)


async def test_the_effect_of_another_result_is_told_before_as_the_log_tells_it_after(cup: CupStage, page: Page) -> None:
    await organise(page, cup)
    await page.get_by_label("Kind of ruling").select_option("result_replaced")
    seats = (await cup.tables())[0].seats
    was = [scored.place for scored in (await cup.tables())[0].scored]

    # Turned round: the last place has won.
    for seat, place in enumerate(was):
        await page.locator(f"[name=seat-{seat}]").select_option(str(len(seats) + 1 - place))
    await page.get_by_label("Reason").first.fill("The judges\nsaw it.")
    await page.get_by_role("button", name="Rule…").click()
    rule_so = page.get_by_role("dialog").get_by_role("button", name="Rule so, for ever")
    await rule_so.wait_for()
    told = await page.get_by_role("dialog").locator("p").all_text_contents()
    await rule_so.click()
    await page.get_by_text("It stands in line").wait_for(timeout=WAIT_MS)

    ruling = (await cup.read())["rulings"][-1]
    assert ruling["reason"] == "The judges saw it."
    assert ruling["changes"]
    assert told[0] == ruling["told"]
    assert told[1].startswith("Round 1, table 1 counts 1. ")


async def test_nothing_can_be_done_before_a_token_that_may_rule_is_there(
    cup: CupStage, page: Page, complaints: list[str]
) -> None:
    token, box = page.get_by_label("Organiser's token"), page.locator("spina-token")
    rule, use = page.get_by_role("button", name="Rule…"), page.get_by_role("button", name="Sign in")
    await page.goto(f"{cup.page}/organise")
    await expect(rule).to_be_disabled()
    assert await page.locator(".controls button:enabled").count() == 0

    await token.fill("spina_nonsense")
    await use.click()
    await expect(box.get_by_role("alert")).to_contain_text("This server knows no such token")
    await expect(token).to_be_focused()
    await token.fill(cup.players[ADA].client.account.token)
    await use.click()
    await expect(box).to_contain_text("the token of Ada, player.")
    await expect(box).to_contain_text("Only an organiser's token can do anything here.")
    await expect(rule).to_be_disabled()
    await token.fill(cup.token)
    await use.click()

    await expect(rule).to_be_enabled()
    await page.reload()
    await expect(rule).to_be_enabled()
    await page.get_by_role("button", name="Sign out").click()
    await expect(token).to_be_focused()
    await expect(rule).to_be_disabled()
    clear_refusals(complaints)


async def test_what_the_api_refuses_is_told_in_its_words_and_the_form_stays_filled_in(
    cup: CupStage, page: Page, complaints: list[str]
) -> None:
    await organise(page, cup)
    await page.get_by_label("Kind of ruling").select_option("entrant_removed")
    await page.get_by_label("Who", exact=True).select_option(label=f"Ada ({ADA})")
    await page.get_by_label("Reason").first.fill("Played under two names.")
    await page.context.clear_cookies()

    await page.get_by_role("button", name="Rule…").click()

    problem = page.locator(".ruling .problem")
    await expect(problem).to_contain_text("A valid token is needed", timeout=WAIT_MS)
    await expect(page.get_by_label("Reason").first).to_have_value("Played under two names.")
    assert await page.get_by_label("Who", exact=True).input_value() == str(ADA)
    assert (await cup.read("/entrants"))["items"][ADA]["left"] is None
    clear_refusals(complaints)


async def test_what_is_filled_in_stays_while_the_tournament_goes_on(cup: CupStage, page: Page) -> None:
    await page.clock.install()
    await organise(page, cup)
    await page.get_by_label("Kind of ruling").select_option("result_replaced")
    await page.locator("[name=seat-0]").select_option("3")
    await page.locator("[name=seat-1]").focus()
    await page.get_by_label("Reason").first.evaluate("field => { field.value = 'As the judges saw it.'; }")

    line = await cup.rule("entrant_removed", entrant=await cup.enter("Late"), reason="Entered twice.")
    await page.clock.run_for(LOOK_MS_MAX)
    await page.locator(f"#ruling-{line}").wait_for()

    await expect(page.locator("[name=seat-0]")).to_have_value("3")
    await expect(page.locator("[name=seat-1]")).to_be_focused()
    await expect(page.get_by_label("Reason").first).to_have_value("As the judges saw it.")


async def test_a_ruling_without_a_reason_is_not_sent(cup: CupStage, page: Page) -> None:
    sent = note_requests(page)
    await organise(page, cup)
    await page.get_by_label("Points").fill("5")

    await page.get_by_role("button", name="Rule…").click()

    await expect(page.locator(".ruling .problem")).to_have_text("Say why: a ruling needs a reason.")
    await expect(page.get_by_label("Reason").first).to_be_focused()
    assert [request.url for request in sent if request.method == "POST"] == [f"{cup.url}/v1/sessions"]


async def test_who_is_not_seated_is_told_and_leads_to_the_ruling(cup: CupStage, page: Page) -> None:
    table = (await cup.tables())[1]
    await organise(page, cup)

    waited = page.locator(".watched > li")
    absent = [seat.name or "" for seat in table.seats[1:]]
    await expect(waited).to_contain_text("not seated:", timeout=WAIT_MS)
    for name in absent:
        await expect(waited).to_contain_text(name)
    await expect(waited).not_to_contain_text(table.seats[0].name or "")
    await waited.get_by_role("button", name="Tell a no-show").click()

    await expect(page.get_by_label("Kind of ruling")).to_have_value("no_show_told")
    await page.get_by_label(absent[0]).check()
    await page.get_by_label("Reason").first.fill("Went home.")
    await page.get_by_role("button", name="Rule…").click()
    await expect(page.get_by_role("dialog")).to_contain_text("Round 1, table 2 is drawn again with", timeout=WAIT_MS)


async def test_a_game_that_cannot_be_read_makes_no_one_absent(cup: CupStage, page: Page, complaints: list[str]) -> None:
    table = (await cup.tables())[1]
    await page.route(f"**/v1/games/{table.game}", lambda route: route.fulfill(status=503))
    await organise(page, cup)

    waited = page.locator(".watched > li")
    await expect(waited).to_contain_text("its seats cannot be read now", timeout=WAIT_MS)

    await expect(waited).not_to_contain_text(table.seats[1].name or "")
    await expect(waited.get_by_role("button")).to_have_count(0)
    complaints[:] = [
        complaint for complaint in complaints if "the server responded with a status of 503" not in complaint
    ]


async def test_a_table_whose_game_has_begun_is_not_offered_for_a_no_show(cup: CupStage, page: Page) -> None:
    cup = await cup.open_another("Ida", "Jon")
    await cup.draw()
    (table,) = await cup.tables()
    seats = [await cup.sit(table, place) for place in range(len(table.seats))]
    for seat in seats:
        await seat.ready()
    await organise(page, cup)
    await expect(page.locator(".watched > li")).to_contain_text("is being played", timeout=WAIT_MS)

    await page.get_by_label("Kind of ruling").select_option("no_show_told")
    await expect(page.get_by_text("There is no such table.")).to_be_visible()
    await page.get_by_label("Kind of ruling").select_option("game_voided")

    await expect(page.get_by_label("Table").locator("option")).to_have_count(1)


async def test_a_tournament_is_opened_by_its_form_and_led_to_its_first_round(
    cup: CupStage, page: Page, complaints: list[str]
) -> None:
    await page.goto(f"{cup.url}/tournaments/new")
    await page.get_by_label("Organiser's token").fill(cup.token)
    await page.keyboard.press("Enter")
    await page.get_by_label("Name").fill("Ludi Romani")
    await page.get_by_label("Ruleset").select_option("chariot-race@1")
    await page.get_by_label("Format").select_option("heats")
    await page.get_by_label("In the final").fill("7")
    await expect(page.get_by_label("own links")).to_be_checked()

    await page.get_by_role("button", name="Open the tournament…").click()
    assert await page.get_by_label("In the final").evaluate("input => input.validity.rangeOverflow")
    await page.get_by_label("In the final").fill("5")
    await page.get_by_role("button", name="Open the tournament…").click()
    await page.get_by_role("button", name="Open it").click()
    await expect(page.locator(".opening > .problem")).to_contain_text("expected a format", timeout=WAIT_MS)
    await page.get_by_label("In the final").fill("4")
    await page.get_by_role("button", name="Open the tournament…").click()
    await page.get_by_role("button", name="Open it").click()
    await page.wait_for_url("**/organise")

    await expect(page.get_by_role("heading", level=1)).to_have_text("Ludi Romani", timeout=WAIT_MS)
    opened = await cup.ask(f"/v1{page.url.removeprefix(cup.url).removesuffix('/organise')}")
    terms = opened["terms"]
    assert terms["format"] == {"kind": "heats", "heats": 3, "finalists": 4}
    assert pick_defaults(terms) == DEFAULT_TERMS
    assert terms["tables"] == {"min": 3, "max": 4, "preferred": 4}
    assert terms["points"] == {"3": [60, 30, 0], "4": [60, 40, 20, 0]}
    await press(page, "Call round 1")
    await expect(page.locator("section", has_text="Now").get_by_role("alert").first).to_contain_text(
        "Too few entrants", timeout=WAIT_MS
    )
    clear_refusals(complaints)


async def test_the_readings_of_a_ruleset_are_offered_in_words(cup: CupStage, page: Page) -> None:
    await page.goto(f"{cup.url}/tournaments/new")

    await page.get_by_label("Ruleset").select_option("charioteer@1")

    cubes = page.get_by_label("Cubes of a disrupt for 2, 3 and 4 players")
    assert await cubes.locator("option").all_text_contents() == ["2-1-1", "2-2-1", "3-2-1"]
    await expect(page.get_by_label("On turn 1 a chariot that ends on a taken space stands")).to_have_value("outside")
    await page.get_by_label("Ruleset").select_option("chariot-race@1")
    chariots = page.get_by_label("Chariots", exact=True)
    assert await chariots.locator("option").all_text_contents() == ["alternate", "basic", "own colours"]


async def test_a_tournament_is_played_at_a_table_of_the_ruleset(cup: CupStage, page: Page) -> None:
    await page.goto(f"{cup.url}/tournaments/new")
    await page.get_by_label("Ruleset").select_option("chariotmaster@1")
    table = page.get_by_label("Table", exact=True)
    # As the API has it: no option at all.
    assert await table.locator("option:checked").text_content() == "Three laps"

    await table.select_option(label="Plain chariots")

    await expect(page.locator("[name=option-equipment]")).to_have_value("none")
    await expect(page.locator("[name=option-laps]")).to_have_value("1")


async def test_an_option_that_is_left_empty_takes_its_default(cup: CupStage, page: Page) -> None:
    await page.goto(f"{cup.url}/tournaments/new")
    await page.get_by_label("Organiser's token").fill(cup.token)
    await page.keyboard.press("Enter")
    await page.get_by_label("Name").fill("Ludi Plebeii")
    await page.get_by_label("Ruleset").select_option("chariotmaster@1")
    await page.locator("[name=option-course]").select_option("trial")
    await page.locator("[name=option-chariots_each]").fill("")

    await page.get_by_role("button", name="Open the tournament…").click()
    await page.get_by_role("button", name="Open it").click()
    await page.wait_for_url("**/organise")

    opened = await cup.ask(f"/v1{page.url.removeprefix(cup.url).removesuffix('/organise')}")
    options = opened["terms"]["options"]
    assert (options["course"], options["chariots_each"], options["laps"]) == ("trial", 1, None)


async def test_a_round_is_called_and_the_final_standings_are_published_with_buttons(cup: CupStage, page: Page) -> None:
    one: dict[str, Json] = {"kind": "score", "rounds": 1}
    duel = await cup.open_another("Dido", "Eos", name="Duel", format=one, tables={"min": 2, "max": 2, "preferred": 2})
    await organise(page, duel)
    await press(page, "Call round 1")
    await expect(page.locator(".now")).to_contain_text("Not here yet (2): Dido and Eos", timeout=WAIT_MS)
    await duel.check_in()
    await duel.finish(1)
    await page.reload()

    await press(page, "Publish the final standings")

    await expect(page.locator(".now")).to_contain_text("published as the last word", timeout=WAIT_MS)
    await page.get_by_role("link", name="Public page").click()
    (winner,) = [item["name"] for item in (await duel.read("/standings"))["items"] if item["place"] == 1]
    await expect(page.locator(".won")).to_have_text(f"Won by {winner}", timeout=WAIT_MS)
    await expect(page.get_by_role("heading", name="Final standings")).to_be_visible()


async def test_whoever_did_not_come_is_suggested_for_removal(cup: CupStage, page: Page) -> None:
    trio = await cup.open_another("Flo", "Gil", "Hal", name="Trio")
    await trio.draw()
    (table,) = await trio.tables()
    gone = table.seats[0]
    # Once the game is opened.
    await trio.sit(table, 1)
    await trio.rule("no_show_told", round=1, table=1, attempt=1, entrants=[gone.entrant], reason="Went home.")
    await trio.finish(1)

    await organise(page, trio)
    await expect(page.locator(".now li")).to_contain_text([gone.name or ""])
    await page.get_by_role("button", name="Remove…").click()

    await expect(page.get_by_label("Kind of ruling")).to_have_value("entrant_removed")
    await expect(page.get_by_label("Who", exact=True)).to_have_value(str(gone.entrant))


async def press(page: Page, name: str) -> None:
    """Press a button, and the one that goes on once its effect is shown."""
    await page.get_by_role("button", name=f"{name}…").click()
    await page.get_by_role("dialog").get_by_role("button", name=name).click()


async def test_the_organisers_pages_have_nothing_serious_and_fit_a_phone(cup: CupStage, page: Page, axe: str) -> None:
    await page.set_viewport_size({"width": 390, "height": 844})
    await organise(page, cup)
    for locator in await page.locator("details").all():
        await locator.evaluate("details => { details.open = true; }")
    wide, found = await page.evaluate(READ_WIDE), await find_serious_by_day_and_night(page, axe)

    await page.goto(f"{cup.url}/tournaments/new")
    await page.get_by_label("Name").wait_for()

    assert (wide, found) == ([], [])
    assert await page.evaluate(READ_WIDE) == []
    assert await find_serious_by_day_and_night(page, axe) == []
