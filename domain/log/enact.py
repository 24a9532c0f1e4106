"""Adding one input and everything that follows from it to a log: the step that deciding and verifying share."""

from contextlib import suppress
from typing import Generic

import msgspec
from msgspec import Struct

from domain.ids import StreamVersion
from domain.log.actors import find_author
from domain.log.entry import Entry, Input
from domain.log.fields import check_fields
from domain.log.kind import FindEntry, Growth, NotDisclosed, StreamKind, find_none
from domain.log.rejections import BaseTooOld, CommandIdReused, NotAllowed, UnfitEvent
from domain.log.signing import check_signature
from domain.log.state import Drawing, State


class HeldAction(Struct, frozen=True, kw_only=True):
    """A secret that came into the server's custody with the input at this version, and is kept beside the log."""

    version: StreamVersion
    entrusted: Struct


class Decided(Struct, Generic[State], frozen=True, kw_only=True):
    """The lines of one command, the state after them, and the secrets that came into custody."""

    state: State
    entries: tuple[Entry, ...]
    held: tuple[HeldAction, ...] = ()


def enact(kind: StreamKind[State], state: State, put: Input) -> Decided[State]:
    """Add one input, whose fields fit their types, and everything that follows from it."""
    put = msgspec.structs.replace(put, at_ms=max(put.at_ms, state.at_ms))
    admit(kind, state, put)
    return carry_out(kind, state, put)


def admit(kind: StreamKind[State], state: State, put: Input) -> None:
    """Check everything that must hold before the input may stand in the log."""
    _check_sender(kind, state, put)
    if put.base is not None and put.base not in state.bases:
        raise BaseTooOld(expected=f"base {state.head}, or a line since the last outcome", found=put.base)
    check_signature(put, state.id, type_=kind.find_tag(state, put.event), key=kind.find_key(state, put))
    kind.admit(state, put)


def check_author(kind: StreamKind[State], state: State, event: Struct, by: str) -> None:
    """Check that the input may come from its author; asked before anything else of the input and of the state.

    The refusal names the authors by the terms of the stream, which an outsider knows, and none of the moment.
    """
    if find_author(by) not in kind.list_authors(state, event):
        raise NotAllowed(expected=" or ".join(kind.list_authors_by_terms(state, event)) or "no author", found=by)


def admit_unsigned(kind: StreamKind[State], state: State, put: Input) -> None:
    """Check all but the signature and its base, which an audit checks by themselves."""
    _check_sender(kind, state, put)
    kind.admit(state, put)


def carry_out(
    kind: StreamKind[State], state: State, put: Input, *, find_known: FindEntry = find_none
) -> Decided[State]:
    """Add an admitted input and its consequences; `find_known` finds events that a log has already."""
    growth = Growth(kind, state, find_known)
    growth.put(put)
    kind.follow(growth)
    return _close(growth)


def preview(kind: StreamKind[Drawing], state: Drawing, put: Input) -> Decided[Drawing]:
    """Decide an input without its signature and without the secret, up to a draw: a draw has no preview."""
    assert state.chance.secret is None, "a preview is made from the public log"
    check_fields(put.event)
    put = msgspec.structs.replace(put, at_ms=max(put.at_ms, state.at_ms))
    admit_unsigned(kind, state, put)
    growth = Growth(kind, state)
    growth.put(put)
    with suppress(NotDisclosed):
        kind.follow(growth)
    return _close(growth)


def _close(growth: Growth[State]) -> Decided[State]:
    return Decided(state=growth.kind.settle(growth.state), entries=tuple(growth.entries))


def _check_sender(kind: StreamKind[State], state: State, put: Input) -> None:
    check_author(kind, state, put.event, put.by)
    kind.check_phase(state, put.event)
    if (put.command is not None) != kind.is_of_command(put):
        needed = "a command id" if kind.is_of_command(put) else "no command id"
        raise UnfitEvent(expected=f"{needed}: all but the server's reveals are asked for", found=str(put.command))
    if put.command in state.commands:
        raise CommandIdReused(expected=f"an id that names no other command of this {kind.name}", found=str(put.command))
