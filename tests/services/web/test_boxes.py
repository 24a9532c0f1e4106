"""A box of the server's own: chosen where a table is opened, named on its page, played, proven, and played again."""

from pathlib import Path

from httpx2 import AsyncClient
from playwright.async_api import Page, expect

from domain.audit.bundle import parse_bundle
from domain.audit.case import Trust
from domain.rulesets.chariot_race.kit.kit import KIT
from infra.boxes import read_box
from services.audits.trust import hash_own_components, read_trust
from tests.boxes import CHANGES, write_box
from tests.database import Database
from tests.services.listening import listening
from tests.services.web.watching import AT_ONCE, WAIT_MS

_, BEFORE, AFTER = CHANGES["chariot_race"]


async def test_a_race_with_a_box_of_the_server_s_own_is_opened_by_clicks_and_named_on_its_page(
    database: Database, tmp_path: Path, page: Page
) -> None:
    file = write_box(tmp_path, KIT, name="First printing", before=BEFORE, after=AFTER)
    box = read_box(KIT, file)
    async with listening(database, boxes=(box,)) as url, AsyncClient(base_url=url) as visitor:
        await page.add_init_script(AT_ONCE)
        await page.goto(url)
        await page.get_by_role("button", name="Play Chariot Race", exact=True).click()
        dialog = page.get_by_role("dialog")
        await dialog.get_by_label("Box").select_option(label="First printing")
        await dialog.get_by_role("button", name="To the start").click()
        await expect(page.locator(".variant")).to_contain_text("Box: First printing", timeout=WAIT_MS)
        game = page.url.rpartition("/")[2].partition("#")[0]
        shown = (await visitor.get(f"/v1/games/{game}")).json()
        bundle = parse_bundle((await visitor.get(f"/v1/games/{game}/bundle")).content)
        await page.close()

    assert shown["terms"]["ruleset"]["components"] == box.components
    assert bundle.components == box.ruleset.components
    # A reader who has the box knows the components; to others they are of no release.
    own: Trust = read_trust(policy=None, key=None, since=None, boxes=[file])
    assert own.components == hash_own_components() | {box.components}
