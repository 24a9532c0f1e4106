"""Sockets of strangers: unread answers, pings and parts of messages without end, and texts in any pieces."""

import asyncio

from websockets.frames import Frame, Opcode

from services.node.edge.connections import Bounds
from services.node.edge.socket_guard import FRAMES_AT_ONCE_MAX, PIECE_BYTES
from tests.services.node.edge.guarded_server import Guarded, Line, guarded_server

HANDSHAKE = (
    b"GET / HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: websocket\r\n"
    b"sec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)
PING, TEXT = Frame(Opcode.PING, b"").serialize(mask=True), Frame(Opcode.TEXT, b"{}").serialize(mask=True)
PART = Frame(Opcode.CONT, b"", fin=False).serialize(mask=True)
PATIENCE_S = 30
# A stranger sends so much at least, if it is let.
FLOOD_BYTES = 64 * 1024 * 1024


async def test_pings_without_end_are_cut_off_and_hold_up_no_other() -> None:
    async with guarded_server() as server, asyncio.timeout(PATIENCE_S):
        line = await open_socket(server)
        flooding = asyncio.create_task(flood(line, PING * 10_000))
        asked = [await server.ask() for _ in range(5)]
        sent = await flooding

    assert set(asked) == {b"HTTP/1.1 200 OK"}
    assert sent < FLOOD_BYTES


async def test_parts_of_a_message_that_never_ends_are_cut_off() -> None:
    async with guarded_server() as server, asyncio.timeout(PATIENCE_S):
        line = await open_socket(server)
        sent = await flood(line, Frame(Opcode.TEXT, b"{", fin=False).serialize(mask=True) + PART * 10_000)

    assert sent < FLOOD_BYTES


async def test_texts_without_end_after_a_close_are_cut_off() -> None:
    async with guarded_server() as server, asyncio.timeout(PATIENCE_S):
        line = await open_socket(server, b"/once")
        sent = await flood(line, TEXT * 10_000)

    # The buffers of the system on both sides take some megabytes.
    assert sent < FLOOD_BYTES // 4


async def test_texts_that_come_together_leave_turns_to_other_work() -> None:
    count, turns = 10_000, 0

    async def take_turns() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    async with guarded_server() as server, asyncio.timeout(PATIENCE_S):
        line = await open_socket(server)
        other = asyncio.create_task(take_turns())
        await line.send(TEXT * count)
        await line.reader.readexactly(4 * count)
        other.cancel()

    assert turns >= count * len(TEXT) / PIECE_BYTES


async def test_a_peer_that_reads_no_answer_is_not_read_either() -> None:
    async with guarded_server() as server, asyncio.timeout(PATIENCE_S):
        line = await open_socket(server)
        text = Frame(Opcode.TEXT, b"x" * 60_000).serialize(mask=True)
        sent = 0
        while sent < FLOOD_BYTES:
            line.writer.write(text)
            sent += len(text)
            try:
                await asyncio.wait_for(line.writer.drain(), timeout=1)
            except TimeoutError:
                break

    assert sent < FLOOD_BYTES


async def test_a_few_pings_and_a_large_text_in_small_parts_are_answered() -> None:
    size = 50_000
    parts = [Frame(Opcode.TEXT if not at else Opcode.CONT, b"x" * 500, fin=at == 99) for at in range(100)]
    async with guarded_server() as server, asyncio.timeout(PATIENCE_S):
        line = await open_socket(server)
        await line.send(PING * (FRAMES_AT_ONCE_MAX // 4) + b"".join(part.serialize(mask=True) for part in parts))
        await line.send(TEXT * 50)
        pongs = await line.reader.readexactly(2 * (FRAMES_AT_ONCE_MAX // 4))
        text = await line.reader.readexactly(4 + size)
        texts = await line.reader.readexactly(4 * 50)

    assert pongs == b"\x8a\x00" * (FRAMES_AT_ONCE_MAX // 4)
    assert text[4:] == b"x" * size
    assert texts == b"\x81\x02{}" * 50


async def test_a_socket_outlasts_the_time_of_a_request() -> None:
    bounds = Bounds(head_timeout_s=0.2, body_timeout_s=0.2)
    async with guarded_server(bounds) as server, asyncio.timeout(PATIENCE_S):
        line = await open_socket(server)
        # Another connection is given up for its silence meanwhile.
        await (await server.connect()).until_closed()
        await line.send(TEXT)
        text = await line.reader.readexactly(4)

    assert text == b"\x81\x02{}"


async def open_socket(server: Guarded, path: bytes = b"/") -> Line:
    line = await server.connect()
    await line.send(HANDSHAKE.replace(b"/", path, 1))
    assert (await line.read_head()).startswith(b"HTTP/1.1 101 ")
    return line


async def flood(line: Line, frames: bytes) -> int:
    sent = 0
    try:
        while sent < FLOOD_BYTES:
            await line.send(frames)
            sent += len(frames)
    except ConnectionError:
        pass
    return sent
