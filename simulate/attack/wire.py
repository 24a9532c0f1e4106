"""Raw connections of a stranger, all from one address of the loopback."""

import asyncio
import json
import re
import time
from collections.abc import Callable, Coroutine, Mapping
from contextlib import suppress
from typing import Any

from msgspec import Struct

from spina_client.formats import build_uuid7

# Not the address of the honest players, so that the limits of a network are its own.
STRANGER = "127.0.0.66"
ANSWER_TIMEOUT_S = 30.0
# After a connection that was refused: a stranger on the same machine comes again at once, but not without a breath.
# A server without a name is reached by its address alone.
HOST = "127.0.0.1"
PAUSE_S = 0.02
# After an account that was refused.
REGISTER_PAUSE_S = 0.4
OK, CREATED = 200, 201
_LENGTH = re.compile(rb"content-length: (\d+)", re.IGNORECASE)


class Target(Struct, frozen=True, kw_only=True):
    """The server under attack, and the streams of the honest players."""

    host: str
    port: int
    game: str
    tournament: str
    # One of the honest entrants.
    player: str
    # Times the strength of the report.
    strength: int
    seconds: float


class Answer(Struct, frozen=True, kw_only=True):
    status: int
    body: bytes


class Line:
    """One connection, with requests one after the other."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    async def ask(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        token: str | None = None,
        heads: Mapping[str, str] | None = None,
    ) -> Answer:
        self.writer.write(write_request(method, path, body, token=token, heads=heads))
        async with asyncio.timeout(ANSWER_TIMEOUT_S):
            await self.writer.drain()
            head = await self.reader.readuntil(b"\r\n\r\n")
            length = _LENGTH.search(head)
            content = await self.reader.readexactly(int(length[1])) if length else b""
        if b"connection: close" in head.lower() or not length:
            self.writer.close()
        return Answer(status=int(head.split(b" ", 2)[1]), body=content)

    async def until_closed(self) -> None:
        with suppress(OSError):
            while await self.reader.read(65536):
                pass


def write_request(
    method: str, path: str, body: Any = None, *, token: str | None = None, heads: Mapping[str, str] | None = None
) -> bytes:
    content = b"" if body is None else json.dumps(body).encode()
    fields = [f"host: {HOST}", *([f"authorization: Bearer {token}"] if token else [])]
    fields += [f"{name}: {value}" for name, value in (heads or {}).items()]
    if body is not None:
        fields += ["content-type: application/json", f"content-length: {len(content)}"]
    head = "".join(f"{field}\r\n" for field in (f"{method} {path} HTTP/1.1", *fields))
    return head.encode() + b"\r\n" + content


async def connect(target: Target) -> Line:
    return Line(*await asyncio.open_connection(target.host, target.port, local_addr=(STRANGER, 0)))


async def register(target: Target, count: int) -> list[str]:
    """Make accounts, as many as the server gives; return their tokens."""
    tokens: list[str] = []
    for _ in range(count * 2):
        if len(tokens) == count:
            break
        with suppress(OSError, TimeoutError, asyncio.IncompleteReadError, json.JSONDecodeError):
            line = await connect(target)
            answer = await line.ask("POST", "/v1/players", {"name": "Stranger"})
            line.writer.close()
            if answer.status == CREATED:
                tokens.append(json.loads(answer.body)["token"])
            else:
                await asyncio.sleep(REGISTER_PAUSE_S)
    if not tokens:
        raise AttackRefused(f"expected {count} accounts, found none")
    return tokens


class AttackRefused(Exception):
    """The server refuses every request of the strangers, whatever it is: an attack would attack nothing."""


async def require_reached(target: Target) -> None:
    """Check that a request of a stranger gets an answer. Raises AttackRefused."""
    line = await connect(target)
    answer = await line.ask("GET", "/v1/rulesets")
    line.writer.close()
    if answer.status != OK:
        raise AttackRefused(f"expected {OK}, found {answer.status}: {answer.body.decode(errors='replace')}")


def new_id() -> str:
    return build_uuid7(time.time_ns() // 1_000_000)


async def again_and_again(target: Target, *works: Callable[[Line], Coroutine[Any, Any, None]]) -> None:
    """Connect and work, for ever, on a connection for each work."""

    async def repeat(work: Callable[[Line], Coroutine[Any, Any, None]]) -> None:
        while True:
            with suppress(OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
                line = await connect(target)
                try:
                    await work(line)
                finally:
                    line.writer.close()
            await asyncio.sleep(PAUSE_S)

    await asyncio.gather(*map(repeat, works))
