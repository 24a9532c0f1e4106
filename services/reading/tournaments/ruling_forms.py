"""The kinds of rulings as a form asks for them: built from their events, so that a new kind appears by itself."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Annotated, Any, Final, Literal, get_args, get_origin

from msgspec import Meta, Struct
from msgspec.structs import FieldInfo, fields

from domain.ids import Hex32Field
from domain.log.events import Reason
from domain.ruleset.decision import Placing
from domain.tournament.events import NoShowTold, Ruling
from domain.tournament.fields import AttemptField, EntrantField, RoundField, TableField
from domain.tournament.role_events import HelperField, Role
from domain.tournament.roles import ROLES
from domain.tournament.ruling_events import RULING_TYPES, SeatedTable
from infra.ruleset_files import read_tournament_words

# `seats` are several who sit at the table, `group` several of all; `all_tables` may be left out for every table;
# `link` is the hash of a secret that the form makes and shows once, `helper` the number of one.
FieldKind = Literal[
    "entrant",
    "group",
    "seats",
    "round",
    "table",
    "all_tables",
    "ranking",
    "seating",
    "choice",
    "number",
    "link",
    "helper",
]
# By the type of a field; lists of entrants differ by whether the ruling names a table.
_KINDS: Final[Mapping[Any, FieldKind]] = {
    EntrantField: "entrant",
    RoundField: "round",
    TableField: "table",
    TableField | None: "all_tables",
    tuple[Placing, ...]: "ranking",
    tuple[SeatedTable, ...]: "seating",
    tuple[EntrantField, ...]: "group",
    Hex32Field: "link",
    HelperField: "helper",
}


class RulingChoice(Struct, frozen=True, kw_only=True):
    value: str
    label: str


class RulingField(Struct, frozen=True, kw_only=True):
    """`min` and `max` are those of a number, `choices` those of a choice."""

    name: str
    kind: FieldKind
    label: str
    min: int | None = None
    max: int | None = None
    choices: tuple[RulingChoice, ...] = ()


class RulingForm(Struct, frozen=True, kw_only=True):
    """A kind of ruling: its type, its name and effect in words, and its fields but for the reason.

    `roles` are the helpers who may rule so, beside the organisers.
    """

    ruling: str
    label: str
    note: str
    fields: tuple[RulingField, ...]
    roles: tuple[Role, ...]


class RulingForms(Struct, frozen=True, kw_only=True):
    items: tuple[RulingForm, ...]


@cache
def list_ruling_forms() -> RulingForms:
    """List all kinds of rulings, in the order of their words."""
    events: dict[str, type[Ruling]] = {**RULING_TYPES, "no_show_told": NoShowTold}
    words = read_tournament_words().tables
    return RulingForms(
        items=tuple(
            RulingForm(
                ruling=tag,
                label=label,
                note=words["ruling_notes"][tag],
                fields=tuple(_list_fields(events[tag], words["ruling_fields"], words["ruling_choices"])),
                roles=tuple(sorted(ROLES[events[tag]])),
            )
            for tag, label in words["rulings"].items()
        )
    )


def _list_fields(event: type[Ruling], labels: Mapping[str, str], choices: Mapping[str, str]) -> Iterator[RulingField]:
    has_table = any(field.type == TableField for field in fields(event))
    for field in fields(event):
        # A form asks for the reason last, and a draw of a table is the last one.
        if field.type in {Reason, Reason | None, AttemptField}:
            continue
        kind = _find_kind(field)
        if kind == "group" and has_table:
            kind = "seats"
        low, high = _find_range(field.type) if kind == "number" else (None, None)
        yield RulingField(
            name=field.name,
            kind=kind,
            label=labels.get(field.name, ""),
            min=low,
            max=high,
            choices=tuple(RulingChoice(value=value, label=choices[value]) for value in _list_values(field.type)),
        )


def _find_kind(field: FieldInfo) -> FieldKind:
    if _list_values(field.type):
        return "choice"
    return next((_KINDS[type_] for type_ in (field.type, _strip(field.type)) if type_ in _KINDS), "number")


def _list_values(type_: Any) -> tuple[str, ...]:
    return get_args(type_) if get_origin(type_) is Literal else ()


def _strip(type_: Any) -> Any:
    """Return a type without the bounds of its length."""
    return get_args(type_)[0] if get_origin(type_) is Annotated else type_


def _find_range(type_: Any) -> tuple[int | None, int | None]:
    metas = [meta for meta in get_args(type_)[1:] if isinstance(meta, Meta)]
    low = next((int(meta.ge) for meta in metas if meta.ge is not None), None)
    return low, next((int(meta.le) for meta in metas if meta.le is not None), None)
