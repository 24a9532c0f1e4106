"""Which rulesets there are: a name, a version and the hash of the components to the ruleset built from them."""

from collections.abc import Iterable
from hashlib import sha256

from domain.rejection import Unprocessable
from domain.ruleset.ruleset import AnyRuleset


class UnknownRuleset(Unprocessable):
    """No ruleset of this name and version, or not with these components."""

    code = "unknown-ruleset"


class Catalogue:
    """Built once from rulesets built from validated components; never changed.

    `rulesets` are those new games are opened with, unless they name other components; `earlier` are the same rulesets
    with the components that stored games were opened with. `boxes` are offered beside the current ones, by name.
    """

    def __init__(
        self,
        rulesets: Iterable[AnyRuleset],
        earlier: Iterable[AnyRuleset] = (),
        boxes: Iterable[tuple[str, AnyRuleset]] = (),
    ) -> None:
        self.current = tuple(rulesets)
        self.boxes = tuple(boxes)
        self._rulesets = {
            (ruleset.name, ruleset.version, hash_components(ruleset)): ruleset
            for ruleset in (*earlier, *(box for _, box in self.boxes), *self.current)
        }

    def find(self, *, name: str, version: int, components: str) -> AnyRuleset:
        """Return the ruleset with exactly these components, or raise UnknownRuleset."""
        found = self._rulesets.get((name, version, components))
        if found is None:
            known = ", ".join(f"{each}@{number} {digest}" for each, number, digest in sorted(self._rulesets))
            raise UnknownRuleset(expected=f"one of {known or 'none'}", found=f"{name}@{version} {components}")
        return found

    def find_current(self, *, name: str, version: int) -> AnyRuleset:
        """Return the ruleset with the components that new games get, or raise UnknownRuleset."""
        for ruleset in self.current:
            if (ruleset.name, ruleset.version) == (name, version):
                return ruleset
        known = ", ".join(sorted(f"{ruleset.name}@{ruleset.version}" for ruleset in self.current))
        raise UnknownRuleset(expected=f"one of {known or 'none'}", found=f"{name}@{version}")


def hash_components(ruleset: AnyRuleset) -> str:
    """Return the SHA-256, in hex, by which a game names the components it is played with."""
    return sha256(ruleset.components).hexdigest()
