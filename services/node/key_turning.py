"""The master key of a database turned while servers run. A turn that was interrupted goes on where it stopped."""

import os

from msgspec import Struct

from domain.operators.events import KeyTurned
from infra.durable_file import sync_folder
from infra.keys import KeyRefused, create_key_file, read_key_file
from infra.postgres.master_key_check import find_expected_key_id, turn_master_key
from infra.settings import Settings
from services.commands.records import put_on_record, transaction_of_act
from services.node.records import owner_of, read_words


class Turned(Struct, frozen=True, kw_only=True):
    """The ids of both keys, and the place of the former one."""

    former: str
    new: str
    kept: str


async def turn_key(settings: Settings, *, by: str, reason: str | None) -> Turned:
    """Put a new key into the key file. Raises KeyRefused, WrongMasterKey, BoxDamaged, or as an act on record does."""
    if settings.master_key is not None:
        raise KeyRefused("expected the master key in a file, found it in SPINA_MASTER_KEY: name a file instead")
    path = settings.key_file
    former, words = read_key_file(path), read_words(by, reason)
    # Each former key has a file of its own: a later turn must not delete the key of an older dump.
    draft, kept = (path.with_name(f"{path.name}.{name}") for name in ("new", f"former-{former.key_id}"))
    # On the disk before the database needs it.
    new = read_key_file(draft) if draft.exists() else create_key_file(draft)
    async with owner_of(settings) as owner:
        if await find_expected_key_id(owner) != new.key_id:
            async with transaction_of_act(owner):
                await turn_master_key(owner, former=former, new=new)
                await put_on_record(owner, KeyTurned(former=former.key_id, new=new.key_id, **words))
    # Of a turn interrupted here, and the same key.
    kept.unlink(missing_ok=True)
    os.link(path, kept)
    draft.replace(path)
    sync_folder(path.parent)
    return Turned(former=former.key_id, new=new.key_id, kept=str(kept))
