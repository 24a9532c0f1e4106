"""Torches: a small ruleset that lives in the tests only and uses every part of the contract.

Each round every seat bids a card in secret and may drop another face down; the best bidder then strikes with each hand.
A strike is rolled for; its target may answer with a shield, and a strong blow goes on to the next seat.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from domain.canonical import encode
from domain.chance import Chance, DeckShuffled, DiceRolled, deck_order
from domain.ids import DecisionId, Seat
from domain.rejection import IllegalAction
from domain.ruleset.decision import Decision, Placing
from domain.ruleset.script import Script

HAND = 3
STRONG = 5
_replace = msgspec.structs.replace


class Bid(Struct, frozen=True, kw_only=True, tag_field="kind", tag="bid", forbid_unknown_fields=True):
    card: int
    drop: int | None


class Strike(Struct, frozen=True, kw_only=True, tag_field="kind", tag="strike", forbid_unknown_fields=True):
    target: int | None


class Shield(Struct, frozen=True, kw_only=True, tag_field="kind", tag="shield", forbid_unknown_fields=True):
    is_raised: bool


Action = Bid | Strike | Shield


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    rounds: Annotated[int, Meta(ge=1, le=50)] = 3
    lives: Annotated[int, Meta(ge=1, le=9)] = 3
    omens: Annotated[int, Meta(ge=0, le=2000)] = 0


class CardsDrawn(Struct, frozen=True, kw_only=True):
    seat: Seat
    count: int


class BidsClosed(Struct, frozen=True, kw_only=True):
    round: int


class BidShown(Struct, frozen=True, kw_only=True):
    seat: Seat
    card: int
    face: int
    drop: int | None


class BidForfeited(Struct, frozen=True, kw_only=True):
    seat: Seat


class RoundWon(Struct, frozen=True, kw_only=True):
    seat: Seat


class BlowStruck(Struct, frozen=True, kw_only=True):
    seat: Seat
    is_shielded: bool


class SeatFell(Struct, frozen=True, kw_only=True):
    seat: Seat


class HandEmptied(Struct, frozen=True, kw_only=True):
    hand: Literal["left", "right"]


class RoundBegan(Struct, frozen=True, kw_only=True):
    round: int


Outcome = (
    CardsDrawn | BidsClosed | BidShown | BidForfeited | RoundWon | BlowStruck | SeatFell | HandEmptied | RoundBegan
)


class Card(Struct, frozen=True, kw_only=True):
    number: int  # in order of drawing, which is all that others may know of it
    face: int | None  # None: not known here


class Place(Struct, frozen=True, kw_only=True):
    seat: Seat
    hand: tuple[Card, ...] = ()
    lives: int = 3
    points: int = 0
    shields: int = 2
    bid: int | None = None
    has_bid: bool = False


class Board(Struct, frozen=True, kw_only=True):
    options: Options
    places: tuple[Place, ...]
    pile: tuple[int | None, ...]
    deck: tuple[int | None, ...] = ()
    drawn: int = 0
    round: int = 0
    phase: Literal["bidding", "showing", "striking", "over"] = "bidding"
    striker: Seat | None = None
    hands: tuple[Literal["left", "right"], ...] = ()


class View(Struct, frozen=True, kw_only=True):
    round: int
    phase: str
    deck: int
    pile: int
    places: tuple[dict[str, Any], ...]


class Legal(Struct, frozen=True, kw_only=True, tag_field="kind", tag="any"):
    cards: tuple[int, ...] = ()
    targets: tuple[int, ...] = ()
    shields: int = 0


class Effect(Struct, frozen=True, kw_only=True):
    lives_at_risk: int


class Torches:
    """The ruleset. `cards` is how many there are; few, so that they are reshuffled."""

    name = "torches"
    version = 1
    seats = range(2, 5)
    link_chains = 2
    action_type = Action
    options_type = Options
    view_type = View
    choices_type = Legal
    preview_type = Effect
    outcome_types: Mapping[str, type[Any]] = {
        "cards_drawn": CardsDrawn,
        "bids_closed": BidsClosed,
        "bid_shown": BidShown,
        "bid_forfeited": BidForfeited,
        "round_won": RoundWon,
        "blow_struck": BlowStruck,
        "seat_fell": SeatFell,
        "hand_emptied": HandEmptied,
        "round_began": RoundBegan,
    }

    def __init__(self, cards: int = 15) -> None:
        self._cards = cards
        self.components = encode({"cards": cards})

    def initial_board(self, seats: tuple[Seat, ...], options: Options) -> Board:
        if options.omens > 1500 and options.rounds > 10:
            raise IllegalAction(expected="few omens or few rounds", found="many of both")
        places = tuple(Place(seat=seat, lives=options.lives) for seat in seats)
        return Board(options=options, places=places, pile=tuple(range(self._cards)))

    def begin(self, script: Script[Board, Action, Outcome]) -> None:
        for _ in range(script.board.options.omens):
            script.roll("omen", dice=1, sides=6)
        script.shuffle("deck", size=len(script.board.pile))
        self._begin_round(script)

    def decisions(self, board: Board) -> tuple[Decision, ...]:
        match board.phase:
            case "bidding" | "showing":
                kind: Literal["sealed", "opening"] = "sealed" if board.phase == "bidding" else "opening"
                return tuple(
                    Decision(id=DecisionId(f"r{board.round}/bid/{place.seat}"), seat=place.seat, kind=kind)
                    for place in board.places
                    if place.lives and not place.has_bid
                )
            case "striking" if board.striker is not None:
                return tuple(
                    Decision(id=DecisionId(f"r{board.round}/{hand}/{board.striker}"), seat=board.striker, kind="plain")
                    for hand in board.hands
                )
            case _:
                return ()

    def check(self, board: Board, decision: Decision, action: Action) -> None:
        place = _place(board, decision.seat)
        match action:
            case Bid(card=card, drop=drop) if "/bid/" in decision.id:
                hand = [card.number for card in place.hand]
                if card not in hand or (drop is not None and (drop not in hand or drop == card)):
                    raise IllegalAction(expected=f"cards of the hand {hand}", found=f"{card} and {drop}")
            case Strike(target=target) if not ("/bid/" in decision.id or "/shield/" in decision.id):
                alive = [place.seat for place in board.places if place.lives and place.seat != decision.seat]
                if target is not None and target not in alive:
                    raise IllegalAction(expected=f"a target of {alive}", found=f"{target}")
            case Shield(is_raised=is_raised) if "/shield/" in decision.id:
                if is_raised and not place.shields:
                    raise IllegalAction(expected="a shield that is left", found="none")
            case _:
                raise IllegalAction(expected=f"an action for {decision.id}", found=type(action).__name__)

    def close(self, script: Script[Board, Action, Outcome]) -> None:
        script.emit(BidsClosed(round=script.board.round))

    def play(self, script: Script[Board, Action, Outcome], decision: Decision, action: Action) -> None:
        match action:
            case Bid(card=card, drop=drop):
                face = next(each.face for each in _place(script.board, decision.seat).hand if each.number == card)
                assert face is not None, "bids are played with the secret"
                script.emit(BidShown(seat=decision.seat, card=card, face=face, drop=drop))
                self._end_bidding(script)
            case Strike(target=target):
                hand: Literal["left", "right"] = "left" if "/left/" in decision.id else "right"
                script.emit(HandEmptied(hand=hand))
                if target is not None:
                    self._strike(script, decision, Seat(target))
                self._end_round(script)
            case Shield():
                raise AssertionError("a shield is asked for, not owed")

    def forfeit(self, script: Script[Board, Action, Outcome], decision: Decision) -> None:
        script.emit(BidForfeited(seat=decision.seat))
        self._end_bidding(script)

    def resign(self, script: Script[Board, Action, Outcome], seat: Seat) -> None:
        if _place(script.board, seat).lives:
            script.emit(SeatFell(seat=seat))
        if script.board.phase == "showing":
            self._end_bidding(script)
        self._end_round(script)

    def evolve(self, board: Board, outcome: Any, chance: Chance | None) -> Board:
        match outcome:
            case DeckShuffled(size=size):
                order = deck_order(chance, outcome) if chance is not None else None
                deck = tuple(board.pile[place] for place in order) if order is not None else (None,) * size
                return _replace(board, deck=deck, pile=())
            case CardsDrawn(seat=seat, count=count):
                drawn = [Card(number=board.drawn + place, face=board.deck[place]) for place in range(count)]
                board = _replace(board, deck=board.deck[count:], drawn=board.drawn + count)
                return _with(board, seat, hand=(*_place(board, seat).hand, *drawn))
            case BidsClosed():
                return _replace(board, phase="showing")
            case BidShown(seat=seat, card=card, face=face, drop=drop):
                hand = _place(board, seat).hand
                board = _with(board, seat, bid=face, has_bid=True)
                board = _with(board, seat, hand=tuple(each for each in hand if each.number not in (card, drop)))
                dropped = tuple(card.face for card in hand if card.number == drop)
                return _replace(board, pile=(*board.pile, face, *dropped))
            case BidForfeited(seat=seat):
                return _with(board, seat, has_bid=True, lives=_place(board, seat).lives - 1)
            case RoundWon(seat=seat):
                board = _with(board, seat, points=_place(board, seat).points + 1)
                return _replace(board, phase="striking", striker=seat, hands=("left", "right"))
            case HandEmptied(hand=emptied):
                return _replace(board, hands=tuple(hand for hand in board.hands if hand != emptied))
            case BlowStruck(seat=seat, is_shielded=is_shielded):
                place = _place(board, seat)
                if is_shielded:
                    return _with(board, seat, shields=place.shields - 1)
                return _with(board, seat, lives=place.lives - 1)
            case SeatFell(seat=seat):
                return _with(board, seat, lives=0)
            case RoundBegan(round=number):
                places = tuple(_replace(place, bid=None, has_bid=False) for place in board.places)
                phase: Literal["bidding", "over"] = "bidding" if number else "over"
                return _replace(board, places=places, phase=phase, striker=None, hands=(), round=number or board.round)
            case DiceRolled():
                return board
            case _:
                raise AssertionError(f"{outcome!r} is no outcome of Torches")

    def view(self, board: Board, seat: Seat | None) -> View:
        return View(
            round=board.round,
            phase=board.phase,
            deck=len(board.deck),
            pile=len(board.pile),
            places=tuple(
                {
                    "seat": place.seat,
                    "lives": place.lives,
                    "points": place.points,
                    "bid": place.bid,
                    "hand": [[card.number, card.face if place.seat == seat else None] for card in place.hand],
                }
                for place in board.places
            ),
        )

    def legal_actions(self, board: Board, decision: Decision) -> Legal:
        place = _place(board, decision.seat)
        if "/bid/" in decision.id:
            return Legal(cards=tuple(card.number for card in place.hand))
        if "/shield/" in decision.id:
            return Legal(shields=place.shields)
        return Legal(targets=tuple(place.seat for place in board.places if place.lives and place.seat != decision.seat))

    def preview(self, board: Board, decision: Decision, action: Action) -> Effect:
        self.check(board, decision, action)
        target = action.target if isinstance(action, Strike) else None
        return Effect(lives_at_risk=0 if target is None else _place(board, Seat(target)).lives)

    def default_action(self, board: Board, decision: Decision) -> Action:
        if "/bid/" in decision.id:
            return Bid(card=_place(board, decision.seat).hand[0].number, drop=None)
        return Shield(is_raised=False) if "/shield/" in decision.id else Strike(target=None)

    def ranking(self, board: Board) -> tuple[Placing, ...]:
        scores = {place.seat: (place.lives > 0, place.points) for place in board.places}
        return tuple(
            Placing(place=1 + sum(other > score for other in scores.values()), seat=seat)
            for seat, score in scores.items()
        )

    def _begin_round(self, script: Script[Board, Action, Outcome]) -> None:
        alive = [place.seat for place in script.board.places if place.lives]
        if len(alive) < 2 or script.board.round == script.board.options.rounds:
            script.emit(RoundBegan(round=0))
            return
        script.emit(RoundBegan(round=script.board.round + 1))
        for seat in alive:
            for _ in range(HAND - len(_place(script.board, seat).hand)):
                if not script.board.deck:
                    script.shuffle("deck", size=len(script.board.pile))
                script.emit(CardsDrawn(seat=seat, count=1))

    def _end_bidding(self, script: Script[Board, Action, Outcome]) -> None:
        board = script.board
        bidders = [place for place in board.places if place.lives]
        if board.phase != "showing" or not all(bidder.has_bid for bidder in bidders):
            return
        bids = [bidder for bidder in bidders if bidder.bid is not None]
        if not bids:
            self._begin_round(script)
            return
        best = max(bids, key=lambda bid: bid.bid if bid.bid is not None else -1)
        script.emit(RoundWon(seat=best.seat))

    def _end_round(self, script: Script[Board, Action, Outcome]) -> None:
        board = script.board
        alive = [place.seat for place in board.places if place.lives]
        is_struck = board.phase == "striking" and (not board.hands or board.striker not in alive)
        if board.phase != "over" and (is_struck or len(alive) < 2):
            self._begin_round(script)

    def _strike(self, script: Script[Board, Action, Outcome], decision: Decision, target: Seat) -> None:
        for blow in range(len(script.board.places)):
            (face,) = script.roll("strike", dice=1, sides=6)
            shield = DecisionId(f"{decision.id}/shield/{blow}")
            answer = script.ask(Decision(id=shield, seat=target, kind="plain"))
            assert isinstance(answer, Shield)
            script.emit(BlowStruck(seat=target, is_shielded=answer.is_raised))
            if not _place(script.board, target).lives:
                script.emit(SeatFell(seat=target))
            alive = [place.seat for place in script.board.places if place.lives and place.seat != decision.seat]
            if face < STRONG or not alive:
                return
            target = next((seat for seat in alive if seat > target), alive[0])


def _place(board: Board, seat: Seat) -> Place:
    return next(place for place in board.places if place.seat == seat)


def _with(board: Board, seat: Seat, **changes: Any) -> Board:
    places = tuple(_replace(place, **changes) if place.seat == seat else place for place in board.places)
    return _replace(board, places=places)
