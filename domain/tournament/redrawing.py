"""The lines by which a table is drawn again, walked over or counted."""

from collections.abc import Sequence

from domain.derived_ids import derive_game
from domain.log.kind import Growth
from domain.ruleset.decision import Placing
from domain.tournament import draw_events, events
from domain.tournament.contender import Entrant
from domain.tournament.fields import ATTEMPTS_MAX
from domain.tournament.scoring import score_table, share_places
from domain.tournament.state import Table, Tournament, find_table


def draw_again(
    growth: Growth[Tournament], round_: int, number: int, seats: Sequence[draw_events.DrawnSeat], why: draw_events.Why
) -> None:
    """Draw a table once more with these seats."""
    tournament = growth.state
    attempt = find_table(tournament, round_, number).attempt + 1
    game = derive_game(tournament.id, round_=round_, table=number, attempt=attempt)
    drawn = events.TableDrawn(round=round_, table=number, attempt=attempt, game=game, seats=tuple(seats), why=why)
    growth.add(drawn)


def draw_without(growth: Growth[Tournament], round_: int, table: Table, absent: tuple[Entrant, ...]) -> None:
    """Draw a table again without some, or let those who are left walk over if they are too few."""
    opened = growth.state.opened
    seats = tuple(seat for seat in table.seats if seat.entrant not in absent)
    if len(seats) >= opened.tables.min and table.attempt < ATTEMPTS_MAX:
        draw_again(growth, round_, table.number, seats, draw_events.DrawnAgain(absent=absent))
        return
    give_walkover(growth, round_, table, absent=absent, entrants=tuple(seat.entrant for seat in seats))


def give_walkover(
    growth: Growth[Tournament],
    round_: int,
    table: Table,
    *,
    absent: tuple[Entrant, ...],
    entrants: tuple[Entrant, ...],
) -> None:
    """Let those who came share the first places of the table as it was drawn."""
    earned = growth.state.opened.points[str(len(table.seats))]
    growth.add(
        events.WalkoverGiven(
            round=round_,
            table=table.number,
            attempt=table.attempt,
            absent=absent,
            entrants=entrants,
            points=share_places(earned, 1, len(entrants)) if entrants else 0,
        )
    )


def draw_without_left(growth: Growth[Tournament], round_: int, number: int) -> None:
    """Draw a table again without those at it who have left the tournament."""
    table = find_table(growth.state, round_, number)
    left = tuple(sorted(entrant for entrant in table.entrants if growth.state.entries[entrant].left is not None))
    if left:
        draw_without(growth, round_, table, left)


def score(growth: Growth[Tournament], round_: int, number: int, ranking: Sequence[Placing]) -> None:
    """Count a table by a ranking of its seats; nothing where it is empty."""
    table = find_table(growth.state, round_, number)
    scored = score_table(table.entrants, ranking, growth.state.opened.points)
    growth.add(events.TableScored(round=round_, table=number, attempt=table.attempt, scored=scored))
