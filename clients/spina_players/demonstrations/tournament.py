"""A whole tournament of bots against any server, over its public API: to see one run, or to test a server."""

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from functools import partial
from random import Random

import msgspec
from msgspec import Struct

from domain.ruleset.kit import Kit
from spina_client.bot import Bot
from spina_client.client import Client, register
from spina_client.connection import Connection
from spina_client.entrant import Habits, play_tournament
from spina_client.formats import Json
from spina_client.ids import TournamentId
from spina_client.seat_secrets import build_seat_secrets
from spina_client.seen import Account
from spina_client.tournament import TournamentAt, open_tournament
from spina_client.tournament_seen import Pairings, Standings, TournamentSeen
from spina_players.bots.player import read_bot

NO_HABITS = Habits()
# Each wait ends after some seconds; a ledger that took so many is not there.
WITNESS_WAITS_MAX = 6


class TournamentNotWitnessed(Exception):
    """No checkpoint came over the opening."""

    def __init__(self, tournament: TournamentId) -> None:
        self.tournament = tournament
        super().__init__(f"expected a witnessed opening of {tournament}, found none; does the server keep a ledger?")


# The organiser's work at a round. After one the next is called once that round is closed again.
AtRound = Callable[[TournamentAt, int], Coroutine[None, None, None]]


async def do_nothing(_tournament: TournamentAt, _round: int) -> None:
    """Leave a round as it is."""


class TournamentPlan(Struct, frozen=True, kw_only=True):
    """The players and their ruleset; `habits` are of players by number, `terms` are added to those of the tournament.

    `late` are the rounds after which players enter, by number; all others enter before the first. The
    organiser works before each round is called, while it goes on, and after it.
    """

    kit: Kit
    players: int
    rounds: int
    table_size: int
    name: str = "Demonstration"
    is_signed: bool = False
    terms: Mapping[str, Json] = {}
    habits: Mapping[int, Habits] = {}
    late: Mapping[int, int] = {}
    before_round: AtRound = do_nothing
    in_round: AtRound = do_nothing
    after_round: AtRound = do_nothing


class TournamentSummary(Struct, frozen=True, kw_only=True):
    """The tournament as it ended."""

    url: str
    tournament: TournamentSeen
    standings: Standings
    pairings: Pairings


def _tell_nobody(_: TournamentSeen) -> None:
    """Ignores the progress of a tournament."""


async def demonstrate_tournament(
    connection: Connection,
    organiser: Account,
    plan: TournamentPlan,
    *,
    numbers: Random,
    on_moved: Callable[[TournamentSeen], None] = _tell_nobody,
) -> TournamentSummary:
    """Open a tournament as this organiser, make accounts, play it to its end.

    Raises the client's exceptions, in a group where several play.
    """
    # A client with a token alone does not know the account's id, by which the opening names a key, and rules unsigned.
    is_signed = "signed" in list_demands(plan) and bool(organiser.id)
    secrets = build_seat_secrets(is_signing=is_signed)
    named: dict[str, Json] = {"organisers": {organiser.id: secrets.public_key}} if is_signed else {}
    tournament = await open_tournament(
        Client(connection, organiser), {"options": dict(plan.kit.short), **build_terms(plan), **named}, secrets
    )
    await wait_for_witness(tournament)
    await run_tournament(tournament, plan, numbers=numbers, on_moved=on_moved)
    return TournamentSummary(
        url=f"{connection.url}{tournament.path}",
        tournament=await tournament.read(),
        standings=await tournament.read_standings(),
        pairings=await tournament.read_pairings(),
    )


async def run_tournament(
    tournament: TournamentAt,
    plan: TournamentPlan,
    *,
    numbers: Random,
    on_moved: Callable[[TournamentSeen], None] = _tell_nobody,
) -> None:
    """Let all players enter and play, and call round after round, as an organiser does."""
    async with asyncio.TaskGroup() as playing:
        entered = 0
        for number in range(1, plan.rounds + 1):
            for index in range(plan.players):
                if plan.late.get(index, 0) == number - 1:
                    at, bot = await _register(tournament, plan, index, numbers)
                    playing.create_task(play_tournament(at, bot, plan.habits.get(index, NO_HABITS)))
                    entered += 1
            await _wait_until(tournament, partial(_has_entries, entered), on_moved)
            if number > max(plan.late.values(), default=0) and not (await tournament.read()).are_entries_closed:
                await tournament.close_entries()
            await plan.before_round(tournament, number)
            await tournament.call_round(number)
            playing.create_task(plan.in_round(tournament, number))
            await _wait_until(tournament, _is_round_closed, on_moved)
            await plan.after_round(tournament, number)
            await _wait_until(tournament, _is_round_closed, on_moved)
        await tournament.close()


async def _register(
    tournament: TournamentAt, plan: TournamentPlan, number: int, numbers: Random
) -> tuple[TournamentAt, Bot]:
    """Make an account for a player, and the bot that plays for it."""
    names = plan.kit.favourites
    name = names[number % len(names)]
    own = Random(numbers.getrandbits(64))  # noqa: S311  bots have whims, chance comes from the server
    account = await register(tournament.client.connection, f"{name} {number + 1} (demo)", is_bot=True)
    demands = list_demands(plan)
    secrets = build_seat_secrets(is_signing="signed" in demands)
    at = TournamentAt(Client(tournament.client.connection, account), tournament.tournament, secrets)
    bot = Bot(choose=read_bot(plan.kit, name), numbers=own, custody="own" if "own_custody" in demands else "server")
    return at, bot


def build_terms(plan: TournamentPlan) -> dict[str, Json]:
    """Build the terms of a tournament: rounds paired by score, tables of the size or one less."""
    size = plan.table_size
    return {
        "name": plan.name,
        "ruleset": plan.kit.reference,
        "format": {"kind": "score", "rounds": plan.rounds},
        "tables": {"min": max(2, size - 1), "max": size, "preferred": size},
        "demands": ["links", "signed"] if plan.is_signed else ["links"],
        **plan.terms,
    }


def list_demands(plan: TournamentPlan) -> list[str]:
    return msgspec.convert(build_terms(plan)["demands"], list[str])


async def wait_for_witness(tournament: TournamentAt) -> None:
    """Wait until the opening stands in the ledger where that is demanded; no player can enter before."""
    seen = await tournament.read()
    for _ in range(WITNESS_WAITS_MAX):
        if seen.is_witnessed or "witnessed_opening" not in seen.terms.demands:
            return
        seen = await tournament.wait_on(seen.version)
    raise TournamentNotWitnessed(tournament.tournament)


def _has_entries(count: int, seen: TournamentSeen) -> bool:
    return seen.entries == count


def _is_round_closed(seen: TournamentSeen) -> bool:
    return seen.round_status == "closed"


async def _wait_until(
    tournament: TournamentAt, is_so: Callable[[TournamentSeen], bool], on_moved: Callable[[TournamentSeen], None]
) -> None:
    seen = await tournament.read()
    on_moved(seen)
    while not is_so(seen):
        seen = await tournament.wait_on(seen.version)
        on_moved(seen)
