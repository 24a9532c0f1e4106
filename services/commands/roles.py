"""Who has a part in a stream: players with a seat or an entry, the opener, organisers, and the server's own workers.

An outsider may still sit down or enter; until then its commands wait behind one another.
"""

from domain.game.offers import list_seats_for
from domain.game.stand_in import find_driven
from domain.game.state import Game
from domain.ids import PlayerId
from domain.log.actors import Actor, ByOrganiser, ByPlayer, name_actor
from domain.log.state import StreamState
from domain.tournament.roles import find_helper
from domain.tournament.state import Tournament, find_entrant


def has_role_in_game(game: Game, actor: Actor) -> bool:
    if not isinstance(actor, ByPlayer):
        return _has_office(game, actor)
    return name_actor(actor) == game.opened_by or _is_seated(game, actor.player)


def has_role_in_tournament(tournament: Tournament, actor: Actor) -> bool:
    if not isinstance(actor, ByPlayer):
        return _has_office(tournament, actor)
    return find_entrant(tournament, actor.player) is not None or find_helper(tournament, actor.player) is not None


def _has_office(state: StreamState, actor: Actor) -> bool:
    """Return whether it is an organiser of the stream or its opener, or the clock, the server or the operator."""
    if not isinstance(actor, ByOrganiser):
        return True
    return actor.organiser in state.opened.organisers or name_actor(actor) == state.opened_by


def _is_seated(game: Game, player: PlayerId) -> bool:
    """Return whether the player holds or drives a seat, or one waits for it by name."""
    return find_driven(game, player) is not None or bool(list_seats_for(game, player))
