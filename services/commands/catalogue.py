"""The catalogue of a running server: every ruleset of this release, with its components and with those of stored games.

Components are stored before a game can be opened with them, so that a game never outlives its decks and tracks.
"""

from collections.abc import Sequence

import msgspec
import structlog

from domain.ruleset.catalogue import Catalogue, hash_components
from domain.ruleset.kit import Build, Kit
from domain.ruleset.ruleset import AnyRuleset
from domain.rulesets.released import KITS, PACKAGED
from infra.boxes import Box
from infra.event_store import EventStore, StoredComponents
from infra.ruleset_files import load_ruleset

log = structlog.get_logger()


async def build_catalogue(store: EventStore, kits: Sequence[Kit] = KITS, boxes: Sequence[Box] = ()) -> Catalogue:
    """Build every ruleset and store its components. Raises ComponentsRefused, and a ruleset's own refusals."""
    for refused in PACKAGED.refused:
        log.warning("ruleset_refused", package=refused.package, reason=refused.reason)
    current = [(kit, load_ruleset(kit)) for kit in kits]
    offered = [ruleset for _, ruleset in current] + [box.ruleset for box in boxes]
    for ruleset in offered:
        await store.save_components(
            hash_components(ruleset), ruleset=ruleset.name, version=ruleset.version, body=ruleset.components
        )
    builders = {(ruleset.name, ruleset.version): kit.build for kit, ruleset in current}
    known = {hash_components(ruleset) for ruleset in offered}
    stored = [component for component in await store.list_components() if component.hash not in known]
    earlier = [
        _rebuild(components, builders[components.ruleset, components.version])
        for components in stored
        if _is_known(components, builders)
    ]
    return Catalogue(
        [ruleset for _, ruleset in current],
        [ruleset for ruleset in earlier if ruleset is not None],
        [(box.name, box.ruleset) for box in boxes],
    )


def _is_known(stored: StoredComponents, builders: dict[tuple[str, int], Build]) -> bool:
    if (stored.ruleset, stored.version) in builders:
        return True
    log.warning("ruleset_missing", ruleset=stored.ruleset, version=stored.version, components=stored.hash)
    return False


def _rebuild(stored: StoredComponents, build: Build) -> AnyRuleset | None:
    """Build a ruleset from the components of a stored game; it must come out with the same bytes."""
    try:
        ruleset = build(msgspec.json.decode(stored.body))
    except ValueError as error:
        # Games with these cannot be played by this release; all others can, so it is stated and not fatal.
        log.warning("components_unusable", ruleset=stored.ruleset, components=stored.hash, reason=str(error))
        return None
    if hash_components(ruleset) != stored.hash:
        log.warning("components_changed", ruleset=stored.ruleset, components=stored.hash)
        return None
    return ruleset
