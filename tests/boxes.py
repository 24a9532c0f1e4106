"""Boxes for tests: the components of the release with one printed number changed, as an owner of the box does."""

from pathlib import Path

from domain.ruleset.kit import Kit
from domain.rulesets.chariot_race.kit.kit import KIT as CHARIOT_RACE
from domain.rulesets.charioteer.kit.kit import KIT as CHARIOTEER
from domain.rulesets.chariotmaster.kit.kit import KIT as CHARIOTMASTER

# A line of each kit's file, and the same with another number.
CHANGES: dict[str, tuple[Kit, str, str]] = {
    "charioteer": (CHARIOTEER, "hand_size = { value = 8,", "hand_size = { value = 7,"),
    "chariot_race": (CHARIOT_RACE, "laps = 2 ", "laps = 1 "),
    "chariotmaster": (CHARIOTMASTER, "sub_move_min_mm = 10", "sub_move_min_mm = 12"),
}


def write_box(folder: Path, kit: Kit, *, name: str, before: str, after: str) -> Path:
    """Keep the changed components under a name in a folder of boxes."""
    released = (Path(kit.folder) / "components.toml").read_text(encoding="utf-8")
    assert before in released
    path = folder / kit.reference / f"{name}.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(released.replace(before, after, 1), encoding="utf-8")
    return path
