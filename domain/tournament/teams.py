"""Teams of entrants: founded and joined at entry, seated by the terms, and ranked by their best members.

A team counts the points of its `counting` best members by the standings. Equal teams rank by the places of these
members, the best first, where a member too few stands behind all; teams that are still equal share a place.
"""

from collections.abc import Sequence
from hashlib import sha256

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import fields

from domain.canonical import Json
from domain.log.opening import check_options
from domain.log.rejections import UnfitEvent
from domain.ruleset.ruleset import AnyRuleset
from domain.tournament import rejections
from domain.tournament.contender import Entrant, Wish
from domain.tournament.events import TournamentOpened
from domain.tournament.standings import Standing
from domain.tournament.state import Tournament
from domain.tournament.team_events import TeamChosen, TeamStanding

CODE_LABEL = b"spina/team-code/v1\x00"
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
# The line of the terms, by which mates sit apart or together.
TERMS_LINE = 1
# Of every ruleset whose games have teams.
OPTION = "teams"


class Team(Struct, frozen=True, kw_only=True):
    """A team by its number, with all who ever chose it, by number."""

    number: int
    chosen: TeamChosen
    entrants: tuple[Entrant, ...]

    @property
    def letter(self) -> str:
        """A to Z, then AA, AB and so on."""
        letter, rest = "", self.number + 1
        while rest:
            rest, digit = divmod(rest - 1, len(LETTERS))
            letter = LETTERS[digit] + letter
        return letter


def check_terms(opened: TournamentOpened, ruleset: AnyRuleset) -> None:
    """Check that no more members count than a team may have, and that games have teams where mates race as one."""
    terms, sizes = opened.teams, opened.tables
    if terms is UNSET:
        return
    if terms.counting > terms.members_max:
        found = f"{terms.counting} of {terms.members_max}"
        raise rejections.UnfitTournament(expected="at most as many members to count as a team may have", found=found)
    if terms.race_in_games is UNSET:
        return
    names = {field.name for field in fields(ruleset.options_type)}
    if not terms.race_in_games or OPTION not in names or opened.options.get(OPTION) is not None:
        expected = (
            f"race_in_games to be true, with a ruleset that has an option {OPTION}, which is not set; or left out"
        )
        raise rejections.UnfitTournament(expected=expected, found=f"{terms.race_in_games} with {ruleset.name}")
    for count in range(sizes.min, sizes.max + 1):
        check_options({**opened.options, OPTION: LETTERS[:2]}, ruleset, seats=(count,))


def build_options(opened: TournamentOpened, chosen: Sequence[TeamChosen | UnsetType]) -> dict[str, Json]:
    """Return the options of a table's game, where `chosen` are the teams of its seats.

    Teams have letters in the order of seats, and so has each seat without a mate; none where no two are mates, or all.
    """
    options, terms = dict(opened.options), opened.teams
    if terms is UNSET or terms.race_in_games is UNSET:
        return options
    keys = [place if team is UNSET else team.name for place, team in enumerate(chosen)]
    first = list(dict.fromkeys(keys))
    if 1 < len(first) < len(keys):
        options[OPTION] = "".join(LETTERS[first.index(key)] for key in keys)
    return options


def hash_code(code: str) -> str:
    """Return the hash of a team's code, as the log has it."""
    return sha256(CODE_LABEL + code.encode()).hexdigest()


def require_code(chosen: TeamChosen | UnsetType, shown: str | None) -> None:
    """Check that the code itself was shown, of which a choice has the hash."""
    if chosen is not UNSET and (shown is None or hash_code(shown) != chosen.code):
        found = "none" if shown is None else "another"
        raise rejections.CodeUnfit(expected="the code whose hash the choice of the team has", found=found)


def admit_choice(tournament: Tournament, chosen: TeamChosen | UnsetType) -> None:
    """Check that the team is new, or has room for one more who knows its code."""
    terms = tournament.opened.teams
    if chosen is UNSET:
        return
    if terms is UNSET:
        raise UnfitEvent(expected="no team, as this tournament has none", found=f"team {chosen.name}")
    team = next((team for team in list_teams(tournament) if _fold(team.chosen.name) == _fold(chosen.name)), None)
    if team is None:
        return
    if chosen != team.chosen:
        raise rejections.CodeUnfit(
            expected=f"the code of team {team.chosen.name}", found="another, or another spelling"
        )
    members = sum(tournament.entries[entrant].left in {None, "waiting"} for entrant in team.entrants)
    if members >= terms.members_max:
        raise rejections.TeamFull(expected=f"at most {terms.members_max} members", found="one more")


def list_teams(tournament: Tournament) -> tuple[Team, ...]:
    """List the teams in the order of their founding."""
    members: dict[TeamChosen, list[Entrant]] = {}
    for number, entry in enumerate(tournament.entries):
        if entry.team is not UNSET:
            members.setdefault(entry.team, []).append(number)
    return tuple(
        Team(number=number, chosen=chosen, entrants=tuple(entrants))
        for number, (chosen, entrants) in enumerate(members.items())
    )


def list_wishes(tournament: Tournament) -> tuple[Wish, ...]:
    """List all that a draw heeds: the wishes of organisers, and those for mates by the terms."""
    terms = tournament.opened.teams
    if terms is UNSET or terms.seating == "none":
        return tournament.wishes
    teams = list_teams(tournament)
    own = (
        Wish(entrants=team.entrants, kind=terms.seating, line=TERMS_LINE) for team in teams if len(team.entrants) > 1
    )
    return (*tournament.wishes, *own)


def rank_teams(tournament: Tournament, standings: Sequence[Standing]) -> tuple[TeamStanding, ...]:
    """Rank the teams by the standings of the entrants."""
    terms = tournament.opened.teams
    if terms is UNSET:
        return ()
    behind = len(standings) + 1
    ranked = []
    for team in list_teams(tournament):
        best = [standing for standing in standings if standing.entrant in team.entrants][: terms.counting]
        points, places = sum(standing.points for standing in best), tuple(standing.place for standing in best)
        order = (-points, places + (behind,) * (terms.counting - len(best)))
        ranked.append((order, team.number, points, places, tuple(standing.entrant for standing in best)))
    ranked.sort()
    return tuple(
        TeamStanding(
            place=1 + sum(before < order for before, *_ in ranked),
            team=number,
            points=points,
            places=places,
            entrants=who,
        )
        for order, number, points, places, who in ranked
    )


def _fold(name: str) -> str:
    return " ".join(name.casefold().split())
