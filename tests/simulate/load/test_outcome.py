"""The outcome of a load: a run that showed nothing falls short, and a second answer must be the first one."""

import asyncio

import msgspec
import pytest
from msgspec.structs import replace

from simulate.load.outcome import Outcome, find_other_answers
from spina_client.ids import StreamVersion
from tests.simulate.load.test_checking import COMMANDS, FIRST, GAME, acked

ACKED = acked(FIRST, 1, COMMANDS[0])
OTHER = replace(ACKED.answer, last_version=StreamVersion(2))


@pytest.mark.parametrize(
    ("finished", "stayed", "shortfalls"),
    [
        (1, 1, ()),
        (0, 1, ("expected a finished game, found none",)),
        (1, 0, ("expected a player who stayed, found none",)),
    ],
)
def test_a_run_without_a_finished_game_or_a_player_shows_nothing(
    finished: int, stayed: int, shortfalls: tuple[str, ...]
) -> None:
    outcome = Outcome(
        kills=3,
        seconds=1.0,
        is_interrupted=False,
        acknowledged=9,
        lines=9,
        finished=finished,
        extended=0,
        gave_up=(),
        stayed=stayed,
        streams=2,
        checkpoints=2,
        counts={},
        violations=(),
    )

    assert outcome.shortfalls == shortfalls


@pytest.mark.parametrize(
    ("second", "told"), [(ACKED.answer, []), (OTHER, [f"expected {ACKED.answer} again, found {OTHER}"])]
)
async def test_a_repeated_command_is_answered_as_the_first_time(second: object, told: list[str]) -> None:
    content = msgspec.json.encode(second)

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\n\r\n%s" % (len(content), content))
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        host, port = server.sockets[0].getsockname()
        found = [text async for text in find_other_answers([f"http://{host}:{port}"], [ACKED])]

    name = f"{GAME} seat 1 version 1, {ACKED.request} {COMMANDS[0]}: "
    assert found == [name + sentence for sentence in told]
