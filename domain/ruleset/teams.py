"""Teams of any game: the letter of each seat, and the result of a team by all that its seats bring home.

A ruleset has teams by an option `teams` of the type `Teams`; pages and verifiers read the letters from the options.
"""

import re
from collections.abc import Collection, Sequence
from fractions import Fraction
from typing import Annotated, Any

from msgspec import Meta, Struct, UnsetType

from domain.ids import Seat
from domain.rejection import IllegalAction
from domain.ruleset.by_seat import read_seat

TEAMS_PATTERN = r"^[A-L]{2,12}$(?!\n)"
# A letter for each seat of the largest game.
Teams = Annotated[
    str,
    Meta(
        pattern=TEAMS_PATTERN,
        description="the team of each seat from seat 0 on, a letter each, from the first again where seats are more",
        extra_json_schema={"format": "team-by-seat"},
    ),
]
# Something of a seat that comes home by itself, such as a chariot, and where it stands: the least is the best.
Unit = tuple[Seat, Any]
AHEAD_POINTS, LEVEL_POINTS = 2, 1
TEAMS_MIN = 2


class UnfitTeams(IllegalAction):
    """All seats are in one team."""

    code = "unfit-teams"


class TeamResult(Struct, frozen=True, kw_only=True):
    """A team's place, and its points of those that all comparisons of its units with rival units are worth."""

    team: str
    seats: tuple[Seat, ...]
    place: int
    points: int
    points_max: int


def team_of(teams: str, seat: Seat) -> str:
    """Return the letter of a seat's team."""
    return read_seat(teams, seat)


def are_mates(teams: str | UnsetType | None, seat: Seat, other: Seat) -> bool:
    """Return whether two seats race together: the same seat, or two of one team."""
    return seat == other or (isinstance(teams, str) and team_of(teams, seat) == team_of(teams, other))


def find_team(option: object, seats: Sequence[Seat]) -> str | None:
    """Find the one team of these seats by the option of a log that may be anybody's; None where there is none."""
    if not isinstance(option, str) or not re.search(TEAMS_PATTERN, option):
        return None
    letters = {team_of(option, seat) for seat in seats}
    return letters.pop() if len(letters) == 1 else None


def check_teams(teams: str, seats: Sequence[Seat]) -> None:
    """Check that these seats are of two teams at least; raise UnfitTeams."""
    letters = {team_of(teams, seat) for seat in seats}
    if len(letters) < TEAMS_MIN:
        raise UnfitTeams(expected=f"at least {TEAMS_MIN} teams", found=f"{len(seats)} seats in team {letters.pop()}")


def rank_teams(
    teams: str, units: Sequence[Unit], withdrawn: Collection[Seat], *, first: int = 1
) -> tuple[TeamResult, ...]:
    """Rank teams by the share of their comparisons that they win, equal shares by the best unit; the best first.

    A team whose seats have all withdrawn stands behind the others. `first` is the best place that is given.
    """
    compared = sorted(
        _compare_team(teams, team, units, withdrawn) for team in {team_of(teams, seat) for seat, _ in units}
    )
    return tuple(
        TeamResult(
            team=team,
            seats=seats,
            place=first + sum(before < order for before, *_ in compared),
            points=points,
            points_max=points_max,
        )
        for order, team, seats, points, points_max in compared
    )


def _compare_team(
    teams: str, team: str, units: Sequence[Unit], withdrawn: Collection[Seat]
) -> tuple[tuple[bool, Fraction, Any], str, tuple[Seat, ...], int, int]:
    """Return how a team stands, the least first, and its letter, seats, points and most points."""
    own = [unit for unit in units if team_of(teams, unit[0]) == team]
    rivals = [standing for seat, standing in units if team_of(teams, seat) != team]
    points = sum(_compare(standing, rival) for _, standing in own for rival in rivals)
    points_max = AHEAD_POINTS * len(own) * len(rivals)
    seats = tuple(sorted({seat for seat, _ in own}))
    is_gone = all(seat in withdrawn for seat in seats)
    order = is_gone, -Fraction(points, points_max), min(standing for _, standing in own)
    return order, team, seats, points, points_max


def _compare(standing: Any, rival: Any) -> int:
    return AHEAD_POINTS if standing < rival else LEVEL_POINTS if standing == rival else 0
