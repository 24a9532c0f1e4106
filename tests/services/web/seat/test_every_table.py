"""Each preset, and each value of each option, is opened, played to its end, replayed and verified by clicks alone.

`--tables` at once by the seed of the run; with `--every-table` all of them, and presets as long as they are.
"""

import asyncio
import json
from collections import Counter
from itertools import islice
from urllib.parse import urlsplit

import pytest
from msgspec import Struct
from playwright.async_api import Browser

from domain.audit.bundle import Bundle, parse_bundle
from domain.audit.verify import verify
from domain.ruleset.kit import Kit
from domain.rulesets.released import KITS, Rebuilder
from tests.services.web.seat.laid_tables import LaidTable, lay, list_tables, properties_of, shortened
from tests.services.web.seat.playing import ANSWERS_MAX, MOUSE, open_page, play
from tests.services.web.watching import WAIT_MS, wait_for_state


class Played(Struct, frozen=True, kw_only=True):
    """How many answers the page gave, and the file of the game."""

    answers: int
    bundle: Bundle


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "laid" not in metafunc.fixturenames:
        return
    tables = [list_tables(kit) for kit in KITS]
    groups: list[tuple[LaidTable, ...]]
    if metafunc.config.getoption("--every-table"):
        groups = [(table,) for listed in tables for table in listed]
    else:
        seed, count = metafunc.config.getoption("--seed"), metafunc.config.getoption("--tables")
        chosen = (shortened(listed[(seed + again) % len(listed)]) for again in range(count) for listed in tables)
        groups = [tuple(islice(chosen, count))]
    metafunc.parametrize("laid", groups, ids=[" and ".join(table.name for table in group) for group in groups])


@pytest.mark.parametrize("kit", KITS, ids=[kit.name for kit in KITS])
def test_every_value_of_every_option_is_at_a_table(kit: Kit) -> None:
    tables = list_tables(kit)

    assert all(table.is_playable() for table in tables)
    for name, property_ in properties_of(kit).items():
        tried = {str(table.values[name]) for table in tables if name in table.values}
        assert tried >= {str(value) for value in property_.get("enum", ())}
        assert len(tried) > 1 or len(property_["enum"]) == 1


async def test_tables_are_laid_played_to_the_end_replayed_and_verified_by_clicks_and_lose_no_move(
    served: str, browser: Browser, laid: tuple[LaidTable, ...]
) -> None:
    async with asyncio.TaskGroup() as playing:
        games = [playing.create_task(_play(served, browser, table)) for table in laid]

    for table, game in zip(laid, games, strict=True):
        played = game.result()
        lines = [json.loads(line) for line in played.bundle.log.splitlines()]
        types = Counter(line["type"] for line in lines if line["data"].get("seat", 0) == 0)
        assert types["action_played"] + types["action_sealed"] == played.answers
        assert (types["action_forfeited"], types["game_finished"]) == (0, 1)
        # An option that a game may be without is absent, not null.
        assert {name: lines[0]["data"]["options"].get(name) for name in table.options} == table.options
        assert verify(played.bundle, rebuilder=Rebuilder()).report.broken == ()


async def _play(url: str, browser: Browser, table: LaidTable) -> Played:
    """Open a table, play its game and go through it again."""
    page = await open_page(browser, MOUSE)
    await page.goto(url)
    await page.get_by_role("button", name=f"Play {table.title}", exact=True).click()
    await lay(page.get_by_role("dialog"), table)
    await page.get_by_role("button", name="To the start").click()
    answers = await play(page, (MOUSE,), table.kit, answers_max=4 * ANSWERS_MAX)
    await wait_for_state(page, "The end")
    await page.get_by_text("Everything that can be checked here holds.").wait_for(timeout=WAIT_MS)
    await page.get_by_role("button", name="Watch the race").click()
    await wait_for_state(page, "Replay")
    game = urlsplit(page.url).path.rpartition("/")[2]
    raw = await (await page.request.get(f"{url}/v1/games/{game}/bundle")).body()
    await page.context.close()
    return Played(answers=answers, bundle=parse_bundle(raw))
