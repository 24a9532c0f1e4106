"""The port of a server: taken from the start, answering only when it is ready."""

import socket

import pytest
from litestar import Litestar

from services.node.http_server import Hooks, PortRefused, StopSignal, base_url, held_port, serve_http


def test_a_held_port_does_not_answer_yet() -> None:
    with held_port("127.0.0.1", 0) as listener, pytest.raises(ConnectionRefusedError):
        socket.create_connection(listener.getsockname())


def test_a_port_someone_listens_on_is_refused() -> None:
    with held_port("127.0.0.1", 0) as listener:
        listener.listen()

        with pytest.raises(PortRefused, match="Address already in use"), held_port(*listener.getsockname()):
            pass


def test_a_port_is_free_again_after_the_block() -> None:
    with held_port("127.0.0.1", 0) as listener:
        listener.listen()
        address = listener.getsockname()

    with held_port(*address) as again:
        assert again.getsockname() == address


def test_a_host_that_is_not_this_machine_s_is_refused() -> None:
    # Of a block reserved for documentation: no machine has it.
    with pytest.raises(PortRefused), held_port("192.0.2.1", 0):
        pass


@pytest.mark.parametrize(("host", "start"), [("127.0.0.1", "http://127.0.0.1:"), ("0.0.0.0", "http://127.0.0.1:")])  # noqa: S104  bound for a moment, nothing listens
def test_the_printed_url_can_be_asked(host: str, start: str) -> None:
    with held_port(host, 0) as listener:
        url = base_url(listener)

    assert url.startswith(start)
    assert url.rpartition(":")[2].isdecimal()


async def test_a_server_tells_when_it_answers_and_before_it_stops() -> None:
    told: list[str] = []
    stop = StopSignal()

    def on_ready() -> None:
        told.append("ready")
        stop.give()

    async def on_stopping() -> None:
        told.append("stopping")

    with held_port("127.0.0.1", 0) as listener:
        hooks = Hooks(on_ready=on_ready, on_stopping=on_stopping)
        await serve_http(Litestar(openapi_config=None), listener, stop=stop, hooks=hooks)

    assert told == ["ready", "stopping"]
