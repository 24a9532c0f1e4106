"""The check of rulesets finds every planted fault of a whole ruleset by the right name, and no fault of sound ones."""

import importlib
import shutil
from functools import cache
from itertools import count
from pathlib import Path

import msgspec
import pytest
from msgspec import Struct
from msgspec.structs import replace

from domain.ruleset.kit import Kit
from domain.rulesets.packaged import bind, hash_sources, read_sources
from domain.rulesets.released import KITS
from services.practice.checks.check import Checked, CheckPlan, Subject, check_ruleset
from services.practice.checks.elsewhere import play_elsewhere
from services.practice.checks.findings import CHECKS
from services.practice.checks.subject import find_subject
from tests.architecture.kept_files import ROOT
from tests.rulesets.dash.kit import KIT as DASH

PROJECT = ROOT / "examples" / "spina_crowd"
PLAN = CheckPlan(games=16, decisions_max=400)
NUMBERS = count()


class Planted(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A fault by its edits of a file of Crowd, each a text and the text in its place, and the check that finds it."""

    check: str
    name: str
    edits: tuple[tuple[str, str], ...]
    file: str = "rules.py"
    games: int = 16
    call_s_max: float = 1.0

    @property
    def plan(self) -> CheckPlan:
        return CheckPlan(games=self.games, decisions_max=400, call_s_max=self.call_s_max)


PLANTED = msgspec.toml.decode(
    (Path(__file__).parent / "planted.toml").read_bytes(), type=dict[str, tuple[Planted, ...]]
)["fault"]
UNORDERED = Planted(
    check="processes",
    name="an order of sets",
    edits=(('for gait in ("trot", "canter", "gallop"))', 'for gait in {"trot", "canter", "gallop"})'),),
)


def write_project(folder: Path, planted: Planted | None = None) -> str:
    """Copy the project of Crowd under a name of its own, with a fault; return the name of its package."""
    name = f"planted_{next(NUMBERS)}"
    shutil.copytree(PROJECT, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "spina_crowd").rename(folder / name)
    for path in folder.rglob("*"):
        if path.suffix in {".py", ".toml"}:
            path.write_text(path.read_text().replace("spina_crowd", name))
    if planted is not None:
        path = folder / name / planted.file
        source = path.read_text()
        for text, faulty in planted.edits:
            assert source.count(text) == 1, text
            source = source.replace(text, faulty)
        path.write_text(source)
    return name


def load(name: str) -> Subject:
    sources = read_sources(name)
    kit: Kit = importlib.import_module(f"{name}.kit").KIT
    return Subject(kit=bind(kit, hash_sources(sources)), package=name, sources=sources)


def test_every_check_of_games_has_planted_faults() -> None:
    assert {planted.check for planted in (*PLANTED, UNORDERED)} == CHECKS.keys() - {"before"}
    assert len(PLANTED) >= 20


@pytest.mark.parametrize("planted", PLANTED, ids=lambda planted: str(planted.name))
def test_a_planted_fault_is_found(planted: Planted, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    subject = load(write_project(tmp_path, planted))

    checked = check_ruleset(subject, planted.plan)

    assert checked.faults[planted.check], {name: faults for name, faults in checked.faults.items() if faults}


@pytest.mark.parametrize("check", sorted({planted.check for planted in PLANTED}))
def test_the_ruleset_without_a_fault_passes_every_check_that_finds_one(check: str) -> None:
    assert sound().faults[check] == ()


@cache
def sound() -> Checked:
    return check_ruleset(find_subject(str(PROJECT)), PLAN)


@pytest.mark.parametrize(
    ("kit", "games"), [*zip(KITS, (2, 4, 2), strict=True), (DASH, 16)], ids=lambda given: getattr(given, "name", "")
)
def test_the_rulesets_of_the_release_and_a_fourth_pass(kit: Kit, games: int) -> None:
    checked = check_ruleset(Subject(kit=kit, package="domain", sources={}), CheckPlan(games=games, reread=2))

    assert {name: faults for name, faults in checked.faults.items() if faults} == {}
    assert len(checked.digests) == games


def test_an_order_of_sets_is_found_by_other_hash_seeds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    name = write_project(tmp_path, UNORDERED)

    checked = check_ruleset(load(name), PLAN, elsewhere=play_elsewhere(str(tmp_path), 4))

    assert checked.faults["processes"]
    assert checked.compared == ["hash seed 0", "hash seed 1", "hash seed 4242"]


def test_a_report_before_shows_changed_rules_and_a_version_that_changes_nothing() -> None:
    subject = find_subject(str(PROJECT))
    same, renamed = sound(), replace(sound(), ruleset="crowd@0")
    changed = replace(sound(), digests={**sound().digests, "3": "00" * 32})

    found = {
        before.ruleset + before.digests["3"][:2]: check_ruleset(subject, PLAN, before=before).faults["before"]
        for before in (same, renamed, changed)
    }

    assert list(found.values()) == [
        (),
        ("expected a version that differs from crowd@0, found the same games",),
        ("the report of crowd@1 before: other games than here: 1 of 16, from 3 on",),
    ]
