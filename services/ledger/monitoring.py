"""A monitor: follows a ledger, keeps a mirror of it, compares it with its witnesses, and counts its games.

It judges as a witness does and signs nothing. All that it knows stands in the folder of its mirror.
"""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path

import httpx2
from msgspec import Struct

from domain.ledger.add_checkpoint import AddCheckpoint
from domain.ledger.checkpoint import SignedCheckpoint, parse_signed_checkpoint
from domain.ledger.note import NOTE_SIZE_MAX
from domain.ledger.policy import Policy
from domain.ledger.spelling import Misspelt
from domain.ledger.tile_hashes import TileMissing
from domain.ledger.tiles import TILE_WIDTH, Bundle
from domain.ledger.witness import Cosign, RefusedBecause, WatchedLog
from infra.ledger_mirror import LedgerMirror
from infra.witness_files import WitnessFiles, hash_origin
from services.ledger.opened_games import LineContradicted, OpenedGames
from services.ledger.proofs import LedgerProofs
from services.ledger.watching import LOOK_EVERY_S, RemoteLog, look
from services.ledger.witness import EntriesUnread, Watcher

# Games that are asked about in one look, with two requests at most for one that is open to all: no more than a server
# allows in the pause.
ASKED_MAX = 50
CATCH_UP_S = 2.0
# No answer, or none that can be read: nothing speaks against the ledger.
UNREACHABLE = (httpx2.HTTPError, Misspelt, TileMissing, EntriesUnread)

OnRead = Callable[[int], None]


class LogContradicted(Exception):
    """A log shows another history than before, or than it has shown to others, or one with a line twice."""


class Look(Struct, frozen=True, kw_only=True):
    """One look at a ledger: its size, the contradictions found in it, and sources that did not answer."""

    tree_size: int
    contradictions: tuple[str, ...]
    unreached: tuple[str, ...]


class MirroredLog(RemoteLog):
    """A log over HTTP of which no bundle is fetched twice."""

    def __init__(self, client: httpx2.AsyncClient, url: str, mirror: LedgerMirror, on_read: OnRead) -> None:
        super().__init__(client, url)
        self._mirror = mirror
        self._on_read = on_read

    async def read_bundle(self, bundle: Bundle) -> bytes:
        raw = self._mirror.read_bundle(bundle)
        if raw is None:
            raw = await super().read_bundle(bundle)
            self._mirror.store_bundle(bundle, raw)
        self._on_read(bundle.index * TILE_WIDTH + bundle.width)
        return raw


class Monitor:
    """`games` are counted as far as the mirror goes."""

    def __init__(
        self, watcher: Watcher, log: MirroredLog, mirror: LedgerMirror, games: OpenedGames, others: Sequence[str]
    ) -> None:
        """Take the addresses of others who have checkpoints of the log: its witnesses."""
        self.games = games
        self._watcher = watcher
        self._log = log
        self._mirror = mirror
        self._others = others
        # Entries of the mirror whose leaves the games have.
        self._counted = 0

    async def look(self) -> Look:
        """Look at the log and its witnesses, and ask about some games."""
        contradictions: list[str] = []
        unreached: list[str] = []
        for step in (self._follow, self._compare_others, self._ask):
            try:
                await step()
            except (LogContradicted, LineContradicted) as contradicted:
                contradictions.append(str(contradicted))
            except UNREACHABLE as error:
                unreached.append(f"{type(error).__name__}: {error}")
        return Look(tree_size=self._mirror.tree_size, contradictions=tuple(contradictions), unreached=tuple(unreached))

    async def _follow(self) -> None:
        """Bring the mirror up to the log's newest checkpoint."""
        answer = await look(self._watcher, self._log)
        if isinstance(answer, Cosign):
            self._mirror.keep(answer.signed)
        elif answer.reason is RefusedBecause.MALFORMED:
            # An older checkpoint may come out of a cache.
            await self._compare(f"{self._log.url}/checkpoint")
        else:
            raise LogContradicted(f"{self._log.url}: {answer.body.decode().strip()}")

    async def _compare_others(self) -> None:
        for url in self._others:
            await self._compare(url)

    async def _ask(self) -> None:
        for leaf in self._mirror.read_leaves(self._counted, self._mirror.tree_size):
            self.games.add(leaf)
        self._counted = self._mirror.tree_size
        await self.games.ask(ASKED_MAX)

    async def _compare(self, url: str) -> None:
        """Compare a checkpoint from elsewhere with the mirror. A fork is remembered, with its evidence."""
        mirrored = self._mirror.find_checkpoint()
        if mirrored is None or not mirrored.checkpoint.tree_size:
            return
        seen = parse_signed_checkpoint(await self._log.fetch(url, size_max=NOTE_SIZE_MAX))
        # From size 0, which is never the mirror's, it is compared and not cosigned.
        self._watcher.decide(AddCheckpoint(old_size=0, path=await self._find_path(mirrored, seen), signed=seen))
        origin = mirrored.checkpoint.origin
        if self._watcher.recall(origin).fork is not None:
            evidence = self._watcher.files.evidence_path(hash_origin(origin))
            raise LogContradicted(f"{origin} has signed two histories: the evidence is in {evidence}")

    async def _find_path(self, mirrored: SignedCheckpoint, seen: SignedCheckpoint) -> tuple[bytes, ...]:
        """Make the path that shows a fork, where there is one. A checkpoint beyond the mirror is compared later."""
        old_size, new_size = seen.checkpoint.tree_size, mirrored.checkpoint.tree_size
        if not 0 < old_size < new_size:
            return ()
        return await LedgerProofs(self._mirror).prove_prefix(old_size=old_size, new_size=new_size)


def build_monitor(client: httpx2.AsyncClient, url: str, policy: Policy, folder: Path, on_read: OnRead) -> Monitor:
    """Build the monitor of the ledger of a server; `policy` names the key and the witnesses to trust."""
    mirror, files = LedgerMirror(folder), WitnessFiles(folder)
    watcher = Watcher(logs=[WatchedLog(origin=log.key.name, keys=(log.key,)) for log in policy.logs], files=files)
    games = OpenedGames(folder, client, url)
    names = [hash_origin(log.key.name) for log in policy.logs]
    others = [
        f"{witness.url.removesuffix('/')}/{name}/checkpoint"
        for witness in policy.witnesses
        for name in names
        if witness.url is not None
    ]
    return Monitor(watcher, MirroredLog(client, f"{url}/v1/ledger", mirror, on_read), mirror, games, others)


async def follow(monitor: Monitor, on_look: Callable[[Look], None], *, is_once: bool) -> None:
    """Look for ever, or until every game was asked about or an answer is missing."""
    while True:
        found = await monitor.look()
        on_look(found)
        is_up = monitor.games.is_all_asked
        if is_once and (is_up or found.unreached):
            return
        await asyncio.sleep(LOOK_EVERY_S if is_up or found.unreached else CATCH_UP_S)
