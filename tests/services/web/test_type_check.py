"""The browser's code has types; the check is shown to fail on made-up modules. `make check` checks all modules."""

import shutil
from pathlib import Path

import pytest

from tests.absence import give_up
from tests.services.web.npm_packages import PackageUnavailable
from tests.services.web.npm_programs import ROOT
from tests.services.web.type_check import CONFIGURATIONS, WITHOUT_NULLS, run, write_api_types

TYPES = Path("services", "web", "types")


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("/** @param {Api.GameShown} game */\nexport const tell = (game) => game.version + 1;\n", None),
        ("/** @param {Api.GameShown} game */\nexport const tell = (game) => game.verson;\n", "TS2551"),
        ("export const tell = () => Math.mx(1);\n", "TS2339"),
        ('/** @type {Panel.Build} */\nexport const buildPanel = () => ({ safe: "you pass" });\n', "TS2741"),
        ('/** @param {Panel.Asked} asked */\nexport const fly = ({ act }) => act({ kind: "fly" }, "");\n', "TS2322"),
        ('document.addEventListener("shown", ({ detail }) => detail.trim());\n', "TS2339"),
    ],
)
def test_a_module_keeps_the_types_of_the_api_and_of_the_pages(tmp_path: Path, text: str, rule: str | None) -> None:
    shutil.copytree(ROOT / TYPES, tmp_path / TYPES)
    (tmp_path / TYPES.parent / "a.js").write_text(text)
    (tmp_path / TYPES.parent / "sw.js").write_text("")
    write_api_types(tmp_path)

    try:
        answers = [run(configuration, tmp_path) for configuration in CONFIGURATIONS]
    except PackageUnavailable as error:
        give_up(str(error))

    said = "".join(answer.stdout for answer in answers)
    assert [answer.returncode == 0 for answer in answers] == [rule is None, rule is None, True], said
    assert rule is None or rule in said


@pytest.mark.parametrize("room", ["parts", WITHOUT_NULLS[0].rstrip("/")])
def test_a_null_is_found_in_the_rooms_that_are_gone_over(tmp_path: Path, room: str) -> None:
    shutil.copytree(ROOT / TYPES, tmp_path / TYPES)
    folder = tmp_path / TYPES.parent / room
    folder.mkdir()
    (folder / "a.js").write_text('export const told = document.querySelector("p").textContent;\n')
    write_api_types(tmp_path)

    try:
        answer = run("tsconfig.strict.json", tmp_path)
    except PackageUnavailable as error:
        give_up(str(error))

    assert ("TS2531" in answer.stdout, answer.returncode) == ((True, 1) if room == "parts" else (False, 0))


@pytest.mark.parametrize("room", WITHOUT_NULLS)
def test_a_room_that_is_not_gone_over_exists(room: str) -> None:
    assert (ROOT / TYPES.parent / room).exists()
