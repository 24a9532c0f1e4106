"""How a kind of stream is commanded: the needs of the write path, beside the kind's rules."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from hashlib import sha256
from typing import Any, Generic

import msgspec
from msgspec import Struct

from domain.canonical import encode
from domain.chance import Secret
from domain.ids import StreamId, StreamVersion
from domain.log.actors import Actor
from domain.log.command import Command, OpeningCommand
from domain.log.enact import Decided
from domain.log.kind import StreamKind
from domain.log.replay import is_of
from domain.log.state import State
from domain.rejection import Rejection
from domain.ruleset.catalogue import Catalogue
from infra.event_store import Append, EventStore, HeldOpening, StoredCommand, StoredStream
from infra.store_faults import UnknownStream
from services.commands.vault import Vault


class Commanding(Struct, Generic[State], frozen=True, kw_only=True):
    """How one kind of stream is commanded; `missing` is the rejection of an id that names none of this kind."""

    kind: StreamKind[State]
    missing: type[Rejection]
    decide_opening: Callable[[Any, Catalogue], Decided[State]]
    decide: Callable[[State, Any], Decided[State]]
    # States whether an actor has a part in the stream, and so a place of its own in the queue.
    has_role: Callable[[State, Actor], bool]
    # Puts the secrets in the server's custody into the state, as far as they are still needed.
    hold: Callable[[Vault, State, Sequence[HeldOpening]], State]


async def read_stored(commanding: Commanding[State], store: EventStore, stream: StreamId) -> StoredStream:
    """Read all of a stream, or raise its `missing`: also for a stream of another kind, which the log holds as well."""
    stored = None
    with suppress(UnknownStream):
        stored = await store.load_stream(stream)
    if stored is None or not is_of(commanding.kind, stored.lines[0]):
        raise commanding.missing(expected=f"the id of a {commanding.kind.name}", found=stream)
    return stored


def hash_body(command: Command) -> bytes:
    """Hash the client's own words: not the time of receipt, nor the server's additions."""
    sent = msgspec.structs.replace(command, at_ms=0)
    if isinstance(sent, OpeningCommand):
        sent = msgspec.structs.replace(sent, secret=Secret(b""), leaf_key="", ledger="")
    return sha256(encode((command.type, sent))).digest()


def build_append(command: Command, decided: Decided[State], vault: Vault, *, body_hash: bytes) -> Append:
    """Make the stored form of a decided command: its lines, and its secrets in boxes."""
    stream, first = command.stream, decided.entries[0].line
    secret = command.secret if isinstance(command, OpeningCommand) else None
    return Append(
        stream=stream,
        expected_version=StreamVersion(first.version - 1),
        expected_head=first.prev,
        lines=tuple(entry.raw for entry in decided.entries),
        types=tuple(entry.line.type for entry in decided.entries),
        hashes=tuple(entry.hash for entry in decided.entries),
        command=StoredCommand(id=command.id, body_hash=body_hash),
        secret_box=None if secret is None else vault.seal_secret(stream, secret),
        held=tuple(vault.seal_held(stream, held) for held in decided.held),
    )
