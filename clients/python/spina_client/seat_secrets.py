"""The secrets of a seat: links, the signing key, and sealed actions that are not shown yet.

None of it is ever printed: with it a program can play the seat, and foretell the seat's part of chance.
"""

import secrets

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec import Struct

from spina_client.formats import Json, build_links
from spina_client.ids import DecisionId

# Links for a whole game of any ruleset: one for being ready and one for each answer.
LINKS_COUNT = 1024
SECRET_BYTES = 32


class SealedAction(Struct, frozen=True, kw_only=True):
    """An action in the player's own custody."""

    action: Json
    salt: str

    def __repr__(self) -> str:
        return "SealedAction(…)"


class LinkUnknown(Exception):
    """The last link of the seat is none of these: the seat was taken with other secrets."""


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
    return secrets.token_hex(SECRET_BYTES)
