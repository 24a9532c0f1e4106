"""Keys of notes as text: the public one that verifiers are given, and the private one that a signer keeps.

A key belongs to a name and to a kind of signature; the same key under another name or kind is another key.
"""

from hashlib import sha256

from msgspec import Struct

from domain.ledger.spelling import Misspelt, format_base64, parse_base64, quote

# Examples, public and private:
#
#     PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW
#     PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz
#
#     public  = name "+" id "+" base64(kind || public key of 32 bytes)
#     private = "PRIVATE+KEY+" name "+" id "+" base64(kind || seed of 32 bytes)
#     id      = the first 4 bytes of SHA-256(name || 0x0A || kind || public key), 8 lower-case hex digits
#     kind    = 0x01 Ed25519 over a note's text | 0x04 Ed25519 over a checkpoint and a time (cosignature/v1)
#     name    = not empty, no space of any sort, no "+", no control character
#
# base64 itself may contain "+", so a key is split at its first two. Refused: other kinds of key, an id that is not the
# key's (of a private key, as soon as its public key is known), any other spelling. Errors never show a private key.

ED25519 = 0x01
COSIGNATURE = 0x04

KEY_ID_SIZE = 4
KEY_SIZE = 32

_PRIVATE = "PRIVATE+KEY+"
_KINDS = frozenset({ED25519, COSIGNATURE})


class NoteKey(Struct, frozen=True, kw_only=True):
    """A public key, as those who verify are given it."""

    name: str
    kind: int
    public_key: bytes

    @property
    def key_id(self) -> bytes:
        return sha256(self.name.encode() + b"\n" + bytes([self.kind]) + self.public_key).digest()[:KEY_ID_SIZE]


class NoteSeed(Struct, frozen=True, kw_only=True):
    """A private key, as its text states it; shows nothing of itself."""

    name: str
    kind: int
    key_id: bytes
    seed: bytes

    def __repr__(self) -> str:
        return f"NoteSeed({self.name}+{self.key_id.hex()})"

    def __rich_repr__(self) -> list[tuple[str, str]]:
        return [("name", self.name), ("key_id", self.key_id.hex())]


def parse_note_key(text: str) -> NoteKey:
    name, key_id, kind, public_key = _parse_parts(text, shown=text)
    key = NoteKey(name=name, kind=kind, public_key=public_key)
    if key.key_id != key_id:
        raise Misspelt(expected=f"id {key.key_id.hex()} of this key and name", found=key_id.hex())
    return key


def format_note_key(key: NoteKey) -> str:
    return f"{key.name}+{key.key_id.hex()}+{format_base64(bytes([key.kind]) + key.public_key)}"


def parse_note_seed(text: str) -> NoteSeed:
    """Read a private key; whether its id is right shows only with its public key (`public_half`)."""
    if not text.startswith(_PRIVATE):
        raise Misspelt(expected=f"a private key that begins with {_PRIVATE}", found="another text")
    name, key_id, kind, seed = _parse_parts(text.removeprefix(_PRIVATE), shown="a private key")
    return NoteSeed(name=name, kind=kind, key_id=key_id, seed=seed)


def format_note_seed(seed: NoteSeed) -> str:
    return f"{_PRIVATE}{seed.name}+{seed.key_id.hex()}+{format_base64(bytes([seed.kind]) + seed.seed)}"


def build_note_seed(key: NoteKey, *, seed: bytes) -> NoteSeed:
    """Build the private key to a public one; `seed` is the source of the public one."""
    assert len(seed) == KEY_SIZE, len(seed)
    return NoteSeed(name=key.name, kind=key.kind, key_id=key.key_id, seed=seed)


def public_half(seed: NoteSeed, *, public_key: bytes) -> NoteKey:
    """Build the public key to a private one, once it has been derived from the seed; Misspelt for a wrong id."""
    key = NoteKey(name=seed.name, kind=seed.kind, public_key=public_key)
    if key.key_id != seed.key_id:
        raise Misspelt(expected=f"id {key.key_id.hex()} of this key and name", found=seed.key_id.hex())
    return key


def check_key_name(name: str) -> None:
    if not name or any(character.isspace() or character == "+" or character < " " for character in name):
        raise Misspelt(expected="a name without spaces, + and control characters", found=quote(name))
    try:
        name.encode()
    except UnicodeEncodeError as error:
        raise Misspelt(expected="a name that has UTF-8", found=quote(name)) from error


def _parse_parts(text: str, *, shown: str) -> tuple[str, bytes, int, bytes]:
    parts = text.split("+", maxsplit=2)
    if len(parts) != len(("name", "id", "key")):
        raise Misspelt(expected="name+id+key", found=quote(shown))
    name, id_digits, encoded = parts
    check_key_name(name)
    if len(id_digits) != 2 * KEY_ID_SIZE or set(id_digits) - set("0123456789abcdef"):
        raise Misspelt(expected=f"an id of {2 * KEY_ID_SIZE} lower-case hex digits", found=quote(shown))
    try:
        octets = parse_base64(encoded)
    except Misspelt:
        # Without its cause, which quotes a text that may be a private key.
        raise Misspelt(expected="a key in base64", found=quote(shown)) from None
    if octets[0] not in _KINDS or len(octets) != 1 + KEY_SIZE:
        found = f"kind 0x{octets[0]:02x}, {len(octets) - 1} bytes"
        raise Misspelt(expected=f"kind 0x01 or 0x04 and {KEY_SIZE} bytes", found=found)
    return name, bytes.fromhex(id_digits), octets[0], octets[1:]
