"""A witness that looks: reads every entry of a log, and judges its checkpoints by what is in them.

So a log is watched whether or not it asks to be, and a line logged twice gets no cosignature.
"""

import asyncio

import httpx2
import structlog

from domain.ledger.add_checkpoint import AddCheckpoint
from domain.ledger.checkpoint import Checkpoint, SignedCheckpoint, parse_signed_checkpoint
from domain.ledger.entry_reader import EntryReader
from domain.ledger.note import NOTE_SIZE_MAX
from domain.ledger.spelling import HASH_SIZE, Misspelt
from domain.ledger.tile_hashes import TileMissing
from domain.ledger.tiles import (
    BUNDLE_SIZE_MAX,
    TILE_WIDTH,
    Bundle,
    Tile,
    decode_bundle,
    encode_bundle,
    format_bundle_path,
    format_tile_path,
)
from domain.ledger.witness import Cosign, Refuse, RefusedBecause
from infra.witness_files import MemoryDamaged
from services.ledger.bounded_answers import UNPACKED, read_raw
from services.ledger.busy import BUSY_STATUS, read_pause
from services.ledger.proofs import LedgerProofs
from services.ledger.witness import EntriesRefused, EntriesUnread, Watcher, Witness, judge

log = structlog.get_logger()

FETCH_TIMEOUT_S = 10.0
# A fork is to be seen within seconds; a log answers this from its memory.
LOOK_EVERY_S = 5.0


class RemoteLog:
    """A log over HTTP. Tiles and entries are believed only as far as they lead to a signed root."""

    def __init__(self, client: httpx2.AsyncClient, url: str) -> None:
        self._client = client
        self.url = url.removesuffix("/")
        # Guards the reader; what it has read is read again after a restart.
        self._turn = asyncio.Lock()
        self._reader = EntryReader()

    async def fetch_checkpoint(self) -> SignedCheckpoint:
        """Raise httpx2.HTTPError or Misspelt."""
        return parse_signed_checkpoint(await self._fetch("checkpoint", size_max=NOTE_SIZE_MAX))

    async def read_tiles(self, tiles: list[Tile]) -> dict[Tile, bytes]:
        # One after the other: some ten small answers, from a log that others read too.
        return {tile: await self._read_tile(tile) for tile in tiles}

    async def read_bundle(self, bundle: Bundle) -> bytes:
        raw = await self._fetch_part(format_bundle_path(bundle), width=bundle.width, size_max=BUNDLE_SIZE_MAX)
        if raw is not None:
            return raw
        full = Bundle(index=bundle.index, width=TILE_WIDTH)
        raw = await self._fetch(format_bundle_path(full), size_max=BUNDLE_SIZE_MAX)
        return encode_bundle(decode_bundle(raw, width=full.width)[: bundle.width])

    async def check_entries(self, checkpoint: Checkpoint) -> None:
        """Read every entry up to a checkpoint, or raise EntriesRefused or EntriesUnread. Nothing is read twice."""
        async with self._turn:
            reader = self._reader
            try:
                for bundle in reader.list_missing(checkpoint.tree_size):
                    reader.add(bundle, await self.read_bundle(bundle))
            except httpx2.HTTPError as error:
                raise EntriesUnread(f"its entries cannot be read: {type(error).__name__}") from error
            except Misspelt as error:
                raise EntriesRefused(f"its entries are none: {error}") from error
            if reader.tree_size == checkpoint.tree_size and reader.root() != checkpoint.root:
                self._reader = EntryReader()
                raise EntriesRefused(f"its entries do not lead to the root of {checkpoint.tree_size} leaves")
            if reader.fault is not None and reader.fault.index < checkpoint.tree_size:
                raise EntriesRefused(f"{reader.fault}")

    async def fetch(self, url: str, *, size_max: int) -> bytes:
        """Return a file of the log, or one about it from elsewhere. Raises httpx2.HTTPError."""
        return await fetch_file(self._client, url, size_max=size_max)

    async def _read_tile(self, tile: Tile) -> bytes:
        raw = await self._fetch_part(format_tile_path(tile), width=tile.width, size_max=HASH_SIZE * tile.width)
        if raw is not None:
            return raw
        full = Tile(level=tile.level, index=tile.index, width=TILE_WIDTH)
        raw = await self._fetch(format_tile_path(full), size_max=HASH_SIZE * full.width)
        return raw[: HASH_SIZE * tile.width]

    async def _fetch_part(self, path: str, *, width: int, size_max: int) -> bytes | None:
        """Return a file, or None for a partial one that is gone: its tile is full by now (C2SP tlog-tiles)."""
        try:
            return await self._fetch(path, size_max=size_max)
        except httpx2.HTTPStatusError as error:
            if error.response.status_code != httpx2.codes.NOT_FOUND or width == TILE_WIDTH:
                raise
            return None

    async def _fetch(self, path: str, *, size_max: int) -> bytes:
        return await self.fetch(f"{self.url}/{path}", size_max=size_max)


async def fetch_file(client: httpx2.AsyncClient, url: str, *, size_max: int, accept: str = "*/*") -> bytes:
    """Return the body of an answer, whole within a time. A busy server is asked again. Raises httpx2.HTTPError."""
    try:
        # The client's own limit is one for each piece: a server may send a byte a second.
        async with asyncio.timeout(FETCH_TIMEOUT_S):
            while True:
                async with client.stream("GET", url, headers=UNPACKED | {"accept": accept}) as answer:
                    if answer.status_code != BUSY_STATUS:
                        answer.raise_for_status()
                        return await read_raw(answer, size_max=size_max)
                await asyncio.sleep(read_pause(answer.headers))
    except TimeoutError as error:
        raise httpx2.ReadTimeout(f"no whole answer within {FETCH_TIMEOUT_S:g} s") from error


async def watch(witness: Witness, remote: RemoteLog) -> None:
    """Look every few seconds, for ever."""
    while True:
        try:
            await look(witness, remote)
        except (httpx2.HTTPError, Misspelt, TileMissing, EntriesUnread, MemoryDamaged) as error:
            log.warning("log_not_seen", url=remote.url, reason=f"{type(error).__name__}: {error}")
        await asyncio.sleep(LOOK_EVERY_S)


async def look(watcher: Watcher, remote: RemoteLog) -> Cosign | Refuse:
    """Judge the log's newest checkpoint. Raises httpx2.HTTPError, Misspelt, TileMissing or EntriesUnread."""
    signed = await remote.fetch_checkpoint()
    latest = watcher.recall(signed.checkpoint.origin).latest if watcher.find_log(signed.checkpoint.origin) else None
    old_size, new_size = (0 if latest is None else latest.checkpoint.tree_size), signed.checkpoint.tree_size
    path: tuple[bytes, ...] = ()
    # The proofs of one look share their tiles; the next one has others, and a log must not be remembered here.
    proofs = LedgerProofs(remote)
    if old_size < new_size:
        path = (await proofs.prove_consistency(old_size=old_size, new_size=new_size)).path
    answer = await judge(watcher, remote, AddCheckpoint(old_size=old_size, path=path, signed=signed))
    if isinstance(answer, Refuse) and answer.reason is RefusedBecause.NOT_AN_EXTENSION and 0 < old_size < new_size:
        # A consistency proof from a power of two leaves out the evidence of a fork; the whole path does not.
        whole = await proofs.prove_prefix(old_size=old_size, new_size=new_size)
        answer = await judge(watcher, remote, AddCheckpoint(old_size=old_size, path=whole, signed=signed))
    if isinstance(answer, Refuse):
        log.warning("checkpoint_refused", origin=signed.checkpoint.origin, reason=answer.body.decode().strip())
    return answer
