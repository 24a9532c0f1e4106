"""The proofs that finished games are handed out with, in Postgres; the first that were kept of a game stay."""

from msgspec import Struct

from domain.ids import StreamId, StreamVersion, is_uuid
from infra.postgres.queries import Queries

FIND_KEPT = """
select version, last_proof, first_seat_proof, policy from kept_proof where stream = $1
"""

KEEP = """
select keep_proof($1, $2, $3, $4, $5)
"""

READ_PASSED = """
select index from kept_proof_progress
"""

MARK_PASSED = """
select pass_ledger($1)
"""

# Of most leaves nothing is read but the type of their event.
LIST_DUE = """
select entry.index, stream, entry.version, event.type,
       case when event.type in ('game_opened', 'tournament_opened') then event.body end as line
  from ledger_entry entry join event using (stream, version)
 where entry.index >= $1 and entry.index < $2
   and event.type in ('game_opened', 'tournament_opened', 'secret_disclosed')
 order by entry.index
"""

# A player who sits down, or enters, relies on the lines before; a stream has one of the two.
FIND_FIRST_SEAT = """
select version from event
 where stream = $1 and type in ('seat_taken', 'entrant_entered')
 order by version limit 1
"""


class KeptProof(Struct, frozen=True, kw_only=True):
    """Of one finished game: the two proof files and the policy, as their bytes stand in its bundle."""

    version: StreamVersion
    last_proof: bytes
    first_seat_proof: bytes | None
    policy: bytes


class DueEvent(Struct, frozen=True, kw_only=True):
    """A leaf of the ledger that asks for more: the last line of a stream, or the first, which may demand a witness."""

    index: int
    stream: StreamId
    version: StreamVersion
    # Of a first line only.
    opening: bytes | None


class KeptProofs:
    """Every method raises `StoreUnavailable` when the store cannot be reached in time."""

    def __init__(self, queries: Queries) -> None:
        self._queries = queries

    async def find(self, stream: StreamId) -> KeptProof | None:
        if not is_uuid(stream):
            return None
        row = await self._queries.fetch_row(FIND_KEPT, stream)
        if row is None:
            return None
        seat = row["first_seat_proof"]
        return KeptProof(
            version=StreamVersion(row["version"]),
            last_proof=row["last_proof"].encode(),
            first_seat_proof=None if seat is None else seat.encode(),
            policy=row["policy"].encode(),
        )

    async def keep(self, stream: StreamId, kept: KeptProof) -> None:
        """Keep the proofs of a finished game, unless some are kept already."""
        seat = None if kept.first_seat_proof is None else kept.first_seat_proof.decode()
        await self._queries.execute(KEEP, stream, kept.version, kept.last_proof.decode(), seat, kept.policy.decode())

    async def read_passed(self) -> int:
        """Return the index of the first leaf that was not looked at yet."""
        index: int = await self._queries.fetch_value(READ_PASSED)
        return index

    async def mark_passed(self, index: int) -> None:
        """State that all leaves before the index have been seen to."""
        await self._queries.execute(MARK_PASSED, index)

    async def list_due(self, first: int, end: int) -> list[DueEvent]:
        """List those from index `first` up to, without, `end`."""
        rows = await self._queries.fetch(LIST_DUE, first, end)
        return [
            DueEvent(
                index=row["index"],
                stream=StreamId(str(row["stream"])),
                version=StreamVersion(row["version"]),
                opening=row["line"],
            )
            for row in rows
        ]

    async def find_first_seat(self, stream: StreamId) -> StreamVersion | None:
        """Return the version of the line that took the first seat of a stream, or of the first entrant."""
        version: int | None = await self._queries.fetch_value(FIND_FIRST_SEAT, stream)
        return None if version is None else StreamVersion(version)
