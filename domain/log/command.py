"""The envelope of a command, the same for every stream. The event that shall be logged is the command's own.

Fields are of the types that a line may hold; deciding checks them first.
"""

from typing import Annotated

from msgspec import Meta, Struct

from domain.canonical import Json
from domain.chance import Secret
from domain.ids import CommandIdField, Hex32Field, Hex64Field, LineHashField, OrganiserIdField, StreamIdField
from domain.log.actors import Actor
from domain.log.events import Demand
from domain.log.record import AT_MAX_MS


class Command(Struct, frozen=True, kw_only=True):
    """The envelope of an input. `at_ms` is the time of receipt.

    Where a key was registered, `sig` signs the event and `base`, the newest line that the sender has seen.
    """

    id: CommandIdField
    stream: StreamIdField
    at_ms: Annotated[int, Meta(ge=0, le=AT_MAX_MS)]
    actor: Actor
    sig: Hex64Field | None = None
    base: LineHashField | None = None

    @property
    def type(self) -> str:
        """The type of the line that it asks for."""
        raise AssertionError("every kind of command names the type of its line")


class OpeningCommand(Command, frozen=True, kw_only=True):
    """Opens a stream, whose id is the command's. `secret` and `leaf_key` are fresh random bytes, made by the caller."""

    ruleset: str
    ruleset_version: int
    components: Hex32Field
    options: dict[str, Json]
    delay_s: int
    demands: tuple[Demand, ...]
    organisers: dict[OrganiserIdField, Hex32Field | None]
    ledger: str
    secret: Secret
    leaf_key: Hex32Field

    def __repr__(self) -> str:
        """Leave out the secret: a command may end up in a traceback."""
        return f"{type(self).__name__}(id={self.id!r}, ruleset={self.ruleset!r}, secret=<hidden>)"
