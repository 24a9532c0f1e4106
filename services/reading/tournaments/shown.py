"""A tournament as it is shown: the one place that computes it, for the API, for pages and for exports alike.

Functions of the folded log and the players' names alone: a reader of the log can do it again.
"""

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import asdict

from domain.ids import LineHash, PlayerId, StreamVersion, TournamentId
from domain.log.record import format_at
from domain.log.state import is_over
from domain.tournament.contender import Entrant, Wish
from domain.tournament.door import find_door
from domain.tournament.entering import has_place
from domain.tournament.events import TournamentOpened
from domain.tournament.formats import takes_late_entries
from domain.tournament.scores import is_complete, list_standings
from domain.tournament.scoring import Scored
from domain.tournament.standings import Standing, TieBreak
from domain.tournament.state import (
    Change,
    Left,
    Ruled,
    Tournament,
)
from domain.tournament.subjects import Subject, find_subject
from domain.tournament.teams import list_teams, rank_teams
from services.reading.tournaments.attendance import list_attendance
from services.reading.tournaments.desk import (
    AnnouncementShown,
    CallShown,
    HelperShown,
    LookShown,
    Who,
    list_announcements,
    list_calls,
    list_helpers,
    list_looks,
    name_author,
    show_who,
)
from services.reading.tournaments.pairings import RoundStatus, find_round_status
from services.reading.tournaments.sentences import Names, name_entrant, tell_ruling


class RulingShown(Subject, frozen=True, kw_only=True):
    """A ruling and its subject; `by_name` is the name of its author, `told` all of it in words.

    `changes` is its effect on the points of then. `scored` is the table's count right after a result was replaced,
    `scored_before` its count until then.
    """

    line: StreamVersion
    at: str
    type: str
    by: str
    by_name: str | None
    reason: str
    changes: tuple[Change, ...]
    scored: tuple[Scored, ...]
    scored_before: tuple[Scored, ...]
    told: str


class TournamentShown(Struct, frozen=True, kw_only=True):
    """`round` is the one that was called last, 0 before the first; `at` is when the last line was written.

    `takes_entries` states whether entries are open, `is_complete` whether no round of the format is left. `held_round`
    is the round whose draw waits for an organiser, 0 for none. `paused_at` is since when the round is paused, or null.
    """

    id: TournamentId
    version: StreamVersion
    head: LineHash
    at: str
    name: str
    ruleset: str
    status: Literal["open", "running", "finished", "aborted"]
    opened_by: str
    terms: TournamentOpened
    entries: int
    are_entries_closed: bool
    takes_entries: bool
    is_complete: bool
    is_witnessed: bool
    round: int
    round_status: RoundStatus | None
    rulings: tuple[RulingShown, ...]
    announcements: tuple[AnnouncementShown, ...]
    calls: tuple[CallShown, ...]
    helpers: tuple[HelperShown, ...]
    looks: tuple[LookShown, ...]
    wishes: tuple[Wish, ...]
    held_round: int
    paused_at: str | None


class TeamShown(Struct, frozen=True, kw_only=True):
    """A team: its letter, in the order of founding, and its name."""

    letter: str
    name: str


class EntrantShown(Who, frozen=True, kw_only=True):
    """`last_link` is the one disclosed last, or the anchor; the next one is owed at a check-in while any are left.

    `from_round` is later than 1 for a late entrant; `missed` are rounds without a check-in in time, `no_shows` those
    it was drawn in and did not come to; `is_checked_in` is of the round that goes on. `is_handed` states whether the
    holder of a link may go on with the entry from another device.
    """

    left: Left | None
    from_round: int
    missed: tuple[int, ...]
    no_shows: tuple[int, ...]
    is_checked_in: bool
    is_handed: bool
    team: TeamShown | None
    key: str | None
    last_link: str | None
    links_left: int


class Entrants(Struct, frozen=True, kw_only=True):
    tournament: TournamentId
    version: StreamVersion
    items: tuple[EntrantShown, ...]


class Number(Struct, frozen=True, kw_only=True):
    """A tie-break and its number; higher is better."""

    name: TieBreak
    value: int


class StandingShown(Who, frozen=True, kw_only=True):
    """`rounds` are the points of each round, in order.

    `progress` decides before the points where a format sends some on: how many steps an entrant came, and its points in
    the last of them. It is empty where it does not.
    """

    place: int
    progress: tuple[int, ...]
    points: int
    tie_breaks: tuple[Number, ...]
    rounds: tuple[int, ...]
    left: Left | None
    team: TeamShown | None


class TeamStandingShown(TeamShown, frozen=True, kw_only=True):
    """The place of a team by its best members, who are `entrants`, and their points, added up."""

    place: int
    points: int
    entrants: tuple[Who, ...]


class Standings(Struct, frozen=True, kw_only=True):
    """Best first, as of this version; they are the last word once the tournament is finished."""

    tournament: TournamentId
    version: StreamVersion
    rounds: int
    is_final: bool
    items: tuple[StandingShown, ...]
    teams: tuple[TeamStandingShown, ...]


def show_tournament(tournament: Tournament, names: Names) -> TournamentShown:
    opened = tournament.opened
    last = tournament.rounds[-1] if tournament.rounds else None
    return TournamentShown(
        id=tournament.id,
        version=tournament.version,
        head=tournament.head,
        at=format_at(tournament.at_ms),
        name=opened.name,
        ruleset=f"{opened.ruleset.name}@{opened.ruleset.version}",
        status=tournament.status,
        opened_by=tournament.opened_by,
        terms=opened,
        entries=len(tournament.entries),
        are_entries_closed=tournament.are_entries_closed,
        takes_entries=_takes_entries(tournament),
        is_complete=is_complete(tournament),
        is_witnessed=tournament.is_witnessed,
        round=len(tournament.rounds),
        round_status=None if last is None else find_round_status(last),
        rulings=tuple(show_ruling(tournament, ruling, names) for ruling in tournament.rulings),
        announcements=list_announcements(tournament, names),
        calls=list_calls(tournament, names),
        helpers=list_helpers(tournament, names),
        looks=list_looks(tournament, names),
        wishes=tournament.wishes,
        held_round=tournament.held_round,
        paused_at=None if last is None or last.paused_ms is None else format_at(last.paused_ms),
    )


def _takes_entries(tournament: Tournament) -> bool:
    opened = tournament.opened
    may_wait = find_door(opened.door).has_waiting_list is True
    is_open = not (tournament.are_entries_closed or is_over(tournament)) and (may_wait or has_place(tournament))
    return is_open and takes_late_entries(opened.format, len(tournament.rounds))


def show_ruling(tournament: Tournament, ruled: Ruled, names: Names) -> RulingShown:
    by_name = name_author(tournament, ruled.by, names)

    def name(entrant: Entrant) -> str:
        return name_entrant(tournament, entrant, names)

    told = tell_ruling(ruled, by=by_name or ruled.by, name=name)
    return RulingShown(
        **asdict(find_subject(ruled.event)),
        line=ruled.line,
        at=format_at(ruled.at_ms),
        type=ruled.type,
        by=ruled.by,
        by_name=by_name,
        reason=ruled.reason,
        changes=ruled.changes,
        scored=ruled.scored,
        scored_before=ruled.scored_before,
        told=told,
    )


def show_entrants(tournament: Tournament, names: Names) -> Entrants:
    attendance, teams = list_attendance(tournament), _find_teams(tournament)
    items = tuple(
        EntrantShown(
            **asdict(show_who(tournament, number, names)),
            **asdict(attendance[number]),
            left=entry.left,
            is_handed=entry.handed is not None,
            team=teams.get(number),
            key=entry.key,
            last_link=None if entry.links is None else entry.links.last,
            links_left=0 if entry.links is None else entry.links.left,
        )
        for number, entry in enumerate(tournament.entries)
    )
    return Entrants(tournament=tournament.id, version=tournament.version, items=items)


def show_standings(tournament: Tournament, names: Names) -> Standings:
    tie_breaks, teams, standings = tournament.opened.tie_breaks, _find_teams(tournament), list_standings(tournament)
    items = tuple(
        StandingShown(
            **asdict(show_who(tournament, standing.entrant, names)),
            place=standing.place,
            progress=standing.progress,
            points=standing.points,
            tie_breaks=tuple(
                Number(name=name, value=value) for name, value in zip(tie_breaks, standing.tie_breaks, strict=True)
            ),
            rounds=standing.rounds,
            left=tournament.entries[standing.entrant].left,
            team=teams.get(standing.entrant),
        )
        for standing in standings
    )
    return Standings(
        tournament=tournament.id,
        version=tournament.version,
        rounds=sum(round_.is_drawn for round_ in tournament.rounds),
        is_final=tournament.status == "finished",
        items=items,
        teams=_list_team_standings(tournament, standings, names),
    )


def _find_teams(tournament: Tournament) -> dict[Entrant, TeamShown]:
    """Find the teams of all entrants who have one."""
    shown = ((team, TeamShown(letter=team.letter, name=team.chosen.name)) for team in list_teams(tournament))
    return {entrant: each for team, each in shown for entrant in team.entrants}


def _list_team_standings(
    tournament: Tournament, standings: Sequence[Standing], names: Names
) -> tuple[TeamStandingShown, ...]:
    teams = list_teams(tournament)
    return tuple(
        TeamStandingShown(
            letter=teams[ranked.team].letter,
            name=teams[ranked.team].chosen.name,
            place=ranked.place,
            points=ranked.points,
            entrants=tuple(show_who(tournament, entrant, names) for entrant in ranked.entrants),
        )
        for ranked in rank_teams(tournament, standings)
    )


def list_people(tournament: Tournament) -> set[PlayerId]:
    """List whose names are shown: who entered, and who may rule or help."""
    organisers = {PlayerId(organiser) for organiser in tournament.opened.organisers}
    helpers = {helper.player for helper in tournament.helpers if helper.player is not None}
    return {entry.player for entry in tournament.entries} | organisers | helpers
