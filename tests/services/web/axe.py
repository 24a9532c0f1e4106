"""Findings of axe on a page; only serious ones count."""

from typing import Any

from playwright.async_api import Page

from tests.absence import give_up
from tests.services.web.npm_packages import AXE, PackageUnavailable, installed

SERIOUS = ("serious", "critical")
# The other kinds of results would be described element by element too, a third of the work, and are not looked at;
# neither are rules without serious findings, a third of the rest.
RUN = """
async ([serious, only, places]) => {
  const isWanted = ({ id, impact }) => serious.includes(impact) && (only === null || id === only);
  const others = axe._audit.rules.filter((rule) => !isWanted(rule));
  const rules = Object.fromEntries(others.map(({ id }) => [id, { enabled: false }]));
  const { violations } = await axe.run(places.length ? { include: places } : document, {
    resultTypes: ["violations"], preload: false, rules,
  });
  return violations.map(({ id, impact, nodes }) => [impact, id, nodes[0].html]);
}
"""


def read_axe() -> str:
    """Read it as text: the pages' own policy would not let another script in."""
    try:
        return (installed(AXE) / "axe.min.js").read_text()
    except PackageUnavailable as error:
        give_up(str(error))


async def find_serious(page: Page, axe: str, *places: str) -> list[Any]:
    """Find serious faults in these places of a page, else in all of it."""
    if await page.evaluate("!window.axe"):
        await page.evaluate(axe)
    found: list[Any] = await page.evaluate(RUN, [SERIOUS, None, places])
    return [finding for finding in found if finding[0] in SERIOUS]


async def find_serious_by_day_and_night(page: Page, axe: str) -> list[Any]:
    """By night only the colours are others."""
    await page.emulate_media(color_scheme="light")
    by_day = await find_serious(page, axe)
    await page.emulate_media(color_scheme="dark")
    by_night: list[Any] = await page.evaluate(RUN, [SERIOUS, "color-contrast", ()])
    return by_day + by_night
