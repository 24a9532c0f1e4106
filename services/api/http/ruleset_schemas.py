"""The boards, actions, previews and options of each ruleset, as components of the API's description.

Every name begins with its ruleset's and the version, as rulesets share names and a client may know several of them:
`ChariotRace1Move` is a move of `chariot-race@1`. Five components bring all rulesets together.
"""

import json
from collections.abc import Sequence
from typing import Any

import msgspec

from domain.ruleset.kit import Described, Kit
from domain.rulesets.released import KITS
from services.api.http.field_words import describe_structs, read_general_table, read_ruleset_table

PREFIX = "#/components/schemas/"
BOARD, CHOICES, ACTION, PREVIEW, OPTIONS = (
    f"Ruleset{role}" for role in ("Board", "Choices", "Action", "Preview", "Options")
)
_TOLD = {
    BOARD: "The game's `ruleset` says which of these it is.",
    CHOICES: "The game's `ruleset` says which of these it is, and `kind` which kind of decision it answers. "
    "Choices are there for the token of their own seat alone.",
    ACTION: "The game's `ruleset` says which of these it must be. It has every field, null where there is "
    "nothing, and may be spelled in any way. To seal or sign it, take its canonical form (RFC 8785). In Python: "
    "`json.dumps(action, sort_keys=True, separators=(',', ':'))`.",
    PREVIEW: "The game's `ruleset` says which of these it is.",
    OPTIONS: "`ruleset` says which of these it must be. Options that are left out get their defaults.",
}
_ROLES = {BOARD: "boards", CHOICES: "choices", ACTION: "actions", PREVIEW: "previews", OPTIONS: "options"}
# Where a route's own type states `Any`, as it serves every ruleset. A game that has not started has no board.
HELD: Sequence[tuple[str, str, Any]] = (
    ("GameShown", "board", {"oneOf": [{"$ref": f"{PREFIX}{BOARD}"}, {"type": "null"}]}),
    ("GameShown", "choices", {"type": "object", "additionalProperties": {"$ref": f"{PREFIX}{CHOICES}"}}),
    ("Previewed", "effect", {"$ref": f"{PREFIX}{PREVIEW}"}),
)


def describe_rulesets(kits: Sequence[Kit] = KITS) -> dict[str, Any]:
    """Return the components of all rulesets, by name. They are the release's, as types do not depend on decks."""
    found = {name: schema for kit in kits for name, schema in _describe(kit.ruleset, kit.folder).items()}
    # Actions of two rulesets may look alike; boards and the others never fit two at once: clients distinguish them.
    for name, text in _TOLD.items():
        word = "oneOf" if name == BOARD else "anyOf"
        found[name] = {word: [_refer(_name_of(kit.ruleset, name)) for kit in kits], "description": text}
    return found


def _describe(ruleset: type[Described], folder: str) -> dict[str, Any]:
    roles = {
        BOARD: ruleset.view_type,
        CHOICES: ruleset.choices_type,
        ACTION: ruleset.action_type,
        PREVIEW: ruleset.preview_type,
        OPTIONS: ruleset.options_type,
    }
    prefix = _name_of(ruleset, "")
    tops, parts = msgspec.json.schema_components(list(roles.values()), ref_template=f"{PREFIX}{prefix}{{name}}")
    parts = describe_structs(parts, roles.values(), [read_ruleset_table(folder), read_general_table()])
    named = {f"{prefix}{name}": schema for name, schema in parts.items()}
    for role, top in zip(roles, tops, strict=True):
        name = _name_of(ruleset, role)
        assert name not in named, f"{name} is the name of a struct too"
        # One component, not one that only refers to the other: generators would name a class twice.
        if "$ref" in top:
            named = _rename(named, top["$ref"].removeprefix(PREFIX), name)
        else:
            named[name] = {**top, "description": f"The kinds of {_ROLES[role]} of `{ruleset.name}@{ruleset.version}`."}
    return named


def _rename(schemas: dict[str, Any], old: str, new: str) -> dict[str, Any]:
    """Return the components with one under another name, wherever they refer to it."""
    text = json.dumps({**schemas, new: schemas[old]}).replace(f'"{PREFIX}{old}"', f'"{PREFIX}{new}"')
    renamed: dict[str, Any] = json.loads(text)
    del renamed[old]
    return renamed


def _name_of(ruleset: type[Described], name: str) -> str:
    words = "".join(word.capitalize() for word in ruleset.name.split("-"))
    return f"{words}{ruleset.version}{name}"


def _refer(name: str) -> dict[str, str]:
    return {"$ref": f"{PREFIX}{name}"}
