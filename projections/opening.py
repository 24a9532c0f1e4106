"""The part of a game's first line that projections need. The rest is ignored, also fields of a later release."""

import msgspec
from msgspec import Struct

from domain.game.events import Offer, PlayerOffer, StandIn
from domain.ids import GameId, TournamentId
from domain.log.record import Line, parse_at


class Terms(Struct, frozen=True, kw_only=True):
    per_decision_ms: int
    bank_ms: int
    increment_ms: int = 0


class Rules(Struct, frozen=True, kw_only=True):
    name: str
    version: int


class Seating(Struct, frozen=True, kw_only=True):
    tournament: TournamentId
    seats: tuple[PlayerOffer, ...]


class Opening(Struct, frozen=True, kw_only=True):
    ruleset: Rules
    seats: int
    visibility: str
    delay_s: int
    organisers: dict[str, str | None] = {}
    clock: Terms | None = None
    table: Seating | None = None
    offers: tuple[Offer | None, ...] | None = None
    rematch_of: GameId | None = None
    stand_in: StandIn | None = None

    @property
    def title(self) -> str:
        return f"{self.ruleset.name}@{self.ruleset.version}"


def list_offers(opening: Opening) -> tuple[Offer | None, ...]:
    """List to whom each seat is open at the opening; at a table of a tournament to the player who was drawn there."""
    return opening.table.seats if opening.table else opening.offers or ()


def read_opening(line: Line) -> Opening | None:
    """Read the first line of a game; None for the first line of anything else."""
    return msgspec.convert(line.data, Opening) if line.type == "game_opened" else None


def shown_from_ms(line: Line, delay_s: int) -> int:
    """Return the instant from which a line is shown to those who have no seat; 0 where nothing is delayed."""
    return parse_at(line.at) + delay_s * 1000 if delay_s else 0
