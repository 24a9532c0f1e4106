"""A log over HTTP into which its operator puts any entries, signed with its genuine key."""

from collections.abc import AsyncIterator, Callable, Sequence

import httpx2

from domain.ledger.checkpoint import SignedCheckpoint, format_signed_checkpoint
from domain.ledger.merkle import GrowingTree, leaf_hash, perfect_root
from domain.ledger.tiles import TILE_WIDTH, Tile, encode_bundle, encode_tile, parse_tile_path
from infra.ledger_keys import LogSigner

LEDGER = "/v1/ledger/"


def client_over(answer: Callable[[httpx2.Request], httpx2.Response]) -> httpx2.AsyncClient:
    """Make a client whose answers come in pieces, as from a server."""

    async def send(request: httpx2.Request) -> httpx2.Response:
        whole = answer(request)

        async def pieces() -> AsyncIterator[bytes]:
            yield whole.content

        return httpx2.Response(whole.status_code, headers=whole.headers, content=pieces())

    return httpx2.AsyncClient(transport=httpx2.MockTransport(send))


class OperatorsLog:
    """`others` are further answers, by path."""

    def __init__(self, signer: LogSigner, entries: Sequence[bytes], others: dict[str, bytes] | None = None) -> None:
        self.signer = signer
        self.entries = list(entries)
        self.others = others or {}

    @property
    def signed(self) -> SignedCheckpoint:
        tree = GrowingTree()
        for entry in self.entries:
            tree.append(leaf_hash(entry))
        return self.signer.sign(tree_size=tree.tree_size, root=tree.root())

    def answer(self, request: httpx2.Request) -> httpx2.Response:
        path = request.url.path
        if path in self.others:
            return httpx2.Response(200, content=self.others[path])
        if path == f"{LEDGER}checkpoint":
            return httpx2.Response(200, content=format_signed_checkpoint(self.signed))
        if not path.startswith(f"{LEDGER}tile/"):
            return httpx2.Response(404)
        wanted = parse_tile_path(path.removeprefix(LEDGER))
        first = wanted.index * TILE_WIDTH
        if isinstance(wanted, Tile):
            return httpx2.Response(200, content=encode_tile(self._level(wanted.level)[first : first + wanted.width]))
        return httpx2.Response(200, content=encode_bundle(self.entries[first : first + wanted.width]))

    def _level(self, level: int) -> list[bytes]:
        hashes = [leaf_hash(entry) for entry in self.entries]
        for _ in range(level):
            whole = range(0, len(hashes) - TILE_WIDTH + 1, TILE_WIDTH)
            hashes = [perfect_root(hashes[first : first + TILE_WIDTH]) for first in whole]
        return hashes
