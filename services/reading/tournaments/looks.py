"""Who sees the game of a table without its delay: commentators and organisers with a look on record."""

from msgspec import UnsetType

from domain.game.state import Game
from domain.tournament.looks import may_look
from services.reading.access import Caller, as_reader, find_seat
from services.reading.tournaments.histories import TournamentHistories


async def has_look(tournaments: TournamentHistories, game: Game, caller: Caller) -> bool:
    """Return whether the newest line of the tournament lets a caller without a seat look inside the game's delay."""
    table, reader = game.opened.table, as_reader(caller)
    if not game.opened.delay_s or isinstance(table, UnsetType) or find_seat(game, caller) is not None:
        return False
    if reader.player is None and reader.organiser is None:
        return False
    tournament = await tournaments.read_newest(table.tournament)
    return may_look(tournament, game.id, player=reader.player, organiser=reader.organiser)
