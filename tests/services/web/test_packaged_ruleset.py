"""Crowd, a ruleset of a package: played over HTTP, in a browser and in a tournament, and verified where it is known."""

import re
import shutil
import subprocess
from collections.abc import AsyncIterator
from importlib.metadata import EntryPoint
from pathlib import Path
from random import Random

import httpx2
import pytest
import pytest_asyncio
from msgspec import Struct
from playwright.async_api import Page, expect

from domain.ruleset.kit import Kit
from domain.rulesets.packaged import GROUP, load_package
from domain.rulesets.released import KITS
from infra.deploy.distributions import pip
from spina_client.connection import connected
from spina_client.ids import PlayerId
from spina_client.seen import Account, GameSeen
from spina_players.demonstrations.game import Plan, demonstrate
from spina_players.demonstrations.tournament import TournamentPlan, demonstrate_tournament
from tests.architecture.kept_files import ROOT
from tests.database import Database
from tests.services.cli.program import SPINA, run
from tests.services.listening import listening
from tests.services.web.seat.table import laid_table, sit_down
from tests.services.web.tournament_server import ORGA, build_organiser
from tests.services.web.watching import WAIT_MS, open_game, wait_for_state

CROWD: Kit = load_package(EntryPoint(name="crowd", value="spina_crowd.kit:KIT", group=GROUP))
PROJECT = ROOT / "examples" / "spina_crowd"
# The example stays small enough to be read at once: its rules, kit, words, picture, components and project.
LINES_MAX = 250
ROUNDS_MAX = 40
OVER = re.compile("^You (won|came in)")


class Played(Struct, frozen=True, kw_only=True):
    database: Database
    url: str
    game: GameSeen
    bundle: bytes


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def played(module_database: Database) -> AsyncIterator[Played]:
    """A finished game in own custody, on a server that plays all rulesets."""
    plan = Plan(kit=CROWD, bots=CROWD.favourites, seats=2, custody="own", is_signed=True)
    async with listening(module_database, kits=(*KITS, CROWD)) as url, connected(url) as connection:
        shown = await demonstrate(connection, plan, numbers=Random(7), on_version=lambda _: None)  # noqa: S311  the same in every run
        async with httpx2.AsyncClient(base_url=url) as client:
            bundle = (await client.get(f"/v1/games/{shown.game.id}/bundle")).content
        yield Played(database=module_database, url=url, game=shown.game, bundle=bundle)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package, as pip installs it."""
    folder = tmp_path_factory.mktemp("package")
    shutil.copytree(PROJECT, folder / "source", ignore=shutil.ignore_patterns("__pycache__"))
    pip("install", "--no-index", "--no-deps", "--no-build-isolation", "--target", folder / "site", folder / "source")
    return folder / "site"


def verify(raw: bytes, folder: Path, *packages: Path, policy: str | None = None) -> subprocess.CompletedProcess[str]:
    (folder / "game.spina.zip").write_bytes(raw)
    given = [f"{folder}/game.spina.zip"]
    if policy is not None:
        (folder / "own.policy").write_text(policy)
        given += ["--policy", f"{folder}/own.policy"]
    path = ":".join(map(str, (*packages, ROOT)))
    return run("verify", *given, "--json", program=SPINA, PYTHONPATH=path)


def test_the_example_is_read_at_once() -> None:
    texts = [path.read_text() for path in PROJECT.rglob("*") if path.suffix in {".py", ".toml", ".md"}]

    assert sum(bool(line.strip()) for text in texts for line in text.splitlines()) <= LINES_MAX


@pytest.mark.asyncio(loop_scope="session")
async def test_its_bundle_is_verified_by_an_installation_with_the_package(
    played: Played, installed: Path, tmp_path: Path
) -> None:
    ended = verify(played.bundle, tmp_path, installed)

    assert '"did_not_hold"' not in ended.stdout
    assert "has the rules of" not in ended.stdout
    # Without a key of the reader's the ledger cannot be checked.
    assert ended.returncode == 3, ended.stderr


@pytest.mark.asyncio(loop_scope="session")
async def test_an_installation_without_the_package_refuses_with_words(played: Played, tmp_path: Path) -> None:
    ended = verify(played.bundle, tmp_path)

    assert "neither this release nor an installed package has the rules of crowd@1" in ended.stdout
    assert '"did_not_hold"' not in ended.stdout
    assert ended.returncode == 3, ended.stderr


@pytest.mark.asyncio(loop_scope="session")
async def test_code_that_differs_in_a_byte_refutes_the_bundle(played: Played, installed: Path, tmp_path: Path) -> None:
    shutil.copytree(installed, tmp_path / "site")
    rules = tmp_path / "site" / "spina_crowd" / "rules.py"
    rules.write_bytes(rules.read_bytes() + b"\n")

    ended = verify(played.bundle, tmp_path, tmp_path / "site")

    assert "the code of crowd@1 that is installed, found another one: spina_crowd.rules" in ended.stdout
    assert ended.returncode == 1, ended.stderr


@pytest.mark.asyncio(loop_scope="session")
async def test_a_policy_that_names_other_code_refutes_the_bundle_also_without_the_package(
    played: Played, tmp_path: Path
) -> None:
    ended = verify(played.bundle, tmp_path, policy=f"ruleset crowd@1 {'5a' * 32}\nquorum none\n")

    assert "components of crowd@1 that the policy names" in ended.stdout
    assert ended.returncode == 1, ended.stderr


async def test_its_picture_is_drawn_out_of_its_words(played: Played, page: Page) -> None:
    await open_game(page, f"{played.url}/games/{played.game.id}")
    await wait_for_state(page, "The end")

    picture = page.locator("plain-board svg")
    await expect(picture.locator("title")).to_have_text("The straight")
    spaces = [await circle.get_attribute("cx") for circle in await picture.locator("circle").all()]
    rows = await page.locator("plain-board tbody tr").all_inner_texts()
    assert spaces == [row.split("\t")[1] for row in rows]
    assert await picture.evaluate("svg => svg.getBoundingClientRect().width > 200")


async def test_a_guest_plays_it_to_its_end_in_a_browser(played: Played, page: Page) -> None:
    async with laid_table(played.url, CROWD) as table:
        await sit_down(page, table)
        canter, seal = (page.get_by_role("button", name=name, exact=True) for name in ("Canter", "Seal: Canter"))
        over = page.locator(".seat h2").filter(has_text=OVER)
        for _ in range(ROUNDS_MAX):
            await expect(canter.or_(over).first).to_be_visible(timeout=WAIT_MS)
            if await over.count():
                break
            await canter.click()
            await expect(page.locator(".effect")).to_have_text("Dice 2.", timeout=WAIT_MS)
            await seal.click()
            await expect(seal).to_have_count(0, timeout=WAIT_MS)

        await wait_for_state(page, "The end")
        await expect(page.locator(".seat h2")).to_have_text(OVER)


@pytest.mark.asyncio(loop_scope="session")
async def test_it_is_played_in_a_tournament(played: Played) -> None:
    plan = TournamentPlan(kit=CROWD, players=4, rounds=1, table_size=2)
    async with connected(played.url) as connection:
        organiser = Account(id=PlayerId(ORGA), name="Orga", token=await build_organiser(played.database))
        ended = await demonstrate_tournament(connection, organiser, plan, numbers=Random(1))  # noqa: S311  the same in every run

    assert ended.tournament.status == "finished"
    assert len(ended.standings.items) == 4
