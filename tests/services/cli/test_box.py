"""`spina box`: the release's components as a beginning, tried by bots, kept under a name, and taken away again."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from domain.rulesets.chariot_race.kit.kit import KIT
from infra.ruleset_files import load_ruleset
from services.practice.box_trial import BoxUnplayable, try_box
from tests.boxes import write_box
from tests.services.cli.program import one_sentence, run

RULESET = ("--ruleset", "chariot-race")


def test_a_box_is_begun_tried_kept_listed_and_removed(tmp_path: Path) -> None:
    begun = run("box", "start", *RULESET)
    file = tmp_path / "printed.toml"
    file.write_text(begun.stdout.replace("laps = 2 ", "laps = 1 "))
    data = {"SPINA_DATA": str(tmp_path / "data")}

    tried = run("box", "check", str(file), *RULESET, "--games", "1")
    added = run("box", "add", str(file), "--name", "First printing", *RULESET, "--games", "1", **data)
    listed = run("box", "list", **data)
    removed = run("box", "remove", "First printing", *RULESET, **data)

    assert [ended.returncode for ended in (begun, tried, added, listed, removed)] == [0] * 5
    hash_ = tried.stdout.split()[-1]
    assert listed.stdout == f"chariot-race@1 {hash_} First printing\n"
    assert run("box", "list", **data).stdout == ""


def test_a_bad_file_is_listed_beside_the_boxes_that_are_good(tmp_path: Path) -> None:
    write_box(tmp_path / "boxes", KIT, name="Bad", before="laps = 2 ", after="laps = 0 ")
    write_box(tmp_path / "boxes", KIT, name="Good", before="laps = 2 ", after="laps = 1 ")

    listed = run("box", "list", SPINA_DATA=str(tmp_path))

    assert listed.returncode == 1
    assert listed.stdout.endswith(" Good\n")
    assert listed.stderr.startswith("spina: Bad.toml: ")


def test_a_file_that_is_no_box_is_refused_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text("[numbers]\nlaps = 0\n")

    ended = run("box", "add", str(tmp_path / "bad.toml"), "--name", "Bad", SPINA_DATA=str(tmp_path / "data"))

    assert one_sentence(ended).startswith("bad.toml: expected components of charioteer@1, ")
    assert not (tmp_path / "data").exists()


def test_a_box_with_which_bots_cannot_go_on_is_refused() -> None:
    def give_up(*_: object) -> object:
        raise IndexError("no way out")

    broken = replace(KIT, bots={"broken": give_up}, favourites=("broken",))

    with pytest.raises(BoxUnplayable, match="expected 2 bots to play game 0 to its end, found IndexError: no way out"):
        list(try_box(broken, load_ruleset(KIT), games=1, seed=1))
