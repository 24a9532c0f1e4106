"""Commands that are signed where the account has a key: over the event, and over the newest line that was seen.

A server refuses a signature for a stream that went on since; the command is then signed again for the newest line.
"""

from collections.abc import Awaitable, Callable
from itertools import count
from typing import Any, TypeVar

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec import Struct

from spina_client.formats import Json, signed_input
from spina_client.ids import CommandId, LineHash
from spina_client.problems import Refused

T = TypeVar("T")

BASE_TOO_OLD = "base-too-old"
# Each refusal means that the stream moved on meanwhile.
ATTEMPTS_MAX = 20


class Event(Struct, frozen=True, kw_only=True):
    """The line that a command asks for."""

    command: CommandId
    data: dict[str, Json]
    stream: str
    type: str


async def send_signed(
    event: Event,
    key: Ed25519PrivateKey | None,
    send: Callable[[dict[str, Any]], Awaitable[T]],
    read_head: Callable[[], Awaitable[LineHash]],
    *,
    head: LineHash | None = None,
) -> T:
    """Send with the signature fields, none without a key; `head` is the newest line seen, which is read otherwise."""
    if key is None:
        return await send({})
    for attempt in count(1):
        base = head or await read_head()
        message = signed_input(base=base, command=event.command, data=event.data, stream=event.stream, type_=event.type)
        try:
            return await send({"base": base, "sig": key.sign(message).hex()})
        except Refused as refused:
            if refused.problem.code != BASE_TOO_OLD or attempt == ATTEMPTS_MAX:
                raise
            head = None
    raise AssertionError(event)
