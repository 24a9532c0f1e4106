"""Kits, bots and tables from parameters of the command line; an unknown name is refused with those that there are."""

from collections.abc import Mapping, Sequence

import msgspec
import typer

from domain.canonical import Json
from domain.ruleset.kit import Kit
from domain.rulesets.released import KITS, find_kit
from infra.ruleset_files import read_words


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


def require_options(kit: Kit, table: str | None, changes: Sequence[str] | None) -> Mapping[str, Json] | None:
    """Return the options of a preset with the changes to it, `NAME=VALUE` each; None where neither is given."""
    if table is None and not changes:
        return None
    options: dict[str, Json] = {} if table is None else dict(_require_preset(kit, table))
    for change in changes or ():
        name, given, text = change.partition("=")
        if not given:
            raise typer.BadParameter(f"expected an option as NAME=VALUE, found {change!a}")
        options[name] = _read_value(text)
    try:
        msgspec.convert(options, kit.ruleset.options_type)
    except msgspec.ValidationError as error:
        raise typer.BadParameter(f"expected options of {kit.reference}, found {error}") from None
    return options


def _require_preset(kit: Kit, name: str) -> Mapping[str, Json]:
    presets = read_words(kit).presets
    for preset in presets:
        if preset.name.casefold() == name.casefold():
            return preset.options
    raise typer.BadParameter(f"expected a table out of {'; '.join(preset.name for preset in presets)}, found {name}")


def _read_value(text: str) -> Json:
    """Read a number, a list or a truth value as JSON, and else a word."""
    try:
        value: Json = msgspec.json.decode(text)
    except msgspec.DecodeError:
        return text
    return value
