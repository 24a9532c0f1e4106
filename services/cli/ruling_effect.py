"""What a ruling would change, told before anybody rules: computed from what a server shows, nothing is sent."""

from collections.abc import Callable, Mapping, Sequence

import msgspec

from clients.demonstrations.tournament import CupShown
from domain.canonical import Json
from domain.ruleset.decision import Placing
from domain.tournament.contender import Entrant
from domain.tournament.scoring import Scored, score_table
from services.reading.tournaments.reasons import list_names
from services.reading.tournaments.rulings import NO_POINTS_CHANGED, tell_places
from services.reading.tournaments.shown import TableShown

Name = Callable[[Entrant], str]
FOR_EVER = "It stays in the log for ever, with its reason; nothing takes it back but another ruling."


def tell_effects(ruling: str, fields: Mapping[str, Json], cup: CupShown) -> list[str]:
    """Tell what a ruling with these fields would do to a table and to points, and that it stays."""
    names = {each.entrant: each.name for each in cup.standings.items}

    def name(entrant: Entrant) -> str:
        return f"{names.get(entrant) or 'nobody'} (entrant {entrant})"

    match ruling:
        case "points_ruled":
            whom, points = _read_number(fields["entrant"]), _read_number(fields["points"])
            return [_tell_points({whom: points}, cup, name), FOR_EVER]
        case "entrant_removed":
            gone = name(_read_number(fields["entrant"]))
            told = (
                f"{gone} is drawn no more, and keeps its points; a table that waits for it is drawn again without it."
            )
            return [told, FOR_EVER]
        case "no_show_told":
            absent = list_names([name(each) for each in msgspec.convert(fields["entrants"], tuple[int, ...])])
            return [f"The table is drawn again without {absent}.", FOR_EVER]
        case _:
            return [*_tell_table(ruling, fields, cup, name), FOR_EVER]


def _tell_table(ruling: str, fields: Mapping[str, Json], cup: CupShown, name: Name) -> list[str]:
    table = _find_table(cup, _read_number(fields["round"]), _read_number(fields["table"]))
    after: tuple[Scored, ...] = ()
    if ruling == "result_replaced":
        ranking = msgspec.convert(fields["ranking"], tuple[Placing, ...])
        after = score_table([seat.entrant for seat in table.seats], ranking, cup.tournament.terms.points)
    seated = [seat.entrant for seat in table.seats]
    told = [f"The table counts now: {tell_places(table.scored, seated, name)}."]
    if ruling == "table_replayed":
        told.append("It is drawn again and counts nothing until that game is over.")
    else:
        told.append(f"Then it counts: {tell_places(after, seated, name)}.")
    gained: dict[Entrant, int] = {}
    for sign, scored in ((-1, table.scored), (1, after)):
        for each in scored:
            gained[each.entrant] = gained.get(each.entrant, 0) + sign * each.points
    return [*told, _tell_points(gained, cup, name)]


def _tell_points(gained: Mapping[Entrant, int], cup: CupShown, name: Name) -> str:
    before = {each.entrant: each.points for each in cup.standings.items}
    changes: Sequence[str] = [
        f"{name(each)} {before[each]} → {before[each] + points}"
        for each, points in gained.items()
        if points and each in before
    ]
    return f"Points in all: {', '.join(changes)}." if changes else NO_POINTS_CHANGED


def _find_table(cup: CupShown, round_: int, number: int) -> TableShown:
    return next(
        table for each in cup.pairings.items if each.round == round_ for table in each.tables if table.table == number
    )


def _read_number(value: Json) -> int:
    return msgspec.convert(value, int)
