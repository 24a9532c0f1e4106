"""The table of a new game: presets first, every option by its field, and tables that a browser keeps."""

import re

import pytest
from playwright.async_api import Locator, Page, expect

from tests.services.web.watching import AT_ONCE

TITLES = ("Charioteer", "Chariot Race", "Chariotmaster")


async def ask_for(page: Page, served: str, title: str) -> Locator:
    await page.goto(served)
    await page.get_by_role("button", name=f"Play {title}", exact=True).click()
    return page.get_by_role("dialog")


@pytest.mark.parametrize("title", TITLES)
async def test_a_preset_is_explained_before_and_named_on_the_game_s_page(served: str, page: Page, title: str) -> None:
    await page.add_init_script(AT_ONCE)
    dialog = await ask_for(page, served, title)
    table = dialog.get_by_label("Table", exact=True)
    presets = await table.locator("option").all_inner_texts()
    told = await dialog.get_by_role("status").all_inner_texts()

    await table.select_option(label=presets[-2])

    assert await dialog.get_by_role("status").all_inner_texts() != told
    await dialog.get_by_role("button", name="To the start").click()
    await expect(page.locator(".variant")).to_have_text(presets[-2])


async def test_every_option_has_a_field_with_its_meaning_and_a_change_is_a_table_of_one_s_own(
    served: str, page: Page
) -> None:
    dialog = await ask_for(page, served, "Chariotmaster")
    await dialog.get_by_text("More choices").click()
    rules = dialog.get_by_role("group", name="Rules of this table")

    labels = await rules.locator("label").all_inner_texts()
    notes = await rules.locator(".note").all_inner_texts()
    await rules.get_by_label("Equipment is chosen").select_option("none")

    # The name under which a table is kept has no meaning to tell.
    assert len(notes) == len(labels) - 1
    await expect(dialog.get_by_label("Table", exact=True).locator("option:checked")).to_have_text("As chosen below")


async def test_a_table_that_is_kept_is_offered_again(served: str, page: Page) -> None:
    dialog = await ask_for(page, served, "Charioteer")
    await dialog.get_by_text("More choices").click()
    await dialog.get_by_label("Laps", exact=True).fill("2")
    await dialog.get_by_label("Keep this table as").fill("Our Tuesdays")
    await dialog.get_by_role("button", name="Keep it in this browser").click()

    again = await ask_for(page, served, "Charioteer")
    await again.get_by_label("Table", exact=True).select_option(label="Our Tuesdays")
    await again.get_by_text("More choices").click()

    await expect(again.get_by_label("Laps", exact=True)).to_have_value("2")
    await expect(again.get_by_role("status").first).to_have_text(re.compile("^Kept in this browser"))
