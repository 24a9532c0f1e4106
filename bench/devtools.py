"""A headless Chromium that a measurement steers over its own protocol: one tab, and the bytes that came to it.

→ {"id":1,"method":"Page.navigate","params":{"url":"…"},"sessionId":"…"}
← {"id":1,"result":{…},"sessionId":"…"}              the answer, among events, which have a method and no id
"""

import asyncio
import os
import shutil
import tempfile
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Raw, Struct, field
from websockets.asyncio.client import ClientConnection, connect

from domain.canonical import Json

NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
# It says where it listens on a line of its own, a second after it was started; a busy machine takes its time.
START_TIMEOUT_S = 60.0
LISTENING = b"DevTools listening on "
# The longest answer waited for is that of a whole replay, a frame for each of some hundred events.
ANSWER_TIMEOUT_S = 120.0
# An answer is a few numbers, an event at most the headers of a request.
MESSAGE_SIZE_MAX = 16 * 1024 * 1024
FLAGS = (
    "--headless=new",
    "--remote-debugging-port=0",
    "--no-first-run",
    "--disable-gpu",
    "--disable-background-networking",
    "--window-size=1360,860",
)
Found = TypeVar("Found")


class NoChromium(Exception):
    """None of the names is a program of this machine."""

    def __init__(self) -> None:
        super().__init__(f"no Chromium on this machine; looked for {', '.join(NAMES)}")


class DevtoolsError(Exception):
    """The browser refused, or the page raised an error."""


class Chromium(Struct, frozen=True, kw_only=True):
    executable: Path
    # Additions to the environment it runs in.
    environment: Mapping[str, str] = {}


class _Event(Struct, frozen=True, kw_only=True, rename="camel"):
    encoded_data_length: int = 0


class _Message(Struct, frozen=True, kw_only=True, rename="camel"):
    id: int | None = None
    method: str = ""
    params: _Event = field(default_factory=_Event)
    result: Raw = field(default_factory=lambda: Raw(b"{}"))
    error: Raw = field(default_factory=Raw)


class _Target(Struct, frozen=True, kw_only=True, rename="camel"):
    target_id: str


class _Session(Struct, frozen=True, kw_only=True, rename="camel"):
    session_id: str


class _Value(Struct, frozen=True, kw_only=True):
    value: Raw = field(default_factory=lambda: Raw(b"null"))


class _Evaluated(Struct, frozen=True, kw_only=True, rename="camel"):
    result: _Value
    exception_details: Raw = field(default_factory=Raw)


class Tab:
    """One page of the browser. Events are read with the next answer, so the last request has counted all."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._ids = count(1)
        self._session: str | None = None
        # Bodies as they came over the wire, compressed where the server compresses.
        self.received_bytes = 0

    async def open(self) -> None:
        target = await self.call("Target.createTarget", {"url": "about:blank"}, _Target)
        attached = await self.call("Target.attachToTarget", {"targetId": target.target_id, "flatten": True}, _Session)
        self._session = attached.session_id
        for domain in ("Page", "Network", "Runtime"):
            await self.call(f"{domain}.enable", {}, Raw)

    async def call(self, method: str, params: Mapping[str, Json], kind: type[Found]) -> Found:
        """Ask the browser. Raises DevtoolsError where it refuses."""
        asked = next(self._ids)
        told = {"id": asked, "method": method, "params": params}
        if self._session is not None:
            told["sessionId"] = self._session
        await self._socket.send(msgspec.json.encode(told).decode())
        async with asyncio.timeout(ANSWER_TIMEOUT_S):
            while (answer := self._read(await self._socket.recv())).id != asked:
                pass
        if bytes(answer.error):
            raise DevtoolsError(f"{method}: {bytes(answer.error).decode()}")
        return msgspec.json.decode(answer.result, type=kind)

    async def evaluate(self, expression: str, kind: type[Found]) -> Found:
        """Run a script in the page, and wait for the promise that it may be. Raises DevtoolsError with its error."""
        params: dict[str, Json] = {"expression": expression, "awaitPromise": True, "returnByValue": True}
        found = await self.call("Runtime.evaluate", params, _Evaluated)
        if bytes(found.exception_details):
            raise DevtoolsError(bytes(found.exception_details).decode())
        return msgspec.json.decode(found.result.value, type=kind)

    def _read(self, said: str | bytes) -> _Message:
        message = msgspec.json.decode(said, type=_Message)
        if message.method == "Network.dataReceived":
            self.received_bytes += message.params.encoded_data_length
        return message


def find_chromium(path: str | None = None) -> Chromium:
    """Find a Chromium by name, in the folders of PATH or of another such list. Raises NoChromium."""
    for name in NAMES:
        found = shutil.which(name, path=path)
        if found is not None:
            return Chromium(executable=Path(found))
    raise NoChromium


@asynccontextmanager
async def running_tab(chromium: Chromium) -> AsyncIterator[Tab]:
    """Run the browser, with a profile that goes away, while the block runs; give its one tab."""
    with tempfile.TemporaryDirectory(prefix="spina-bench-", ignore_cleanup_errors=True) as profile:
        # Root has no sandbox to give it; it opens nothing but the measured server's pages.
        sandbox = ("--no-sandbox",) if os.geteuid() == 0 else ()
        process = await asyncio.create_subprocess_exec(
            chromium.executable,
            *FLAGS,
            *sandbox,
            f"--user-data-dir={profile}",
            env=os.environ | chromium.environment,
            stdout=DEVNULL,
            stderr=PIPE,
        )
        try:
            address = await _read_address(process)
            async with connect(address, max_size=MESSAGE_SIZE_MAX, compression=None, ping_interval=None) as socket:
                tab = Tab(socket)
                await tab.open()
                yield tab
        finally:
            process.kill()
            # The rest of its output, so that it ends; it is not read.
            await process.communicate()


async def _read_address(process: Process) -> str:
    assert process.stderr is not None
    async with asyncio.timeout(START_TIMEOUT_S):
        async for line in process.stderr:
            if line.startswith(LISTENING):
                return line.removeprefix(LISTENING).decode().strip()
    raise DevtoolsError("the browser ended before it listened")
