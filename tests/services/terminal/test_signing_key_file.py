"""The file of a signing key: made once, for its owner alone, and refused without quoting its content."""

import stat
from pathlib import Path

import pytest

from services.terminal.signing_key_file import SigningKeyRefused, create_signing_key, name_public_half, read_signing_key


def test_a_key_is_read_as_it_was_made_and_only_its_owner_may_read_it(tmp_path: Path) -> None:
    path = tmp_path / "ada.key"

    public = create_signing_key(path)

    assert name_public_half(read_signing_key(path)) == public
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert public not in path.read_text()


def test_a_key_is_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "ada.key"
    create_signing_key(path)
    before = path.read_bytes()

    with pytest.raises(SigningKeyRefused, match="never overwritten"):
        create_signing_key(path)

    assert path.read_bytes() == before


@pytest.mark.parametrize("content", [b"", b"ab" * 31, b"AB" * 32, b"ab" * 33, b"\xff" * 64, b"ab" * 32 + b" ab"])
def test_what_is_no_key_is_refused_and_not_shown(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "other.key"
    path.write_bytes(content)

    with pytest.raises(SigningKeyRefused) as refused:
        read_signing_key(path)

    assert "ab" not in str(refused.value).replace(str(path), "")
