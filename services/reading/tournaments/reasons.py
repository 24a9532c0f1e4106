"""The reasons of tables and byes, in sentences that a person can check against the numbers beside them.

They follow from the log alone, so that page, terminal and export give the same reasons at the same version.
"""

from collections.abc import Mapping, Sequence
from typing import assert_never

from domain.ids import PlayerId
from domain.tournament import events
from domain.tournament.contender import Entrant
from domain.tournament.pairing import Repeat
from domain.tournament.state import Bye, Round, Table, Tournament

Names = Mapping[PlayerId, str]

FIRST_ROUND = 1
SEATS_TOLD = "Seats: whoever sat late so far sits early, and the lower lot first where that is equal."
_TIMES = {0: "never", 1: "once", 2: "twice"}


def name_entrant(tournament: Tournament, entrant: Entrant, names: Names) -> str:
    """Return an entrant's name, or its number where no name is known."""
    return names.get(tournament.entries[entrant].player) or f"entrant {entrant}"


def list_names(names: Sequence[str]) -> str:
    """Enumerate: "Ada, Bob and Cleo"."""
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def tell_draw(tournament: Tournament, round_: Round, table: Table, names: Names) -> str:
    """Tell why those at a table sit there, the first draw first where it was drawn again."""
    told = [_tell_why(tournament, round_, table, why, names) for why in table.whys]
    return " ".join((*told, SEATS_TOLD))


def tell_bye(tournament: Tournament, round_: Round, bye: Bye) -> str:
    """Tell the reason of a bye, with the numbers of those who were in the draw with it."""
    sizes = tournament.opened.tables
    if not round_.tables:
        return f"Fewer were in the draw than the {sizes.min} that a table needs."
    of = f"of {sizes.min}" if sizes.min == sizes.max else f"of {sizes.min} to {sizes.max}"
    return (
        f"Tables {of} do not seat all who were in the draw. Out sits whoever did so least often "
        f"({_tell_times(bye.byes)} before), then has the lowest score ({bye.score}), then the highest lot ({bye.lot})."
    )


def _tell_why(tournament: Tournament, round_: Round, table: Table, why: events.Why, names: Names) -> str:
    match why:
        case events.DrawnByScore(repeats=repeats):
            how = f"Drawn by score, equal scores by lot: {_tell_scores(table)}."
            return f"{how} {_tell_meetings(tournament, round_, repeats, names)}"
        case events.DrawnByMeetings(repeats=repeats):
            how = "Drawn by lot among those who have met least, whatever they have scored."
            return f"{how} {_tell_meetings(tournament, round_, repeats, names)}"
        case events.DrawnByCircle(turn=turn, repeats=repeats):
            how = f"Turn {turn + 1} of the circle, in the order of the first round's lots, brings these two together."
            return f"{how} {_tell_meetings(tournament, round_, repeats, names)}"
        case events.DrawnAsFinal(repeats=repeats):
            how = "The final, of those who were best before it."
            return f"{how} {_tell_meetings(tournament, round_, repeats, names)}"
        case events.DrawnAgain(absent=absent):
            gone = list_names([name_entrant(tournament, each, names) for each in absent])
            return f"Drawn again without {gone}, who did not come or had left."
        case events.PlayedAgain(line=line):
            return f"Played again, as the ruling in line {line} says."
        case _:
            assert_never(why)


def _tell_scores(table: Table) -> str:
    points = [seat.points for seat in table.seats]
    low, high = min(points), max(points)
    return f"those who sit here had {low} points" if low == high else f"those who sit here had {low} to {high} points"


def _tell_meetings(tournament: Tournament, round_: Round, repeats: Sequence[Repeat], names: Names) -> str:
    if round_.number == FIRST_ROUND:
        return "It is the first round: nobody has met anybody."
    if not repeats:
        return "Nobody here has met before."
    told = [
        f"{list_names([name_entrant(tournament, each, names) for each in repeat.entrants])} have met "
        f"{_tell_times(repeat.times)} before"
        for repeat in repeats
    ]
    return f"{', '.join(told)}: no draw was found with fewer who meet again."


def _tell_times(count: int) -> str:
    return _TIMES.get(count, f"{count} times")
