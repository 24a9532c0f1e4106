"""The lobby: every game with its ruleset, seats and progress. It holds no hidden data."""

from collections.abc import Mapping
from typing import Literal

import msgspec
from msgspec import Struct

from domain.game.events import GameFinished, HouseOffer, Offer, SeatHanded, SeatOffered
from domain.house import HOUSE, is_house
from domain.ids import GameId, PlayerId, Seat, StreamVersion, TournamentId
from domain.log.record import Line
from domain.ruleset.kit import Marker
from domain.rulesets.released import find_kit
from projections.folding import Marks, Projection
from projections.opening import Terms, read_opening, shown_from_ms

Status = Literal["open", "running", "finished", "aborted"]

NAME = "lobby"
# The labels of a game: every one that may be listed has the first.
LISTED = "listed"
DELAYED = "delayed"
# A house bot is called, or plays: in an open game or one that goes on.
HOUSED = "housed"
# A house bot is called, plays, or may stand in: in an open game or one that goes on.
BACKED = "backed"
# Whether a table of a tournament may still wait for it.
AT_TABLE = "at_table"

_replace = msgspec.structs.replace


class HouseSeat(Struct, frozen=True, kw_only=True):
    seat: Seat
    bot: str
    at_once: bool = False  # answers players without time to think


class Sitting(Struct, frozen=True, kw_only=True):
    seat: Seat
    player: PlayerId


class LobbyGame(Struct, frozen=True, kw_only=True):
    """`turn` and `laps` are the farthest of any seat; null in games without turns, and before the first.

    `winners` are the seats that share the first place; none where it stayed empty or the game is not finished.
    """

    id: GameId
    version: StreamVersion
    ruleset: str
    status: Status
    visibility: str
    delay_s: int
    clock: Terms | None
    seats: int
    taken: tuple[Sitting, ...]  # by seat
    opened_by: str
    opened_at: str
    last_at: str
    shown_from_ms: int
    started_at: str | None = None
    ended_at: str | None = None
    tournament: TournamentId | None = None
    turn: int | None = None
    laps: int | None = None
    winners: tuple[Seat, ...] = ()
    is_readied: bool = False  # a seat is ready, so that the others are awaited
    house: tuple[HouseSeat, ...] = ()  # seats that the house plays
    stand_in: str | None = None  # the bot of a seat that is handed over
    is_paused: bool = False


def evolve(game: LobbyGame | None, line: Line) -> LobbyGame | None:
    """Return the game after one more line. Lines without anything of interest move its version alone."""
    if game is None:
        return _open(line)
    game = _replace(game, version=line.version, last_at=line.at)
    match line.type:
        case "seat_taken":
            return _replace(game, taken=_seated(game, line))
        case "seat_offered":
            return _offered(game, line)
        case "seat_handed" if game.stand_in is not None:
            return _replace(game, house=(*game.house, HouseSeat(seat=_read_seat(line), bot=game.stand_in)))
        case "seat_reclaimed":
            return _replace(game, house=_find_others(game, line))
        case "game_paused" | "pause_ended":
            return _replace(game, is_paused=line.type == "game_paused")
        case "seat_readied":
            return _replace(game, is_readied=True)
        case "seat_left":
            return _replace(game, taken=_without(game, line))
        case "seat_removed" if game.status == "open":
            return _replace(game, taken=_without(game, line))
        case "game_started":
            return _replace(game, status="running", started_at=line.at)
        case "game_finished":
            return _replace(game, status="finished", ended_at=line.at, winners=_find_winners(line))
        case "game_aborted" | "game_cancelled" | "game_stopped":
            return _replace(game, status="aborted", ended_at=line.at)
        case _:
            return _progressed(game, line)


def mark(game: LobbyGame) -> Marks:
    is_delayed = game.delay_s > 0 and game.status in ("open", "running")
    labels = [label_ruleset(game.ruleset), label_status(game.status)]
    if game.visibility == "public":
        labels.append(LISTED)
    if is_delayed:
        labels.append(DELAYED)
    if game.tournament is not None and game.status in ("open", "running"):
        labels.append(AT_TABLE)
    if (game.house or game.stand_in) and game.status in ("open", "running"):
        labels.append(BACKED)
        if game.house and not game.is_paused:
            labels.append(HOUSED)
    return Marks(
        labels=tuple(labels), from_ms=game.shown_from_ms if is_delayed else 0, rank=_rank(game, is_delayed=is_delayed)
    )


def has_called(game: LobbyGame) -> bool:
    """Return whether a house bot is called, or plays for itself, where no pause gives it rest: none that stands in."""
    players = {sitting.seat: sitting.player for sitting in game.taken}
    return not game.is_paused and any(is_house(players.get(seat.seat, HOUSE[seat.seat])) for seat in game.house)


def has_handed(game: LobbyGame) -> bool:
    """Return whether a house bot stands in for a player."""
    players = {sitting.seat: sitting.player for sitting in game.taken}
    return any(not is_house(players.get(seat.seat, HOUSE[seat.seat])) for seat in game.house)


def _rank(game: LobbyGame, *, is_delayed: bool) -> str:
    """Rank running games before open ones, and those before ended ones, each the newest first.

    A delayed game stays where its opening put it among the open ones, so that its place shows nothing of what goes on,
    and empty tables with a delay stand before no game that runs.
    """
    if is_delayed:
        return f"1-{game.opened_at}"
    match game.status:
        case "running":
            return f"2-{game.started_at}"
        case "open":
            return f"1-{game.opened_at}"
        case _:
            return f"0-{game.ended_at}"


def label_ruleset(ruleset: str) -> str:
    return f"ruleset={ruleset}"


def label_status(status: Status) -> str:
    return f"status={status}"


def _open(line: Line) -> LobbyGame | None:
    opening = read_opening(line)
    if opening is None:
        return None
    return LobbyGame(
        id=GameId(line.stream),
        version=line.version,
        ruleset=opening.title,
        status="open",
        visibility=opening.visibility,
        delay_s=opening.delay_s,
        clock=opening.clock,
        seats=opening.seats,
        taken=(),
        opened_by=line.by,
        opened_at=line.at,
        last_at=line.at,
        shown_from_ms=shown_from_ms(line, opening.delay_s),
        house=_find_house({Seat(place): offer for place, offer in enumerate(opening.offers or ())}),
        stand_in=None if opening.stand_in is None else opening.stand_in.bot,
        tournament=None if opening.table is None else opening.table.tournament,
    )


def _seated(game: LobbyGame, line: Line) -> tuple[Sitting, ...]:
    sitting = msgspec.convert(line.data, Sitting)
    return tuple(sorted((*_without(game, line), sitting), key=lambda each: each.seat))


def _offered(game: LobbyGame, line: Line) -> LobbyGame:
    offered = msgspec.convert(line.data, SeatOffered)
    called = _find_house({offered.seat: offered.to})
    return _replace(game, house=(*_find_others(game, line), *called), taken=_without(game, line))


def _read_seat(line: Line) -> Seat:
    return msgspec.convert(line.data, SeatHanded).seat


def _find_others(game: LobbyGame, line: Line) -> tuple[HouseSeat, ...]:
    return tuple(seat for seat in game.house if seat.seat != _read_seat(line))


def _find_house(offers: Mapping[Seat, Offer | None]) -> tuple[HouseSeat, ...]:
    return tuple(
        HouseSeat(seat=seat, bot=offer.bot, at_once=offer.at_once is True)
        for seat, offer in offers.items()
        if isinstance(offer, HouseOffer)
    )


def _without(game: LobbyGame, line: Line) -> tuple[Sitting, ...]:
    return tuple(sitting for sitting in game.taken if sitting.seat != _read_seat(line))


def _find_winners(line: Line) -> tuple[Seat, ...]:
    ranking = msgspec.convert(line.data, GameFinished).ranking
    return tuple(sorted(seat.seat for seat in ranking if seat.place == 1))


def _progressed(game: LobbyGame, line: Line) -> LobbyGame:
    ruleset = game.ruleset.partition("@")[0]
    turn, laps = find_turn(ruleset, line), find_lap(ruleset, line)
    if turn is not None:
        return _replace(game, turn=turn)
    if laps is not None:
        return _replace(game, laps=max(laps, game.laps or 0))
    return game


LOBBY = Projection(name=NAME, version=9, state_type=LobbyGame, evolve=evolve, tell=lambda _game, _line: (), mark=mark)


def find_turn(ruleset: str, line: Line) -> int | None:
    """Return the number of the turn that begins with this line, if one does."""
    kit = find_kit(ruleset)
    return None if kit is None else find_number(kit.turn, line)


def find_lap(ruleset: str, line: Line) -> int | None:
    """Return how many laps a seat has completed with this line, if it has."""
    kit = find_kit(ruleset)
    return None if kit is None else find_number(kit.lap, line)


def find_number(marker: Marker | None, line: Line) -> int | None:
    if marker is None or line.kind != "outcome" or line.type != marker.event:
        return None
    number = line.data.get(marker.field)
    return number if isinstance(number, int) else None
