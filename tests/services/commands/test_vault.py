"""What the vault closed opens for its own game, purpose and version alone."""

import pytest
from msgspec.structs import replace

from domain.chance import Secret
from domain.game.state import Opening
from domain.ids import Seat, StreamId, StreamVersion
from domain.log.enact import HeldAction
from infra.event_store import HeldOpening
from infra.keys import BoxDamaged, MasterKey
from services.commands.vault import Vault

VAULT = Vault(MasterKey(bytes(32)))
GAME = StreamId("0199c0de-0000-7000-8000-000000000001")
OTHER = StreamId("0199c0de-0000-7000-8000-000000000002")
SECRET = Secret(bytes(range(32)))
HELD = HeldAction(
    version=StreamVersion(7), entrusted=Opening(seat=Seat(0), action=b'{"card":3}', salt="33" * 32, link=None)
)


def test_what_was_closed_is_opened_again() -> None:
    secret = VAULT.open_secret(GAME, VAULT.seal_secret(GAME, SECRET))
    held = VAULT.open_held(GAME, VAULT.seal_held(GAME, HELD))

    assert (secret, held) == (SECRET, HELD)


def test_a_secret_does_not_open_for_another_game() -> None:
    box = VAULT.seal_secret(GAME, SECRET)

    with pytest.raises(BoxDamaged):
        VAULT.open_secret(OTHER, box)


def test_what_is_held_does_not_open_for_another_game() -> None:
    held = VAULT.seal_held(GAME, HELD)

    with pytest.raises(BoxDamaged):
        VAULT.open_held(OTHER, held)


def test_what_is_held_does_not_open_for_another_version() -> None:
    held = replace(VAULT.seal_held(GAME, HELD), version=StreamVersion(8))

    with pytest.raises(BoxDamaged):
        VAULT.open_held(GAME, held)


def test_neither_opens_in_the_place_of_the_other() -> None:
    secret, held = VAULT.seal_secret(GAME, SECRET), VAULT.seal_held(GAME, HELD)

    with pytest.raises(BoxDamaged):
        VAULT.open_held(GAME, HeldOpening(version=HELD.version, sealed_box=secret))
    with pytest.raises(BoxDamaged):
        VAULT.open_secret(GAME, held.sealed_box)
