"""Whole games over HTTP: bots leave a log that can be decided again, in every custody, signed or not."""

from collections import Counter
from collections.abc import Mapping
from random import Random

import httpx2
import pytest
from msgspec.structs import replace

from domain.canonical import Json
from domain.chance import Secret
from domain.game.kind import GAMES
from domain.log.record import Line, parse_line
from domain.ruleset.catalogue import Catalogue
from domain.ruleset.kit import Kit
from domain.rulesets.chariot_race.kit import kit as chariot_race
from domain.rulesets.charioteer.kit import kit as charioteer
from domain.rulesets.chariotmaster.kit import kit as chariotmaster
from domain.rulesets.released import KITS, find_kit
from infra.ruleset_files import load_ruleset
from spina_client.bot import Bot, GameStandsStill, play_seat
from spina_client.client import Client, Terms, register
from spina_client.connection import Connection, connected
from spina_client.ids import Seat
from spina_client.problems import Refused
from spina_client.seat import SeatAt
from spina_client.seat_secrets import build_seat_secrets
from spina_players.bots.player import read_bot
from spina_players.demonstrations.game import Demonstrated, Plan, demonstrate
from tests.domain.log.redeciding import redecide

CATALOGUE = Catalogue([load_ruleset(charioteer.KIT), load_ruleset(chariot_race.KIT), load_ruleset(chariotmaster.KIT)])
RACE = KITS[1]
# A later turn goes the same way over the network as an early one.
SHORT: Mapping[str, Mapping[str, Json]] = {
    "chariot-race@1": {"rounds_max": 8},
    "charioteer@1": {"laps": 1},
    "chariotmaster@1": {"laps": 1, "turns_max": 5},
}
SHORT_KITS = [replace(kit, short=SHORT[kit.reference]) for kit in KITS]


async def play(server: Connection, plan: Plan) -> tuple[Demonstrated, list[Line], list[int]]:
    """Play a game; return its end, its log decided again, and the versions that a spectator saw."""
    versions: list[int] = []
    numbers = Random(7)  # noqa: S311  the same whims in every run
    played = await demonstrate(server, plan, numbers=numbers, on_version=versions.append)
    reader = Client(server, await register(server, "Reader"))
    raws = [raw async for raw in reader.read_events(played.game.id)]
    lines = [parse_line(raw) for raw in raws]
    secret = Secret(bytes.fromhex(str(lines[-1].data["secret"])))
    assert redecide(GAMES, raws, CATALOGUE, secret).version == len(raws)
    assert played.game.version == len(raws)
    return played, lines, versions


@pytest.mark.parametrize("kit", SHORT_KITS, ids=lambda kit: kit.reference)
async def test_bots_play_a_whole_signed_game_in_their_own_custody(server: Connection, kit: Kit) -> None:
    plan = Plan(kit=kit, bots=kit.favourites, seats=3, custody="own", is_signed=True)

    played, lines, versions = await play(server, plan)

    assert played.game.status == "finished"
    assert played.game.ranking is not None
    assert all(line.sig for line in lines if line.by.startswith("seat:"))
    assert all(line.data["nonce"] for line in lines if line.type in ("action_played", "action_revealed"))
    assert not any(line.by == "server" for line in lines if line.type == "action_revealed")
    assert versions == sorted(set(versions))


@pytest.mark.parametrize("kit", SHORT_KITS, ids=lambda kit: kit.reference)
async def test_bots_play_a_whole_game_in_the_server_s_custody(server: Connection, kit: Kit) -> None:
    plan = Plan(kit=kit, bots=kit.favourites, seats=2)

    played, lines, _ = await play(server, plan)

    assert played.game.status == "finished"
    assert played.bots == kit.favourites
    assert not any(line.sig for line in lines)
    assert all(line.data["nonce"] for line in lines if line.type in ("action_played", "action_revealed"))
    assert all(line.by == "server" for line in lines if line.type == "action_revealed")


class LossyNetwork(httpx2.AsyncBaseTransport):
    """Loses every fifth request on its way, and every third reply after the server has handled the request.

    The same request is lost at most `LOST_IN_A_ROW_MAX` times in a row, however many clients ask at once.
    """

    LOST_IN_A_ROW_MAX = 4

    def __init__(self) -> None:
        self._inner = httpx2.AsyncHTTPTransport()
        self._sent = 0
        self._lost = Counter[tuple[str, bytes]]()

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        if request.url.path == "/v1/players":
            return await self._inner.handle_async_request(request)
        same = (str(request.url), request.content)
        self._sent += 1
        is_lost_going, is_lost_returning = self._sent % 5 == 0, self._sent % 3 == 0
        if self._lost[same] == self.LOST_IN_A_ROW_MAX or not (is_lost_going or is_lost_returning):
            del self._lost[same]
            return await self._inner.handle_async_request(request)
        self._lost[same] += 1
        if is_lost_going:
            raise httpx2.ConnectError("lost on its way")
        response = await self._inner.handle_async_request(request)
        await response.aread()
        raise httpx2.ReadError("lost on the way back")

    async def aclose(self) -> None:
        await self._inner.aclose()


async def at_once(_pause_s: float) -> None:
    """Pause for no time at all."""


async def test_a_game_over_a_network_that_loses_requests_and_replies_has_every_move_once(server: Connection) -> None:
    async with connected(server.url, transport=LossyNetwork(), sleep=at_once) as lossy:
        played, lines, _ = await play(lossy, Plan(kit=KITS[0], bots=("longest",), seats=2, custody="own"))

    moves = [(line.data["seat"], line.data["decision"]) for line in lines if line.type == "action_revealed"]
    assert played.game.status == "finished"
    assert len(moves) == len(set(moves)) > 10


async def seat_bots(server: Connection, **bots: Bot) -> list[SeatAt]:
    """Open a race and seat as many as there are bots; it has started."""
    clients = [Client(server, await register(server, name)) for name in bots]
    game = (await clients[0].open_game(Terms(ruleset=RACE.reference, seats=len(bots)))).game
    seats = [SeatAt(client, game, Seat(place), build_seat_secrets()) for place, client in enumerate(clients)]
    for at in seats:
        await at.take()
    for at in seats:
        await at.ready()
    return seats


async def test_a_bot_gives_up_a_game_in_which_nobody_moves(server: Connection) -> None:
    bot = Bot(choose=read_bot(RACE, "careful"), numbers=Random(1), still_max=0)  # noqa: S311  the whims of a bot
    ada, bob = await seat_bots(server, ada=bot, bob=bot)
    seen = await ada.read()
    idle = bob if seen.owed[0].seat == ada.seat else ada

    with pytest.raises(GameStandsStill, match=f"seat {1 - idle.seat} "):
        await play_seat(idle, bot)


async def test_a_bot_whose_answer_is_refused_for_good_says_so(server: Connection) -> None:
    bot = Bot(choose=lambda _board, _decision, _numbers: {"kind": "fly"}, numbers=Random(1))  # noqa: S311  the whims of a bot
    ada, bob = await seat_bots(server, ada=bot, bob=bot)
    seen = await ada.read()
    due = ada if seen.owed[0].seat == ada.seat else bob

    with pytest.raises(Refused) as refused:
        await play_seat(due, bot)

    assert refused.value.problem.code == "unreadable-action"


class LateNetwork(httpx2.AsyncHTTPTransport):
    """Answers every action as a server does that was away until the clock ran out, and has not given back the time."""

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        if not request.url.path.endswith("/actions"):
            return await super().handle_async_request(request)
        problem = {"type": "urn:spina:problem:clock-ran-out", "title": "Clock ran out", "status": 409}
        return httpx2.Response(409, json=problem)


async def test_a_bot_that_is_told_that_its_clock_ran_out_waits_for_the_game_to_move(server: Connection) -> None:
    bot = Bot(choose=read_bot(RACE, "careful"), numbers=Random(1), still_max=0)  # noqa: S311  the whims of a bot
    async with connected(server.url, transport=LateNetwork()) as late:
        ada, bob = await seat_bots(late, ada=bot, bob=bot)
        seen = await ada.read()
        due = ada if seen.owed[0].seat == ada.seat else bob

        with pytest.raises(GameStandsStill):
            await play_seat(due, bot)


async def test_a_seat_is_played_on_by_another_program_with_the_same_secrets(server: Connection) -> None:
    bot = Bot(choose=read_bot(RACE, "careful"), numbers=Random(1))  # noqa: S311  the whims of a bot
    ada, bob = await seat_bots(server, ada=bot, bob=bot)
    again = SeatAt(Client(server, ada.client.account), ada.game, ada.seat, ada.secrets)
    due = again if (await ada.read()).owed[0].seat == ada.seat else bob
    seen = await due.read()

    decision = seen.owed[0].decision
    action = bot.choose(bytes(seen.board), bytes(seen.choices[decision]), bot.numbers)
    accepted = await due.play(seen, decision, action)

    assert accepted.first_version == seen.version + 1


async def test_a_seat_may_be_left_before_the_start_and_resigned_after_it(server: Connection) -> None:
    bot = Bot(choose=read_bot(RACE, "careful"), numbers=Random(1))  # noqa: S311  the whims of a bot
    ada, _ = await seat_bots(server, ada=bot, bob=bot)
    opened = await ada.client.open_game(Terms(ruleset=RACE.reference, seats=2))
    other = SeatAt(ada.client, opened.game, Seat(1), ada.secrets)

    await other.take()
    await other.leave()
    await ada.resign()

    assert (await other.read()).seats[1].status == "vacant"
    assert (await ada.read()).status == "finished"


def test_bots_are_found_by_a_ruleset_with_or_without_its_version() -> None:
    assert find_kit("chariot-race") is find_kit("chariot-race@1") is RACE
    assert find_kit("chess") is None
