"""When a request is sent again and when not: the same bytes after a lost reply, never a command done twice."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import httpx2
import pytest

from spina_client.client import Client, Terms, register
from spina_client.connection import ANSWER_BYTES_MAX, AWAY_S_MAX, Connection, ServerUrlRefused, connected
from spina_client.ids import GameId, PlayerId, StreamVersion, TournamentId
from spina_client.problems import AnswerUnreadable, NoServerThere, Refused, ServerUnreachable
from spina_client.seen import Account
from spina_client.tournament import TournamentAt

GAME = GameId("0199c0de-0000-7000-8000-000000000001")
ADA = Account(id=PlayerId("0199c0de-0000-7000-8000-00000000001a"), name="Ada", token="spina_hunter2")
ACCEPTED = {"game": GAME, "first_version": 1, "last_version": 1, "head": "9f" * 32}
BUSY = {"type": "urn:spina:problem:store-busy", "status": 503, "may_send_again": True}
TERMS = Terms(ruleset="torches@1", seats=2)

# More than a request is sent again to a URL where no server was met.
FAILURES = 30
# Those of two and a half minutes, and more.
MANY_FAILURES = 200
# The fate of one request at the server: answered, or lost.
Step = httpx2.Response | type[httpx2.TransportError]


class Scripted(httpx2.AsyncBaseTransport):
    """A server that does one thing after the other, and remembers the requests that it received."""

    def __init__(self, *steps: Step) -> None:
        self.steps = list(steps)
        self.bodies: list[bytes] = []
        self.slept_s: list[float] = []

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        self.bodies.append(request.content)
        step = self.steps.pop(0)
        if isinstance(step, httpx2.Response):
            return step
        raise step("gone")

    async def sleep(self, pause_s: float) -> None:
        self.slept_s.append(pause_s)


@asynccontextmanager
async def scripted(*steps: Step, away_s_max: float = AWAY_S_MAX) -> AsyncIterator[tuple[Connection, Scripted]]:
    server = Scripted(*steps)
    connecting = connected("http://spina.test", transport=server, sleep=server.sleep, away_s_max=away_s_max)
    async with connecting as connection:
        yield connection, server


def good() -> httpx2.Response:
    return httpx2.Response(201, json=ACCEPTED)


@pytest.mark.parametrize(
    "lost", [httpx2.ReadError, httpx2.ReadTimeout, httpx2.RemoteProtocolError, httpx2.ConnectError]
)
async def test_a_command_whose_reply_was_lost_is_sent_again_with_the_same_id(lost: type[httpx2.TransportError]) -> None:
    async with scripted(lost, good()) as (connection, server):
        accepted = await Client(connection, ADA).open_game(TERMS)

    assert accepted.game == GAME
    assert len(server.bodies) == 2
    assert server.bodies[0] == server.bodies[1] != b""


@pytest.mark.parametrize("status", [503, 429])
async def test_a_server_that_asks_to_come_again_is_obeyed_for_as_long_as_it_says(status: int) -> None:
    busy = httpx2.Response(status, json={**BUSY, "status": status, "may_send_again": status == 503})
    busy.headers["retry-after"] = "7"

    async with scripted(busy, good()) as (connection, server):
        await Client(connection, ADA).open_game(TERMS)

    assert server.slept_s == [7.0]


async def test_a_refusal_is_raised_at_once_with_its_type() -> None:
    problem = {"type": "urn:spina:problem:seat-not-vacant", "status": 409, "detail": "found ada"}

    async with scripted(httpx2.Response(409, json=problem)) as (connection, server):
        with pytest.raises(Refused, match=r"seat-not-vacant \(409\): found ada") as refused:
            await Client(connection, ADA).open_game(TERMS)

    assert refused.value.problem.code == "seat-not-vacant"
    assert server.slept_s == []


async def test_an_account_is_not_made_twice_when_the_reply_is_lost() -> None:
    async with scripted(httpx2.ReadError) as (connection, server):
        with pytest.raises(ServerUnreachable):
            await register(connection, "Ada")

    assert len(server.bodies) == 1


async def test_an_account_is_asked_for_again_when_the_server_was_not_there() -> None:
    made = {"id": ADA.id, "name": "Ada", "token": ADA.token}

    async with scripted(httpx2.ConnectError, httpx2.Response(201, json=made)) as (connection, _):
        account = await register(connection, "Ada")

    assert account == ADA


@pytest.mark.parametrize("away_s", [5, 27, 120])
async def test_a_command_outlives_an_outage_of_a_server_that_was_met(away_s: int) -> None:
    # Each attempt but the first three is a second after the one before.
    away: list[Step] = [httpx2.ConnectError] * (away_s + 3)
    async with scripted(good(), *away, good()) as (connection, server):
        client = Client(connection, ADA)
        await client.open_game(TERMS)

        await client.open_game(TERMS)

    assert sum(server.slept_s) >= away_s
    assert max(server.slept_s) == 1
    assert server.steps == []


@pytest.mark.parametrize("away_s_max", [AWAY_S_MAX, 60.0])
async def test_a_server_that_does_not_come_back_is_given_up_after_the_chosen_time(away_s_max: float) -> None:
    away: list[Step] = [httpx2.ConnectError] * MANY_FAILURES
    async with scripted(good(), *away, away_s_max=away_s_max) as (connection, server):
        client = Client(connection, ADA)
        await client.open_game(TERMS)

        with pytest.raises(ServerUnreachable):
            await client.open_game(TERMS)

    assert sum(server.slept_s) == pytest.approx(away_s_max, abs=2)


async def test_a_server_that_never_answered_is_given_up_sooner_with_growing_pauses() -> None:
    async with scripted(*[httpx2.ConnectError] * FAILURES) as (connection, server):
        with pytest.raises(ServerUnreachable, match=r"found ConnectError, \d\d times"):
            await Client(connection, ADA).open_game(TERMS)

    assert server.slept_s == sorted(server.slept_s)
    assert max(server.slept_s) == 1
    assert sum(server.slept_s) == pytest.approx(20, abs=2)


async def test_a_server_that_answered_meanwhile_may_be_away_again() -> None:
    away = [httpx2.ConnectError] * 15
    async with scripted(*away, httpx2.Response(503, json=BUSY), *away, good()) as (connection, _):
        accepted = await Client(connection, ADA).open_game(TERMS)

    assert accepted.game == GAME


async def test_a_server_that_asks_to_come_again_for_minutes_is_not_given_up() -> None:
    busy = [httpx2.Response(503, json=BUSY) for _ in range(FAILURES)]
    async with scripted(*busy, good()) as (connection, _):
        accepted = await Client(connection, ADA).open_game(TERMS)

    assert accepted.game == GAME


async def test_an_answer_without_end_is_given_up_at_its_largest_size() -> None:
    sent: list[int] = []

    async def pieces() -> AsyncIterator[bytes]:
        while True:
            sent.append(1024 * 1024)
            yield bytes(1024 * 1024)

    async with scripted(httpx2.Response(200, content=pieces())) as (connection, _):
        with pytest.raises(AnswerUnreadable, match=f"more than {ANSWER_BYTES_MAX} bytes"):
            await connection.get("/v1/rulesets", object)

    assert sum(sent) <= ANSWER_BYTES_MAX + 1024 * 1024


async def test_the_file_of_a_tournament_may_be_larger_than_any_other_answer() -> None:
    file = bytes(ANSWER_BYTES_MAX + 1)

    async with scripted(httpx2.Response(200, content=file)) as (connection, _):
        read = await TournamentAt(Client(connection, ADA), TournamentId(GAME)).read_bundle()

    assert read == file


async def test_where_nothing_takes_a_connection_it_is_told_at_the_first_try() -> None:
    async with scripted(httpx2.ConnectError) as (connection, server):
        with pytest.raises(NoServerThere, match=r"expected a server at http://spina.test, found none"):
            await connection.meet()

    assert server.slept_s == []


async def test_a_server_that_answers_anything_or_nothing_is_there() -> None:
    async with scripted(httpx2.Response(503), httpx2.ReadTimeout) as (connection, server):
        await connection.meet()
        await connection.meet()

    assert len(server.bodies) == 2


@pytest.mark.parametrize("content", [b"<html>", b"\xff", b'{"game":1}'])
async def test_an_answer_that_is_none_of_ours_is_told(content: bytes) -> None:
    async with scripted(httpx2.Response(200, content=content)) as (connection, _):
        with pytest.raises(AnswerUnreadable):
            await Client(connection, ADA).open_game(TERMS)


async def test_a_refusal_by_something_in_between_is_told_as_it_came() -> None:
    async with scripted(httpx2.Response(407, content=b"proxy says no")) as (connection, _):
        with pytest.raises(Refused, match="proxy says no"):
            await Client(connection, ADA).open_game(TERMS)


async def test_waiting_in_vain_is_no_refusal() -> None:
    problem = {"type": "urn:spina:problem:no-such-version", "status": 404}

    async with scripted(httpx2.Response(404, json=problem)) as (connection, _):
        moved = await Client(connection, ADA).read_next(GAME, StreamVersion(3))

    assert moved is None


@pytest.mark.parametrize("url", ["", "spina.example", "ftp://a.example", "http://ada:hunter2@a.example", "http://\0"])
async def test_what_is_no_url_of_a_server_is_refused_without_repeating_it(url: str) -> None:
    with pytest.raises(ServerUrlRefused) as refused:
        async with connected(url):
            pass

    assert "hunter2" not in str(refused.value)


async def test_no_repr_and_no_message_shows_a_token() -> None:
    async with scripted(*[httpx2.ReadError] * FAILURES) as (connection, _):
        client = Client(connection, ADA)
        with pytest.raises(ServerUnreachable) as unreachable:
            await client.list_rulesets()

    shown: list[Callable[[], str]] = [ADA.__repr__, client.__repr__, unreachable.value.__str__]
    assert not any("hunter2" in item() for item in shown)


async def test_a_field_of_a_later_release_is_ignored() -> None:
    later = httpx2.Response(201, json={**ACCEPTED, "weather": "rain"})

    async with scripted(later) as (connection, _):
        accepted = await Client(connection, ADA).open_game(TERMS)

    assert accepted.game == GAME
