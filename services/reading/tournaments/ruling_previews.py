"""The preview of a ruling: the lines that it would add to the log, in the sentences of the log's rulings."""

from typing import Any

import msgspec
from msgspec import Struct

from domain.audit.findings import escape_unseen
from domain.ids import StreamVersion, TournamentId
from domain.log.enact import Decided
from domain.log.entry import Entry
from domain.tournament.contender import Entrant
from domain.tournament.events import (
    RoundClosed,
    RoundDrawn,
    StandingsTold,
    TableDrawn,
    TableScored,
    WalkoverGiven,
)
from domain.tournament.evolve import find_table
from domain.tournament.state import Tournament
from services.reading.tournaments.reasons import Names, list_names, name_entrant
from services.reading.tournaments.rulings import tell_places
from services.reading.tournaments.shown import RulingShown, show_ruling


class OutcomeShown(Struct, frozen=True, kw_only=True):
    """A line that would follow from the ruling by the terms: its type, its data, and both in a sentence."""

    type: str
    data: dict[str, Any]
    told: str


class RulingPreview(Struct, frozen=True, kw_only=True):
    """`version` is where the tournament stands; `ruling.line` is the version that the ruling would have.

    A draw of lots has no preview: after `round_drawn` with entrants in it, the lots and the tables are missing.
    """

    tournament: TournamentId
    version: StreamVersion
    ruling: RulingShown
    outcomes: tuple[OutcomeShown, ...]


def show_ruling_preview(decided: Decided[Tournament], names: Names) -> RulingPreview:
    ruling, *outcomes = decided.entries
    return RulingPreview(
        tournament=decided.state.id,
        version=StreamVersion(ruling.line.version - 1),
        ruling=show_ruling(decided.state, decided.state.rulings[-1], names),
        outcomes=tuple(_show_outcome(decided.state, entry, names) for entry in outcomes),
    )


def _show_outcome(tournament: Tournament, entry: Entry, names: Names) -> OutcomeShown:
    told = escape_unseen(_tell_outcome(tournament, entry.event, names))
    return OutcomeShown(type=entry.line.type, data=msgspec.to_builtins(entry.event), told=told)


def _tell_outcome(tournament: Tournament, event: Struct, names: Names) -> str:
    def name(entrant: Entrant) -> str:
        return name_entrant(tournament, entrant, names)

    match event:
        case TableScored(round=round_, table=number, scored=scored):
            seated = find_table(tournament, round_, number).entrants
            return f"Round {round_}, table {number} counts {tell_places(scored, seated, name)}."
        case TableDrawn(round=round_, table=number, seats=seats):
            seated_names = list_names([name(seat.entrant) for seat in seats])
            return f"Round {round_}, table {number} is drawn again with {seated_names}, in a new game."
        case WalkoverGiven(round=round_, table=number, entrants=()):
            return f"No entrant is left at round {round_}, table {number}: it counts nothing."
        case WalkoverGiven(round=round_, table=number, entrants=entrants, points=points):
            walk = "walks over and has" if len(entrants) == 1 else "walk over, and each has"
            left = list_names([name(each) for each in entrants])
            return f"Too few are left at round {round_}, table {number}: {left} {walk} {points} points."
        case RoundDrawn(round=round_, entrants=()):
            return f"Round {round_} is drawn without an entrant."
        case RoundDrawn(round=round_, entrants=entrants):
            return f"Round {round_} is drawn for {len(entrants)} entrants, with lots that are rolled only then."
        case StandingsTold(round=round_):
            return f"The standings after round {round_} are published."
        case RoundClosed(round=round_):
            return f"Round {round_} is closed."
        case _:
            raise AssertionError(f"no ruling is followed by {event}")
