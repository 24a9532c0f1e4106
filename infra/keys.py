"""The master key and its boxes (authenticated encryption): secrets of the server are stored only inside a box.

A box opens with the same key and the same context alone, and names its key before it is decrypted.
"""

import hashlib
import hmac
import os
import secrets
import stat
from pathlib import Path
from typing import Self

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from infra.durable_file import sync_folder
from infra.redaction import Secret
from infra.settings import Settings

KEY_BYTES = 32
CHECKSUM_DIGITS = 8
KEY_ID_BYTES = 8
# AES-GCM's own nonce size. Each context has its own key, so random nonces meet only other boxes of one context.
NONCE_BYTES = 12
TAG_BYTES = 16
BOX_VERSION = b"\x01"
HEAD_BYTES = len(BOX_VERSION) + KEY_ID_BYTES
BOX_OVERHEAD_BYTES = HEAD_BYTES + NONCE_BYTES + TAG_BYTES
KEY_FILE_MODE = 0o600
# A key's text is one short line; a larger file is some other file.
KEY_FILE_BYTES_MAX = 1_000

# Text form: `spina-master-1:<64 hex digits>:<8 hex digits of checksum>`. Upper case, blanks inside, a missing or an
# additional digit are refused; one newline at the end is not part of it. Formatting a parsed key gives the same text.
TEXT_PREFIX = "spina-master-1:"
HEX_DIGITS = frozenset("0123456789abcdef")


class MasterKey(Secret):
    """32 random bytes from which every box's key is derived."""

    __slots__ = ()

    def __new__(cls, material: bytes) -> Self:
        assert len(material) == KEY_BYTES, f"a master key has {KEY_BYTES} bytes, not {len(material)}"
        return super().__new__(cls, material)

    @property
    def key_id(self) -> str:
        """Name the key in logs, boxes and refusals; nothing of the key can be learned from it."""
        return hmac.digest(self, b"spina/master-key-id/v1", "sha256")[:KEY_ID_BYTES].hex()


class KeyRefused(Exception):
    """A key or its file cannot be used; the message states why and never shows it."""


class WrongMasterKey(Exception):
    """A box, or a whole database, was made with another key."""

    def __init__(self, *, expected_key_id: str, found_key_id: str) -> None:
        self.expected_key_id = expected_key_id
        self.found_key_id = found_key_id
        super().__init__(f"this was closed with the master key {expected_key_id}, not with the given {found_key_id}")


class BoxDamaged(Exception):
    """A box is not as it was made, or belongs to another context."""


def build_master_key() -> MasterKey:
    return MasterKey(secrets.token_bytes(KEY_BYTES))


def format_master_key(key: MasterKey) -> str:
    return f"{TEXT_PREFIX}{key.hex()}:{_checksum(key)}"


def parse_master_key(text: str) -> MasterKey:
    """Read the text form. Raises KeyRefused, which shows nothing of the text."""
    if not text.startswith(TEXT_PREFIX):
        raise KeyRefused(f"a master key starts with {TEXT_PREFIX!r}; this text of {len(text)} characters does not")
    digits, colon, checksum = text.removeprefix(TEXT_PREFIX).partition(":")
    if len(digits) != KEY_BYTES * 2 or not colon or len(checksum) != CHECKSUM_DIGITS:
        wanted = len(TEXT_PREFIX) + KEY_BYTES * 2 + 1 + CHECKSUM_DIGITS
        raise KeyRefused(f"a master key has {wanted} characters, this one {len(text)}: it was cut or added to")
    if not HEX_DIGITS.issuperset(digits + checksum):
        raise KeyRefused("a master key is written in digits and the letters a to f; this one has other characters")
    key = MasterKey(bytes.fromhex(digits))
    if not hmac.compare_digest(checksum, _checksum(key)):
        raise KeyRefused("the master key's checksum does not fit: it was mistyped")
    return key


def create_key_file(path: Path) -> MasterKey:
    """Make a key and write it to a file that only its owner can read. Never overwrites. Raises KeyRefused."""
    key = build_master_key()
    write_private(path, format_master_key(key) + "\n")
    return key


def read_key_file(path: Path) -> MasterKey:
    """Read a key file that only its owner can read. Raises KeyRefused."""
    text = read_private(path)
    if text is None:
        raise KeyRefused(f"there is no master key at {path}; `spina keys create` makes one")
    return parse_master_key(text.removesuffix("\n"))


def write_private(path: Path, text: str) -> None:
    """Write a new key file that only its owner can read. Never overwrites. Raises KeyRefused."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, KEY_FILE_MODE)
    except FileExistsError:
        raise KeyRefused(f"{path} exists; a key is never overwritten, for what it closed could not be opened") from None
    except OSError as error:
        raise KeyRefused(f"{path} cannot be written: {error.strerror}") from error
    with os.fdopen(descriptor, "w") as file:
        file.write(text)
        file.flush()
        # A database may be made with this key in the next second: it must not be lost with the power.
        os.fsync(file.fileno())
    sync_folder(path.parent)


def read_private(path: Path) -> str | None:
    """Read a key file that only its owner can read; None where there is none. Raises KeyRefused."""
    try:
        found = path.stat()
        if found.st_mode & 0o077:
            mode = stat.S_IMODE(found.st_mode)
            raise KeyRefused(f"{path} can be read by others (mode {mode:03o}); expected 600: chmod 600 {path}")
        if not stat.S_ISREG(found.st_mode) or found.st_size > KEY_FILE_BYTES_MAX:
            raise KeyRefused(f"{path} is not a key file")
        return path.read_text(encoding="ascii")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise KeyRefused(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError:
        raise KeyRefused(f"{path} is not a key file") from None


def read_given_key(settings: Settings) -> MasterKey:
    """Read the key the settings name: its text, else its file. Raises KeyRefused."""
    if settings.master_key is not None:
        return parse_master_key(settings.master_key)
    return read_key_file(settings.key_file)


def seal_box(key: MasterKey, plaintext: bytes, *, context: bytes) -> bytes:
    """Encrypt for one context (game, purpose, version): `version || key id || nonce || ciphertext and tag`."""
    nonce = secrets.token_bytes(NONCE_BYTES)
    head = BOX_VERSION + bytes.fromhex(key.key_id)
    return head + nonce + AESGCM(_box_key(key, context)).encrypt(nonce, plaintext, head + context)


def box_key_id(box: bytes) -> str:
    """State whose box it is, without opening it. Raises BoxDamaged."""
    if len(box) < BOX_OVERHEAD_BYTES or not box.startswith(BOX_VERSION):
        raise BoxDamaged(f"expected a box of at least {BOX_OVERHEAD_BYTES} bytes, found {len(box)} bytes that are none")
    return box[len(BOX_VERSION) : HEAD_BYTES].hex()


def open_box(key: MasterKey, box: bytes, *, context: bytes) -> Secret:
    """Decrypt a box of `seal_box` for the same context. Raises WrongMasterKey or BoxDamaged."""
    owner = box_key_id(box)
    if owner != key.key_id:
        raise WrongMasterKey(expected_key_id=owner, found_key_id=key.key_id)
    head, nonce, ciphertext = (
        box[:HEAD_BYTES],
        box[HEAD_BYTES : HEAD_BYTES + NONCE_BYTES],
        box[HEAD_BYTES + NONCE_BYTES :],
    )
    try:
        return Secret(AESGCM(_box_key(key, context)).decrypt(nonce, ciphertext, head + context))
    except InvalidTag:
        raise BoxDamaged("the box was changed, or was made for another context") from None


def _box_key(key: MasterKey, context: bytes) -> bytes:
    return hmac.digest(key, b"spina/box/v1\x00" + context, "sha256")


def _checksum(key: MasterKey) -> str:
    return hashlib.sha256(b"spina/master-key-text/v1\x00" + key).hexdigest()[:CHECKSUM_DIGITS]
