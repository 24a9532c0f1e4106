"""What an organiser should look at in a draw: wishes that are not kept, repeated meetings, and second byes."""

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from domain.tournament.contender import Entrant, list_unkept
from domain.tournament.pairing import list_repeats
from domain.tournament.scores import count_byes, count_meetings
from domain.tournament.state import Round, Tournament, list_present
from domain.tournament.teams import list_wishes
from services.reading.tournaments.sentences import Names, tell_warning

# The worst first: a wish that holds always, then one for where the draw allows it, a second bye, a repeat.
Level = Literal["serious", "notable"]


class Warned(Struct, frozen=True, kw_only=True):
    """`table` is null for a bye."""

    level: Level
    table: int | None
    entrants: tuple[Entrant, ...]
    told: str


def list_warnings(tournament: Tournament, round_: Round, names: Names) -> tuple[Warned, ...]:
    """List the warnings of a round that is drawn, the serious ones first."""
    found = [*_list_unkept(tournament, round_, names), *_list_byes(tournament, round_, names)]
    found += _list_repeats(tournament, round_, names)
    return tuple(sorted(found, key=lambda warned: warned.level != "serious"))


def _list_unkept(tournament: Tournament, round_: Round, names: Names) -> Iterator[Warned]:
    tables = [list_present(table) for table in round_.tables]
    at = {entrant: number for number, table in enumerate(tables, start=1) for entrant in table}
    for wish, one, other in list_unkept(tables, list_wishes(tournament)):
        about = {"wish": wish.kind, "entrants": [one, other], "line": wish.line}
        level: Level = "notable" if wish.kind.endswith("if_possible") else "serious"
        told = tell_warning(tournament, "unkept", about, names)
        yield Warned(level=level, table=at[one], entrants=(one, other), told=told)


def _list_byes(tournament: Tournament, round_: Round, names: Names) -> Iterator[Warned]:
    byes = count_byes(tournament)
    for bye in round_.byes:
        if byes[bye.entrant] > 1:
            about = {"entrant": bye.entrant, "byes": byes[bye.entrant]}
            told = tell_warning(tournament, "byes", about, names)
            yield Warned(level="notable", table=None, entrants=(bye.entrant,), told=told)


def _list_repeats(tournament: Tournament, round_: Round, names: Names) -> Iterator[Warned]:
    before = count_meetings(tournament, before=round_.number)
    for table in round_.tables:
        for repeat in list_repeats(list_present(table), before):
            about = {"entrants": list(repeat.entrants), "times": repeat.times}
            told = tell_warning(tournament, "repeat", about, names)
            yield Warned(level="notable", table=table.number, entrants=repeat.entrants, told=told)
