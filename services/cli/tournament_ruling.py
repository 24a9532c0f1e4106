"""A ruling as it is typed, and the fields of the event that it becomes."""

from collections.abc import Sequence

import typer
from msgspec import Struct

from spina_client.formats import Json
from spina_client.tournament_seen import EntrySeen, Pairings, TableSeen

NO_PLACE = "-"
# The fields of each ruling, by the names of their options.
TAKES: dict[str, tuple[str, ...]] = {
    "points_ruled": ("entrant", "round", "points"),
    "result_replaced": ("round", "table", "places"),
    "game_voided": ("round", "table"),
    "table_replayed": ("round", "table"),
    "entrant_removed": ("entrant",),
    "no_show_told": ("round", "table", "entrant"),
}
TAKES_SEVERAL = "no_show_told"


class AskingRefused(Exception):
    """The typed ruling does not fit the tournament."""


class RulingAsked(Struct, frozen=True, kw_only=True):
    """A typed ruling; an option that was not given is None, or empty."""

    ruling: str
    reason: str
    entrants: tuple[str, ...]
    round: int | None
    table: int | None
    points: int | None
    places: str | None


def check_ruling(asked: RulingAsked) -> None:
    """Refuse the parameters unless they are just those of the ruling."""
    options = {
        "entrant": asked.entrants or None,
        "round": asked.round,
        "table": asked.table,
        "points": asked.points,
        "places": asked.places,
    }
    given = {name for name, value in options.items() if value is not None}
    if given != set(TAKES[asked.ruling]):
        found = _list_options(sorted(given)) if given else "none"
        raise typer.BadParameter(f"{asked.ruling} takes {_list_options(TAKES[asked.ruling])}, found {found}")
    if len(asked.entrants) > 1 and asked.ruling != TAKES_SEVERAL:
        raise typer.BadParameter(f"{asked.ruling} takes one --entrant, found {len(asked.entrants)}")


def build_fields(asked: RulingAsked, entrants: Sequence[EntrySeen], pairings: Pairings) -> dict[str, Json]:
    """Build the fields of the event. Raises AskingRefused for names and places that are none."""
    takes = TAKES[asked.ruling]
    fields: dict[str, Json] = {"reason": asked.reason}
    if "round" in takes:
        fields["round"] = asked.round
    if "points" in takes:
        fields["points"] = asked.points
    if "table" in takes:
        fields |= {"table": asked.table, "attempt": _find_table(asked, pairings).attempt}
    if "entrant" in takes:
        numbers = [_find_entrant(entrant, entrants) for entrant in asked.entrants]
        fields |= {"entrants": sorted(set(numbers))} if asked.ruling == TAKES_SEVERAL else {"entrant": numbers[0]}
    if "places" in takes:
        table = _find_table(asked, pairings)
        fields["ranking"] = _read_places(asked.places or "", seats=len(table.seats))
    return fields


def _find_table(asked: RulingAsked, pairings: Pairings) -> TableSeen:
    tables = [table for item in pairings.items if item.round == asked.round for table in item.tables]
    found = next((table for table in tables if table.table == asked.table), None)
    if found is None:
        raise AskingRefused(f"expected a table that was drawn, found round {asked.round}, table {asked.table}")
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
