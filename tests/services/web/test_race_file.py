"""A race as one page, opened from a file with the network off: it plays as the server does, and checks itself."""

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page, expect

from domain.audit.bundle import Bundle
from domain.audit.moments import NotReplayable
from domain.ids import PlayerId
from services.audits.bundles import build_bundle
from services.live.steps import drop_nulls
from services.web.race_file import build_race_file
from tests.services.audits.files import cut
from tests.services.web.game_server import CHARIOT_RACE, CHARIOTEER, CHARIOTMASTER, Stage
from tests.services.web.verify.test_game_page import draws, read_marked, wait_until_checked
from tests.services.web.watching import read_drawn

BESIDE_THE_LOG_MAX = 400_000
# The boards are megabytes, their digests are not.
READ_DIGESTS = """
async () => {
  const { public: boards, playhead } = document.querySelector("spina-game");
  const isObject = (value) => value && typeof value === "object" && !Array.isArray(value);
  const byName = ([one], [other]) => (one < other ? -1 : 1);
  const sorted = (_, value) => (isObject(value) ? Object.entries(value).sort(byName) : value);
  const digest = async (value) => {
    const bytes = new TextEncoder().encode(JSON.stringify(value, sorted));
    return Array.from(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
  };
  const read = [];
  for (let version = 1; version <= playhead.newest; version += 1) {
    read.push(await digest(await boards.read(version, playhead.newest)));
  }
  return read;
}
"""


async def read_bundle(stage: Stage) -> Bundle:
    return await build_bundle(stage.node.parts.store, stage.golden.id)


def names_of(bundle: Bundle) -> dict[PlayerId, str]:
    lines = [json.loads(raw)["data"] for raw in bundle.log.splitlines() if b'"seat_taken"' in raw]
    return {PlayerId(data["player"]): f"Driver {data['seat']}" for data in lines}


def digest(shown: dict[str, Any]) -> list[int]:
    return list(
        sha256(json.dumps(in_pairs(drop_nulls(shown)), separators=(",", ":"), ensure_ascii=False).encode()).digest()
    )


def in_pairs(value: Any) -> Any:
    if isinstance(value, dict):
        return [[name, in_pairs(each)] for name, each in sorted(value.items())]
    return [in_pairs(item) for item in value] if isinstance(value, list) else value


def keep(raw: bytes, folder: Path) -> str:
    path = folder / "race.html"
    path.write_bytes(raw)
    return path.as_uri()


async def open_offline(page: Page, address: str) -> None:
    await page.context.set_offline(True)
    await page.goto(address)


@pytest.mark.parametrize("stage", [CHARIOTEER, CHARIOT_RACE, CHARIOTMASTER], indirect=True)
async def test_every_moment_is_the_servers_and_every_roll_is_ticked(stage: Stage, page: Page, tmp_path: Path) -> None:
    bundle = await read_bundle(stage)
    raw = build_race_file(bundle, names_of(bundle))
    told: list[dict[str, Any]] = await stage.boards()

    await open_offline(page, keep(raw, tmp_path))

    await page.wait_for_selector('spina-game[data-log="whole"][data-names="asked"]')
    assert len(raw) - len(bundle.log) <= BESIDE_THE_LOG_MAX
    assert await page.evaluate(READ_DIGESTS) == [digest(sentence) for sentence in told]
    drawn = await read_drawn(page, stage.version, step=stage.version // 4)
    assert all(item["displays"] for item in drawn)
    assert drawn[-1]["chariots"] or drawn[-1]["parts"]
    await wait_until_checked(page, stage.version)
    marked, laid = await read_marked(page, draws(stage.golden))
    assert marked == laid != []
    await expect(page.locator("spina-bundle .verdict")).to_contain_text(" won ")
    await expect(page.locator("spina-bundle .verdict")).to_contain_text("you gave no key")


async def test_one_changed_byte_is_told_with_its_line(stage: Stage, page: Page, tmp_path: Path) -> None:
    raw = build_race_file(await read_bundle(stage), {})
    before, mark, after = raw.partition(b'"faces":[')
    line = before[before.index(b'<pre id="log"') :].count(b"\n")

    await open_offline(page, keep(before + mark + (b"2" if after[:1] != b"2" else b"3") + after[1:], tmp_path))

    verdict = page.locator("spina-bundle .verdict")
    await expect(verdict).to_contain_text(f"Do not believe this file: it was changed at line {line}.")
    await verdict.get_by_role("link").click()
    await expect(page.locator(".where")).to_contain_text(f"Event {line} of ")


def test_a_game_that_goes_on_is_no_race_to_keep() -> None:
    with pytest.raises(NotReplayable, match="expected a game that is over"):
        build_race_file(cut(50), {})
