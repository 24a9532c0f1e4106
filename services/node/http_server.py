"""The HTTP server of one process: holds its port from the start, answers on it only when all is ready."""

import asyncio
import gc
import socket
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from signal import SIGINT, SIGTERM

import uvicorn
from litestar.types import ASGIApp
from msgspec import Struct

from services.api.http.problems import REQUEST_BYTES_MAX
from services.node.addresses import format_url
from services.node.edge.connections import Bounds, Connections
from services.node.edge.http_guard import GuardedHttp
from services.node.edge.socket_guard import GuardedSocket

# Requests under way when the server is asked to stop may end within this; then their connections are cut.
GRACEFUL_STOP_TIMEOUT_S = 10
# Connections the kernel holds for us while we are busy; the rest of a rush is refused instead of waiting unheard.
BACKLOG_CONNECTIONS_MAX = 2048
# Open connections of one process: a spectator costs some tens of kilobytes. Later ones get 503 at once. The bounds on
# the connections of one network are far below.
CONNECTIONS_MAX = 8192
# How many more containers are made than let go before Python looks for cycles among the youngest; then how many such
# looks make one at the older. States and frames have no cycles, and its own 700 would be a tenth of a busy process's
# time; so many are some hundred kilobytes that wait to be let go.
COLLECTOR_THRESHOLDS = (5_000, 20, 20)
# A client that leaves data unread for so long will not read it any more.
UNREAD_TIMEOUT_S = 30


class PortRefused(Exception):
    """The port cannot be had."""

    def __init__(self, host: str, port: int, reason: str) -> None:
        self.host = host
        self.port = port
        another = "SPINA_PORT, or --port of a witness, takes another"
        super().__init__(f"expected to listen on port {port} of {host}, found: {reason}; {another}")


@contextmanager
def held_port(host: str, port: int) -> Iterator[socket.socket]:
    """Take the port without listening on it, so that a busy one is refused at once. Raises PortRefused."""
    try:
        family, kind, protocol, _name, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
    except OSError as error:
        raise PortRefused(host, port, error.strerror or str(error)) from error
    with listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            # Accepted connections inherit it: a reader that stopped reading is not waited for.
            listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNREAD_TIMEOUT_S * 1000)
        try:
            listener.bind(address)
        except OSError as error:
            raise PortRefused(host, port, error.strerror or str(error)) from error
        yield listener


def base_url(listener: socket.socket) -> str:
    """Return where this machine reaches the server."""
    host, port = listener.getsockname()[:2]
    return format_url(host, port)


class StopSignal:
    """The effect of SIGINT and SIGTERM: end the start while there is no server, and let a running one finish."""

    def __init__(self) -> None:
        self.is_given = False
        self._server: uvicorn.Server | None = None
        self._first: list[Callable[[], None]] = []

    @contextmanager
    def heeded(self) -> Iterator[None]:
        """Heed the signals inside the block, which is the work of the current task."""
        task, loop = asyncio.current_task(), asyncio.get_running_loop()
        assert task is not None
        for signal in (SIGINT, SIGTERM):
            loop.add_signal_handler(signal, self._on_signal, task)
        try:
            yield
        finally:
            for signal in (SIGINT, SIGTERM):
                loop.remove_signal_handler(signal)

    def call_first(self, what: Callable[[], None]) -> None:
        """Have something done at once when the signal comes: streams end themselves, the server would wait for them."""
        self._first.append(what)

    def pass_to(self, server: uvicorn.Server) -> None:
        self._server = server

    def give(self) -> None:
        """Let the server finish, as a signal would."""
        self.is_given = True
        for what in self._first:
            what()
        if self._server is not None:
            self._server.should_exit = True

    def _on_signal(self, task: asyncio.Task[object]) -> None:
        if self.is_given:
            # The first one is being heeded; a cancelled clean-up would leave servers behind.
            return
        if self._server is None:
            self.is_given = True
            task.cancel()
            return
        self.give()


async def _nothing_to_end() -> None:
    """Stop hook of a server without waiting readers."""


class Hooks(Struct, frozen=True, kw_only=True):
    """`on_ready`: requests are answered from now on. `on_stopping`: waiting readers must be let go before the end."""

    on_ready: Callable[[], None]
    on_stopping: Callable[[], Awaitable[None]] = _nothing_to_end


class Server(uvicorn.Server):
    """uvicorn, except that the program owns the signals and hears when it is ready and when it is about to stop."""

    def __init__(self, config: uvicorn.Config, hooks: Hooks) -> None:
        super().__init__(config)
        self._hooks = hooks

    def capture_signals(self) -> nullcontext[None]:  # type: ignore[override]  # a context manager as well
        return nullcontext()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._hooks.on_ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self._hooks.on_stopping()
        await super().shutdown(sockets)


async def serve_http(
    app: ASGIApp,
    listener: socket.socket,
    *,
    stop: StopSignal,
    hooks: Hooks,
    proxies: tuple[str, ...] = (),
    bounds: Bounds | None = None,
) -> None:
    """Answer requests until a signal; a client behind a trusted proxy has the address that the proxy reports.

    Raises PortRefused when another process began to listen on the port meanwhile.
    """
    connections = Connections(proxies=proxies, bounds=bounds)
    config = uvicorn.Config(
        app,
        loop="uvloop",
        http=partial(GuardedHttp, connections=connections),  # type: ignore[arg-type]  # called as a class is
        ws=GuardedSocket,
        # A client sends commands; a larger message is none.
        ws_max_size=REQUEST_BYTES_MAX,
        # Compressing for each reader apart would cost ten times as much as sending, and as much memory.
        ws_per_message_deflate=False,
        # It logs every socket with its whole address at the level below.
        log_level="warning",
        backlog=BACKLOG_CONNECTIONS_MAX,
        timeout_graceful_shutdown=GRACEFUL_STOP_TIMEOUT_S,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=bool(proxies),
        forwarded_allow_ips=list(proxies),
        limit_concurrency=CONNECTIONS_MAX,
    )
    server = Server(config, hooks)
    stop.pass_to(server)
    before = gc.get_threshold()
    gc.set_threshold(*COLLECTOR_THRESHOLDS)
    try:
        await server.serve(sockets=[listener])
    except OSError as error:
        host, port = listener.getsockname()[:2]
        raise PortRefused(host, port, error.strerror or str(error)) from error
    finally:
        gc.set_threshold(*before)
