"""Bundles of stored games. A finished game gives the same bytes to every caller, on every node and for ever.

The bundle of a game that goes on holds the requested lines, with the proofs of that moment.
"""

from collections.abc import AsyncIterator
from typing import TypeVar

import msgspec
from msgspec import Struct

from domain.audit.bundle import Bundle, LogBundle, build_howto
from domain.audit.reading import read_opening
from domain.game.kind import GAMES
from domain.ids import GameId, StreamId, StreamVersion
from domain.ledger.add_checkpoint import format_add_checkpoint
from domain.ledger.policy_file import format_policy
from domain.ledger.proof import format_proof, parse_proof
from domain.log.record import Line, parse_line
from infra.event_store import READ_LINES_MAX, EventStore
from infra.postgres.kept_proofs import KeptProof, KeptProofs
from infra.store_faults import UnknownStream
from services.ledger.public_ledger import PublicLedger

LAST_TYPE = "secret_disclosed"
AnyBundle = TypeVar("AnyBundle", bound=LogBundle)


class Bundles(Struct, frozen=True, kw_only=True):
    """Without `ledger` (a reader of the database who has no key) games that go on have no proofs."""

    store: EventStore
    kept: KeptProofs
    ledger: PublicLedger | None

    async def build(self, game: GameId, *, version: StreamVersion | None = None, since: int | None = None) -> Bundle:
        """Bundle a game up to a version, or all there is of it.

        `since` is the size of another checkpoint of its reader's. Raises UnknownStream, UnknownComponents and
        StoreUnavailable.
        """
        return await self.prove(game, await build_bundle(self.store, game, version=version), since=since)

    async def prove(self, stream: StreamId, bundle: AnyBundle, *, since: int | None) -> AnyBundle:
        """Return the bundle of any stream with the proofs of the ledger, as far as a checkpoint covers its lines."""
        kept = await self._find_proofs(stream, bundle.log)
        if kept is None:
            return bundle
        return msgspec.structs.replace(
            bundle,
            last_proof=kept.last_proof,
            first_seat_proof=kept.first_seat_proof,
            policy=kept.policy,
            since=None if since is None else await self._prove_growth(kept.last_proof, since),
        )

    async def _find_proofs(self, stream: StreamId, log: bytes) -> KeptProof | None:
        """Return the proofs of a log's last line and of its first seat, or entrant; None before a checkpoint has it."""
        line = _parse_last(log)
        if line.type == LAST_TYPE:
            return await self.kept.find(stream)
        version = line.version
        last = None if self.ledger is None else await self.ledger.find_trusted_proof(stream, version)
        if last is None or self.ledger is None:
            return None
        seat_version = await self.kept.find_first_seat(stream)
        seat = None
        if seat_version is not None and seat_version <= version:
            seat = await self.ledger.find_trusted_proof(stream, seat_version)
        return KeptProof(
            version=version,
            last_proof=format_proof(last),
            first_seat_proof=None if seat is None else format_proof(seat),
            policy=format_policy(self.ledger.policy),
        )

    async def _prove_growth(self, last_proof: bytes, since: int) -> bytes | None:
        """Prove that the ledger of a proof is one with another size of it; None where no ledger is at hand."""
        if self.ledger is None:
            return None
        growth = await self.ledger.prove_growth(parse_proof(last_proof).signed, since)
        return None if growth is None else format_add_checkpoint(growth)


async def build_bundle(store: EventStore, game: GameId, *, version: StreamVersion | None = None) -> Bundle:
    """Bundle the lines of a game, without the proofs of the ledger."""
    lines = [line async for line in read_lines(store, game, version)]
    opened = read_opening(GAMES, lines[0]) if lines else None
    if opened is None:
        raise UnknownStream(game)
    components = await store.read_components(opened.ruleset.components)
    return Bundle(log=b"".join(line + b"\n" for line in lines), components=components, howto=build_howto(game))


def is_finished(bundle: Bundle) -> bool:
    """Return whether the log has its last line."""
    return ends_finished(bundle.log)


def ends_finished(log: bytes) -> bool:
    """Return whether the last line is the last that there can be."""
    return _parse_last(log).type == LAST_TYPE


def _parse_last(log: bytes) -> Line:
    return parse_line(log[log.rfind(b"\n", 0, -1) + 1 : -1])


async def read_lines(store: EventStore, stream: StreamId, version: StreamVersion | None) -> AsyncIterator[bytes]:
    """Yield the lines of a stream up to a version, or all there are."""
    read = 0
    while version is None or read < version:
        limit = READ_LINES_MAX if version is None else min(READ_LINES_MAX, version - read)
        page = await store.read_stream(stream, after=StreamVersion(read), limit=limit)
        for line in page:
            yield line
        read += len(page)
        if len(page) < limit:
            return
