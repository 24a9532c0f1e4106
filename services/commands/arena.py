"""The arena: where games are commanded, on the one write path."""

from collections.abc import Iterable

from domain.game.custody import hold
from domain.game.decide import decide
from domain.game.kind import GAMES
from domain.game.opening import decide_opening
from domain.game.state import Game, Sealed
from domain.ids import GameId
from domain.ledger.receipt import SignedReceipt
from domain.rejection import Absent
from domain.ruleset.catalogue import Catalogue
from infra.event_store import EventStore, HeldOpening
from services.commands.commanding import Commanding
from services.commands.roles import has_role_in_game
from services.commands.vault import Vault
from services.commands.write_path import Announcer, WritePath, Written


class Answer(Written, frozen=True, kw_only=True):
    """The lines that an accepted command of a game became."""

    game: GameId
    receipt: SignedReceipt | None = None


class NoSuchGame(Absent):
    """No game has this id, or none that the caller may see."""

    code = "no-such-game"


class Arena(WritePath[Game]):
    """Handles commands of games. One for a process."""

    def __init__(self, *, store: EventStore, announcer: Announcer, catalogue: Catalogue, vault: Vault) -> None:
        super().__init__(GAME_COMMANDING, store=store, announcer=announcer, catalogue=catalogue, vault=vault)


def _hold(vault: Vault, game: Game, held: Iterable[HeldOpening]) -> Game:
    waiting = [choice.version for choice in game.choices.values() if isinstance(choice, Sealed)]
    # Boxes older than every seal that is still closed are of opened choices; a younger one may bring a further link.
    needed = [box for box in held if waiting and box.version >= min(waiting)]
    return hold(game, [vault.open_held(game.id, box) for box in needed])


GAME_COMMANDING: Commanding[Game] = Commanding(
    kind=GAMES,
    missing=NoSuchGame,
    decide_opening=decide_opening,
    decide=decide,
    has_role=has_role_in_game,
    hold=_hold,
)
