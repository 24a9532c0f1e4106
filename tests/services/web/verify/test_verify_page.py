"""The page that judges a bundle, in a real browser: a genuine one holds, a forged one is named, and where."""

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from playwright.async_api import Page, expect

from domain.audit.bundle import format_bundle
from domain.audit.tournament_bundle import GameMember, format_tournament_bundle
from domain.ledger.policy_file import format_policy
from services.audits.bundles import build_bundle
from tests.domain.audit.audited_game import bundle_of, specimen
from tests.domain.audit.audited_tournament import bundle, cup
from tests.domain.audit.forgeries import a_die_changed, a_line_removed, a_signature_of_another_seat
from tests.domain.audit.forgery_tools import Forged, places
from tests.domain.audit.memory_ledger import TRUSTED, proven
from tests.services.audits.files import race
from tests.services.web.game_server import Stage
from tests.services.web.verify.choosing import choose, choose_file, choose_files, drop

ENDED = "Seat 0 and seat 1 won Torches on 2026-11-18 at 12:20 UTC."


async def verdicts(page: Page) -> dict[str, str]:
    await expect(page.locator("progress")).to_be_hidden()
    found: dict[str, Any] = await page.evaluate(
        "Object.fromEntries([...document.querySelectorAll('.finding')].map((each) => "
        "[each.dataset.check, each.dataset.verdict]))"
    )
    return found


async def test_a_genuine_game_holds_in_every_check(served: str, page: Page) -> None:
    await page.goto(f"{served}/verify")

    await choose_files(page, ("game.zip", format_bundle(proven(specimen()))), ("keys", format_policy(TRUSTED)))

    await expect(page.get_by_role("status")).to_contain_text(
        f"{ENDED} Not changed since club witnessed it. Who won was not checked here: this page does not know the "
        "rules of the game; spina verify does. Not shown: who made the unsigned moves of seat 2"
    )
    await page.get_by_text("Every check, and its coverage").first.click()
    assert set((await verdicts(page)).values()) == {"held"}
    assert len(await verdicts(page)) == 19


async def test_a_bundle_can_be_dropped_anywhere_and_without_a_key_its_checkpoint_waits(served: str, page: Page) -> None:
    await page.goto(f"{served}/verify")

    await drop(page, race())

    await expect(page.get_by_role("status")).to_contain_text("no outsider vouches for it: you gave no key")
    assert (await verdicts(page))["inclusion"] == "held"


@pytest.mark.parametrize(
    ("forged", "check"),
    [
        (a_die_changed(), "dice-faces"),
        (a_line_removed(places("dice_rolled")[1]), "dice-links"),
        (a_signature_of_another_seat(), "signatures"),
    ],
    ids=["a die changed", "a line cut", "a signature of another seat"],
)
async def test_a_forged_bundle_is_told_with_its_first_bad_line(
    served: str, page: Page, forged: Forged, check: str
) -> None:
    await page.goto(f"{served}/verify")

    await choose(page, bundle_of(forged.raws))

    await expect(page.get_by_role("status")).to_contain_text(f"changed at line {forged.at}.")
    broken = {name for name, verdict in (await verdicts(page)).items() if verdict == "did_not_hold"}
    assert broken == {check, "bases"}


async def test_the_line_that_does_not_hold_is_seen_in_the_replay_of_that_file(stage: Stage, page: Page) -> None:
    bundle = await build_bundle(stage.node.parts.store, stage.golden.id)
    before, mark, after = bundle.log.partition(b'"faces":[')
    line = before.count(b"\n") + 1
    forged = replace(bundle, log=before + mark + (b"2" if after[:1] != b"2" else b"3") + after[1:])
    await page.goto(f"http://{stage.node.address}/verify")
    await choose(page, forged)
    await page.get_by_role("button", name="Ask this server for the names").click()
    await expect(page.locator(".verdict .note")).to_contain_text("1 (Driver 1) is the account ")

    await page.get_by_role("link", name=f"See line {line} in the replay").click()

    await expect(page.locator(".where")).to_contain_text(f"Event {line} of {stage.version}")
    await expect(page.locator(".bare")).to_contain_text("this server does not have this line")
    await page.keyboard.press("ArrowLeft")
    await expect(page.locator(".where")).to_contain_text(f"Event {line - 1} of ")
    await expect(page.locator(".chariots")).to_be_visible()


async def test_what_is_no_bundle_is_refused_with_the_reason(served: str, page: Page, tmp_path: Path) -> None:
    (tmp_path / "picture.png").write_bytes(b"\x89PNG")
    await page.goto(f"{served}/verify")

    await page.get_by_label("choose one").set_input_files(tmp_path / "picture.png")

    await expect(page.get_by_role("status")).to_contain_text("this is no file as Spina writes them")


async def test_of_a_tournament_every_game_is_checked_and_what_is_not_is_told(served: str, page: Page) -> None:
    whole = bundle(cup())
    raw = format_tournament_bundle(whole)
    await page.goto(f"{served}/verify")

    await choose_file(page, "cup.tournament.zip", raw)

    games = page.locator(".judged li")
    await expect(games).to_have_count(len(whole.games))
    await expect(page.locator(".result")).to_contain_text("is the bundle of a tournament")
    await expect(page.locator(".result")).to_contain_text("spina verify cup.tournament.zip")
    await expect(page.get_by_role("status")).to_contain_text(f"holds in {len(whole.games)} games")
    await expect(page.locator('.judged li[data-verdict="did_not_hold"]')).to_have_count(0)
    await expect(games.first).to_contain_text(f"Game {whole.games[0].game}: ")


async def test_of_a_tournament_the_one_game_that_was_changed_is_told(served: str, page: Page) -> None:
    whole = bundle(cup())
    forged = GameMember(game=whole.games[0].game, raw=format_bundle(bundle_of(a_die_changed().raws)))
    await page.goto(f"{served}/verify")

    await choose_file(page, "cup.zip", format_tournament_bundle(replace(whole, games=(forged, *whole.games[1:]))))

    await expect(page.get_by_role("status")).to_contain_text(f"does not hold in 1 of {len(whole.games)} games")
    await expect(page.locator('.judged li[data-verdict="did_not_hold"]')).to_contain_text(str(forged.game))


async def test_a_key_that_is_none_is_refused_with_the_reason(served: str, page: Page) -> None:
    await page.goto(f"{served}/verify")
    await page.get_by_text("Keys that you trust").click()
    await page.get_by_label("one a line").fill("no key")

    await choose(page, proven(specimen()))

    await expect(page.get_by_role("status")).to_contain_text("expected name+id+key")


async def test_once_the_page_is_there_it_verifies_without_the_server(served: str, page: Page) -> None:
    await page.goto(f"{served}/verify")
    await choose(page, bundle_of(specimen()))
    await expect(page.get_by_role("status")).to_contain_text(ENDED)

    await page.context.set_offline(True)
    await choose(page, bundle_of(a_die_changed().raws))

    await expect(page.get_by_role("status")).to_contain_text("Do not believe this file: it was changed at line")
