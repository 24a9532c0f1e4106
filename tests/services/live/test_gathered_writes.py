"""Writes that leave together: in order, in one call, none kept back and none lost at the end."""

import asyncio
from collections.abc import Iterable

from services.live.gathered_writes import GatheredWrites


class Calls(asyncio.Transport):
    """Keeps the bytes of each system call."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[bytes] = []
        self.is_closed = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.sent.append(bytes(data))

    def writelines(self, list_of_data: Iterable[bytes | bytearray | memoryview]) -> None:
        self.sent.append(b"".join(list_of_data))

    def is_closing(self) -> bool:
        return self.is_closed

    def close(self) -> None:
        self.is_closed = True

    def abort(self) -> None:
        self.is_closed = True


async def turn() -> None:
    """Let all that can run now run."""
    over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    asyncio.get_running_loop().call_soon(over.set_result, None)
    await over


async def test_the_writes_of_one_turn_leave_together_and_in_order() -> None:
    calls = Calls()
    gathered = GatheredWrites(calls)

    gathered.write(b"head ")
    gathered.write(b"body")
    before = list(calls.sent)
    await turn()
    gathered.write(b"next")
    await turn()

    assert before == []
    assert calls.sent == [b"head body", b"next"]


async def test_what_is_flushed_is_not_sent_again() -> None:
    calls = Calls()
    gathered = GatheredWrites(calls)

    gathered.write(b"answer")
    gathered.flush()
    at_once = list(calls.sent)
    gathered.write(b"frames")
    await turn()

    assert at_once == [b"answer"]
    assert calls.sent == [b"answer", b"frames"]


async def test_what_waits_for_one_who_is_gone_is_dropped() -> None:
    calls = Calls()
    gathered = GatheredWrites(calls)

    gathered.write(b"too late")
    calls.close()
    await turn()

    assert calls.sent == []


async def test_a_close_sends_what_waits_and_an_abort_does_not() -> None:
    closed, aborted = Calls(), Calls()

    for calls in (closed, aborted):
        gathered = GatheredWrites(calls)
        gathered.write(b"farewell")
        if calls is closed:
            gathered.close()
        else:
            gathered.abort()
    await turn()

    assert (closed.is_closed, closed.sent) == (True, [b"farewell"])
    assert (aborted.is_closed, aborted.sent) == (True, [])
