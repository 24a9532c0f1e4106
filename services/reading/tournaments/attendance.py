"""Who was there: who came late, did not check in, or checked in and did not sit down; all from the folded log."""

from collections.abc import Iterator

from msgspec import Struct

from domain.tournament.contender import Entrant
from domain.tournament.state import Round, Tournament, WalkedOver, find_round


class Attendance(Struct, frozen=True, kw_only=True):
    """`from_round` is the first round an entrant could play in; later than 1 for an entrant after its call.

    `missed` are rounds it did not check in for in time, `no_shows` those it was drawn in and did not come to sit down.
    """

    from_round: int
    missed: tuple[int, ...]
    no_shows: tuple[int, ...]
    is_checked_in: bool


def list_attendance(tournament: Tournament) -> tuple[Attendance, ...]:
    """List who was there, by number."""
    rounds = tournament.rounds
    drawn = [round_ for round_ in rounds if round_.is_drawn]
    missed = {item.number: set(item.expected) - set(item.field) for item in drawn}
    no_shows = {item.number: set(_list_no_shows(item)) for item in drawn}
    going = find_round(tournament)
    here = set(going.checked_in) if going is not None else set()
    return tuple(
        Attendance(
            # At its call a round knows the points of all entrants of before.
            from_round=1 + sum(number >= len(round_.points) for round_ in rounds),
            missed=tuple(entrant for entrant in missed if number in missed[entrant]),
            no_shows=tuple(entrant for entrant in no_shows if number in no_shows[entrant]),
            is_checked_in=number in here,
        )
        for number in range(len(tournament.entries))
    )


def _list_no_shows(round_: Round) -> Iterator[Entrant]:
    """Go through those who were drawn and sit nowhere now, or whose table was walked over without them."""
    seated = {bye.entrant for bye in round_.byes}
    for table in round_.tables:
        came = table.status.entrants if isinstance(table.status, WalkedOver) else table.entrants
        seated.update(came)
    yield from (entrant for entrant in round_.field if entrant not in seated)
