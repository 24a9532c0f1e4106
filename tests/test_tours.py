"""The commands of the README and the tours, as they stand on the pages: run by a shell against real servers."""

import asyncio
import re
import shutil
from pathlib import Path

import msgspec
from httpx2 import AsyncClient

from domain.log.record import line_hash, parse_line
from tests.database import Database
from tests.document_blocks import list_blocks
from tests.forked import fork_server
from tests.forking_spina import write_spina
from tests.services.cli.program import ROOT, environment, serving
from tests.services.listening import listening

# A tournament of bots takes some ten seconds; this machine may do much else.
PATIENCE_S = 240.0


def read_commands(page: str) -> list[str]:
    """Return the blocks of a page, but for those that are left out."""
    return [block.text for block in list_blocks() if block.page == page and block.language == "sh"]


def put_spina_there(folder: Path) -> None:
    """Make a `spina` as an installation would, where the tour looks for it."""
    programs = folder / ".venv" / "bin"
    programs.mkdir(parents=True)
    write_spina(programs / "spina", fork_server())


async def run_shell(script: str, folder: Path, *, exit_code: int = 0, **given: str) -> str:
    process = await asyncio.create_subprocess_exec(
        "bash",
        "-euo",
        "pipefail",
        "-c",
        script,
        cwd=folder,
        env=environment(given),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        pass_fds=[fork_server().fileno()],
    )
    try:
        async with asyncio.timeout(PATIENCE_S):
            out, err = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.communicate()
    assert process.returncode == exit_code, f"{out.decode()}\n{err.decode()}"
    return out.decode()


async def test_the_page_on_rulesets_checks_the_example(tmp_path: Path) -> None:
    put_spina_there(tmp_path)
    shutil.copytree(ROOT / "examples", tmp_path / "examples")

    printed = await run_shell("\n".join(read_commands("docs/rulesets.md")), tmp_path)

    assert "100 random games of crowd@1" in printed
    assert (tmp_path / "crowd.json").exists()


async def test_the_api_tour_plays_a_turn_as_it_stands_on_its_page(database: Database, tmp_path: Path) -> None:
    put_spina_there(tmp_path)
    *playing, reading = read_commands("docs/api-tour.md")
    async with listening(database) as url:
        script = "\n".join([*playing, "echo THE END OF THE TURN", reading])

        # A reader who has played it once plays it again in the same folder.
        for _ in range(2):
            printed = await run_shell(script, tmp_path, SPINA_PORT=url.rpartition(":")[2])

    board, _, log = printed.partition("THE END OF THE TURN")[2].partition("\n}\n")
    lines = log.encode().splitlines()
    shown = msgspec.json.decode(f"{board}}}")
    assert shown["board"]["turn"] == 2
    assert shown["version"] == len(lines)
    assert [seat["links_left"] for seat in shown["seats"]] == [1022, 1022]
    assert [parse_line(line).prev for line in lines[1:]] == [line_hash(line) for line in lines[:-1]]
    assert [parse_line(line).by for line in lines if b'"action_revealed"' in line] == ["seat:0", "seat:1"]


async def test_a_tournament_is_played_verified_exported_and_organised_as_its_page_says(tmp_path: Path) -> None:
    put_spina_there(tmp_path)
    playing, verifying, organising = read_commands("docs/tournaments.md")
    there = f"export PATH=$PWD/.venv/bin:$PATH SPINA_DATA={tmp_path / '.spina'}\n"
    with serving(tmp_path / ".spina") as server:
        port = server.until_ready().removesuffix("/v1/health").rpartition(":")[2]
        await run_shell(playing, tmp_path, SPINA_PORT=port)
        organised = await run_shell(there + organising, tmp_path, SPINA_PORT=port)

    verified = await run_shell(there + verifying, tmp_path)

    assert "Consistent, but no outsider vouches for it" in verified
    assert "4 of 4 games are proven by themselves." in verified
    assert "Demonstration" in (tmp_path / "results.html").read_text()
    assert (tmp_path / "pairings.csv").read_bytes().count(b"\r\n") == 1 + 4 * 2
    assert "Consualia · charioteer@1 · open, round 0" in organised
    assert organised.endswith("aborted\n")


async def test_a_game_is_played_exported_and_verified_as_the_readme_says(tmp_path: Path) -> None:
    put_spina_there(tmp_path)
    playing, exporting, verifying = read_commands("README.md")
    with serving(tmp_path / ".spina") as server:
        port = server.until_ready().removesuffix("/v1/health").rpartition(":")[2]
        played = await run_shell(playing, tmp_path, SPINA_PORT=port)
        exported = await run_shell(exporting, tmp_path, SPINA_PORT=port)
    game = exported.strip().removesuffix(".spina.zip")

    printed = await run_shell(f"export PATH=$PWD/.venv/bin:$PATH\nGAME={game}\n{verifying}", tmp_path)

    verdict, _, story = printed.partition("No check reads")
    assert "place  seat  bot" in played
    assert f"{game} · charioteer@1 · finished" in verdict
    assert "as seat 1 saw it" in story


async def test_the_page_of_accounts_makes_a_token_and_a_code_and_revokes_them(
    database: Database, tmp_path: Path
) -> None:
    (commands,) = read_commands("docs/accounts.md")
    async with listening(database) as url:
        printed = await run_shell(commands, tmp_path, SPINA_PORT=url.rpartition(":")[2])

    assert [f'"name":"{name}"' in printed for name in ("First token", "Bot at home", "Recovery code")] == [True] * 3
    assert printed.endswith('{"revoked":2}')


async def test_the_page_of_notices_adds_tests_and_removes_a_way(database: Database, tmp_path: Path) -> None:
    (commands,) = read_commands("docs/notices.md")
    async with listening(database) as url:
        printed = await run_shell(commands, tmp_path, SPINA_PORT=url.rpartition(":")[2])

    assert '"name":"My other bot","address":"bot.example"' in printed
    assert printed.count('{"id":"') == 4


async def test_the_page_of_operators_makes_accounts_moderates_and_exports_the_record(tmp_path: Path) -> None:
    put_spina_there(tmp_path)
    accounts, boxes, moderating, recording = read_commands("docs/operating.md")
    there = f"export PATH=$PWD/.venv/bin:$PATH SPINA_DATA={tmp_path / '.spina'}\n"
    make = "spina account create --role organiser --name Bea --json | tee made.json"
    with serving(tmp_path / ".spina") as server:
        url = server.until_ready().removesuffix("/v1/health")
        organiser = msgspec.json.decode(await run_shell(there + make, tmp_path))["id"]
        async with AsyncClient() as client:
            player = (await client.post(f"{url}/v1/players", json={"name": "Cem"})).json()["id"]
        policy = f"curl -sS {url}/v1/ledger/policy > club.policy\n"
        await run_shell(there + fill(accounts, ACCOUNT=organiser, ID=organiser), tmp_path)
        boxed = await run_shell(there + boxes, tmp_path)
        await run_shell(there + fill(moderating, ID=player), tmp_path)

        record = there + policy + fill(recording, ACCOUNT=player, RECORD="*")
        # The file alone does not state whether later lines follow.
        told = await run_shell(record, tmp_path, exit_code=3)

    assert boxed.endswith(" First printing\n")
    assert "an insult" in told
    assert "sells wins" in told


def fill(commands: str, **values: str) -> str:
    """Put values where a page has a word in capital letters for them."""
    return re.sub(r"\b(ACCOUNT|ID|RECORD)\b", lambda word: values[word[0]], commands)
