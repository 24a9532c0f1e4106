"""A game as it is shown: seats, owed decisions, and the board as one viewer may see it.

A function of the version and the viewer alone, so that an answer never has to be sent twice.
"""

from typing import Any, Literal

import msgspec
from msgspec import Struct, UnsetType

from domain.canonical import Json
from domain.game.clock import find_deadline_ms, waits_for_seat
from domain.game.consent import find_pause_end_ms
from domain.game.events import Aim, GameOpened, HouseOffer, Offer
from domain.game.evolve import settle
from domain.game.state import Closed, Game, Held, Owed, Sealed, Vacant
from domain.ids import DecisionId, GameId, LineHash, PlayerId, Seat, StreamVersion
from domain.log.record import format_at
from domain.ruleset.decision import Decision, Placing


class SeatHeld(Struct, frozen=True, kw_only=True, tag_field="status", tag="held"):
    seat: Seat
    player: PlayerId
    key: str | None
    last_link: str | None
    links_left: int
    bank_ms: int
    forfeits: int
    is_ready: bool
    has_departed: bool
    house: str | None
    is_handed: bool
    consents: tuple[Aim, ...]


class SeatVacant(Struct, frozen=True, kw_only=True, tag_field="status", tag="vacant"):
    seat: Seat
    offer: Offer | None


class SeatClosed(Struct, frozen=True, kw_only=True, tag_field="status", tag="closed"):
    seat: Seat


class OwedShown(Struct, frozen=True, kw_only=True):
    """A decision, its seat, and whether the game waits for it: no longer once a seal is in, and not in a pause."""

    seat: Seat
    decision: DecisionId
    kind: Literal["plain", "sealed", "opening"]
    is_waited_for: bool
    since: str
    deadline: str | None


class GameShown(Struct, frozen=True, kw_only=True):
    """`is_complete` is false in the middle of one command's lines: nothing is owed, and there are no choices.

    `choices` has every legal answer to each decision for which the game waits for `your_seat`, by its id; an opening
    has none. `sealed` names the actions that were not opened yet, in any custody. `board` is the ruleset's view, null
    before the start, as `your_seat` sees it: the caller's, or the one asked for. `house` names the bot that plays a
    seat, where `is_handed` for its player; `offer` is for whom a vacant seat is open, null for all. `consents` are the
    aims to which a seat has agreed; in a pause no clock runs, and `paused_until` is its end at the latest.
    """

    id: GameId
    ruleset: str
    version: StreamVersion
    head: LineHash
    at: str
    status: Literal["open", "running", "finished", "aborted"]
    is_complete: bool
    opened_by: str
    terms: GameOpened
    your_seat: Seat | None
    seats: tuple[SeatHeld | SeatVacant | SeatClosed, ...]
    owed: tuple[OwedShown, ...]
    choices: dict[DecisionId, Any]
    sealed: tuple[DecisionId, ...]
    ranking: tuple[Placing, ...] | None
    paused_until: str | None
    board: Any


class BoardShown(Struct, frozen=True, kw_only=True):
    """The shown board alone: the same for the same board and viewer, at every version."""

    ranking: tuple[Placing, ...] | None
    view: Any


def show_view(game: Game, seat: Seat | None) -> Json:
    """Show the ruleset's view of a board to a seat, or to the public; none before the start."""
    if game.board is None:
        return None
    view: Json = msgspec.to_builtins(game.ruleset.view(game.board, seat))
    return view


def list_choosing(game: Game, seat: Seat | None) -> tuple[Decision, ...]:
    """List the decisions for which a settled game waits for a seat, but for openings: their action is chosen."""
    return tuple(
        owed.decision
        for owed in game.owed
        if owed.decision.seat == seat and owed.decision.kind != "opening" and _is_waited_for(game, owed)
    )


def _show_board(game: Game, seat: Seat | None) -> BoardShown:
    ranking = None if game.board is None else game.ruleset.ranking(game.board)
    return BoardShown(ranking=ranking, view=show_view(game, seat))


def show_game(game: Game, seat: Seat | None, *, is_complete: bool, board: BoardShown | None = None) -> GameShown:
    """Show a game to a seat, or to the public; its board need not be shown again where that was done before."""
    shown = board or _show_board(game, seat)
    settled = settle(game) if is_complete else game
    end_ms = find_pause_end_ms(game)
    return GameShown(
        id=game.id,
        ruleset=f"{game.ruleset.name}@{game.ruleset.version}",
        version=game.version,
        head=game.head,
        at=format_at(game.at_ms),
        status=game.status,
        is_complete=is_complete,
        opened_by=game.opened_by,
        terms=game.opened,
        your_seat=seat,
        seats=tuple(_show_seat(game, Seat(place)) for place in range(len(game.seats))),
        owed=tuple(_show_owed(settled, owed) for owed in settled.owed) if is_complete else (),
        choices=show_choices(settled, seat) if is_complete else {},
        sealed=_list_sealed(settled) if is_complete else (),
        ranking=shown.ranking,
        paused_until=None if end_ms is None else format_at(end_ms),
        board=shown.view,
    )


def show_choices(game: Game, seat: Seat | None) -> dict[DecisionId, Any]:
    """Show a seat its legal answers, in a settled game; the public has none."""
    return {decision.id: game.ruleset.legal_actions(game.board, decision) for decision in list_choosing(game, seat)}


def _show_seat(game: Game, seat: Seat) -> SeatHeld | SeatVacant | SeatClosed:
    match game.seats[seat]:
        case Vacant():
            return SeatVacant(seat=seat, offer=game.offers[seat])
        case Closed():
            return SeatClosed(seat=seat)
        case Held() as held:
            return SeatHeld(
                seat=seat,
                player=held.player,
                key=held.key,
                last_link=None if held.links is None else held.links.last,
                links_left=0 if held.links is None else held.links.left,
                bank_ms=held.bank_ms,
                forfeits=held.forfeits,
                is_ready=held.is_ready,
                has_departed=held.has_departed,
                house=find_bot(game, seat),
                is_handed=held.is_handed,
                consents=held.consents,
            )


def find_bot(game: Game, seat: Seat) -> str | None:
    """Find the bot of a seat that the house plays: called before the start, or as the stand-in of its player."""
    offer, stand_in, held = game.offers[seat], game.opened.stand_in, game.seats[seat]
    if isinstance(held, Held) and held.is_handed and not isinstance(stand_in, UnsetType):
        return stand_in.bot
    return offer.bot if isinstance(offer, HouseOffer) else None


def _list_sealed(game: Game) -> tuple[DecisionId, ...]:
    return tuple(decision for decision, choice in game.choices.items() if isinstance(choice, Sealed))


def _show_owed(game: Game, owed: Owed) -> OwedShown:
    deadline_ms = find_deadline_ms(game, owed)
    return OwedShown(
        seat=owed.decision.seat,
        decision=owed.decision.id,
        kind=owed.decision.kind,
        is_waited_for=_is_waited_for(game, owed),
        since=format_at(owed.since_ms),
        deadline=None if deadline_ms is None else format_at(deadline_ms),
    )


def _is_waited_for(game: Game, owed: Owed) -> bool:
    return waits_for_seat(game, owed) and game.paused_ms is None
