"""The tour of the README, as it stands there: its commands are taken out of the page and run against a real server."""

import asyncio
import re
import sys
from pathlib import Path

import msgspec

from domain.record import line_hash, parse_line
from tests.database import Database
from tests.services.cli.program import ROOT, environment
from tests.services.listening import listening

SECTION = re.compile(r"^## A game in five minutes$(.*?)^## ", re.MULTILINE | re.DOTALL)
BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
URL = "http://127.0.0.1:8000"
PATIENCE_S = 60.0


def read_commands() -> list[str]:
    section = SECTION.search((ROOT / "README.md").read_text())
    assert section is not None
    return BLOCK.findall(section[1])


def put_spina_there(folder: Path) -> None:
    """Make a `spina` as an installation would, where the tour looks for it."""
    programs = folder / ".venv" / "bin"
    programs.mkdir(parents=True)
    spina = programs / "spina"
    spina.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m services.cli "$@"\n')
    spina.chmod(0o700)


async def run_shell(script: str, folder: Path) -> str:
    process = await asyncio.create_subprocess_exec(
        "bash",
        "-euo",
        "pipefail",
        "-c",
        script,
        cwd=folder,
        env=environment({}),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    async with asyncio.timeout(PATIENCE_S):
        out, err = await process.communicate()
    assert process.returncode == 0, f"{out.decode()}\n{err.decode()}"
    return out.decode()


async def test_the_tour_plays_a_turn_as_it_stands_in_the_readme(database: Database, tmp_path: Path) -> None:
    put_spina_there(tmp_path)
    *playing, reading = read_commands()
    async with listening(database) as url:
        script = "\n".join([*playing, "echo THE END OF THE TURN", reading])
        assert URL in script

        printed = await run_shell(script.replace(URL, url), tmp_path)

    board, _, log = printed.partition("THE END OF THE TURN")[2].partition("\n}\n")
    lines = log.encode().splitlines()
    shown = msgspec.json.decode(f"{board}}}")
    assert shown["board"]["turn"] == 2
    assert shown["version"] == len(lines)
    assert [seat["links_left"] for seat in shown["seats"]] == [1022, 1022]
    assert [parse_line(line).prev for line in lines[1:]] == [line_hash(line) for line in lines[:-1]]
    assert [parse_line(line).by for line in lines if b'"action_revealed"' in line] == ["seat:0", "seat:1"]
