"""Strangers' connections: counted by network, timed, and bounded in size, with room left for others."""

import asyncio

import pytest

from services.node.edge.connections import Bounds
from services.node.edge.http_guard import HEAD_BYTES_MAX, REST_BYTES_MAX
from tests.services.node.edge.guarded_server import ELSEWHERE, LARGE, Line, guarded_server

OK = b"HTTP/1.1 200 OK"
FEW = Bounds(connections_max=20, silent_max=10, head_timeout_s=0.2, body_timeout_s=0.4)
# Two unread answers, and not three.
SOME = 5 * len(LARGE) // 2
# Long enough for a server on a busy machine, and far from any time limit that is meant.
PATIENCE_S = 20


async def test_silent_connections_of_one_network_are_few_and_end() -> None:
    async with guarded_server(FEW) as server, asyncio.timeout(PATIENCE_S):
        silent = [await server.connect() for _ in range(FEW.silent_max)]
        one_more = await server.ask()
        elsewhere = await server.ask(ELSEWHERE)
        told = [await line.until_closed() for line in silent]
        afterwards = await server.ask()

    assert (one_more, elsewhere, afterwards) == (b"", OK, OK)
    assert {sentence.partition(b"\r\n")[0] for sentence in told} == {b"HTTP/1.1 408 Request Timeout"}


async def test_open_connections_of_one_network_are_counted_until_they_end() -> None:
    bounds = Bounds(connections_max=5)
    async with guarded_server(bounds) as server, asyncio.timeout(PATIENCE_S):
        asked = [await server.ask() for _ in range(6)]
        elsewhere = await server.ask(ELSEWHERE)

    assert asked == [OK] * 5 + [b""]
    assert elsewhere == OK


async def test_connections_of_a_trusted_proxy_are_not_counted() -> None:
    async with guarded_server(Bounds(connections_max=2), proxies=("127.0.0.0/30",)) as server:
        asked = [await server.ask() for _ in range(6)]

    assert asked == [OK] * 6


@pytest.mark.parametrize(
    "bounds",
    [
        Bounds(unread_bytes_max=SOME, unread_bytes_max_in_all=20 * len(LARGE)),
        Bounds(unread_bytes_max=20 * len(LARGE), unread_bytes_max_in_all=SOME),
    ],
    ids=["of a network", "of all"],
)
async def test_answers_that_nobody_reads_are_cut_off_beyond_a_bound_and_others_come_whole(bounds: Bounds) -> None:
    request = b"GET /large HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n"
    async with guarded_server(bounds) as server, asyncio.timeout(PATIENCE_S):
        unread = [await server.connect() for _ in range(8)]
        for line in unread:
            await line.send(request)
        heads = [await line.read_head() for line in unread]
        sizes = [len(await line.until_closed()) for line in unread]
        elsewhere = await server.connect(ELSEWHERE)
        await elsewhere.send(request)
        await elsewhere.read_head()
        whole = await elsewhere.until_closed()

    assert sum(size == len(LARGE) for size in sizes) in range(2, 6), heads
    assert len(whole) == len(LARGE)


@pytest.mark.parametrize("piece", [b"x: y\r\n", b"x" * 1_000], ids=["fields", "one field"])
async def test_a_head_without_end_is_cut_off(piece: bytes) -> None:
    async with guarded_server() as server, asyncio.timeout(PATIENCE_S):
        line = await server.connect()
        sent = await pour(line, b"GET / HTTP/1.1\r\n", piece)
        answer = await line.until_closed()

    assert answer.startswith(b"HTTP/1.1 431 ") or not answer
    assert sent < 100 * HEAD_BYTES_MAX


async def test_a_large_head_that_comes_at_once_is_refused_and_a_usual_one_is_answered() -> None:
    async with guarded_server() as server, asyncio.timeout(PATIENCE_S):
        line = await server.connect()
        await line.send(b"GET / HTTP/1.1\r\nx: " + bytes([97]) * (HEAD_BYTES_MAX // 2) + b"\r\n\r\n")
        usual = await line.read_head()
        await line.send(b"GET / HTTP/1.1\r\nx: " + bytes([97]) * HEAD_BYTES_MAX + b"\r\n\r\n")
        large = await line.until_closed()

    assert usual.startswith(OK)
    assert large.startswith(b"HTTP/1.1 431 ")
    assert b"urn:spina:problem:head-too-large" in large


@pytest.mark.parametrize(
    "sent",
    [
        b"POST / HTTP/1.1\r\ncontent-length: 9\r\n\r\n{",
        b"GET / HTTP/1.1\r\ncontent-length: 9\r\n\r\n{",
        b"GET / HTTP/1.1\r\n\r\nGET / HT",
    ],
    ids=["half a body", "half a body that is not waited for", "half a head after a request"],
)
async def test_half_a_request_is_given_up_however_it_drips(sent: bytes) -> None:
    async with guarded_server(FEW) as server, asyncio.timeout(PATIENCE_S):
        line = await server.connect()
        await line.send(sent)
        told = asyncio.create_task(line.until_closed())
        while not told.done():
            line.writer.write(b"x")
            await asyncio.wait({told}, timeout=0.05)

    assert told.done()


async def test_fields_after_a_body_are_not_kept_and_have_an_end() -> None:
    async with guarded_server() as server, asyncio.timeout(PATIENCE_S):
        line = await server.connect()
        head = b"POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n"
        sent = await pour(line, head + b"1\r\n{\r\n0\r\n", b"x: " + b"y" * 1_000 + b"\r\n")

    assert sent < 100 * REST_BYTES_MAX


async def test_bytes_that_are_no_request_are_refused_in_the_words_of_all_refusals() -> None:
    async with guarded_server() as server, asyncio.timeout(PATIENCE_S):
        line = await server.connect()
        await line.send(b"\x00\x01 nothing\r\n\r\n")
        answer = await line.until_closed()

    assert answer.startswith(b"HTTP/1.1 400 Bad Request\r\ncontent-type: application/problem+json\r\n")
    assert b"urn:spina:problem:malformed-request" in answer


async def pour(line: Line, first: bytes, piece: bytes) -> int:
    """Send a piece again and again until the server has cut the connection off; return how many bytes went."""
    sent = 0
    try:
        await line.send(first)
        while not line.reader.at_eof() and not line.writer.is_closing():
            await line.send(piece)
            sent += len(piece)
            await asyncio.sleep(0)
    except ConnectionError:
        pass
    return sent
