"""A data set of public games: the same bytes from the same bundles, nothing private in it, read by others' programs."""

import asyncio
import csv
import json
import re
import shutil
import sys
from hashlib import sha256
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from domain.audit.bundle import Bundle
from domain.canonical import Json
from services.audits.dump import SUMS, Dumped, DumpRefused, list_bundles, list_cells, write_dump
from services.audits.dump_rows import MoveRow
from tests.architecture.kept_files import ROOT
from tests.domain.audit.audited_game import bundle_of
from tests.domain.game.game_harness import GAME
from tests.domain.rulesets.chariot_race import golden as chariot_race
from tests.domain.rulesets.charioteer import golden as charioteer
from tests.services.audits.files import cut, race, write
from tests.services.cli.program import environment

PAGE = (ROOT / "docs" / "data.md").read_text()
READERS = Path(sys.prefix) / "generators" / "bin" / "python"
# Of each table its first columns, by a library that is not ours.
READ = """
import duckdb, pandas
print(len(pandas.read_csv("dump/moves.csv")), len(pandas.read_json("dump/boards.ndjson", lines=True)))
print(*duckdb.sql("select count(*), count(distinct game) from 'dump/moves.ndjson'").fetchall()[0])
"""
OTHER = "0199c0de-0000-7000-8000-0000000000ff"
HIDDEN = "0199c0de-0000-7000-8000-0000000000fe"
ALWAYS = {"since": "", "until": "9"}


def other_race() -> Bundle:
    # The golden games of all rulesets have one id.
    log = (charioteer.FOLDER / "three-seats-one-lap-tie.ndjson").read_bytes().replace(GAME.encode(), OTHER.encode())
    return bundle_of(log.splitlines(), (charioteer.FOLDER / "components.json").read_bytes())


def secret_race() -> Bundle:
    """A private game, whose player is in no other."""
    log = (chariot_race.FOLDER / "a_shared_win.ndjson").read_bytes()
    assert b'"visibility":"public"' in log
    hidden = log.replace(b'"visibility":"public"', b'"visibility":"private"').replace(GAME.encode(), HIDDEN.encode())
    return replace(race(), log=hidden, last_proof=None)


def fill(folder: Path) -> Path:
    folder.mkdir()
    write(folder, "b", race())
    write(folder, "a", other_race())
    write(folder, "c", secret_race())
    write(folder, "d", cut(12))
    return folder


def dump(archive: Path, to: Path) -> Dumped:
    return write_dump(list_bundles([archive]), to, **ALWAYS)


def read_all(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("action", ["=1+1", "", "5", 5, None, True, {"a": ["=1"]}])
def test_an_action_of_any_form_is_json_in_its_cell_and_no_formula(action: Json) -> None:
    about = {"game": GAME, "version": 5, "seat": 0, "decision": "1/a", "kind": "plain", "at": "2026"}
    row = msgspec.convert({**about, "action": action}, MoveRow)

    *_, cell = list_cells(row)

    assert json.loads(str(cell)) == action


def test_a_dump_made_twice_is_the_same_bytes_whatever_the_folder_is_called(tmp_path: Path) -> None:
    archive = fill(tmp_path / "archive")
    again = tmp_path / "again"
    shutil.copytree(archive, again)

    first, second = dump(archive, tmp_path / "one"), dump(again, tmp_path / "two")

    files = read_all(tmp_path / "one")
    assert files == read_all(tmp_path / "two")
    assert first == second
    assert first.sums == sha256(files[SUMS]).hexdigest()
    listed = files.pop(SUMS).decode()
    assert listed == "".join(f"{sha256(raw).hexdigest()}  {name}\n" for name, raw in sorted(files.items()))


def test_a_dump_holds_the_moves_and_places_of_its_games(tmp_path: Path) -> None:
    done = dump(fill(tmp_path / "archive"), tmp_path / "dump")

    games = [json.loads(line) for line in (tmp_path / "dump" / "games.ndjson").read_text().splitlines()]
    with (tmp_path / "dump" / "seats.csv").open(newline="") as file:
        seats = list(csv.DictReader(file))
    moves = [json.loads(line) for line in (tmp_path / "dump" / "moves.ndjson").read_text().splitlines()]
    boards = [json.loads(line) for line in (tmp_path / "dump" / "boards.ndjson").read_text().splitlines()]
    assert (done.games, done.left_out, done.unreadable) == (2, 2, ())
    assert [game["ruleset"] for game in games] == ["charioteer@1", "chariot-race@1"]
    assert [game["head"] for game in games] == [sha256(read_last(each)).hexdigest() for each in (other_race(), race())]
    assert {(seat["game"], seat["seat"]) for seat in seats} >= {(move["game"], str(move["seat"])) for move in moves}
    assert [(board["game"], board["version"]) for board in boards] == [
        (move["game"], move["version"]) for move in moves
    ]
    assert all(board["features"] for board in boards)


def read_last(bundle: Bundle) -> bytes:
    return bundle.log.splitlines()[-1]


def test_nothing_of_a_private_game_is_in_a_dump(tmp_path: Path) -> None:
    archive = fill(tmp_path / "archive")
    dump(archive, tmp_path / "with")
    (archive / "c.spina.zip").unlink()

    dump(archive, tmp_path / "without")

    assert read_all(tmp_path / "with") == read_all(tmp_path / "without")


def test_games_of_other_days_are_left_out_and_no_folder_is_written_over(tmp_path: Path) -> None:
    files = list_bundles([fill(tmp_path / "archive")])

    none = write_dump(files, tmp_path / "dump", since="2000-01-01T", until="2000-01-02T")

    assert (none.games, none.left_out) == (0, 4)
    with pytest.raises(DumpRefused, match="a dump is never written over another"):
        write_dump(files, tmp_path / "dump", **ALWAYS)
    (tmp_path / "next.new").mkdir()
    with pytest.raises(DumpRefused, match="another dump is being written, or was stopped"):
        write_dump(files, tmp_path / "next", **ALWAYS)


def test_a_file_that_is_no_bundle_is_named_and_the_others_are_dumped(tmp_path: Path) -> None:
    archive = fill(tmp_path / "archive")
    (archive / "e.spina.zip").write_bytes(b"PK")

    done = dump(archive, tmp_path / "dump")

    assert (done.games, done.unreadable) == (2, ("e.spina.zip",))


async def test_the_page_makes_a_dump_that_libraries_of_others_read_and_draw(tmp_path: Path) -> None:
    fill(tmp_path / "archive")
    ((_, commands), (_, program)) = re.findall(r"^```(sh|python)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)

    checked = await run(tmp_path, "bash", "-euc", f'spina() {{ {sys.executable} -m services.cli "$@"; }}\n{commands}')
    drawn, read = await asyncio.gather(*(run(tmp_path, str(READERS), "-I", "-c", text) for text in (program, READ)))

    assert checked.count(": OK\n") == 9
    assert "charioteer@1     seat 0: " in drawn
    assert (tmp_path / "seats.svg").read_text().count("<rect") == 5
    moves = len((tmp_path / "dump" / "moves.ndjson").read_text().splitlines())
    assert read == f"{moves} {moves}\n{moves} 2\n"


async def run(folder: Path, *command: str) -> str:
    process = await asyncio.create_subprocess_exec(
        *command,
        cwd=folder,
        env=environment({}),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await process.communicate()
    assert process.returncode == 0, f"{out.decode()}\n{err.decode()}"
    return out.decode()
