"""The pages through axe, in a real browser, light and dark: it finds nothing serious."""

from typing import Any

import pytest
from playwright.async_api import Page

from tests.domain.audit.specimen import bundle_of, specimen
from tests.services.web.npm_packages import AXE, installed
from tests.services.web.verify.choosing import choose

# Given to the engine as text: the page's own policy would not let another script in.
AXE_TEXT = (installed(AXE) / "axe.min.js").read_text()
RUN = "async () => (await axe.run()).violations.map(({ id, impact, nodes }) => [impact, id, nodes[0].html])"
SERIOUS = {"serious", "critical"}


async def find_serious(page: Page) -> list[Any]:
    await page.evaluate(AXE_TEXT)
    found: list[Any] = await page.evaluate(RUN)
    return [each for each in found if each[0] in SERIOUS]


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_the_page_that_verifies_has_nothing_serious_before_and_after(
    page: Page, served: str, scheme: Any
) -> None:
    await page.emulate_media(color_scheme=scheme)
    await page.goto(f"{served}/verify")
    await page.get_by_text("Keys that you trust").click()
    before = await find_serious(page)

    await choose(page, bundle_of(specimen()))
    await page.locator(".finding").first.wait_for()
    await page.get_by_text("Every roll and shuffle").click()
    await page.get_by_text("What this does not show").click()

    assert before == []
    assert await find_serious(page) == []


async def test_what_is_serious_is_found(page: Page, served: str) -> None:
    await page.goto(f"{served}/verify")

    await page.evaluate("document.querySelector('main').append(document.createElement('input'))")

    assert [each[1] for each in await find_serious(page)] == ["label"]
