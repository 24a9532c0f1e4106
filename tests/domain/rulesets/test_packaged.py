"""Rulesets of packages: their code is read before it is run, named in their components, refused where it differs."""

from collections.abc import Mapping
from importlib.metadata import EntryPoint
from pathlib import Path
from py_compile import PycInvalidationMode
from py_compile import compile as compile_source

import msgspec
import pytest

from domain.canonical import parse
from domain.ruleset.kit import Kit
from domain.rulesets.packaged import GROUP, bind, find_packaged, hash_sources, load_package, read_sources
from domain.rulesets.released import OWN, Rebuilder, RulesetNotReleased, UnbuildableRuleset
from infra.ruleset_files import load_ruleset
from spina_crowd.kit import KIT

CROWD = EntryPoint(name="crowd", value="spina_crowd.kit:KIT", group=GROUP)
SOURCES = read_sources("spina_crowd")


def rebuild(kit: Kit, components: bytes) -> bytes:
    builders = {("crowd", 1): kit.build}
    return Rebuilder(builders).rebuild(name="crowd", version=1, components=components).components


def write_package(folder: Path, name: str, files: Mapping[str, str]) -> EntryPoint:
    (folder / name).mkdir()
    for file, text in {"__init__.py": "", **files}.items():
        (folder / name / file).write_text(text)
    return EntryPoint(name=name, value=f"{name}.kit:KIT", group=GROUP)


def test_the_components_of_a_packaged_ruleset_name_each_module_of_its_code() -> None:
    kit = load_package(CROWD)

    components = parse(load_ruleset(kit).components)

    assert components == {"code": hash_sources(SOURCES), "components": {"length": 40, "sides": 6}}
    assert set(hash_sources(SOURCES)) == {"spina_crowd", "spina_crowd.kit", "spina_crowd.rules"}


def test_the_same_code_builds_from_the_components_of_its_games() -> None:
    components = load_ruleset(load_package(CROWD)).components

    assert rebuild(load_package(CROWD), components) == components


@pytest.mark.parametrize("module", sorted(SOURCES))
def test_code_that_differs_in_a_byte_builds_from_none_of_them(module: str) -> None:
    components = load_ruleset(load_package(CROWD)).components
    other = bind(KIT, hash_sources({**SOURCES, module: SOURCES[module] + b"#"}))

    with pytest.raises(UnbuildableRuleset, match=f"the code of crowd@1 that is installed, found another one: {module}"):
        rebuild(other, components)


@pytest.mark.parametrize(
    "changed",
    [
        {"code": {}, "components": {"length": 40, "sides": 6}},
        {"code": 1, "components": {"length": 40, "sides": 6}},
        {"code": hash_sources(SOURCES)},
        {"code": {**hash_sources(SOURCES), "spina_crowd.more": "00"}, "components": {"length": 40, "sides": 6}},
        {"length": 40, "sides": 6},
    ],
)
def test_components_that_name_other_code_or_none_are_refused(changed: object) -> None:
    with pytest.raises(UnbuildableRuleset):
        rebuild(load_package(CROWD), msgspec.json.encode(changed, order="sorted"))


def test_a_reader_without_the_package_does_not_know_the_ruleset() -> None:
    components = load_ruleset(load_package(CROWD)).components

    with pytest.raises(RulesetNotReleased, match=r"found crowd@1"):
        Rebuilder().rebuild(name="crowd", version=1, components=components)


def test_a_package_out_of_bounds_is_never_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    trace = tmp_path / "trace"
    point = write_package(tmp_path, "out_of_bounds", {"kit.py": f"import os\nos.mkdir({str(trace)!r})\nKIT = 1\n"})

    found = find_packaged(OWN, [point])

    assert [refused.reason.partition("found ")[2] for refused in found.refused] == ["out_of_bounds.kit:1 imports os"]
    assert not trace.exists()


def test_code_that_is_not_among_the_modules_read_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    point = write_package(tmp_path, "with_a_folder", {"kit.py": "from .inner.rules import KIT\n"})
    (tmp_path / "with_a_folder" / "inner").mkdir()
    (tmp_path / "with_a_folder" / "inner" / "rules.py").write_text("import os\n")

    found = find_packaged(OWN, [point])

    beside = tmp_path / "with_a_folder" / "inner" / "rules.py"
    assert [refused.reason.partition("found ")[2] for refused in found.refused] == [f"{beside} beside them"]


def test_compiled_code_that_is_not_that_of_the_source_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    point = write_package(tmp_path, "compiled_before", {"kit.py": "import os\n"})
    source = tmp_path / "compiled_before" / "kit.py"
    compile_source(str(source), invalidation_mode=PycInvalidationMode.UNCHECKED_HASH)
    source.write_text("import math\n")

    found = find_packaged(OWN, [point])

    assert [refused.reason.partition("expected ")[2] for refused in found.refused] == [
        "compiled code of compiled_before.kit that is its source's, found other code"
    ]


def test_a_package_that_is_refused_hinders_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    points = [
        write_package(tmp_path, "a_broken", {"kit.py": "KIT = 1 // 0\n"}),
        write_package(tmp_path, "b_empty", {"kit.py": "KIT = None\n"}),
        write_package(tmp_path, "c_double", {"kit.py": "from crowd_again.kit import KIT\n"}),
        write_package(tmp_path, "d_lacking", {}),
        write_package(tmp_path, "e_leaving", {"kit.py": "raise SystemExit\n"}),
        EntryPoint(name="gone", value="gone_package.kit:KIT", group=GROUP),
        CROWD,
    ]

    found = find_packaged(OWN, points)

    assert [kit.reference for kit in found.kits] == ["crowd@1"]
    assert {refused.package.partition(".")[0]: refused.reason.partition(":")[0] for refused in found.refused} == {
        "a_broken": "ZeroDivisionError",
        "b_empty": "PackageRefused",
        "c_double": "PackageRefused",
        "d_lacking": "ModuleNotFoundError",
        "e_leaving": "SystemExit",
        "gone_package": "PackageRefused",
    }


def test_a_name_of_another_ruleset_is_refused() -> None:
    again = EntryPoint(name="again", value="spina_crowd.kit:KIT", group=GROUP)

    found = find_packaged(OWN, [CROWD, again])
    beside = find_packaged((*OWN, KIT), [CROWD])

    assert [len(found.kits), len(found.refused), len(beside.kits), len(beside.refused)] == [1, 1, 0, 1]
    assert beside.refused[0].reason == "PackageRefused: expected a name that no other ruleset has, found crowd@1"
