"""The server's own findings about its games: made from the public bundle, in a process beside the server.

One at a time, and kept for games that are over; a caller that finds too many waiting comes again.
"""

import asyncio
import os
import sys
from asyncio.subprocess import DEVNULL, PIPE
from collections import Counter
from hashlib import sha256

import msgspec

from domain.audit.bundle import Bundle, bundle_name, format_bundle
from domain.ids import GameId, StreamVersion
from infra.networks import UNKNOWN, Network
from infra.recent import Recent
from services.audits.auditor import encode_task
from services.audits.bundles import Bundles
from services.audits.report import FileReport
from services.audits.tournament_bundles import TournamentBundles

# The longest game there can be is decided again in some seconds; a whole one of six seats in a tenth of one.
AUDIT_TIMEOUT_S = 60.0
# An audit takes about 0.3 s, most of it to start. Who is behind so many waits no longer than a request may.
WAITING_MAX = 16
# A bystander waits for a few of each network.
NETWORK_WAITING_MAX = 8
# Some ten kilobytes each.
KEPT_MAX = 512

_REPORT = msgspec.json.Decoder(FileReport)


class TooManyAudits(Exception):
    """So many wait already that this one would take too long."""

    def __init__(self, waiting: int) -> None:
        super().__init__(f"{waiting} audits are waiting, no more are taken")


class AuditFailed(Exception):
    """The process that audits gave no findings: a bug of ours, as every log makes findings."""

    def __init__(self, game: GameId, *, found: str) -> None:
        self.game = game
        super().__init__(f"expected findings about {game}, found {found}")


class OwnAudits:
    """One for a process of the server."""

    def __init__(self, bundles: Bundles) -> None:
        self.bundles = bundles
        self.tournament_bundles = TournamentBundles(bundles)
        self._turn = asyncio.Lock()
        self._waiting: Counter[Network] = Counter()
        self._kept: Recent[tuple[GameId, str], FileReport] = Recent(KEPT_MAX)

    async def read(self, game: GameId, version: StreamVersion, *, network: Network = UNKNOWN) -> FileReport:
        """Audit a game up to a version. Raises the faults of building a bundle, TooManyAudits and AuditFailed."""
        bundle = await self.bundles.build(game, version=version)
        raw = format_bundle(bundle)
        key = game, sha256(raw).hexdigest()
        report = self._kept.find(key)
        if report is not None:
            return report
        if self._waiting.total() >= WAITING_MAX or self._waiting[network] >= NETWORK_WAITING_MAX:
            raise TooManyAudits(self._waiting.total())
        self._waiting[network] += 1
        try:
            async with self._turn:
                # A caller before us may have asked the same.
                report = self._kept.find(key) or await _audit(game, raw, policy=_policy_for(bundle))
        finally:
            self._waiting -= Counter([network])
        self._kept.keep(key, report)
        return report


def _policy_for(bundle: Bundle) -> bytes:
    """Judge by the operator's policy of the time of the proofs. It is the operator's own audit in any case."""
    return bundle.policy or b""


async def _audit(game: GameId, raw: bytes, *, policy: bytes) -> FileReport:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-P", "-m", "services.audits.auditor", bundle_name(game)),
        stdin=PIPE,
        stdout=PIPE,
        stderr=DEVNULL,
        env=_environment(),
        # A Ctrl-C at the terminal is for the server; this one ends when its input or its time does.
        start_new_session=True,
    )
    try:
        async with asyncio.timeout(AUDIT_TIMEOUT_S):
            printed, _ = await process.communicate(encode_task(raw, policy=policy))
    except TimeoutError:
        raise AuditFailed(game, found=f"none within {AUDIT_TIMEOUT_S:g} s") from None
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode:
        raise AuditFailed(game, found=f"exit code {process.returncode}")
    return _REPORT.decode(printed)


def _environment() -> dict[str, str]:
    """Pass on the paths of Python's modules; other variables of ours may be secret."""
    return {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
