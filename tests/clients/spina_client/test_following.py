"""Streams that go on where they broke off: every line once, every state whole, whatever the connection did."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import httpx2
import pytest

from spina_client.challenge import challenge, friend, house
from spina_client.client import Client, Terms, register
from spina_client.connection import Connection, connected
from spina_client.following import AccountEvent, Frame, follow_account, follow_game
from spina_client.ids import GameId, PlayerId, StreamVersion
from spina_client.problems import AnswerUnreadable, Refused, ServerUnreachable
from spina_client.seen import Account
from spina_client.stream_events import parse_event
from tests.clients.spina_client.races import RACE, play_race

GAME = GameId("0199c0de-0000-7000-8000-000000000001")
ADA = Account(id=PlayerId("0199c0de-0000-7000-8000-00000000001a"), name="Ada", token="spina_hunter2")


class Breaking(httpx2.AsyncBaseTransport):
    """A server whose streams break off after so many bytes each, and stay away for a while at the end of the list."""

    def __init__(self, *streams: bytes | int) -> None:
        self.streams = list(streams)
        self.asked: list[str] = []

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        self.asked.append(request.url.query.decode())
        if not self.streams:
            raise httpx2.ConnectError("gone")
        stream = self.streams.pop(0)
        if isinstance(stream, int):
            return httpx2.Response(stream, json={"type": "urn:spina:problem:no-such-game", "status": stream})
        return httpx2.Response(200, headers={"content-type": "text/event-stream"}, stream=Broken(stream))


class Broken(httpx2.AsyncByteStream):
    def __init__(self, sent: bytes) -> None:
        self._sent = sent

    async def __aiter__(self) -> AsyncIterator[bytes]:
        # In pieces that respect no event.
        for at in range(0, len(self._sent), 7):
            yield self._sent[at : at + 7]
        raise httpx2.ReadError("broke off")


def frame(version: int, board: dict[str, Any]) -> bytes:
    return b"id: %d\ndata: %b\n\n" % (
        version,
        json.dumps({"version": version, "line": {"version": version}, "board": board}).encode(),
    )


async def rest(_pause_s: float) -> None:
    await asyncio.sleep(0)


async def follow(server: Breaking, *, after: int | None = None) -> list[Frame]:
    async with connected("http://spina.test", transport=server, sleep=rest) as connection:
        follower = follow_game(Client(connection, ADA), GAME, after=None if after is None else StreamVersion(after))
        return [frame async for frame in follower]


OVER = b'event: end\ndata: {"type":"end","reason":"over"}\n\n'


async def test_a_stream_that_breaks_off_goes_on_after_its_last_line_with_a_whole_board() -> None:
    first = frame(5, {"lap": 1, "pause": "x", "seats": {"a": 1}}) + frame(6, {"pause": None, "seats": {"b": 2}})
    server = Breaking(first + b"id: 7\ndata: {half", frame(7, {"lap": 2}) + OVER)

    frames = await follow(server, after=4)

    assert [dict(shown.game) for shown in frames] == [
        {"lap": 1, "pause": "x", "seats": {"a": 1}},
        {"lap": 1, "seats": {"a": 1, "b": 2}},
        {"lap": 2},
    ]
    assert server.asked == ["after=4", "after=6"]
    assert frames[0].line == b'{"version": 5}'


async def test_a_reader_who_sits_down_sees_the_whole_board_of_its_seat() -> None:
    moved = b'event: seat_changed\ndata: {"type":"seat_changed","seat":0}\n\n'
    server = Breaking(frame(1, {"public": 1}) + moved + frame(2, {"own": 1}) + OVER)

    assert [dict(shown.game) for shown in await follow(server)] == [{"public": 1}, {"own": 1}]


@pytest.mark.parametrize("status", [401, 404])
async def test_a_stream_that_is_refused_raises_the_problem(status: int) -> None:
    with pytest.raises(Refused, match="no-such-game"):
        await follow(Breaking(status))


@pytest.mark.parametrize("text", [b"id: x\ndata: {}\n\n", b"event: \xff\ndata: {}\n\n", b"id: 1\ndata: \xff\n\n"])
async def test_an_event_that_cannot_be_read_is_an_answer_of_no_server_of_ours(text: bytes) -> None:
    with pytest.raises(AnswerUnreadable):
        await follow(Breaking(text))


async def test_a_game_in_which_nothing_more_can_come_has_no_frames() -> None:
    assert await follow(Breaking(204)) == []


async def test_a_server_that_stays_away_is_given_up() -> None:
    with pytest.raises(ServerUnreachable, match="ConnectError"):
        await follow(Breaking(frame(1, {})))


async def test_a_quiet_stream_that_breaks_off_again_and_again_is_followed_on() -> None:
    quiet = [b": kept alive\n\n"] * 9

    async with connected("http://spina.test", transport=Breaking(*quiet, 204), sleep=rest, away_s_max=0) as connection:
        events = [event async for event in follow_account(Client(connection, ADA), after=3)]

    assert events == []


@pytest.mark.parametrize("text", [b"", b": kept alive", b"retry: 1000", b"id: 5"])
def test_an_event_without_data_is_none(text: bytes) -> None:
    assert parse_event(text) is None


async def test_a_race_is_followed_to_its_end_as_it_is_stored(server: Connection) -> None:
    ada = Client(server, await register(server, "Ada"))
    at = await challenge(ada, Terms(**RACE, offers=(None, house("steady"))))

    playing = asyncio.create_task(play_race(at))
    frames = [followed async for followed in follow_game(ada, at.game, after=StreamVersion(0))]
    await playing

    stored = [line async for line in ada.read_events(at.game)]
    ended = await ada.read_game(at.game)
    assert [followed.line for followed in frames] == stored
    assert frames[-1].game["status"] == ended.status == "finished"


async def test_an_account_is_told_of_offers_and_of_its_turn(server: Connection) -> None:
    ada, bob = [Client(server, await register(server, name)) for name in ("Ada", "Bob")]
    own = await bob.read_own_games()
    events = follow_account(bob, after=own.after)
    opened = await ada.open_game(Terms(**RACE, offers=(None, friend(bob.account.id))))

    offered = [event async for event in taken(events, "seat_offered")]

    assert [(event.game, event.offer and (event.offer.game, event.offer.sender)) for event in offered] == [
        (None, (opened.game, ada.account.id))
    ]


async def taken(events: AsyncIterator[AccountEvent], name: str) -> AsyncIterator[AccountEvent]:
    """Yield the first event of a name."""
    async for event in events:
        if event.event == name:
            yield event
            return
