"""Every ruleset of this release and of installed packages, and rulesets built again from stored components.

A released ruleset is never taken out of the list, so that every game ever played can be verified.
"""

from collections.abc import Mapping
from importlib.metadata import entry_points

from domain.canonical import parse
from domain.ruleset.kit import Build, Kit
from domain.ruleset.ruleset import AnyRuleset
from domain.rulesets.chariot_race.kit import kit as chariot_race
from domain.rulesets.charioteer.kit import kit as charioteer
from domain.rulesets.chariotmaster.kit import kit as chariotmaster
from domain.rulesets.packaged import GROUP, find_packaged

OWN: tuple[Kit, ...] = (charioteer.KIT, chariot_race.KIT, chariotmaster.KIT)
# Found once, as imports are: a package that is installed later counts from the next start on.
PACKAGED = find_packaged(OWN, entry_points(group=GROUP))
KITS: tuple[Kit, ...] = (*OWN, *PACKAGED.kits)

_BY_NAME = {name: kit for kit in KITS for name in (kit.reference, kit.name)}
# By name and version.
Builders = Mapping[tuple[str, int], Build]

RELEASED: Builders = {(kit.ruleset.name, kit.ruleset.version): kit.build for kit in KITS}
# A folder of games is of a few boxes; a hostile one must not fill the memory with more.
BUILT_MAX = 16


def find_kit(ruleset: str) -> Kit | None:
    """Return the kit of `name@version`, or the newest of `name`."""
    return _BY_NAME.get(ruleset)


class UnbuildableRuleset(ValueError):
    """No ruleset can be built from these components."""

    def __init__(self, *, expected: str, found: str) -> None:
        self.expected = expected
        self.found = found
        super().__init__(f"expected {expected}, found {found}")


class RulesetNotReleased(UnbuildableRuleset):
    """No ruleset that this release knows; a later one may."""


class Rebuilder:
    """Builds rulesets, and keeps those it built last: building one costs as much as reading some hundred lines."""

    def __init__(self, builders: Builders = RELEASED) -> None:
        self._builders = builders
        self._built: dict[tuple[str, int, bytes], AnyRuleset] = {}

    def rebuild(self, *, name: str, version: int, components: bytes) -> AnyRuleset:
        """Build a ruleset from the canonical bytes of its components, or raise UnbuildableRuleset."""
        built = self._built.get((name, version, components))
        if built is None:
            built = _build(self._builders, name=name, version=version, components=components)
            if len(self._built) == BUILT_MAX:
                self._built.pop(next(iter(self._built)))
            self._built[name, version, components] = built
        return built


def _build(builders: Builders, *, name: str, version: int, components: bytes) -> AnyRuleset:
    build = builders.get((name, version))
    if build is None:
        known = ", ".join(f"{each}@{number}" for each, number in sorted(builders))
        raise RulesetNotReleased(expected=f"one of {known or 'none'}", found=f"{name}@{version}")
    try:
        ruleset = build(parse(components))
    except MemoryError:
        raise
    except Exception as error:
        # A ruleset refuses wrong components with an error of its own; hostile ones may break it in any way.
        raise UnbuildableRuleset(expected=f"components of {name}@{version}", found=str(error)) from error
    if ruleset.components != components:
        raise UnbuildableRuleset(expected=f"components that {name}@{version} spells the same", found="others")
    return ruleset
