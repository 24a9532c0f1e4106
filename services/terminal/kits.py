"""Kits and bots from parameters of the command line; a name that there is not is refused with those that there are."""

import typer

from domain.ruleset.kit import Kit
from domain.rulesets.released import KITS, find_kit


def require_kit(ruleset: str | None) -> Kit:
    """Return the kit of `name` or `name@version`, the first of all for None, or refuse the parameter."""
    kit = KITS[0] if ruleset is None else find_kit(ruleset)
    if kit is None:
        raise typer.BadParameter(f"expected one of {', '.join(kit.reference for kit in KITS)}, found {ruleset}")
    return kit


def require_bots(kit: Kit, names: str | None) -> tuple[str, ...]:
    """Return the bots of a list with commas, or the ruleset's favourites; refuse a name that no bot has."""
    found = kit.favourites if names is None else tuple(name.strip() for name in names.split(","))
    if not set(found) <= set(kit.bots):
        raise typer.BadParameter(f"expected bots out of {', '.join(kit.bots)}, found {', '.join(found)}")
    return found
