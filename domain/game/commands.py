"""Commands of a game: the event that shall be logged, in the envelope of every log's commands.

Time, seeds and ids arrive in the command: deciding is a function of its arguments.
"""

from msgspec import UNSET, UnsetType

from domain.game.events import INPUT_TAGS, ClockTerms, InputEvent, Offer, StandIn, TournamentTable
from domain.game.state import Entrusted
from domain.ids import GameIdField, Hex32Field
from domain.log.command import Command, OpeningCommand


class OpenGame(OpeningCommand, frozen=True, kw_only=True):
    stream: GameIdField
    seats: int
    clock: ClockTerms | None
    visibility: str
    table: TournamentTable | UnsetType = UNSET
    offers: tuple[Offer | None, ...] = ()  # none at all, or one for each seat
    rematch_of: GameIdField | UnsetType = UNSET
    stand_in: StandIn | UnsetType = UNSET

    @property
    def type(self) -> str:
        return "game_opened"


class GameCommand(Command, frozen=True, kw_only=True):
    """Any other command. `entrusted` is kept beside the log in the server's custody, and never logged.

    With a seal it is the `Opening` that the seal hides. An action in the open, or a reveal, overtakes with its `nonce`
    the links that the seat entrusted; with it comes a `FurtherLink`: as many places after `nonce` as the seat has
    choices in custody unopened, or the last of the seat. None where there is no such choice, or no link after `nonce`.
    `invitation` is the secret of a link, with which a seat is taken; never logged.
    """

    stream: GameIdField
    event: InputEvent
    entrusted: Entrusted | None = None
    invitation: Hex32Field | None = None

    @property
    def type(self) -> str:
        return INPUT_TAGS[type(self.event)]

    def __repr__(self) -> str:
        """Leave out the event: an action is not public before it is accepted."""
        return f"GameCommand(id={self.id!r}, stream={self.stream!r}, type={self.type!r})"
