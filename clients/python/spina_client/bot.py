"""A bot's loop: answers every decision of a seat until its game is over. A bot brings `choose` alone."""

import logging
from collections.abc import Awaitable, Callable
from random import Random
from typing import Any, Literal, assert_never

import msgspec
from msgspec import Struct

from spina_client.formats import Json
from spina_client.problems import Refused, SpinaError
from spina_client.seat import SeatAt
from spina_client.seen import Accepted, GameSeen, OwedSeen

_log = logging.getLogger(__name__)

# Not now, as the game stands: between reading and answering another client may have been quicker, or the clock.
OVERTAKEN = 409
# The game moves by itself then: the clock expires, or gets back the time for which the server was away.
CLOCK_RAN_OUT = "clock-ran-out"
# How often a game may stand still for as long as the server lets us wait (five seconds) before we give it up: an hour.
STILL_MAX = 720


# From the bytes of the seat's own view, and those of a decision's choices, to an action.
Choose = Callable[[bytes, bytes, Random], Json]
# From the board and the choices of a decision, as the API has them, to an action.
ChooseJson = Callable[[Any, Any], Json]


async def play_at_once() -> None:
    """Think for no time at all."""


class Bot(Struct, frozen=True, kw_only=True):
    """A bot: how it chooses, the custody of its sealed actions, and how long it thinks before each answer."""

    choose: Choose
    numbers: Random
    custody: Literal["own", "server"] = "server"
    think: Callable[[], Awaitable[None]] = play_at_once
    still_max: int = STILL_MAX


class GameStandsStill(SpinaError):
    """No seat moved for longer than the bot waits."""

    def __init__(self, seen: GameSeen) -> None:
        self.version = seen.version
        owed = ", ".join(f"seat {owed.seat} {owed.decision}" for owed in seen.owed) or "no decision is owed"
        super().__init__(f"expected {seen.id} to move on from version {seen.version}, found it waiting: {owed}")


async def play(at: SeatAt, choose: ChooseJson) -> GameSeen:
    """Play a seat by `choose(board, choices)` until the game is over, and return how it ended.

    Sealed actions are in the custody that the game demands, or else in the server's. Raises GameStandsStill, and the
    exceptions of the client; after any of them, the same call plays on.
    """
    seen = await at.read()
    custody: Literal["own", "server"] = "own" if "own_custody" in seen.terms.demands else "server"
    return await play_seat(at, Bot(choose=_of_bytes(choose), numbers=Random(0), custody=custody))  # noqa: S311  of a bot that draws none


def _of_bytes(choose: ChooseJson) -> Choose:
    def choose_from_bytes(board: bytes, choices: bytes, _numbers: Random) -> Json:
        return choose(msgspec.json.decode(board), msgspec.json.decode(choices))

    return choose_from_bytes


async def play_seat(at: SeatAt, bot: Bot) -> GameSeen:
    """Answer every decision that the seat owes until the game is over; return how it ended.

    The seat is taken back first, if its player's clocks ran out and a house bot plays it.
    """
    seen = await at.read()
    while not seen.is_over:
        own = seen.seats[at.seat]
        if own.is_handed and own.player == at.client.account.id:
            accepted = await at.reclaim()
            seen = await at.client.read_game(at.game, min_version=accepted.last_version)
        owed = _find_due(seen, at, bot)
        if owed is None:
            seen = await _wait(at, seen, bot)
        else:
            await bot.think()
            seen = await _act(at, bot, seen, owed)
    return seen


def _find_due(seen: GameSeen, at: SeatAt, bot: Bot) -> OwedSeen | None:
    """Find a decision that waits for the seat, while this account plays it.

    The server opens by itself what it keeps, after those of the others.
    """
    due = (owed for owed in seen.owed if owed.seat == at.seat == seen.your_seat and owed.is_waited_for)
    return next((owed for owed in due if owed.kind != "opening" or bot.custody == "own"), None)


async def _wait(at: SeatAt, seen: GameSeen, bot: Bot) -> GameSeen:
    for _ in range(bot.still_max):
        moved = await at.client.read_next(at.game, seen.version)
        if moved is not None:
            return moved
    raise GameStandsStill(seen)


async def _act(at: SeatAt, bot: Bot, seen: GameSeen, owed: OwedSeen) -> GameSeen:
    try:
        accepted = await _answer(at, bot, seen, owed)
    except Refused as refused:
        if refused.problem.code == CLOCK_RAN_OUT:
            return await _wait(at, seen, bot)
        moved = await at.read()
        # The same refusal on the same state would come for ever.
        if refused.problem.status != OVERTAKEN or moved.version == seen.version:
            raise
        _log.debug("%s: %s of %s", refused.problem.code, owed.decision, at.game)
        return moved
    return await at.client.read_game(at.game, min_version=accepted.last_version)


async def _answer(at: SeatAt, bot: Bot, seen: GameSeen, owed: OwedSeen) -> Accepted:
    match owed.kind:
        case "opening":
            return await at.reveal(seen, owed.decision)
        case "plain":
            return await at.play(seen, owed.decision, _choose(bot, seen, owed))
        case "sealed":
            action = _choose(bot, seen, owed)
            if bot.custody == "own":
                return await at.seal(owed.decision, action)
            return await at.entrust(seen, owed.decision, action)
        case _:
            assert_never(owed.kind)


def _choose(bot: Bot, seen: GameSeen, owed: OwedSeen) -> Json:
    return bot.choose(bytes(seen.board), bytes(seen.choices[owed.decision]), bot.numbers)
