"""House bots over a real server: called to seats, sent away, at play with people, and after a restart."""

import asyncio
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain.house import HOUSE, HOUSE_NAMES
from domain.ruleset.kit import Kit
from domain.rulesets.chariot_race.kit import kit as chariot_race
from domain.rulesets.charioteer.kit import kit as charioteer
from domain.rulesets.released import KITS, find_kit
from services.node.steady_clock import read_clock_ms
from services.reading.waiting import WAIT_S_MAX
from spina_client.bot import Bot, play_seat
from spina_client.challenge import house
from spina_client.client import Client, ClockTerms, Demand, StandIn, Terms, register
from spina_client.connection import Connection, connected
from spina_client.formats import Json
from spina_client.ids import Seat
from spina_client.problems import Refused
from spina_client.seat import SeatAt
from spina_client.seat_secrets import build_seat_secrets
from spina_client.seen import GameSeen
from spina_players.bots.player import read_bot
from tests.database import Database
from tests.infra.embedded.conditions import eventually
from tests.services.listening import listening

PATIENCE_S = 120.0
# Of the player: the bots of the house have their own.
NUMBERS = Random(7)  # noqa: S311 # a game, not a secret
RACE = Terms(ruleset="chariot-race@1", seats=2, options={"rounds_max": 2})


def call(bot: str) -> dict[str, str]:
    return {"kind": "house", "bot": bot}


async def open_seat(server: Connection, terms: Terms) -> SeatAt:
    """Register a player who opens a game and means to sit in seat 0."""
    client = Client(server, await register(server, "Ada"))
    game = (await client.open_game(terms)).game
    return SeatAt(client, game, Seat(0), build_seat_secrets(is_signing="signed" in terms.demands))


async def sit_down(at: SeatAt) -> None:
    await at.take()
    await at.ready()


async def has_all(at: SeatAt) -> bool:
    return all(seat.status == "held" for seat in (await at.read()).seats)


async def play(at: SeatAt, kit: Kit, *, custody: Any = "server") -> GameSeen:
    choose = read_bot(kit, kit.favourites[0])
    return await play_seat(at, Bot(choose=choose, numbers=NUMBERS, custody=custody))


async def has_inputs(at: SeatAt, by: str, type_: str) -> bool:
    """Return whether the log has an input of this type by this author."""
    lines = [msgspec.json.decode(event) async for event in at.client.read_events(at.game)]
    return any((line["by"], line["type"]) == (by, type_) for line in lines)


async def offer(at: SeatAt, seat: int, to: dict[str, str] | None) -> None:
    await at.client.post(f"/v1/games/{at.game}/offers", {"seat": seat, "to": to})


@pytest.mark.parametrize("kit", KITS, ids=lambda kit: str(kit.name))
async def test_a_player_ends_a_game_of_each_ruleset_against_bots_that_are_to_answer_at_once(
    database: Database, kit: Kit
) -> None:
    seats = 3
    weakest = next(iter(kit.bots))
    offers = (None, *(house(weakest, at_once=True) for _ in range(seats - 1)))
    # All other bots would think for an hour.
    async with listening(database, house_thinks_s=3_600) as url, connected(url) as server:
        at = await open_seat(server, Terms(ruleset=kit.reference, seats=seats, options=dict(kit.short), offers=offers))

        await sit_down(at)
        async with asyncio.timeout(PATIENCE_S):
            ended = await play(at, kit)

    assert ended.status == "finished"
    assert [seat.house for seat in ended.seats] == [None, weakest, weakest]
    assert [str(seat.player) for seat in ended.seats[1:]] == list(HOUSE[1:seats])


@pytest.mark.parametrize(
    ("demands", "custody"), [(("links",), "server"), (("links", "own_custody", "signed"), "own"), ((), "server")]
)
async def test_the_house_meets_the_demands_of_a_game(
    server: Connection, demands: tuple[Demand, ...], custody: str
) -> None:
    kit = find_kit("charioteer")
    assert kit is not None
    terms = Terms(ruleset=kit.reference, seats=2, options={"laps": 1}, demands=demands, offers=(None, call("longest")))
    at = await open_seat(server, terms)

    await sit_down(at)
    ended = await play(at, kit, custody=custody)

    assert ended.status == "finished"


async def test_a_seat_gets_ready_at_once_against_a_house_bot_and_the_game_runs(server: Connection) -> None:
    terms = replace(RACE, offers=(None, call("careful")))
    at = await open_seat(server, terms)

    await at.take()
    accepted = await at.ready()
    seen = await at.client.read_next(at.game, accepted.last_version)

    assert seen is not None
    assert seen.status == "running"


async def test_a_seat_that_another_player_is_to_take_is_not_waited_for(server: Connection) -> None:
    at = await open_seat(server, replace(RACE, seats=3, offers=(None, call("careful"), None)))
    await at.take()

    with pytest.raises(Refused) as refused:
        async with asyncio.timeout(WAIT_S_MAX / 2):
            await at.ready()

    assert refused.value.problem.code == "seats-vacant"


async def test_bots_are_called_and_sent_away_until_the_game_starts(server: Connection) -> None:
    at = await open_seat(server, RACE)
    await at.take()

    await offer(at, 1, call("fast"))
    await eventually(lambda: has_all(at))
    await offer(at, 1, None)
    alone = await at.read()
    await offer(at, 1, call("careful"))
    await eventually(lambda: has_all(at))

    assert alone.seats[1].status == "vacant"
    assert (await at.read()).seats[1].house == "careful"


async def test_the_house_plays_on_after_a_restart(database: Database) -> None:
    async with listening(database) as url, connected(url) as server:
        at = await open_seat(server, Terms(ruleset="chariot-race@1", seats=2, offers=(None, call("careful"))))
        await sit_down(at)

    async with listening(database) as url, connected(url) as server:
        again = SeatAt(Client(server, at.client.account), at.game, at.seat, at.secrets)
        ended = await play(again, chariot_race.KIT)

    assert ended.status == "finished"


async def test_a_bot_that_breaks_gives_up_its_seat_and_the_others_play_on(database: Database) -> None:
    def break_down(_view: Any, _decision: str, _numbers: Random) -> Json:
        raise ZeroDivisionError

    bots = {**chariot_race.KIT.bots, "broken": break_down}
    kit = Kit(**{name: getattr(chariot_race.KIT, name) for name in Kit.__struct_fields__} | {"bots": bots})
    async with listening(database, kits=(kit,)) as url, connected(url) as server:
        at = await open_seat(server, Terms(ruleset=kit.reference, seats=2, offers=(None, call("broken"))))
        await sit_down(at)

        ended = await play(at, chariot_race.KIT)

    assert ended.status == "finished"
    assert ended.seats[1].has_departed


async def test_the_house_plays_a_seat_whose_player_stays_away_until_the_player_comes_back(database: Database) -> None:
    terms = Terms(
        ruleset="charioteer@1",
        seats=2,
        options={"laps": 1},
        clock=ClockTerms(per_decision_ms=1_000, bank_ms=0),
        stand_in=StandIn(bot="longest", after=1),
    )
    # The clock stands, but for the moment in which the decision of the seat runs out.
    times = [read_clock_ms()]
    async with listening(database, now_ms=lambda: times[-1]) as url, connected(url) as server:
        at = await open_seat(server, terms)
        rival = Client(server, await register(server, "Bob"))
        other = SeatAt(rival, at.game, Seat(1), build_seat_secrets())
        for each in (at, other):
            await each.take()
        for each in (at, other):
            await each.ready()
        seen = await other.read()
        (owed,) = (owed for owed in seen.owed if owed.seat == other.seat)
        choose = read_bot(charioteer.KIT, "longest")
        action = choose(bytes(seen.board), bytes(seen.choices[owed.decision]), NUMBERS)
        await other.entrust(seen, owed.decision, action)
        times.append(times[-1] + 2_000)

        await eventually(lambda: has_inputs(at, "house", "action_sealed"))
        away = await at.read()
        accepted = await at.reclaim()
        back = await at.client.read_game(at.game, at=accepted.last_version)

    assert (away.seats[0].is_handed, away.seats[0].house) == (True, "longest")
    assert (back.seats[0].is_handed, back.seats[0].house) == (False, None)


async def test_only_bots_of_the_ruleset_can_be_called(server: Connection) -> None:
    at = await open_seat(server, RACE)

    with pytest.raises(Refused) as refused:
        await offer(at, 1, call("ruthless"))
    with pytest.raises(Refused) as refused_opening:
        await open_seat(server, Terms(ruleset="charioteer@1", seats=2, offers=(None, call("ruthless"))))

    assert {info.value.problem.code for info in (refused, refused_opening)} == {"no-such-bot"}


async def test_an_opener_has_so_many_house_games_at_once(server: Connection) -> None:
    client = Client(server, await register(server, "Ada"))
    terms = Terms(ruleset="chariot-race@1", seats=2, offers=(None, call("fast")))
    opened = [(await client.open_game(terms)).game for _ in range(4)]
    await eventually(lambda: are_seated(client, opened))

    with pytest.raises(Refused) as refused:
        await client.open_game(terms)
    await client.post(f"/v1/games/{opened[0]}/offers", {"seat": 0, "to": call("fast")})

    assert refused.value.problem.code == "too-many-house-games"
    assert all(game in str(refused.value.problem.found) for game in opened)


async def test_a_house_game_that_was_just_aborted_is_in_the_way_of_none(server: Connection) -> None:
    client = Client(server, await register(server, "Ada"))
    terms = Terms(ruleset="chariot-race@1", seats=2, offers=(None, call("fast")))
    opened = [(await client.open_game(terms)).game for _ in range(4)]
    await eventually(lambda: are_listed(client, opened))

    await client.post(f"/v1/games/{opened[0]}/abort", {"reason": "lost"})
    another = await client.open_game(terms)

    assert another.game not in opened


async def test_a_game_in_which_a_house_bot_may_stand_in_counts_among_those_of_its_opener(server: Connection) -> None:
    client = Client(server, await register(server, "Ada"))
    clock, stand_in = ClockTerms(per_decision_ms=60_000, bank_ms=0), StandIn(bot="fast", after=1)
    opened = [(await client.open_game(replace(RACE, clock=clock, stand_in=stand_in))).game for _ in range(4)]
    await eventually(lambda: are_listed(client, opened))

    with pytest.raises(Refused) as refused:
        await client.open_game(replace(RACE, clock=clock, stand_in=stand_in))

    assert refused.value.problem.code == "too-many-house-games"


async def are_listed(client: Client, games: Any) -> bool:
    shown = await client.connection.get("/v1/games", dict)
    return {item["id"] for item in shown["items"]} >= set(games)


async def are_seated(client: Client, games: Any) -> bool:
    return all([(await client.read_game(game)).seats[1].status == "held" for game in games])


async def test_a_house_player_is_named_as_what_it_is(server: Connection) -> None:
    client = Client(server, await register(server, "Ada"))

    shown = await client.connection.get(f"/v1/players/{HOUSE[2]}", dict, token=client.account.token)

    assert shown["name"] == HOUSE_NAMES[2] == "Crescens (house bot)"
