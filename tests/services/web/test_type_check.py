"""The browser's code has types; the check is shown to fail on made-up modules. `make check` checks all modules."""

import re
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.absence import give_up
from tests.services.web.npm_packages import PackageUnavailable
from tests.services.web.npm_programs import ROOT, Run
from tests.services.web.type_check import PAGES, STRICT, WITHOUT_NULLS, WORKER, run, write_api_types

WEB = Path("services", "web")
TYPES = WEB / "types"
OF_PAGES = (PAGES, STRICT, WORKER)
CASES = {
    "right": ("/** @param {Api.GameShown} game */\nexport const tell = (game) => game.version + 1;\n", None),
    "field": ("/** @param {Api.GameShown} game */\nexport const tell = (game) => game.verson;\n", "TS2551"),
    "global": ("export const tell = () => Math.mx(1);\n", "TS2339"),
    "panel": ('/** @type {Panel.Build} */\nexport const buildPanel = () => ({ safe: "you pass" });\n', "TS2741"),
    "action": (
        '/** @param {Panel.Asked} asked */\nexport const fly = ({ act }) => act({ kind: "fly" }, "");\n',
        "TS2322",
    ),
    "event": ('document.addEventListener("shown", ({ detail }) => detail.trim());\n', "TS2339"),
}
ROOMS = ("parts", WITHOUT_NULLS[0].rstrip("/"))
MAY_BE_NULL = 'export const told = document.querySelector("p").textContent;\n'


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Run]:
    """Check all modules of the cases at once: the compiler reads the types of the API and of the browser each time."""
    root = tmp_path_factory.mktemp("checked")
    shutil.copytree(ROOT / TYPES, root / TYPES)
    (root / WEB / "sw.js").write_text("")
    for name, (text, _rule) in CASES.items():
        (root / WEB / f"{name}.js").write_text(text)
    for room in ROOMS:
        (root / WEB / room).mkdir()
        (root / WEB / room / "null.js").write_text(MAY_BE_NULL)
    write_api_types(root)
    try:
        return {configuration: run(configuration, root) for configuration in OF_PAGES}
    except PackageUnavailable as error:
        give_up(str(error))


def rules_broken(answer: Run, module: str) -> list[str]:
    return re.findall(rf"^{WEB.as_posix()}/{module}\.js\(.*?: error (TS\d+):", answer.stdout, re.MULTILINE)


@pytest.mark.parametrize("name", CASES)
def test_a_module_keeps_the_types_of_the_api_and_of_the_pages(checked: Mapping[str, Run], name: str) -> None:
    _text, rule = CASES[name]

    broken = [rules_broken(checked[configuration], name) for configuration in (PAGES, STRICT)]

    assert broken == [[rule] if rule else []] * 2, [checked[configuration].stdout for configuration in (PAGES, STRICT)]


@pytest.mark.parametrize("room", ROOMS)
def test_a_null_is_found_in_the_rooms_that_are_gone_over(checked: Mapping[str, Run], room: str) -> None:
    assert rules_broken(checked[STRICT], f"{room}/null") == (["TS2531"] if room == "parts" else [])


def test_a_check_that_finds_an_error_ends_with_one(checked: Mapping[str, Run]) -> None:
    assert [checked[configuration].returncode != 0 for configuration in OF_PAGES] == [True, True, False]


@pytest.mark.parametrize("room", WITHOUT_NULLS)
def test_a_room_that_is_not_gone_over_exists(room: str) -> None:
    assert (ROOT / WEB / room).exists()
