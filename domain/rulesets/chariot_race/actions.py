"""The answers of a seat. Every field is always present; the chapters state which answer is legal when."""

from typing import Annotated

from msgspec import Meta, Struct

from domain.rulesets.chariot_race.components import Colour, Face

# The longest path has a space for each point of speed. Boards with a longer speed track would need a longer path.
PATH_MAX = 40
DiePlace = Annotated[int, Meta(ge=0, le=4)]
Name = Annotated[str, Meta(max_length=16)]


class Pass(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="pass"):
    """No repair, no free re-roll, no (more) manipulation, no (more) attack."""


class Repair(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="repair"):
    pass


class Reroll(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="reroll"):
    """Throw these dice again, ascending from 0: once for free, later for Fate."""

    dice: Annotated[tuple[DiePlace, ...], Meta(min_length=1, max_length=5)]


class TurnDie(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="turn_die"):
    die: DiePlace
    face: Face


class Move(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="move"):
    """How many ± dice count as minus one, and the path: one letter for each space entered, naming its lane (i, m, o).

    Movement is certain, so a path ends where the chariot is wrecked.
    """

    minuses: Annotated[int, Meta(ge=0, le=5)]
    path: Annotated[
        str, Meta(pattern=f"^[imo]{{0,{PATH_MAX}}}$", description=f"at most {PATH_MAX} letters of i, m and o")
    ]


class DropCaltrop(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="drop_caltrop"):
    space: Name


class ThrowJavelin(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="throw_javelin"
):
    chariot: Colour


class ChooseBoard(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="choose_board"):
    colour: Colour


class ChoosePlace(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="choose_place"):
    """A marked space of the grid, 1 to 6."""

    place: Annotated[int, Meta(ge=1, le=6)]


Action = Pass | Repair | Reroll | TurnDie | Move | DropCaltrop | ThrowJavelin | ChooseBoard | ChoosePlace
