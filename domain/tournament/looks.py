"""Looks inside the delay: a line of the log for each table that a commentator or an organiser follows as it happens.

A look shows what spectators see later, and no hand. A commentator is not a player of the tournament.
"""

from msgspec.structs import replace

from domain.ids import GameId, OrganiserId, PlayerId
from domain.log.entry import Entry
from domain.log.rejections import UnfitEvent
from domain.tournament.rejections import CommentatorPlays
from domain.tournament.role_events import TableFollowed
from domain.tournament.roles import find_helper
from domain.tournament.settling import require_awaited
from domain.tournament.state import Look, Tournament, find_entrant, find_table


def admit_look(tournament: Tournament, followed: TableFollowed, by: str) -> None:
    """Check that there is a delay to look into, while the table waits for the result of this game."""
    if not tournament.opened.delay_s:
        raise UnfitEvent(expected="a tournament with a delay", found="one that shows each line at once")
    game = require_awaited(tournament, followed).game
    if has_looked(tournament, by, game):
        raise UnfitEvent(expected="a table that the author does not follow yet", found=f"table {followed.table} again")


def keep_look(tournament: Tournament, followed: TableFollowed, entry: Entry) -> Tournament:
    look = Look(
        line=entry.line.version,
        at_ms=tournament.at_ms,
        by=entry.line.by,
        about=followed,
        game=find_table(tournament, followed.round, followed.table).game,
    )
    return replace(tournament, looks=(*tournament.looks, look))


def has_looked(tournament: Tournament, by: str, game: GameId) -> bool:
    return any((look.by, look.game) == (by, game) for look in tournament.looks)


def may_look(tournament: Tournament, game: GameId, *, player: PlayerId | None, organiser: OrganiserId | None) -> bool:
    """Return whether an account sees a game of the tournament without its delay, by a look of its own on record."""
    helper = None if player is None else find_helper(tournament, player)
    authors = {None if helper is None else f"helper:{helper}", None if organiser is None else f"organiser:{organiser}"}
    return any(by is not None and has_looked(tournament, by, game) for by in authors)


def is_commentator(tournament: Tournament, player: PlayerId) -> bool:
    """Return whether a player comments on the tournament, or did before a dismissal."""
    return any(helper.role == "commentator" and helper.player == player for helper in tournament.helpers)


def require_no_player(tournament: Tournament, player: PlayerId) -> None:
    """Check that a commentator neither entered nor was drawn at a table."""
    seated = (person.player for round_ in tournament.rounds for table in round_.tables for person in table.people)
    if find_entrant(tournament, player) is not None or player in seated:
        raise CommentatorPlays(
            expected="a commentator who does not play here", found=f"player {player}, who has entered"
        )


def require_no_commentator(tournament: Tournament, player: PlayerId) -> None:
    """Check that an entrant is no commentator, and was none: a look may have shown it what rivals did not see."""
    if is_commentator(tournament, player):
        raise CommentatorPlays(expected="an entrant who does not comment here", found=f"player {player}, a commentator")
