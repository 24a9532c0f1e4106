"""The house's accounts and secrets, derived from the master key: nothing of them is stored, and every node has them.

A token of the house opens what the operator could do anyway. A seat's links follow from the game, so that it is played
on after a restart, by any node.
"""

import hmac
from base64 import urlsafe_b64encode

from msgspec import Struct

from domain.accounts.account import SCOPES, Account
from domain.accounts.token import TOKEN_PREFIX, Login, hash_token
from domain.house import HOUSE, HOUSE_NAMES
from domain.ids import GameId, PlayerId, Seat
from infra.keys import MasterKey


class HouseAccount(Struct, frozen=True, kw_only=True):
    id: PlayerId
    name: str
    token: str

    def __repr__(self) -> str:
        return f"HouseAccount({self.name})"


class HouseKeys:
    """What a process needs to know its house by, and to play for it."""

    def __init__(self, key: MasterKey) -> None:
        self._key = key
        self.accounts = tuple(
            HouseAccount(id=player, name=name, token=self._derive_token(player))
            for player, name in zip(HOUSE, HOUSE_NAMES, strict=True)
        )
        self.by_token = {
            hash_token(account.token): Login(
                id=None,
                kind="token",
                scopes=SCOPES["player"] - {"account"},
                account=Account(id=account.id, name=account.name, role="player"),
            )
            for account in self.accounts
        }

    def derive_seed(self, game: GameId, seat: Seat) -> bytes:
        """Return the 32 bytes from which the seat's links and key follow."""
        return self._derive(f"spina/house-seat/v1\0{game}\0{seat}")

    def _derive_token(self, player: PlayerId) -> str:
        return TOKEN_PREFIX + urlsafe_b64encode(self._derive(f"spina/house-token/v1\0{player}")).decode().rstrip("=")

    def _derive(self, purpose: str) -> bytes:
        return hmac.digest(self._key, purpose.encode(), "sha256")
