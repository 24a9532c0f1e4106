"""Thousands of damaged requests over raw connections, from a seed.

Each is answered with a typed problem, or its connection is closed. The server logs no fault, and the log of no stream
grows.
"""

import asyncio
import logging
import random
import re
from collections.abc import Callable, Coroutine, Iterator
from contextlib import suppress
from typing import Any

import msgspec
import pytest
from msgspec import Struct
from structlog.testing import capture_logs

from services.api.http.problems import TYPE_PREFIX
from services.live.messages import CLOSE_CODES
from services.node.edge.connections import Bounds
from tests.database import Database
from tests.services.live.game_play import start_game
from tests.services.live.node import Node, pace, running_node
from tests.services.node.edge.damaged import LAST, write_frame, write_handshake, write_request

SEED = 1_795_046_400
# Late heads and bodies are given up before the test loses its patience.
SOON = Bounds(head_timeout_s=0.2, body_timeout_s=0.2)
# A connection that is silent for so long waits for another request.
SILENT_S = 0.4
CLOSE = b"\x88\x80\0\0\0\0"
TOGETHER = 40
HEAD = re.compile(rb"HTTP/1\.1 (\d{3}) [A-Za-z' -]*")
# Those of the protocol for a peer that breaks it, and ours, in which the last digits are those of a status.
CLOSED = {*CLOSE_CODES.values(), *range(4400, 4500), 1000, 1002, 1003, 1005, 1007, 1009} - {CLOSE_CODES["failed"]}


# The count of what is sent, and the exchange that sends it.
Sent = tuple[int, Coroutine[Any, Any, None]]


class Answer(Struct, frozen=True, kw_only=True):
    status: int
    kind: bytes
    body: bytes


def parse_answers(raw: bytes) -> Iterator[Answer]:
    """Split the bytes of a connection into answers; one to HEAD has a length and no body."""
    while raw:
        head, gap, raw = raw.partition(b"\r\n\r\n")
        first, *lines = head.split(b"\r\n")
        found = HEAD.fullmatch(first)
        assert found, head[:200]
        assert gap, head[:200]
        status = int(found[1])
        fields = {name.lower(): value for name, _, value in (line.partition(b": ") for line in lines)}
        body = b""
        if not raw.startswith(b"HTTP/1.1 ") and status not in (100, 101, 204, 304):
            if fields.get(b"transfer-encoding") == b"chunked":
                body, _, raw = raw.partition(b"0\r\n\r\n")
            else:
                size = int(fields[b"content-length"])
                body, raw = raw[:size], raw[size:]
        yield Answer(status=status, kind=fields.get(b"content-type", b""), body=body)
        if status == 101:
            return


def judge(answer: Answer) -> None:
    """Accept an answer to a good request, and a typed problem."""
    assert answer.status < 500, answer
    if answer.status >= 400:
        assert answer.kind == b"application/problem+json", answer
        if answer.body:
            assert msgspec.json.decode(answer.body)["type"].startswith(TYPE_PREFIX), answer


def judge_frames(raw: bytes) -> None:
    """Accept texts whose problems are typed, pongs, and an orderly end."""
    while raw:
        assert len(raw) >= 2, raw
        opcode, size, start = raw[0] & 0x0F, raw[1], 2
        if size >= 126:
            start = 4 if size == 126 else 10
            size = int.from_bytes(raw[2:start], "big")
        data, raw = raw[start : start + size], raw[start + size :]
        if opcode == 1:
            said = msgspec.json.decode(data)
            assert said.get("type") != "problem" or said["problem"]["type"].startswith(TYPE_PREFIX), data
            assert said.get("type") != "problem" or said["problem"]["status"] < 500, data
        elif opcode == 8:
            assert not data or int.from_bytes(data[:2], "big") in CLOSED, data


async def exchange(node: Node, pieces: list[bytes], *, handshake: bytes = b"", is_half: bool = False) -> None:
    """Send pieces over a connection, and judge all that comes back until it is closed, or silent."""
    host, _, port = node.address.partition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    told = b""
    with suppress(ConnectionError, TimeoutError):
        if handshake:
            writer.write(handshake)
            told = await asyncio.wait_for(reader.read(65_536), SILENT_S)
        for each in pieces:
            writer.write(each)
            await writer.drain()
        if is_half:
            writer.write_eof()
        while piece := await asyncio.wait_for(reader.read(65_536), SILENT_S):
            told += piece
    writer.transport.abort()
    with suppress(ConnectionError):
        await writer.wait_closed()
    try:
        for answer in parse_answers(told):
            judge(answer)
            if answer.status == 101:
                judge_frames(told.partition(b"\r\n\r\n")[2])
    except (AssertionError, KeyError, ValueError) as error:
        error.add_note(f"sent {[handshake, *pieces]!r:.6000}")
        raise


def send_requests(node: Node, rng: random.Random, token: str) -> Sent:
    """Send one request or some at once, whole or in two parts."""
    requests = [write_request(rng, token) for _ in range(rng.choice((1, 1, 1, 2, 4)))]
    raw = b"".join(requests) + LAST
    place = rng.randrange(len(raw))
    pieces = [raw] if rng.random() < 0.7 else [raw[:place], raw[place:]]
    is_half = rng.random() < 0.1
    return len(requests), exchange(node, pieces[:1] if is_half else pieces, is_half=is_half)


def send_frames(node: Node, rng: random.Random, _token: str) -> Sent:
    """Open a socket, if the handshake is good enough, and send some frames."""
    frames = [write_frame(rng) for _ in range(rng.randint(0, 8))]
    return 1 + len(frames), exchange(node, [*frames, CLOSE], handshake=write_handshake(rng))


@pytest.mark.parametrize("send", [send_requests, send_frames], ids=["requests", "frames"])
async def test_damage_is_answered_by_typed_problems_and_leaves_no_fault(
    database: Database, caplog: pytest.LogCaptureFixture, bodies: int, send: Callable[..., Sent]
) -> None:
    rng = random.Random(f"{SEED}{send.__name__}")  # noqa: S311  the same requests in every run
    sent = 0
    with capture_logs() as logged, caplog.at_level(logging.WARNING):
        async with running_node(database, None, pace=pace(), bounds=SOON) as node:
            await start_game(node.parts.games.arena)
            token = await node.parts.people.accounts.create_player("0199c0de-0000-7000-8000-00000000eeee", "Eve")
            head = await node.parts.store.read_head()

            async def send_some() -> None:
                nonlocal sent
                while sent < bodies // 4:
                    count, answered = send(node, rng, token)
                    sent += count
                    await answered

            async with asyncio.TaskGroup() as tasks:
                for _ in range(TOGETHER):
                    tasks.create_task(send_some())
            answer = await node.client.get("/v1/health")

            assert answer.status_code == 200
            assert await node.parts.store.read_head() == head
    faults = [record for record in logged if record["log_level"] in ("error", "critical") or "exc_info" in record]
    assert faults == []
    assert [
        record.getMessage() for record in caplog.records if record.exc_info or record.levelno >= logging.ERROR
    ] == []
