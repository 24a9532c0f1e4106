"""A ruling as it is typed, and the fields of the event that it becomes."""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Final

import typer
from msgspec import Struct

from services.reading.tournaments.ruling_forms import FieldKind, RulingField, RulingForm, list_ruling_forms
from spina_client.formats import Json
from spina_client.tournament_seen import EntrySeen, Pairings, TableSeen

NO_PLACE = "-"
# The option that asks for a field; a number has one of its own name.
OPTIONS: Final[Mapping[FieldKind, str]] = {
    "entrant": "entrant",
    "group": "entrant",
    "seats": "entrant",
    "round": "round",
    "table": "table",
    "all_tables": "table",
    "ranking": "places",
    "seating": "seats",
    "choice": "choice",
}
SEVERAL: Final = ("group", "seats")


class AskingRefused(Exception):
    """The typed ruling does not fit the tournament."""


class RulingAsked(Struct, frozen=True, kw_only=True):
    """A typed ruling; an option that was not given is None, or empty. `secret` is for the link of a ruling with one."""

    ruling: str
    reason: str
    secret: bytes = b""
    entrants: tuple[str, ...] = ()
    round: int | None = None
    table: int | None = None
    points: int | None = None
    minutes: int | None = None
    places: str | None = None
    seats: str | None = None
    choice: str | None = None
    helper: int | None = None


def find_form(ruling: str) -> RulingForm:
    """Find the kind of a ruling by its type."""
    forms = {form.ruling: form for form in list_ruling_forms().items}
    if ruling not in forms:
        raise typer.BadParameter(f"expected one of {', '.join(forms)}, found {ruling}")
    return forms[ruling]


def has_link(ruling: str) -> bool:
    """Return whether a ruling gives a link to somebody."""
    return any(field.kind == "link" for field in find_form(ruling).fields)


def check_ruling(asked: RulingAsked) -> None:
    """Refuse the parameters unless they are just those of the ruling."""
    fields = [field for field in find_form(asked.ruling).fields if field.kind != "link"]
    takes = list(dict.fromkeys(map(_name_option, fields)))
    optional = {_name_option(field) for field in fields if field.kind == "all_tables"}
    options = {
        name: getattr(asked, name) for name in (*OPTIONS.values(), "points", "minutes", "helper") if name != "entrant"
    }
    given = {name for name, value in {**options, "entrant": asked.entrants or None}.items() if value is not None}
    if not set(takes) - optional <= given <= set(takes):
        found = _list_options(sorted(given)) if given else "none"
        raise typer.BadParameter(f"{asked.ruling} takes {_list_options(takes)}, found {found}")
    if len(asked.entrants) > 1 and not any(field.kind in SEVERAL for field in fields):
        raise typer.BadParameter(f"{asked.ruling} takes one --entrant, found {len(asked.entrants)}")


def build_fields(asked: RulingAsked, entrants: Sequence[EntrySeen], pairings: Pairings) -> dict[str, Json]:
    """Build the fields of the event. Raises AskingRefused for names and places that are none."""
    fields: dict[str, Json] = {"reason": asked.reason}
    for field in find_form(asked.ruling).fields:
        fields |= _build_field(field, asked, entrants, pairings)
    return fields


def _build_field(
    field: RulingField, asked: RulingAsked, entrants: Sequence[EntrySeen], pairings: Pairings
) -> dict[str, Json]:
    match field.kind:
        case "entrant":
            return {field.name: _find_entrant(asked.entrants[0], entrants)}
        case "group" | "seats":
            return {field.name: sorted({_find_entrant(typed, entrants) for typed in asked.entrants})}
        case "table":
            return {field.name: asked.table, "attempt": find_table(asked.round, asked.table, pairings).attempt}
        case "ranking":
            table = find_table(asked.round, asked.table, pairings)
            return {field.name: _read_places(asked.places or "", seats=len(table.seats))}
        case "seating":
            return {field.name: list(_read_seats(asked, entrants, pairings))}
        case "choice":
            values = [choice.value for choice in field.choices]
            if asked.choice not in values:
                raise AskingRefused(f"expected one of {', '.join(values)}, found {asked.choice}")
            return {field.name: asked.choice}
        case "link":
            return {field.name: sha256(asked.secret).hexdigest()}
        case "round" | "all_tables" | "number" | "helper":
            return {field.name: getattr(asked, _name_option(field))}


def _name_option(field: RulingField) -> str:
    return OPTIONS.get(field.kind, field.name)


def _read_seats(asked: RulingAsked, entrants: Sequence[EntrySeen], pairings: Pairings) -> Sequence[Json]:
    """Read "1:Ada,Bob;2:" as Ada and Bob at table 1, in this order, and nobody at table 2."""
    tables: dict[int, Json] = {}
    for part in (asked.seats or "").split(";"):
        number, colon, names = (piece.strip() for piece in part.partition(":"))
        if not (colon and number.isascii() and number.isdecimal()):
            raise AskingRefused(f"expected tables as 1:Ada,Bob;2:Cleo,Dan, found {asked.seats}")
        seated = [_find_entrant(name.strip(), entrants) for name in names.split(",") if name.strip()]
        attempt = find_table(asked.round, int(number), pairings).attempt
        tables[int(number)] = {"table": int(number), "attempt": attempt, "entrants": list[Json](seated)}
    return [tables[number] for number in sorted(tables)]


def find_table(round_: int | None, number: int | None, pairings: Pairings) -> TableSeen:
    tables = [table for item in pairings.items if item.round == round_ for table in item.tables]
    found = next((table for table in tables if table.table == number), None)
    if found is None:
        raise AskingRefused(f"expected a table that was drawn, found round {round_}, table {number}")
    return found


def _find_entrant(typed: str, entrants: Sequence[EntrySeen]) -> int:
    """Return the number that was typed, or of the only one who is called so, in capitals or not."""
    if typed.isascii() and typed.isdecimal():
        return int(typed)
    named = [entrant for entrant in entrants if entrant.name is not None]
    found = [entry.entrant for entry in named if entry.name == typed]
    found = found or [entry.entrant for entry in named if (entry.name or "").casefold() == typed.casefold()]
    if len(found) != 1:
        count = "nobody" if not found else f"{len(found)} of them; take the number"
        raise AskingRefused(f"expected one entrant called {typed}, found {count}")
    return found[0]


def _read_places(text: str, *, seats: int) -> Json:
    """Read "2,1,-" as seat 0 second, seat 1 first, seat 2 nowhere; who has no place is never left to be guessed."""
    places = [part.strip() for part in text.split(",")]
    if not all(place == NO_PLACE or (place.isascii() and place.isdecimal()) for place in places):
        raise AskingRefused(f"expected a place for each seat, such as 2,1,3, found {text}")
    if len(places) != seats:
        raise AskingRefused(f"expected {seats} places, {NO_PLACE} for a seat without one, found {len(places)}")
    return [{"place": int(place), "seat": seat} for seat, place in enumerate(places) if place != NO_PLACE]


def _list_options(names: Sequence[str]) -> str:
    return ", ".join(f"--{name}" for name in names)
