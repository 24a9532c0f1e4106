"""Boxes of one's own: a file for each, named by its file, refused with the place where it is none."""

from pathlib import Path

import pytest

from domain.names import NameRefused
from domain.ruleset.catalogue import hash_components
from domain.ruleset.kit import Kit
from domain.rulesets.chariot_race.kit.kit import KIT
from domain.rulesets.released import KITS
from infra.boxes import BoxRefused, find_box_path, list_box_files, read_box
from infra.ruleset_files import load_ruleset
from services.commands.boxes import load_boxes
from tests.boxes import CHANGES, write_box

REFUSED = {
    "the release's": ("laps = 2 ", "laps = 2 ", "other components than those of the release, found the same"),
    "no toml": ("[numbers]", "[numbers", "expected TOML in UTF-8"),
    "a float": ("laps = 2 ", "laps = 2.5 ", r"\$.numbers.laps: expected a boolean, integer, string, list or table"),
    "out of bounds": ("laps = 2 ", "laps = 0 ", r"numbers.laps: expected .*>= 1"),
    "an unknown name": ("laps = 2 ", "lapses = 2 ", "numbers"),
}


def test_every_kit_has_a_changed_box() -> None:
    assert [kit for kit, _, _ in CHANGES.values()] == list(KITS)


@pytest.mark.parametrize(("kit", "before", "after"), CHANGES.values(), ids=CHANGES)
def test_a_box_is_a_ruleset_of_other_components_under_the_name_of_its_file(
    tmp_path: Path, kit: Kit, before: str, after: str
) -> None:
    path = write_box(tmp_path, kit, name="First printing", before=before, after=after)

    found = read_box(kit, path)

    assert found.name == "First printing"
    assert found.components == hash_components(found.ruleset) != hash_components(load_ruleset(kit))
    assert list(list_box_files(tmp_path, KITS)) == [(kit, path)]
    assert find_box_path(tmp_path, kit, " First printing ") == path


@pytest.mark.parametrize(("before", "after", "reason"), REFUSED.values(), ids=REFUSED)
def test_a_file_that_is_no_box_is_refused_with_the_place(tmp_path: Path, before: str, after: str, reason: str) -> None:
    path = write_box(tmp_path, KIT, name="Bad", before=before, after=after)

    with pytest.raises(BoxRefused, match=reason):
        read_box(KIT, path)


def test_a_name_that_cannot_be_shown_is_refused(tmp_path: Path) -> None:
    path = write_box(tmp_path, KIT, name="Bad\u202e", before="laps = 2 ", after="laps = 1 ")

    with pytest.raises(BoxRefused, match="expected"):
        read_box(KIT, path)


@pytest.mark.parametrize("name", ["First/second", "../Other", "/Other", "..", ".hidden", "Nul\0"])
def test_a_name_that_is_no_name_of_a_file_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(NameRefused):
        find_box_path(tmp_path, KIT, name)


def test_a_bad_file_and_a_folder_of_no_ruleset_leave_the_other_boxes_on_offer(tmp_path: Path) -> None:
    write_box(tmp_path, KIT, name="Broken", before="laps = 2 ", after="laps = 0 ")
    write_box(tmp_path, KIT, name="Good", before="laps = 2 ", after="laps = 1 ")
    for folder in ("a_stranger@1", "torches@1"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "Odd.toml").write_text("")

    assert [box.name for box in load_boxes(tmp_path, KITS)] == ["Good"]
