"""The browser's code has one form; the rules are shown to fail on made-up modules. `make check` reads all modules."""

import re
import shutil

import pytest

from tests.absence import give_up
from tests.services.web.biome import run
from tests.services.web.npm_packages import PackageUnavailable
from tests.services.web.npm_programs import ROOT, Run

CASES = {
    "right": ('export const name = "Ada";\n', None),
    "quotes": ("export const name = 'Ada';\n", "format"),
    "long_line": ("export const names = [" + ", ".join(['"Diocles"'] * 20) + "];\n", "format"),
    "unused": ('import { a } from "./a.js";\n\nexport const b = 1;\n', "lint/correctness/noUnusedImports"),
    "undeclared": ("export const a = missing;\n", "lint/correctness/noUndeclaredVariables"),
}


@pytest.fixture(scope="module")
def looked_at(tmp_path_factory: pytest.TempPathFactory) -> Run:
    root = tmp_path_factory.mktemp("looked_at")
    (root / "services" / "web").mkdir(parents=True)
    for name, (text, _rule) in CASES.items():
        (root / "services" / "web" / f"{name}.js").write_text(text)
    shutil.copy(ROOT / "biome.json", root)
    try:
        return run(["ci", "--error-on-warnings"], root)
    except PackageUnavailable as error:
        give_up(str(error))


@pytest.mark.parametrize("name", CASES)
def test_a_module_is_formatted_and_names_what_it_uses(looked_at: Run, name: str) -> None:
    _text, rule = CASES[name]

    # A fault is headed by its file, the place in the file where there is one, and its rule.
    headed = rf"^services/web/{name}\.js(?::\d+:\d+)? (\S+)"
    broken = set(re.findall(headed, looked_at.stdout + looked_at.stderr, re.MULTILINE))

    assert broken == ({rule} if rule else set()), looked_at.stderr
    assert looked_at.returncode != 0
