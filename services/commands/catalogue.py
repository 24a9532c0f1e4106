"""The catalogue of a running server: every ruleset of this release, with its components and with those of stored games.

Components are stored before a game can be opened with them, so that a game never outlives its decks and tracks.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
import structlog
from msgspec import Struct

from domain.canonical import Json
from domain.ruleset.catalogue import Catalogue, hash_components
from domain.ruleset.ruleset import AnyRuleset
from domain.rulesets.chariot_race import ruleset as chariot_race
from domain.rulesets.charioteer import ruleset as charioteer
from domain.rulesets.chariotmaster import ruleset as chariotmaster
from infra.components import read_components
from infra.event_store import EventStore, StoredComponents
from services.commands.rulesets import components_file

log = structlog.get_logger()


class Registered(Struct, frozen=True, kw_only=True):
    """How a ruleset of this release is built, and where the components of new games stand."""

    build: Callable[[Json], AnyRuleset]
    components: Path


# One line for each ruleset; what its `build` raises for components it cannot use stops the server at its start.
REGISTERED: tuple[Registered, ...] = (
    Registered(build=charioteer.build_ruleset, components=components_file("charioteer")),
    Registered(build=chariot_race.build_ruleset, components=components_file("chariot_race")),
    Registered(build=chariotmaster.build_ruleset, components=components_file("chariotmaster")),
)


async def build_catalogue(store: EventStore, registered: Sequence[Registered] = REGISTERED) -> Catalogue:
    """Build every ruleset and store its components. Raises ComponentsRefused, and what a ruleset refuses them with."""
    current = [(each, each.build(read_components(each.components))) for each in registered]
    for _, ruleset in current:
        await store.save_components(
            hash_components(ruleset), ruleset=ruleset.name, version=ruleset.version, body=ruleset.components
        )
    builders = {(ruleset.name, ruleset.version): each.build for each, ruleset in current}
    known = {hash_components(ruleset) for _, ruleset in current}
    stored = [each for each in await store.list_components() if each.hash not in known]
    earlier = [_rebuild(each, builders[each.ruleset, each.version]) for each in stored if _is_known(each, builders)]
    return Catalogue([ruleset for _, ruleset in current], [each for each in earlier if each is not None])


def _is_known(stored: StoredComponents, builders: dict[tuple[str, int], Callable[[Json], AnyRuleset]]) -> bool:
    if (stored.ruleset, stored.version) in builders:
        return True
    log.warning("ruleset_missing", ruleset=stored.ruleset, version=stored.version, components=stored.hash)
    return False


def _rebuild(stored: StoredComponents, build: Callable[[Json], AnyRuleset]) -> AnyRuleset | None:
    """Build a ruleset from what a stored game was opened with; it must come out with the same bytes."""
    try:
        ruleset = build(msgspec.json.decode(stored.body))
    except ValueError as error:
        # Games with these cannot be played by this release; all others can, so it is said and not fatal.
        log.warning("components_unusable", ruleset=stored.ruleset, components=stored.hash, reason=str(error))
        return None
    if hash_components(ruleset) != stored.hash:
        log.warning("components_changed", ruleset=stored.ruleset, components=stored.hash)
        return None
    return ruleset
