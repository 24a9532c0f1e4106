"""The trust of an audit's reader: a policy file, or the key of one ledger, and an earlier checkpoint of it."""

from pathlib import Path

from domain.audit.archive import BadArchive, parse_first
from domain.audit.bundle import parse_bundle
from domain.audit.case import Trust
from domain.audit.tournament_bundle import LOG_SLOT, is_tournament_log, parse_tournament_bundle
from domain.ledger.checkpoint import SignedCheckpoint, parse_signed_checkpoint
from domain.ledger.note_key import ED25519, parse_note_key
from domain.ledger.policy import QUORUM_NONE, Policy, PolicyLog
from domain.ledger.policy_file import parse_policy
from domain.ledger.proof import parse_proof
from domain.ledger.spelling import Misspelt

# The first bytes of a zip and of a proof file; a checkpoint begins with the name of its log.
ARCHIVE_MARK = b"PK\3\4"
PROOF_MARK = b"c2sp.org/tlog-proof@"


class TrustRefused(Exception):
    """The policy or key is none."""


def read_trust(*, policy: Path | None, key: str | None, since: Path | None) -> Trust:
    """Read the files that the reader of an audit has given, or raise TrustRefused."""
    if policy is not None and key is not None:
        raise TrustRefused("expected --policy or --key, found both")
    trusted = read_policy(policy) if policy is not None else trust_key(key) if key is not None else None
    return Trust(policy=trusted, seen=None if since is None else read_seen(since))


def read_policy(path: Path) -> Policy:
    """Read a tlog-policy file, or raise TrustRefused."""
    try:
        return parse_policy(path.read_bytes())
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


def read_seen(path: Path) -> SignedCheckpoint:
    """Read a checkpoint that the reader kept: by itself, or out of a proof or an older bundle. Raises TrustRefused."""
    try:
        raw = path.read_bytes()
        if raw.startswith(ARCHIVE_MARK):
            is_of_game = not is_tournament_log(parse_first(raw, LOG_SLOT).body)
            proof = (parse_bundle(raw) if is_of_game else parse_tournament_bundle(raw)).last_proof
            if proof is None:
                raise TrustRefused(f"{path.name}: expected a bundle with a checkpoint, found one without")
            return parse_proof(proof).signed
        return parse_proof(raw).signed if raw.startswith(PROOF_MARK) else parse_signed_checkpoint(raw)
    except (Misspelt, BadArchive, OSError) as error:
        raise TrustRefused(f"{path.name}: {error}") from error
