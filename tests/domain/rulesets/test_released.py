"""Rebuilding rulesets from stored components: the same rules, or a refusal that states why."""

import pytest

from domain.canonical import Json, encode, parse
from domain.ruleset.ruleset import AnyRuleset
from domain.rulesets.released import BUILT_MAX, KITS, RELEASED, Rebuilder, RulesetNotReleased, UnbuildableRuleset
from infra.ruleset_files import load_ruleset
from tests.domain.rulesets.fake_ruleset_torches import Torches

BOXES: list[AnyRuleset] = [load_ruleset(kit) for kit in KITS]
TORCHES = encode({"cards": 15})


def build_torches(components: Json) -> AnyRuleset:
    assert isinstance(components, dict)
    return Torches(components["cards"])


def rebuild(components: bytes, version: int = 1) -> AnyRuleset:
    return Rebuilder({("torches", 1): build_torches}).rebuild(name="torches", version=version, components=components)


@pytest.mark.parametrize("box", BOXES, ids=lambda box: str(box.name))
def test_every_released_ruleset_is_rebuilt_from_its_own_components(box: AnyRuleset) -> None:
    rebuilt = Rebuilder().rebuild(name=box.name, version=box.version, components=box.components)

    assert (rebuilt.name, rebuilt.version, rebuilt.components) == (box.name, box.version, box.components)
    assert rebuilt.components == encode(parse(box.components))


def test_every_released_ruleset_is_tried() -> None:
    assert set(RELEASED) == {(box.name, box.version) for box in BOXES}


@pytest.mark.parametrize("components", [b"", b"[]", b"{}", b'{"cards": 15}', b'{"cards":15,"more":1}', b"\xff"])
def test_other_components_are_refused(components: bytes) -> None:
    with pytest.raises(UnbuildableRuleset):
        rebuild(components)


def test_a_ruleset_of_a_later_release_is_named() -> None:
    with pytest.raises(RulesetNotReleased, match="torches@2"):
        rebuild(TORCHES, version=2)


def test_what_was_built_is_built_once() -> None:
    rebuilder = Rebuilder({("torches", 1): build_torches})

    one = rebuilder.rebuild(name="torches", version=1, components=TORCHES)

    assert rebuilder.rebuild(name="torches", version=1, components=TORCHES) is one


def test_only_the_last_few_are_kept() -> None:
    rebuilder = Rebuilder({("torches", 1): build_torches})
    first = rebuilder.rebuild(name="torches", version=1, components=TORCHES)

    for cards in range(20, 20 + BUILT_MAX):
        rebuilder.rebuild(name="torches", version=1, components=encode({"cards": cards}))

    assert rebuilder.rebuild(name="torches", version=1, components=TORCHES) is not first
