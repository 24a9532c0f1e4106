"""Teams of entrants in the log: the terms, the choice of an entrant, and the ranking after a round."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from domain.ids import Hex32Field
from domain.log.events import REASON_PATTERN
from domain.tournament.contender import WISHED_MAX
from domain.tournament.fields import EntrantField
from domain.tournament.formats import ROUNDS_MAX

TEAM_NAME_CHARS_MAX = 40
# Wishes for mates, as an organiser may state them. Together where possible is none of them: a draw heeds it after
# meetings, so that mates would part for good once they had met.
Seating = Literal["apart", "apart_if_possible", "together", "none"]
TeamName = Annotated[str, Meta(min_length=1, max_length=TEAM_NAME_CHARS_MAX, pattern=REASON_PATTERN)]


class TeamTerms(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Teams of up to `members_max`, of which the best `counting` count; `seating` is how a draw treats mates.

    `none` seats mates as the draw falls. With `race_in_games`, which is true or left out, mates at one table race as a
    team of its game, by the ruleset's option `teams`.
    """

    members_max: Annotated[int, Meta(ge=2, le=WISHED_MAX)]
    counting: Annotated[int, Meta(ge=1, le=WISHED_MAX)]
    seating: Seating
    race_in_games: bool | UnsetType = UNSET


class TeamChosen(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The team of an entrant: the first to name a team founds it, by the hash of a code that its mates need."""

    name: TeamName
    code: Hex32Field


class TeamStanding(Struct, frozen=True, kw_only=True):
    """The place of a team, numbered from 0 in the order of founding; `entrants` count for it, the best first.

    `points` are theirs, added up, and `places` those of the standings.
    """

    place: Annotated[int, Meta(ge=1)]
    team: EntrantField
    points: int
    places: tuple[int, ...]
    entrants: tuple[EntrantField, ...]


class TeamsRanked(Struct, frozen=True, kw_only=True):
    """The ranking of teams after a round, the best first; as many lines of these as it takes."""

    round: Annotated[int, Meta(ge=0, le=ROUNDS_MAX)]
    teams: tuple[TeamStanding, ...]
