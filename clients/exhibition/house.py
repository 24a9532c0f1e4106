"""The accounts of the house's own bots: made once over the API, then kept in one encrypted file and used again.

A bot's links and salts follow from the house's secret and the game, so a game is played on after a restart.
"""

import hmac
import os
import secrets
from pathlib import Path

import msgspec
import structlog
from msgspec import Struct

from infra.keys import BoxDamaged, MasterKey, WrongMasterKey, open_box, seal_box
from spina_client.client import Client, register
from spina_client.connection import Connection
from spina_client.formats import build_links
from spina_client.ids import GameId, Seat
from spina_client.problems import Refused
from spina_client.seat_secrets import LINKS_COUNT, SECRET_BYTES, SeatSecrets
from spina_client.seen import Account

log = structlog.get_logger()

FILE_NAME = "house.box"
FILE_MODE = 0o600
CONTEXT = b"spina/house/v1"
# Famous drivers of Rome; the second part tells players that they race against a bot.
NAMES = tuple(
    f"{name} (house bot)" for name in ("Scorpus", "Diocles", "Crescens", "Calpurnianus", "Musclosus", "Teres")
)
NOT_AUTHENTICATED = 401


class House(Struct, frozen=True, kw_only=True):
    """The accounts, one for a seat, and 32 bytes in hex from which the links of every game follow."""

    accounts: tuple[Account, ...]
    secret: str

    def __repr__(self) -> str:
        return f"House({len(self.accounts)} accounts)"

    def build_secrets(self, game: GameId, seat: Seat) -> SeatSecrets:
        """Return the same secrets whenever the seat of this game is asked for."""
        last = hmac.digest(bytes.fromhex(self.secret), f"spina/house-links/v1/{game}/{seat}".encode(), "sha256")
        return SeatSecrets(links=build_links(last, LINKS_COUNT))


async def open_house(connection: Connection, *, path: Path, key: MasterKey) -> House:
    """Return the house as it was kept, or make a new one where there is none that this server knows."""
    kept = _read(path, key)
    if kept is not None and await _is_known(connection, kept):
        return kept
    accounts = tuple([await register(connection, name) for name in NAMES])
    made = House(accounts=accounts, secret=secrets.token_hex(SECRET_BYTES))
    _write(path, seal_box(key, msgspec.json.encode(made), context=CONTEXT))
    log.info("house_opened", accounts=len(accounts))
    return made


def _read(path: Path, key: MasterKey) -> House | None:
    try:
        opened = open_box(key, path.read_bytes(), context=CONTEXT)
        return msgspec.json.decode(bytes(opened), type=House)
    except FileNotFoundError:
        return None
    except (BoxDamaged, WrongMasterKey, msgspec.DecodeError) as error:
        # Nothing is lost with it but the games that were under way.
        log.warning("house_unreadable", reason=str(error))
        return None


async def _is_known(connection: Connection, house: House) -> bool:
    """Ask with one token: they were made together, in one database."""
    if len(house.accounts) < len(NAMES):
        return False
    try:
        await Client(connection, house.accounts[0]).list_rulesets()
    except Refused as refused:
        if refused.problem.status != NOT_AUTHENTICATED:
            raise
        return False
    return True


def _write(path: Path, box: bytes) -> None:
    """Write the file whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    unfinished = path.with_suffix(".new")
    descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, FILE_MODE)
    with os.fdopen(descriptor, "wb") as file:
        file.write(box)
    unfinished.replace(path)
