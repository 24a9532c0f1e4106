"""Firefox as the distribution packages it, driven by its own protocol (Marionette), where it is installed."""

import json
import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

PROGRAM = shutil.which("firefox-esr") or shutil.which("firefox")
LISTENING = "Listening on port "
# No request leaves the browser: its only proxy is a port at which nothing listens.
OFFLINE = 'user_pref("marionette.port", 0);user_pref("network.proxy.type", 1);user_pref("network.proxy.http_port", 9);'


class Firefox:
    """Messages are `SIZE:[0, number, command, arguments]`, answers `SIZE:[1, number, error, value]`."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port))
        self._answers = self._socket.makefile("rb")
        self._read()
        self.ask("WebDriver:NewSession", capabilities={})

    def ask(self, command: str, **arguments: Any) -> Any:
        message = json.dumps([0, 0, command, arguments]).encode()
        self._socket.sendall(b"%d:%b" % (len(message), message))
        _, _, error, value = self._read()
        assert error is None, error
        return value

    def close(self) -> None:
        self._answers.close()
        self._socket.close()

    def _read(self) -> Any:
        size = b""
        while (byte := self._answers.read(1)) != b":":
            size += byte
        return json.loads(self._answers.read(int(size)))


@contextmanager
def firefox(profile: Path) -> Iterator[Firefox]:
    """Start Firefox with a profile of its own."""
    assert PROGRAM is not None, "its tests are collected where it is installed"
    profile.mkdir()
    (profile / "user.js").write_text(OFFLINE)
    process = subprocess.Popen(  # noqa: S603  the browser of this machine
        [PROGRAM, "--headless", "--marionette", "--no-remote", "--profile", str(profile)],
        env={**os.environ, "HOME": str(profile)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdout is not None
    try:
        port = next(line.partition(LISTENING)[2] for line in process.stdout if LISTENING in line)
        found = Firefox(int(port))
        yield found
        found.close()
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
