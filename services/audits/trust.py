"""The trust of an audit's reader: a policy file, or the key of one ledger, and an earlier checkpoint of it."""

from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path

from domain.audit.archive import BadArchive, Source
from domain.audit.bundle import (
    BUNDLE_SIZE_MAX,
    POLICY_SIZE_MAX,
    PROOF_SIZE_MAX,
    StoredLogBundle,
    find_log,
    open_bundle,
    parse_bundle,
)
from domain.audit.case import NO_TRUST, Case, Trust
from domain.audit.cross_checks import AuditedLog
from domain.audit.record_bundle import is_record_log, open_record_bundle
from domain.audit.tournament_bundle import TOURNAMENT_SIZE_MAX, is_tournament_log, read_tournament_bundle
from domain.ledger.checkpoint import SignedCheckpoint, parse_signed_checkpoint
from domain.ledger.note_key import ED25519, parse_note_key
from domain.ledger.policy import QUORUM_NONE, Policy, PolicyLog
from domain.ledger.policy_file import parse_policy
from domain.ledger.proof import parse_proof
from domain.ledger.receipt import RECEIPTS_SIZE_MAX, SignedReceipt, parse_receipts
from domain.ledger.spelling import Misspelt
from domain.rulesets.released import KITS, Rebuilder
from infra.boxes import BoxRefused, read_box
from infra.ruleset_files import load_ruleset
from services.audits.files import StoredFile, read_file

# The first bytes of a zip and of a proof file; a checkpoint begins with the name of its log.
ARCHIVE_MARK = b"PK\3\4"
PROOF_MARK = b"c2sp.org/tlog-proof@"


class TrustRefused(Exception):
    """The policy or key is none."""


def read_trust(
    *,
    policy: Path | None,
    key: str | None,
    since: Path | None,
    receipts: Path | None = None,
    boxes: Sequence[Path] = (),
) -> Trust:
    """Read the files that the reader of an audit has given, or raise TrustRefused."""
    if policy is not None and key is not None:
        raise TrustRefused("expected --policy or --key, found both")
    trusted = read_policy(policy) if policy is not None else trust_key(key) if key is not None else None
    return Trust(
        policy=trusted,
        seen=None if since is None else read_seen(since),
        receipts=() if receipts is None else read_receipts(receipts),
        components=hash_own_components() | {_hash_box(path) for path in boxes},
    )


def _hash_box(path: Path) -> str:
    """Return the hash of components in a file, of the first ruleset that can be built from them."""
    refusals: list[str] = []
    for kit in KITS:
        try:
            return read_box(kit, path).components
        except BoxRefused as refused:
            refusals.append(refused.reason)
    raise TrustRefused(f"{path.name}: {'; '.join(refusals)}")


@cache
def hash_own_components() -> frozenset[str]:
    """Return the hashes of the components in the folders of this release."""
    return frozenset(sha256(load_ruleset(kit).components).hexdigest() for kit in KITS)


def read_policy(path: Path) -> Policy:
    """Read a tlog-policy file, or raise TrustRefused."""
    try:
        return parse_policy(read_file(path, size_max=POLICY_SIZE_MAX))
    except (Misspelt, OSError) as error:
        raise TrustRefused(f"{path.name}: {error}") from error


def trust_key(text: str) -> Policy:
    """Trust the ledger with this key, without asking for witnesses, or raise TrustRefused."""
    try:
        key = parse_note_key(text.strip())
    except Misspelt as error:
        raise TrustRefused(str(error)) from error
    if key.kind != ED25519:
        raise TrustRefused(f"expected the key of a ledger, found one of kind 0x{key.kind:02x}")
    return Policy(logs=(PolicyLog(key=key),), witnesses=(), groups=(), quorum=QUORUM_NONE)


def read_receipts(path: Path) -> tuple[SignedReceipt, ...]:
    """Read a file of receipts, or raise TrustRefused."""
    try:
        return parse_receipts(read_file(path, size_max=RECEIPTS_SIZE_MAX))
    except (Misspelt, OSError) as error:
        raise TrustRefused(f"{path.name}: {error}") from error


def read_earlier(path: Path | None) -> tuple[AuditedLog, ...]:
    """Read the history in an older bundle of a game, to compare with a newer one; nothing where it is none."""
    if path is None:
        return ()
    try:
        bundle = parse_bundle(read_file(path, size_max=BUNDLE_SIZE_MAX))
    except (BadArchive, OSError):
        return ()
    case = Case(bundle, Rebuilder({}), NO_TRUST)
    if case.game is None or case.fingerprint is None:
        return ()
    return (AuditedLog(name=str(path), stream=case.game, fingerprint=case.fingerprint),)


def read_seen(path: Path) -> SignedCheckpoint:
    """Read a checkpoint that the reader kept: by itself, or out of a proof or an older bundle. Raises TrustRefused."""
    try:
        # A pipe can be read but once.
        is_file = path.is_file()
        file = StoredFile(path, size_max=TOURNAMENT_SIZE_MAX) if is_file else read_file(path, size_max=BUNDLE_SIZE_MAX)
        if file[: len(ARCHIVE_MARK)] == ARCHIVE_MARK:
            bundle = _open_any(file)
            if bundle.last_proof is None:
                raise TrustRefused(f"{path.name}: expected a bundle with a checkpoint, found one without")
            return parse_proof(bundle.last_proof).signed
        raw = file[: PROOF_SIZE_MAX + 1]
        return parse_proof(raw).signed if raw.startswith(PROOF_MARK) else parse_signed_checkpoint(raw)
    except (Misspelt, BadArchive, OSError) as error:
        raise TrustRefused(f"{path.name}: {error}") from error


def _open_any(raw: Source) -> StoredLogBundle:
    log = find_log(raw)
    if is_tournament_log(log):
        return read_tournament_bundle(raw)
    return open_record_bundle(raw) if is_record_log(log) else open_bundle(raw)
