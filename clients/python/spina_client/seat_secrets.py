"""The secrets of a seat: links, the signing key, and sealed actions that are not shown yet.

None of it is ever printed: with it a program can play the seat, and foretell the seat's part of chance.
"""

import secrets

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec import Struct

from spina_client.formats import Json, build_links, encode
from spina_client.ids import DecisionId
from spina_client.problems import SpinaError

# Links for a whole game of any ruleset: one for being ready and one for each answer.
LINKS_COUNT = 1024
SECRET_BYTES = 32


class SealedAction(Struct, frozen=True, kw_only=True):
    """An action in the player's own custody."""

    action: Json
    salt: str

    def __repr__(self) -> str:
        return "SealedAction(…)"


class LinkUnknown(SpinaError):
    """The last link of the seat is none of these: the seat was taken with other secrets."""


class SecretsUnreadable(SpinaError):
    """The bytes are not those of kept secrets."""


class _Kept(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    entrusted: tuple[DecisionId, ...]
    key: str | None
    links: tuple[str, ...]
    sealed: dict[DecisionId, SealedAction]

    def __repr__(self) -> str:
        return "_Kept(…)"


class SeatSecrets:
    """Secrets of one seat in one game. `sealed` is revealed by the player, `entrusted` by the server."""

    def __init__(self, *, links: tuple[str, ...] = (), key: Ed25519PrivateKey | None = None) -> None:
        self.key = key
        self.sealed: dict[DecisionId, SealedAction] = {}
        self.entrusted: set[DecisionId] = set()
        self._links = links
        self._places = {link: place for place, link in enumerate(links)}

    def __repr__(self) -> str:
        return f"SeatSecrets({self.count} links, {'a key' if self.key else 'no key'})"

    def to_bytes(self) -> bytes:
        """Return all secrets of the seat for a file of the player's own, whose readers can play the seat.

        Keep them before `take`, and again after each `seal` and `entrust`.
        """
        return encode(
            {
                "entrusted": sorted(self.entrusted),
                "key": None if self.key is None else self.key.private_bytes_raw().hex(),
                "links": list(self._links),
                "sealed": {decision: msgspec.to_builtins(each) for decision, each in self.sealed.items()},
            }
        )

    @classmethod
    def from_bytes(cls, kept: bytes) -> "SeatSecrets":
        """Return the secrets that `to_bytes` kept. Raises SecretsUnreadable."""
        try:
            read = msgspec.json.decode(kept, type=_Kept)
            key = None if read.key is None else Ed25519PrivateKey.from_private_bytes(bytes.fromhex(read.key))
        except (msgspec.DecodeError, ValueError):
            # Neither the bytes nor the reason are in the message: either may quote a secret.
            raise SecretsUnreadable("expected the bytes of SeatSecrets.to_bytes, found others") from None
        secrets_ = cls(links=read.links, key=key)
        secrets_.sealed.update(read.sealed)
        secrets_.entrusted.update(read.entrusted)
        return secrets_

    @property
    def anchor(self) -> str | None:
        return self._links[0] if self._links else None

    @property
    def count(self) -> int:
        return max(len(self._links) - 1, 0)

    @property
    def public_key(self) -> str | None:
        return None if self.key is None else self.key.public_key().public_bytes_raw().hex()

    def find_link(self, last_link: str | None, *, steps: int) -> str | None:
        """Return the link `steps` after the last disclosed one; None where none is owed, or to a stand-in."""
        if last_link is None or steps == 0 or not self._links:
            return None
        place = self._places.get(last_link)
        if place is None:
            raise LinkUnknown(f"expected a link of this seat, found {last_link}")
        return self._links[place + steps]


def build_seat_secrets(
    *, is_signing: bool = False, links_count: int = LINKS_COUNT, key: Ed25519PrivateKey | None = None
) -> SeatSecrets:
    """Make fresh secrets for a seat; a player of a tournament signs with the key of the entry."""
    links = build_links(secrets.token_bytes(SECRET_BYTES), links_count) if links_count else ()
    return SeatSecrets(links=links, key=Ed25519PrivateKey.generate() if is_signing and key is None else key)


def build_salt() -> str:
    """Return the salt of a new seal."""
    return secrets.token_hex(SECRET_BYTES)
