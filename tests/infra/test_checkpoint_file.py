"""The checkpoint beside the key is whole or not believed, and is never replaced by who has not seen it."""

from pathlib import Path

import pytest

from domain.ledger.merkle import EMPTY_ROOT
from infra.checkpoint_file import CheckpointFile, CheckpointFileDamaged
from infra.keys import MasterKey
from infra.ledger_keys import derive_log_signer

KEY = MasterKey(bytes(range(32)))
OTHER_KEY = MasterKey(bytes(range(1, 33)))
SIGNER = derive_log_signer(KEY, "ledger.test/log")
FIRST = SIGNER.sign(tree_size=1, root=bytes(32))
# A checkpoint published under a key must be found to be by it after every release.
PUBLIC = "798b53afd2258b24f163bfb6d15dfbd4049703ccf89f4f3808afb7e3b11b5a85"
SECOND = SIGNER.sign(tree_size=2, root=bytes(range(32)))


def test_what_was_put_there_is_read_again(tmp_path: Path) -> None:
    file = CheckpointFile(tmp_path / "made", SIGNER.key)

    assert file.read() is None
    assert file.replace(FIRST, expected=None)
    assert file.replace(SECOND, expected=FIRST)
    assert file.read() == SECOND


def test_whoever_expects_another_one_replaces_nothing(tmp_path: Path) -> None:
    file = CheckpointFile(tmp_path, SIGNER.key)
    file.replace(SECOND, expected=None)

    assert not file.replace(FIRST, expected=FIRST)
    assert not file.replace(FIRST, expected=None)
    assert file.read() == SECOND


def test_every_cut_and_every_flipped_byte_is_refused(tmp_path: Path) -> None:
    file = CheckpointFile(tmp_path, SIGNER.key)
    file.replace(FIRST, expected=None)
    whole = file.path.read_bytes()
    cut = [whole[:size] for size in range(len(whole))]
    flipped = [whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :] for place in range(len(whole))]

    for damaged in cut + flipped:
        file.path.write_bytes(damaged)
        with pytest.raises(CheckpointFileDamaged):
            file.read()


def test_a_checkpoint_by_another_key_is_refused(tmp_path: Path) -> None:
    file = CheckpointFile(tmp_path, SIGNER.key)
    stranger = derive_log_signer(OTHER_KEY, SIGNER.origin)
    file.path.parent.mkdir(exist_ok=True)
    CheckpointFile(tmp_path, stranger.key).replace(stranger.sign(tree_size=0, root=EMPTY_ROOT), expected=None)

    with pytest.raises(CheckpointFileDamaged):
        file.read()


def test_two_origins_have_two_files_and_two_keys(tmp_path: Path) -> None:
    other = derive_log_signer(KEY, "ledger.test/again")

    assert CheckpointFile(tmp_path, other.key).path != CheckpointFile(tmp_path, SIGNER.key).path
    assert other.key.public_key != SIGNER.key.public_key


def test_the_keys_of_a_master_key_stay_as_they_are() -> None:
    assert SIGNER.key.public_key.hex() == PUBLIC
