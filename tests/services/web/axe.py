"""Findings of axe on a page; only serious ones count."""

from typing import Any

from playwright.async_api import Page

from tests.absence import give_up
from tests.services.web.npm_packages import AXE, PackageUnavailable, installed

# The other kinds of results would be described element by element too, a third of the work, and are not looked at.
RUN = """
async () => (await axe.run({ resultTypes: ["violations"] })).violations
  .map(({ id, impact, nodes }) => [impact, id, nodes[0].html])
"""
SERIOUS = {"serious", "critical"}


def read_axe() -> str:
    """Read it as text: the pages' own policy would not let another script in."""
    try:
        return (installed(AXE) / "axe.min.js").read_text()
    except PackageUnavailable as error:
        give_up(str(error))


async def find_serious(page: Page, axe: str) -> list[Any]:
    if await page.evaluate("!window.axe"):
        await page.evaluate(axe)
    found: list[Any] = await page.evaluate(RUN)
    return [each for each in found if each[0] in SERIOUS]
