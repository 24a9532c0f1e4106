"""The envelope of a command, the same for every stream. The event that shall be logged is the command's own.

Fields are of the types that a line may hold; deciding checks them first.
"""

from typing import Annotated

from msgspec import Meta, Struct

from domain.ids import CommandIdField, Hex64Field, StreamIdField
from domain.log.actors import Actor
from domain.log.record import AT_MAX_MS


class Command(Struct, frozen=True, kw_only=True):
    """The envelope of an input. `at_ms` is the time of receipt; `sig` signs the event, where a key was registered."""

    id: CommandIdField
    stream: StreamIdField
    at_ms: Annotated[int, Meta(ge=0, le=AT_MAX_MS)]
    actor: Actor
    sig: Hex64Field | None = None
