"""A program without an event loop plays and follows a race by the same client."""

import asyncio

from spina_client.blocking import connected_blocking
from spina_client.challenge import challenge, house
from spina_client.client import Client, Terms, register
from spina_client.connection import Connection
from spina_client.following import follow_game
from spina_client.ids import StreamVersion
from tests.clients.spina_client.races import RACE, play_race


def play_and_follow(url: str) -> tuple[str, int, int]:
    with connected_blocking(url) as (server, waiting):
        ada = Client(server, waiting.wait(register(server, "Ada")))
        at = waiting.wait(challenge(ada, Terms(**RACE, offers=(None, house("steady")))))
        ended = waiting.wait(play_race(at))
        frames = list(waiting.each(follow_game(ada, at.game, after=StreamVersion(0))))
    return ended.status, ended.version, len(frames)


async def test_a_program_without_an_event_loop_plays_a_race_and_follows_it(server: Connection) -> None:
    status, version, frames = await asyncio.to_thread(play_and_follow, server.url)

    assert status == "finished"
    assert frames >= version
