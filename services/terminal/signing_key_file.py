"""An organiser's signing key, in a file that only its owner can read: 64 hex digits, never printed."""

import os
import re
import secrets
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

FILE_MODE = 0o600
# The digits and a newline; a longer file is no key.
FILE_BYTES_MAX = 128
SEED_BYTES = 32
_SEED = re.compile(r"[0-9a-f]{64}")


class SigningKeyRefused(Exception):
    """The file cannot be made, or has no key in it."""


def create_signing_key(path: Path) -> str:
    """Make a key and return its public half. Never overwrites one. Raises SigningKeyRefused."""
    seed = secrets.token_bytes(SEED_BYTES)
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE_MODE)
    except FileExistsError:
        raise SigningKeyRefused(f"{path} exists; keys are never overwritten, as rulings are signed with them") from None
    with os.fdopen(descriptor, "wb") as file:
        file.write(seed.hex().encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())
    return name_public_half(Ed25519PrivateKey.from_private_bytes(seed))


def read_signing_key(path: Path) -> Ed25519PrivateKey:
    """Read a key, or raise SigningKeyRefused without showing anything of it."""
    try:
        with path.open("rb") as file:
            text = file.read(FILE_BYTES_MAX).decode("ascii").strip()
    except (OSError, UnicodeDecodeError):
        text = ""
    if not _SEED.fullmatch(text):
        raise SigningKeyRefused(f"expected a key of 64 hex digits in {path}, found none that can be read")
    return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(text))


def name_public_half(key: Ed25519PrivateKey) -> str:
    return key.public_key().public_bytes_raw().hex()
