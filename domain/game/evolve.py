"""Folding: the game after one more line of its log. Refuses nothing, as an event is already true."""

from typing import Any

import msgspec
from msgspec import Struct

from domain.chance import Chance, DeckShuffled, DiceRolled, after_dice, after_shuffle, contribute
from domain.game.clock import charge, credit
from domain.game.consent import consent, end_pause, pause, withdraw
from domain.game.events import (
    ActionDefaulted,
    ActionForfeited,
    ActionPlayed,
    ActionRevealed,
    ActionSealed,
    ClockExpired,
    ClockExtended,
    ConsentGiven,
    ConsentWithdrawn,
    DecisionAsked,
    GameAborted,
    GameCancelled,
    GameFinished,
    GamePaused,
    GameStarted,
    GameStopped,
    InputEvent,
    PauseEnded,
    PlayerOffer,
    SeatHanded,
    SeatLeft,
    SeatOffered,
    SeatReadied,
    SeatReclaimed,
    SeatRemoved,
    SeatResigned,
    SeatTaken,
    TablePaused,
)
from domain.game.offers import find_offered_player
from domain.game.stand_in import BY_HOUSE, find_turn
from domain.game.state import (
    SEATINGS_MAX,
    Choice,
    Closed,
    Departure,
    Game,
    Held,
    Lapsed,
    Owed,
    Resolution,
    Revealed,
    Sealed,
    Unrevealed,
    Vacant,
    find_owed,
    held_seat,
    with_seat,
)
from domain.ids import DecisionId, Seat
from domain.log.entry import Entry
from domain.log.events import OpeningWitnessed, SecretDisclosed
from domain.log.own_links import OwnLinks
from domain.log.record import parse_at
from domain.log.state import bases_after, with_command
from domain.ruleset.decision import Decision
from domain.ruleset.ruleset import FORFEITS_MAX
from domain.ruleset.script import Written

# Of seats and clocks alone: a play that waits for an answer runs again without them.
_BESIDE_THE_PLAY = SeatHanded | GamePaused

_replace = msgspec.structs.replace


def evolve(game: Game, entry: Entry) -> Game:
    """Return the game after a line read from the log."""
    if entry.line.kind == "input":
        return evolve_input(settle(game), entry)
    chance = chance_after(game.chance, entry.event)
    return evolve_outcome(game, entry, board=_board_after(game, entry.event, chance), chance=chance)


def settle(game: Game) -> Game:
    """Close the last input: work out the decisions owed now. Between inputs, games are settled."""
    if game.is_settled:
        return game
    # A play that an abort broke off is never taken up again.
    asked = game.resolution.asked if game.resolution is not None and game.status == "running" else None
    if game.status != "running":
        decisions: tuple[Decision, ...] = ()
    else:
        decisions = (asked,) if asked is not None else game.ruleset.decisions(game.board)
    owed_ids = {decision.id for decision in decisions}
    assert len(owed_ids) == len(decisions), f"{game.ruleset.name} owes two decisions of one id: {decisions}"
    since = {owed.decision: owed.since_ms for owed in game.owed}
    choices = game.choices
    if asked is None and choices:
        choices = {key: kept for key, kept in choices.items() if key in owed_ids or not isinstance(kept, Revealed)}
    return _replace(
        game,
        owed=tuple(Owed(decision=decision, since_ms=since.get(decision, game.at_ms)) for decision in decisions),
        choices=choices,
        resolution=game.resolution if asked is not None else None,
        told=game.told if asked is not None else len(game.departures),
        is_settled=True,
    )


def evolve_input(game: Game, entry: Entry) -> Game:
    """Return a settled game after an input, before anything that follows from it."""
    event = entry.event
    assert isinstance(event, InputEvent), f"{entry.line.type} is no input"
    game = _replace(
        game,
        version=entry.line.version,
        head=entry.hash,
        at_ms=parse_at(entry.line.at),
        bases=bases_after(game.bases, entry),
        commands=game.commands if entry.line.command is None else with_command(game.commands, entry.line.command),
        is_settled=False,
    )
    waiting = game.resolution
    game = _apply_input(_replace(game, resolution=None), entry)
    if waiting is None:
        return _replace(game, resolution=Resolution(base=game, first=event))
    return _replace(game, resolution=_answered(waiting, game, event))


def evolve_outcome(game: Game, entry: Entry, *, board: Any, chance: Chance) -> Game:
    """Return the game after an outcome whose board and chance are known already."""
    assert game.resolution is not None, f"an outcome without an input at version {entry.line.version}"
    resolution = game.resolution
    if not isinstance(entry.event, _BESIDE_THE_PLAY):
        resolution = _replace(resolution, past=(*resolution.past, Written(event=entry.event, board=board)))
    game = _replace(
        game,
        version=entry.line.version,
        head=entry.hash,
        bases=bases_after(game.bases, entry),
        board=board,
        chance=chance,
        resolution=resolution,
    )
    match entry.event:
        case DecisionAsked(seat=seat, decision=decision):
            asked = Decision(id=decision, seat=seat, kind="plain")
            return _replace(game, resolution=_replace(resolution, asked=asked))
        case ActionDefaulted(decision=decision):
            return _replace(game, choices=_without(game.choices, decision))
        case ActionForfeited(seat=seat, decision=decision):
            return _forfeited(_replace(game, choices=_without(game.choices, decision)), seat)
        case SeatHanded(seat=seat):
            return with_seat(game, seat, _replace(held_seat(game, seat), is_handed=True))
        case GamePaused():
            return pause(game)
        case GameStarted():
            return _replace(game, status="running")
        case GameFinished():
            return _replace(game, status="finished")
        case SecretDisclosed():
            return _replace(game, is_disclosed=True)
        case _:
            return game


def _board_after(game: Game, event: Struct, chance: Chance) -> Any:
    match event:
        case GameStarted(seats=seats):
            options = msgspec.convert(game.opened.options, game.ruleset.options_type)
            return game.ruleset.initial_board(seats, options)
        case (
            DecisionAsked()
            | ActionDefaulted()
            | ActionForfeited()
            | SeatHanded()
            | GamePaused()
            | GameFinished()
            | GameStopped()
            | GameCancelled()
            | SecretDisclosed()
        ):
            return game.board
        case _:
            return game.ruleset.evolve(game.board, event, chance if chance.secret is not None else None)


def chance_after(chance: Chance, event: Struct) -> Chance:
    """Return the chance after an outcome, which may be a draw."""
    match event:
        case DiceRolled():
            return after_dice(chance, event)
        case DeckShuffled():
            return after_shuffle(chance, event)
        case _:
            return chance


def _apply_input(game: Game, entry: Entry) -> Game:
    match entry.event:
        case OpeningWitnessed():
            return _replace(game, is_witnessed=True)
        case SeatOffered() as offered:
            return _offered(game, offered)
        case SeatTaken() as taken:
            return _seated(game, taken)
        case SeatLeft(seat=seat):
            return with_seat(_cancelled_if_ready(game), seat, Vacant())
        case SeatReadied(seat=seat, nonce=nonce):
            return _contributed(with_seat(game, seat, _replace(held_seat(game, seat), is_ready=True)), seat, nonce)
        case ActionSealed() as sealed:
            first = sealed.decision not in game.choices
            return _sealed(_answered_by(game, sealed.seat, sealed.decision, credits_=first), sealed, entry)
        case ActionRevealed(seat=seat, decision=decision, action=action, nonce=nonce):
            by_server = entry.line.by == "server"
            game = game if by_server else _answered_by(game, seat, decision, credits_=False)
            return _contributed(_chosen(game, decision, Revealed(action=action, by_server=by_server)), seat, nonce)
        case ActionPlayed(seat=seat, decision=decision, nonce=nonce):
            return _contributed(_answered_by(game, seat, decision, credits_=True), seat, nonce)
        case ClockExpired(seat=seat, decision=decision):
            return _expired(_charged(game, seat, decision), seat, decision)
        case ClockExtended(seats=seats, ms=ms):
            for seat in seats:
                held = held_seat(game, seat)
                game = with_seat(game, seat, _replace(held, bank_ms=held.bank_ms + ms))
            return _replace(game, given_back_to_ms=game.at_ms) if entry.line.by == "clock" else game
        case SeatResigned(seat=seat):
            return _departed(game, seat)
        case SeatRemoved(seat=seat):
            is_running = game.status == "running"
            return _departed(game, seat) if is_running else with_seat(_cancelled_if_ready(game), seat, Closed())
        case SeatReclaimed(seat=seat):
            return with_seat(
                game, seat, _replace(held_seat(game, seat), is_handed=False, lapses=frozenset(), away_ms=None)
            )
        case ConsentGiven() as given:
            game = consent(game, given)
            return _replace(game, status="aborted") if game.agreed == "end" else game
        case ConsentWithdrawn() as withdrawn:
            return withdraw(game, withdrawn)
        case TablePaused():
            return _replace(game, agreed="pause")
        case PauseEnded():
            return end_pause(game)
        case GameAborted():
            return _replace(game, status="aborted")
        case _:
            return game


def _answered(waiting: Resolution, game: Game, event: InputEvent) -> Resolution:
    """Return an interrupted resolution after an input that may be the answer it waits for."""
    assert waiting.asked is not None
    asked = waiting.asked
    if isinstance(event, SeatResigned | SeatRemoved):
        departure = Departure(seat=event.seat, place=len(waiting.past))
        waiting = _replace(waiting, departures=(*waiting.departures, departure))
    match event:
        case ActionPlayed(decision=decision, action=action) if decision == asked.id:
            decoded = msgspec.convert(action, game.ruleset.action_type)
            return _replace(waiting, asked=None, answers={**waiting.answers, decision: decoded})
        case ClockExpired(decision=decision) if decision == asked.id:
            return _replace(waiting, asked=None)
        case SeatResigned(seat=seat) | SeatRemoved(seat=seat) if seat == asked.seat:
            return _replace(waiting, asked=None)
        case _:
            return waiting


def _offered(game: Game, offered: SeatOffered) -> Game:
    offers = tuple(offered.to if place == offered.seat else each for place, each in enumerate(game.offers))
    game = _replace(game, offers=offers)
    if isinstance(offered.to, PlayerOffer):
        count = game.named_offers.get(offered.seat, 0) + 1
        game = _replace(game, named_offers={**game.named_offers, offered.seat: count})
    invited, held = find_offered_player(game, offered.seat), game.seats[offered.seat]
    sent_away = {held.player: SEATINGS_MAX} if isinstance(held, Held) else {}
    named = {invited: 0} if invited is not None else {}
    game = _replace(game, seatings={**game.seatings, **sent_away, **named})
    return with_seat(game, offered.seat, Vacant())


def _seated(game: Game, taken: SeatTaken) -> Game:
    bank_ms = game.opened.clock.bank_ms if game.opened.clock is not None else 0
    links = OwnLinks(last=taken.anchor, left=taken.links) if taken.anchor is not None else None
    seatings = {**game.seatings, taken.player: game.seatings.get(taken.player, 0) + 1}
    held = Held(player=taken.player, key=taken.key, links=links, bank_ms=bank_ms)
    return with_seat(_replace(game, seatings=seatings), taken.seat, held)


def _sealed(game: Game, sealed: ActionSealed, entry: Entry) -> Game:
    earlier = game.choices.get(sealed.decision)
    count = earlier.count + 1 if isinstance(earlier, Sealed) else 1
    by_house = entry.line.by == BY_HOUSE
    choice = Sealed(seal=sealed.seal, version=entry.line.version, count=count, by_house=by_house)
    return _chosen(game, sealed.decision, choice)


def _expired(game: Game, seat: Seat, decision: DecisionId) -> Game:
    held = held_seat(game, seat)
    away_ms = game.at_ms if held.away_ms is None else held.away_ms
    game = with_seat(game, seat, _replace(held, lapses=held.lapses | {find_turn(decision)}, away_ms=away_ms))
    kind = next(owed.decision.kind for owed in game.owed if owed.decision.id == decision)
    match kind:
        case "plain":
            return game
        case "sealed":
            return _chosen(game, decision, Lapsed())
        case "opening":
            return _chosen(game, decision, Unrevealed())


def _charged(game: Game, seat: Seat, decision: DecisionId) -> Game:
    owed = find_owed(game, seat, decision)
    assert owed is not None, f"seat {seat} does not owe {decision}"
    return with_seat(game, seat, charge(game, owed, game.at_ms))


def _answered_by(game: Game, seat: Seat, decision: DecisionId, *, credits_: bool) -> Game:
    """Return the game after an answer in time, which an increment may credit.

    A consent lets the others choose the moment of the end or of the pause, so that it stands for one turn of its seat.
    """
    game = _charged(game, seat, decision)
    held = _replace(held_seat(game, seat), consents=())
    if not held.is_handed:
        held = _replace(held, lapses=frozenset(), away_ms=None)
    return with_seat(game, seat, credit(game, held) if credits_ else held)


def _contributed(game: Game, seat: Seat, nonce: str | None) -> Game:
    if nonce is None:
        return game
    held = held_seat(game, seat)
    assert held.links is not None, f"seat {seat} has no links"
    links = OwnLinks(last=nonce, left=held.links.left - 1)
    game = with_seat(game, seat, _replace(held, links=links))
    return _replace(game, chance=contribute(game.chance, seat=seat, nonce=nonce))


def _forfeited(game: Game, seat: Seat) -> Game:
    held = held_seat(game, seat)
    game = with_seat(game, seat, _replace(held, forfeits=held.forfeits + 1))
    return _departed(game, seat) if held.forfeits + 1 == FORFEITS_MAX else game


def _departed(game: Game, seat: Seat) -> Game:
    game = with_seat(game, seat, _replace(held_seat(game, seat), has_departed=True, is_handed=False))
    return game if seat in game.departures else _replace(game, departures=(*game.departures, seat))


def _cancelled_if_ready(game: Game) -> Game:
    # A seat that was ready has disclosed a link: its next one would be another deal, chosen by the seat that left.
    is_ready = any(isinstance(seat, Held) and seat.is_ready for seat in game.seats)
    return _replace(game, status="aborted") if is_ready else game


def _chosen(game: Game, decision: DecisionId, choice: Choice) -> Game:
    return _replace(game, choices={**game.choices, decision: choice})


def _without(choices: dict[DecisionId, Choice], decision: DecisionId) -> dict[DecisionId, Choice]:
    return {key: kept for key, kept in choices.items() if key != decision}
