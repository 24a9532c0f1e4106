"""Plays in a tournament over HTTP to its end, with a client's knowledge alone."""

import asyncio
import logging
from typing import Literal

from msgspec import Struct

from spina_client.bot import OVERTAKEN, Bot, play_seat
from spina_client.challenge import wait_for_rivals
from spina_client.ids import Seat, StreamVersion
from spina_client.problems import Refused
from spina_client.seat import SeatAt
from spina_client.seat_secrets import LINKS_COUNT, SeatSecrets, build_seat_secrets
from spina_client.seen import GameSeen
from spina_client.tournament import TournamentAt
from spina_client.tournament_seen import NextSeen

_log = logging.getLogger(__name__)

NOT_THERE = 404
# A drawn table has its game a fraction of a second later.
OPENING_PAUSE_S = 0.2
# Half a minute: a server that restarts has a steward by then, and who comes again later still finds the game.
OPENING_LOOKS_MAX = 150
# Each wait is some seconds; a player who sits down too early is refused, and comes again.
WITNESS_WAITS_MAX = 6
FIRST_LINE = StreamVersion(1)


class Withdrawal(Struct, frozen=True, kw_only=True):
    """When an entrant withdraws: instead of checking in, once it knows its table, or in the middle of its game."""

    round: int
    moment: Literal["check_in", "table", "game"] = "check_in"


class Habits(Struct, frozen=True, kw_only=True):
    """How an entrant behaves: in which rounds it checks in but does not sit down, and when it withdraws.

    `code` lets it in where the tournament asks for one; it calls an organiser once it is checked in for the round
    `calls_in`, and does nothing more once it is for `loses_phone_in`.
    """

    stays_away_in: frozenset[int] = frozenset()
    withdraws: Withdrawal | None = None
    code: str | None = None
    calls_in: int | None = None
    loses_phone_in: int | None = None


# Comes to every round, and stays to the end.
ALWAYS_THERE = Habits()


async def play_tournament(at: TournamentAt, bot: Bot, habits: Habits = ALWAYS_THERE) -> None:
    """Enter, and take each next step until there is none."""
    await at.enter(habits.code)
    await go_on(at, bot, habits)


async def go_on(at: TournamentAt, bot: Bot, habits: Habits = ALWAYS_THERE) -> None:
    """Take each next step of an entry until there is none."""
    seen = await at.read_next()
    while seen is not None and seen.what != "nothing":
        withdraws_at = habits.withdraws.moment if habits.withdraws and habits.withdraws.round == seen.round else None
        if (seen.what, withdraws_at) in {("check_in", "check_in"), ("play", "table")}:
            await at.withdraw(seen)
            return
        if seen.what == "check_in":
            await _check_in(at, seen)
            if seen.round == habits.calls_in and seen.entrant is not None:
                await at.call_organiser(seen.entrant, "We differ on where the marker stands.")
            if seen.round == habits.loses_phone_in:
                return
        elif seen.what == "play" and seen.round not in habits.stays_away_in:
            await _play(at, bot, seen, gives_up=withdraws_at == "game")
        seen = await _wait(at, seen)


async def _wait(at: TournamentAt, seen: NextSeen) -> NextSeen:
    """Return the next step once it has changed for this player."""
    while True:
        moved = await at.read_next(after=seen.version)
        if moved is not None:
            return moved
        # Nothing moved for some seconds: the last step is still the next one.
        if seen.what == "play":
            return seen


async def _check_in(at: TournamentAt, seen: NextSeen) -> None:
    try:
        await at.check_in(seen)
    except Refused as refused:
        if refused.problem.status != OVERTAKEN:
            raise
        _log.debug("%s: not checked in for %s", refused.problem.code, at.tournament)


async def _play(at: TournamentAt, bot: Bot, seen: NextSeen, *, gives_up: bool) -> None:
    """Sit down, wait for the others, and play to the end; a table may be drawn again before it has begun.

    An entrant that gives up withdraws once the game goes on, and resigns it.
    """
    assert seen.game is not None, "a table that is played at has a game"
    assert seen.seat is not None, "an entrant that plays has a seat"
    seat = SeatAt(at.client, seen.game, Seat(seen.seat), _build_secrets(at))
    game = await _find_game(seat)
    if game is None or game.is_over:
        return
    try:
        await _wait_for_witness(at, seat)
        if game.your_seat is None:
            await seat.take()
        game = await wait_for_rivals(seat)
        if game.status == "open":
            await seat.ready()
        if gives_up:
            await _give_up(at, seat, seen)
            return
    except Refused as refused:
        if refused.problem.status != OVERTAKEN:
            raise
        _log.debug("%s: not seated in %s", refused.problem.code, seen.game)
        return
    await play_seat(seat, bot)


async def _give_up(at: TournamentAt, seat: SeatAt, seen: NextSeen) -> None:
    """Leave a game that has begun, and the tournament; one that never does is drawn again, and left then."""
    game = await seat.read()
    while game.status == "open":
        game = await seat.client.read_next(seat.game, game.version) or game
    if not game.is_over:
        await at.withdraw(seen)
        await seat.resign()


async def _find_game(seat: SeatAt) -> GameSeen | None:
    for _ in range(OPENING_LOOKS_MAX):
        try:
            return await seat.read()
        except Refused as refused:
            if refused.problem.status != NOT_THERE:
                raise
        await asyncio.sleep(OPENING_PAUSE_S)
    return None


async def _wait_for_witness(at: TournamentAt, seat: SeatAt) -> None:
    """Wait for the line after the first one where no seat can be taken before it."""
    if "witnessed_opening" not in (await at.read()).terms.demands:
        return
    for _ in range(WITNESS_WAITS_MAX):
        if await seat.client.read_next(seat.game, FIRST_LINE) is not None:
            return


def _build_secrets(at: TournamentAt) -> SeatSecrets:
    """Make secrets for one game: links of its own, and the key with which the player entered."""
    return build_seat_secrets(links_count=LINKS_COUNT, key=at.secrets.key)
