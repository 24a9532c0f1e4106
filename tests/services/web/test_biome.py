"""The browser's code has one form; the rules are shown to fail on a made-up module. `make check` reads all modules."""

import shutil
from pathlib import Path

import pytest

from tests.absence import give_up
from tests.services.web.biome import run
from tests.services.web.npm_packages import PackageUnavailable
from tests.services.web.npm_programs import ROOT


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ('export const name = "Ada";\n', None),
        ("export const name = 'Ada';\n", "format"),
        ("export const names = [" + ", ".join(['"Diocles"'] * 20) + "];\n", "format"),
        ('import { a } from "./a.js";\n\nexport const b = 1;\n', "noUnusedImports"),
        ("export const a = missing;\n", "noUndeclaredVariables"),
    ],
)
def test_a_module_is_formatted_and_names_what_it_uses(tmp_path: Path, text: str, rule: str | None) -> None:
    (tmp_path / "services" / "web").mkdir(parents=True)
    (tmp_path / "services" / "web" / "a.js").write_text(text)
    shutil.copy(ROOT / "biome.json", tmp_path)

    try:
        answer = run(["ci", "--error-on-warnings"], tmp_path)
    except PackageUnavailable as error:
        give_up(str(error))

    assert (answer.returncode == 0) == (rule is None)
    assert rule is None or rule in answer.stdout + answer.stderr
