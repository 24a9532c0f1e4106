"""The values that a components file may hold, and the refusal of others."""

from pathlib import Path

import pytest

from domain.ruleset.kit import Kit
from domain.rulesets.released import KITS
from infra.ruleset_files import COMPONENTS_SIZE_MAX, ComponentsRefused, load_ruleset, read_components


def write(folder: Path, text: str) -> Path:
    path = folder / "components.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_components_are_read_as_plain_data(tmp_path: Path) -> None:
    path = write(tmp_path, 'name = "café"\n[[cards]]\nsymbols = [1, 2]\nis_whip = false\n')

    assert read_components(path) == {"name": "café", "cards": [{"symbols": [1, 2], "is_whip": False}]}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[track]\nlanes = [{ limit = 1.5 }]", r"at \$\.track\.lanes\[0\]\.limit: .* found float 1\.5"),
        ("day = 2026-11-18", r"at \$\.day: .* found date"),
        ("big = 9007199254740992", r"at \$\.big: expected an integer within"),
        ('"größe" = 1', r"at \$: expected an ASCII key"),
        ("cards = [", "expected TOML in UTF-8"),
    ],
)
def test_what_has_no_place_in_a_log_is_refused_with_its_path(tmp_path: Path, text: str, said: str) -> None:
    path = write(tmp_path, text)

    with pytest.raises(ComponentsRefused, match=said):
        read_components(path)


def test_a_file_that_is_missing_or_far_too_large_is_refused(tmp_path: Path) -> None:
    large = write(tmp_path, "#" * (COMPONENTS_SIZE_MAX + 1))

    with pytest.raises(ComponentsRefused, match="at most"):
        read_components(large)
    with pytest.raises(ComponentsRefused, match="No such file"):
        read_components(tmp_path / "none.toml")


@pytest.mark.parametrize("kit", KITS, ids=lambda kit: kit.name)
def test_a_process_builds_a_ruleset_once(kit: Kit) -> None:
    assert load_ruleset(kit) is load_ruleset(kit)
