"""A seat that goes on with another device: by signing in where the server keeps its links, else by a link or a file."""

from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, expect

from domain.ruleset.kit import Kit
from domain.rulesets.charioteer.kit.kit import KIT as CHARIOTEER
from domain.rulesets.released import KITS
from spina_client.client import Demand
from tests.services.web.seat.table import choose_suggested, laid_table, sit_down
from tests.services.web.watching import AT_ONCE, WAIT_MS, hurried_context

SIGNED: tuple[Demand, ...] = ("links", "own_custody", "signed")
PASSPHRASE = "panem et circenses"


async def test_a_signed_seat_in_own_custody_goes_on_with_another_browser(
    served: str, browser: Browser, tmp_path: Path
) -> None:
    first, second = [await (await hurried_context(browser)).new_page() for _ in range(2)]
    async with laid_table(served, CHARIOTEER, options={"laps": 1}, demands=SIGNED) as table:
        await sit_down(first, table)
        await _seal(first)
        await expect(first.locator(".where")).to_contain_text("turn 2", timeout=WAIT_MS)
        file = await _save(first, tmp_path)
        await first.close()

        await _open(second, served, file, PASSPHRASE)

        await _seal(second)
        await expect(second.locator(".where")).to_contain_text("turn 3", timeout=WAIT_MS)


async def test_a_signed_seat_goes_on_by_a_link_whose_secrets_no_server_gets(served: str, browser: Browser) -> None:
    first, second = [await (await hurried_context(browser)).new_page() for _ in range(2)]
    sent: list[str] = []
    for page in (first, second):
        page.on("request", lambda request: sent.append(f"{request.url} {request.post_data}"))
    async with laid_table(served, CHARIOTEER, options={"laps": 1}, demands=SIGNED) as table:
        await sit_down(first, table)
        await _seal(first)
        await expect(first.locator(".where")).to_contain_text("turn 2", timeout=WAIT_MS)
        await first.goto(f"{served}/account")
        await first.get_by_role("button", name="Make a link").click()
        link = await first.locator(".shown-once").inner_text()
        await expect(first.get_by_role("img", name="Picture code of the link")).to_be_visible()
        secrets = link.partition("&seats=")[2]
        await first.close()

        await _sign_in(second, link)
        await second.goto(table.url)

        await _seal(second)
        await expect(second.locator(".where")).to_contain_text("turn 3", timeout=WAIT_MS)
        assert secrets
        assert [request for request in sent if secrets in request] == []
        assert "seats" not in second.url


async def test_another_passphrase_opens_nothing_and_says_so(served: str, browser: Browser, tmp_path: Path) -> None:
    first, second = [await (await hurried_context(browser)).new_page() for _ in range(2)]
    async with laid_table(served, CHARIOTEER, demands=SIGNED) as table:
        await sit_down(first, table)
        file = await _save(first, tmp_path)

        await _open(second, served, file, "panem sine circensibus")

    await expect(second.locator("dialog [role=alert]")).to_contain_text(
        "The passphrase is another one", timeout=WAIT_MS
    )
    assert PASSPHRASE not in file.read_text()
    assert '"token"' not in file.read_text()


@pytest.mark.parametrize("kit", KITS, ids=lambda kit: str(kit.name))
async def test_a_seat_in_the_servers_custody_goes_on_by_signing_in_elsewhere(
    served: str, browser: Browser, kit: Kit
) -> None:
    first, second = [await (await hurried_context(browser)).new_page() for _ in range(2)]
    async with laid_table(served, kit) as table:
        await sit_down(first, table)
        await _answer(first)
        code = await _make_code(first)
        await first.close()

        await _sign_in(second, f"{served}/account#code={code}")
        await second.goto(table.url)

        await _answer(second)
        await _answer(second)


async def test_a_second_device_alone_cannot_open_what_only_the_first_one_opens(served: str, browser: Browser) -> None:
    first, second = [await (await hurried_context(browser)).new_page() for _ in range(2)]
    async with laid_table(served, CHARIOTEER, demands=SIGNED) as table:
        await sit_down(first, table)
        await _sign_in(second, f"{served}/account#code={await _make_code(first)}")

        await second.goto(table.url)

        await second.get_by_role("heading", name="You play this game with another browser").wait_for(timeout=WAIT_MS)
        await expect(second.get_by_role("button", name="Open the file of this seat")).to_be_visible()


async def _make_code(page: Page) -> str:
    make = "import('/web/parts/api.js').then(({ command }) => command('/v1/account/codes', { minutes: 10 }))"
    return str((await page.evaluate(make))["code"])


async def _sign_in(page: Page, link: str) -> None:
    await page.emulate_media(reduced_motion="reduce")
    await page.add_init_script(AT_ONCE)
    await page.goto(link)
    await page.get_by_role("button", name="Sign in", exact=True).click(timeout=WAIT_MS)
    await page.get_by_label("Your name").wait_for(timeout=WAIT_MS)


async def _answer(page: Page) -> None:
    """Give the answer that the panel suggests, and wait until it is stored."""
    await page.get_by_role("heading", name="Your turn").wait_for(timeout=WAIT_MS)
    panel = await page.locator(".panel-room > *").element_handle(timeout=WAIT_MS)
    await (await choose_suggested(page)).click()
    await panel.wait_for_element_state("hidden", timeout=WAIT_MS)


async def _save(page: Page, folder: Path) -> Path:
    await page.get_by_text("Your seat", exact=True).click(timeout=WAIT_MS)
    await page.get_by_role("button", name="To another device").click()
    await page.get_by_label("Passphrase").fill(PASSPHRASE)
    async with page.expect_download() as waiting:
        await page.get_by_role("button", name="Save the file").click()
    place = folder / "seat.json"
    await (await waiting.value).save_as(place)
    return place


async def _open(page: Page, url: str, file: Path, passphrase: str) -> None:
    await page.goto(url)
    await page.get_by_role("button", name="Go on from another device").click(timeout=WAIT_MS)
    await page.get_by_label("File of the seat").set_input_files(file)
    await page.get_by_label("Passphrase").fill(passphrase)
    await page.get_by_role("button", name="Open the seat").click()


async def _seal(page: Page) -> None:
    whole = page.get_by_label("Whole moves")
    await whole.wait_for(timeout=WAIT_MS)
    await whole.select_option(index=1)
    await page.get_by_role("button", name="Seal: ").click()
