"""Whom the reader of an audit trusts: a policy file, or the key of one ledger."""

from pathlib import Path

from domain.ledger.note_key import ED25519, parse_note_key
from domain.ledger.policy import QUORUM_NONE, Policy, PolicyLog
from domain.ledger.policy_file import parse_policy
from domain.ledger.spelling import Misspelt


class TrustRefused(Exception):
    """The policy or key is none."""


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
