"""A Python that has imported the product, and forks a process for each request: a start without its imports.

Runs as `python -m tests.fork_server FD`; `tests/forked.py` sends the requests over that socket.
"""

import atexit
import gc
import os
import runpy
import selectors
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path

import msgspec
from litestar.handlers import BaseRouteHandler
from msgspec import Struct

from domain.rulesets.released import KITS
from infra.ruleset_files import load_ruleset, read_words
from services.api.app import ALL_ROUTES
from services.api.games.rulesets import show_ruleset

ROOT = Path(__file__).parents[1]
PACKAGES = ("domain", "projections", "infra", "services", "spina_players")
REQUEST_SIZE_MAX = 128 * 1024
# Standard input, output and error of the process, and the socket that gets its id and its exit code.
DESCRIPTORS = 4


class Start(Struct, frozen=True, kw_only=True):
    """Run a module as `python -m` does."""

    module: str
    arguments: tuple[str, ...]
    environment: dict[str, str]
    folder: str


START = msgspec.json.Decoder(Start)


class Ending:
    """The end of a forked process: a Python that clears its modules would copy every page that it shares."""

    def __init__(self) -> None:
        self._code: int | None = None

    @contextmanager
    def noted(self) -> Iterator[None]:
        """Note the exit code; a program that ends by an error ends as any Python does."""
        try:
            yield
            self._code = 0
        except SystemExit as exit_:
            if exit_.code is None or isinstance(exit_.code, int):
                self._code = exit_.code or 0
            raise

    def leave(self) -> None:
        if self._code is not None:
            # A stream that cannot be written to is left to Python, with its message and exit code.
            with suppress(OSError, ValueError):
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(self._code)


def main() -> None:
    ending = Ending()
    # The first that is registered is the last that runs, when threads and files are closed.
    atexit.register(ending.leave)
    import_product()
    # A collection in a forked process would copy every page it looks at.
    gc.collect()
    gc.freeze()
    # Ctrl-C is for the tests; a forked process listens again.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with ending.noted():
        start = serve(socket.socket(fileno=int(sys.argv[1])))
        if start is not None:
            become(start)


def import_product() -> None:
    """Import every module, and build what every process would build of them."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            if path.stem not in {"__init__", "__main__"} and "python" not in path.parts:
                import_module(name)
    # Each is built once in a process: a tenth of a second for every command that reads a game.
    for kit in KITS:
        show_ruleset(load_ruleset(kit), read_words(kit), {})
    # A server builds its app of copies of these.
    for handler in ALL_ROUTES:
        assert isinstance(handler, BaseRouteHandler), handler
        assert handler.parsed_fn_signature is not None, handler


def serve(requests: socket.socket) -> Start | None:
    """Fork until the tests close the socket: None in this process, a start in each forked one."""
    with selectors.DefaultSelector() as selector:
        selector.register(requests, selectors.EVENT_READ)
        while True:
            for key, _ in selector.select():
                if key.data is not None:
                    selector.unregister(key.fileobj)
                    tell_end(*key.data)
                    continue
                request, descriptors, _flags, _address = socket.recv_fds(requests, REQUEST_SIZE_MAX, DESCRIPTORS)
                if not request:
                    return None
                *streams, end = descriptors
                pid = os.fork()
                if pid == 0:
                    requests.close()
                    os.close(end)
                    for place, stream in enumerate(streams):
                        os.dup2(stream, place)
                        os.close(stream)
                    return START.decode(request)
                for stream in streams:
                    os.close(stream)
                ended = socket.socket(fileno=end)
                ended.sendall(f"{pid}\n".encode())
                watched = os.pidfd_open(pid)
                selector.register(watched, selectors.EVENT_READ, data=(pid, watched, ended))


def tell_end(pid: int, watched: int, ended: socket.socket) -> None:
    os.close(watched)
    _, status = os.waitpid(pid, 0)
    # The tests may have lost their interest.
    with ended, suppress(OSError):
        ended.sendall(f"{os.waitstatus_to_exitcode(status)}\n".encode())


def become(start: Start) -> None:
    """Run the module as the only program of this process."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ.clear()
    os.environ.update(start.environment)
    os.chdir(start.folder)
    # The streams of the server were opened for other files, and may buffer otherwise.
    sys.stdin, sys.stdout = os.fdopen(0, closefd=False), os.fdopen(1, "w", closefd=False)
    sys.stderr = os.fdopen(2, "w", buffering=1, errors="backslashreplace", closefd=False)
    sys.argv = [start.module, *start.arguments]
    runpy.run_module(start.module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
