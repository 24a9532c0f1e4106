"""The moments in the life of a tournament and of its games, and every act that may be tried at one of them."""

from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import suppress
from hashlib import sha256
from itertools import product
from typing import Any, get_args

from msgspec import UNSET
from msgspec.structs import fields

from domain.game.commands import GameCommand
from domain.game.events import GameAborted, SeatResigned
from domain.log.actors import Actor, ByPlayer
from domain.log.events import OpeningWitnessed
from domain.rejection import Rejection
from domain.tournament import events, ruling_events
from domain.tournament.role_events import HelperJoined, Role
from domain.tournament.state import Table, Tournament
from domain.tournament.word_events import CallAnswered, OrganiserCalled
from tests.domain.tournament.tournament_harness import HOUR, ORGANISER, own_links, player, ranking
from tests.services.workers.steward_harness import Estate

Moment = Callable[[Estate], Awaitable[None]]
SECOND = 1_000
# Longer than nothing, so that a table can be followed within it.
DELAY_S = 30
# Opened by the harness; sent by the server alone, from the ledger and from the last lines of games.
OTHERS = {events.TournamentOpened, OpeningWitnessed, events.ResultTaken, events.CheckInClosed}
SECRET = "5e" * 32
LINK = sha256(bytes.fromhex(SECRET)).hexdigest()
# What an act needs before it is possible: another act, with these fields.
BEFORE: Mapping[type[Any], tuple[type[Any], dict[str, Any]]] = {
    events.EntryTaken: (ruling_events.EntryHanded, {"entrant": 0, "link": LINK, "game": "again"}),
    ruling_events.EntrantReturned: (ruling_events.EntrantRemoved, {"entrant": 0}),
    HelperJoined: (ruling_events.HelperInvited, {"role": "desk", "link": LINK}),
    ruling_events.HelperDismissed: (ruling_events.HelperInvited, {"role": "desk", "link": LINK}),
    ruling_events.RoundResumed: (ruling_events.RoundPaused, {}),
    CallAnswered: (OrganiserCalled, {"entrant": 0, "text": "Who was first?"}),
    ruling_events.DrawReleased: (ruling_events.DrawHeld, {}),
}
OF_COMING = {
    *(ruling_events.DrawHeld, ruling_events.DrawReleased, ruling_events.EntrantExcused, events.RoundSkipped),
}
ACTS: tuple[type[Any], ...] = tuple(kind for kind in events.INPUT_TYPES.values() if kind not in OTHERS)


async def first_table(estate: Estate) -> Table:
    return (await estate.round()).tables[0]


async def entered(estate: Estate) -> None:
    await estate.open(6, delay_s=DELAY_S)


async def entries_closed(estate: Estate) -> None:
    await estate.order(events.EntriesClosed, ORGANISER)


async def called(estate: Estate) -> None:
    await estate.call()


async def one_checked_in(estate: Estate) -> None:
    await estate.check_in(0)


async def drawn(estate: Estate) -> None:
    await estate.check_in(1, 2, 3, 4, 5)


async def game_opened(estate: Estate) -> None:
    await estate.steward.step()


async def one_seated(estate: Estate) -> None:
    table = await first_table(estate)
    await estate.sit_down(table.game, table.entrants[0], seat=0)


async def all_seated(estate: Estate) -> None:
    table = await first_table(estate)
    for seat, entrant in enumerate(table.entrants[1:], start=1):
        await estate.sit_down(table.game, entrant, seat=seat)


async def begun(estate: Estate) -> None:
    table = await first_table(estate)
    for seat, entrant in enumerate(table.entrants):
        await estate.ready(table.game, entrant, seat=seat)


async def played_for_seconds(estate: Estate) -> None:
    table = await first_table(estate)
    estate.now_ms += 3 * SECOND
    await estate.play(SeatResigned, table, table.entrants[2])
    estate.now_ms += 3 * SECOND


async def played_for_a_minute(estate: Estate) -> None:
    estate.now_ms += 60 * SECOND


async def game_over(estate: Estate) -> None:
    table = await first_table(estate)
    await estate.play(SeatResigned, table, table.entrants[1])


async def result_taken(estate: Estate) -> None:
    await estate.steward.step()


async def other_game_aborted(estate: Estate) -> None:
    game = (await estate.round()).tables[1].game
    aborted = GameAborted(reason="the lamp fell over")
    await estate.arena.handle(
        GameCommand(id=estate.next_id(), stream=game, at_ms=estate.now_ms, actor=ORGANISER, event=aborted)
    )


async def other_table_halted(estate: Estate) -> None:
    await estate.steward.step()


async def other_table_drawn_again(estate: Estate) -> None:
    await estate.order(ruling_events.TableReplayed, ORGANISER, round=1, table=2, attempt=1, reason="once more")
    await estate.steward.step()


async def time_to_sit_down_over(estate: Estate) -> None:
    estate.now_ms += HOUR + SECOND


async def round_over(estate: Estate) -> None:
    await estate.steward.step()
    await estate.steward.step()


async def second_round_drawn(estate: Estate) -> None:
    await estate.draw()


async def closed(estate: Estate) -> None:
    await estate.finish(1)
    await estate.finish(2)
    await estate.steward.step()
    await estate.order(events.TournamentClosed, ORGANISER, reason="the hall closes")


# Each goes on from the one before it.
MOMENTS: tuple[Moment, ...] = (
    entered,
    entries_closed,
    called,
    one_checked_in,
    drawn,
    game_opened,
    one_seated,
    all_seated,
    begun,
    played_for_seconds,
    played_for_a_minute,
    game_over,
    result_taken,
    other_game_aborted,
    other_table_halted,
    other_table_drawn_again,
    time_to_sit_down_over,
    round_over,
    second_round_drawn,
    closed,
)


async def prepare(estate: Estate, kind: type[Any]) -> None:
    """Make an act possible, where another has to come before it."""
    if kind not in BEFORE:
        return
    before, named = BEFORE[kind]
    tournament = await estate.read()
    if before is ruling_events.DrawHeld:
        named = {"round": _next_drawn(tournament)}
    if before is ruling_events.RoundPaused:
        named = {"round": max(len(tournament.rounds), 1)}
    if issubclass(before, ruling_events.RulingEvent):
        named = named | {"reason": "as seen by all"}
    with suppress(Rejection):
        await estate.order(before, _find_actor(tournament, before, named), **named)


def _next_drawn(tournament: Tournament) -> int:
    last = tournament.rounds[-1] if tournament.rounds else None
    return len(tournament.rounds) + (last is None or last.is_drawn)


def list_attempts(tournament: Tournament, kind: type[Any]) -> Iterator[tuple[Actor, dict[str, Any]]]:
    """List the ways to try an act: each table of the last round, one or all of its entrants, with and without reason.

    Values go by the name of the field, so that a new ruling of known fields is tried as well.
    """
    tables = tournament.rounds[-1].tables if tournament.rounds else ()
    for table in tables or (None,):
        values = _list_values(tournament, kind, table)
        names = [field.name for field in fields(kind)]
        for chosen in product(*(values[name] for name in names)):
            named = dict(zip(names, chosen, strict=True))
            yield _find_actor(tournament, kind, named), named


def _find_actor(tournament: Tournament, kind: type[Any], named: dict[str, Any]) -> Actor:
    if kind in {events.EntrantEntered, events.EntryTaken, HelperJoined}:
        return ByPlayer(player=named["player"])
    if kind in {events.EntrantWithdrawn, events.EntrantCheckedIn, events.RoundSkipped, OrganiserCalled}:
        return ByPlayer(player=tournament.entries[named["entrant"]].player)
    return ORGANISER


def _list_values(tournament: Tournament, kind: type[Any], table: Table | None) -> dict[str, tuple[Any, ...]]:
    entrants = () if table is None else table.entrants
    last, next_ = len(tournament.rounds), len(tournament.entries)
    is_new = kind is events.EntrantEntered
    places = () if table is None else ranking(*range(1, len(table.seats) + 1))
    links = tournament.entries[0].links
    assert links is not None
    return {
        "round": (last + 1,) if kind is events.RoundCalled else (last, last + 1) if kind in OF_COMING else (last,),
        "table": (*((None,) if kind is ruling_events.TimeGiven else ()), 1 if table is None else table.number),
        "attempt": (1 if table is None else table.attempt,),
        "entrants": (entrants[:1], tuple(sorted(entrants))),
        "entrant": (next_,) if is_new else (0, entrants[0] if entrants else 1),
        "ranking": (places,),
        "points": (7, -7),
        "reason": ("as seen by all", None),
        "nonce": (own_links(0)[64 - links.left + 1],),
        "player": (player(next_),),
        "anchor": (own_links(next_)[0],),
        "links": (64,),
        "key": (None,),
        "code": (UNSET,),
        "team": (UNSET,),
        "link": (LINK,),
        "game": ("again", "goes_on"),
        "wish": ("apart", "together_if_possible"),
        "minutes": (5,),
        "role": get_args(Role),
        "helper": (0,),
        "text": ("as seen by all",),
        "line": tuple(call.line for call in tournament.calls) or (1,),
        "tables": tuple(_list_seatings(table)),
    }


def _list_seatings(table: Table | None) -> Iterator[tuple[ruling_events.SeatedTable, ...]]:
    """Turn the seats of a table round, or leave the table empty."""
    if table is None:
        return
    for entrants in (table.entrants[::-1], ()):
        yield (ruling_events.SeatedTable(table=table.number, attempt=table.attempt, entrants=entrants),)
