"""A witness that looks for itself: fetches a log's checkpoint, builds the proof from its tiles, and judges it.

So a log is watched whether or not it asks to be.
"""

import asyncio

import httpx
import structlog

from domain.ledger.add_checkpoint import AddCheckpoint
from domain.ledger.checkpoint import SignedCheckpoint, parse_signed_checkpoint
from domain.ledger.note import NOTE_SIZE_MAX
from domain.ledger.spelling import Misspelt
from domain.ledger.tile_hashes import TileMissing
from domain.ledger.tiles import Tile, format_tile_path
from domain.ledger.witness import Cosign, Refuse, RefusedBecause
from infra.witness_files import MemoryDamaged
from services.ledger.proofs import LedgerProofs
from services.ledger.witness import Witness

log = structlog.get_logger()

FETCH_TIMEOUT_S = 10.0
# A fork is to be seen within seconds; a log answers this from its memory.
LOOK_EVERY_S = 5.0


class RemoteTiles:
    """The tiles of a log over HTTP. They are believed only as far as the proof from them holds."""

    def __init__(self, client: httpx.AsyncClient, url: str) -> None:
        self._client = client
        self._url = url.removesuffix("/")

    async def fetch_checkpoint(self) -> SignedCheckpoint:
        """Raise httpx.HTTPError or Misspelt."""
        return parse_signed_checkpoint(await self._fetch("checkpoint", size_max=NOTE_SIZE_MAX))

    async def read_tiles(self, tiles: list[Tile]) -> dict[Tile, bytes]:
        # One after the other: some ten small answers, from a log that others read too.
        return {tile: await self._fetch(format_tile_path(tile), size_max=32 * tile.width) for tile in tiles}

    async def _fetch(self, path: str, *, size_max: int) -> bytes:
        raw = b""
        async with self._client.stream("GET", f"{self._url}/{path}", timeout=FETCH_TIMEOUT_S) as answer:
            answer.raise_for_status()
            async for piece in answer.aiter_bytes():
                raw += piece
                if len(raw) > size_max:
                    raise Misspelt(expected=f"at most {size_max} bytes of {path}", found="more")
        return raw


async def watch(witness: Witness, client: httpx.AsyncClient, url: str) -> None:
    """Look every few seconds, for ever."""
    remote = RemoteTiles(client, url)
    while True:
        try:
            await look(witness, remote)
        except (httpx.HTTPError, Misspelt, TileMissing, MemoryDamaged) as error:
            log.warning("log_not_seen", url=url, reason=f"{type(error).__name__}: {error}")
        await asyncio.sleep(LOOK_EVERY_S)


async def look(witness: Witness, remote: RemoteTiles) -> Cosign | Refuse:
    """Judge the log's newest checkpoint."""
    signed = await remote.fetch_checkpoint()
    latest = witness.recall(signed.checkpoint.origin).latest if witness.find_log(signed.checkpoint.origin) else None
    old_size, new_size = (0 if latest is None else latest.checkpoint.tree_size), signed.checkpoint.tree_size
    path: tuple[bytes, ...] = ()
    # The proofs of one look share their tiles; the next one has others, and a log must not be remembered here.
    proofs = LedgerProofs(remote)
    if old_size < new_size:
        path = (await proofs.prove_consistency(old_size=old_size, new_size=new_size)).path
    answer = witness.decide(AddCheckpoint(old_size=old_size, path=path, signed=signed))
    if isinstance(answer, Refuse) and answer.reason is RefusedBecause.NOT_AN_EXTENSION and 0 < old_size < new_size:
        # A consistency proof from a power of two leaves out the evidence of a fork; the whole path does not.
        whole = await proofs.prove_prefix(old_size=old_size, new_size=new_size)
        answer = witness.decide(AddCheckpoint(old_size=old_size, path=whole, signed=signed))
    if isinstance(answer, Refuse):
        log.warning("checkpoint_refused", origin=signed.checkpoint.origin, reason=answer.body.decode().strip())
    return answer
