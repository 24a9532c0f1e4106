"""The master key and its boxes: damaged text, files and boxes are distinguished from wrong ones, and none is shown."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infra.keys import (
    BOX_OVERHEAD_BYTES,
    BoxDamaged,
    KeyRefused,
    MasterKey,
    WrongMasterKey,
    build_master_key,
    create_key_file,
    format_master_key,
    open_box,
    parse_master_key,
    read_key_file,
    seal_box,
)

KEY = MasterKey(bytes(range(32)))
OTHER_KEY = MasterKey(bytes(range(1, 33)))
TEXT = format_master_key(KEY)
CONTEXT = b"0199c0de-0000-7000-8000-000000000001/secret/1"


@given(st.binary(min_size=32, max_size=32))
def test_a_key_survives_its_text_form(material: bytes) -> None:
    key = MasterKey(material)

    parsed = parse_master_key(format_master_key(key))

    assert parsed == key
    assert parsed.key_id == key.key_id


def test_the_text_form_and_the_id_stay_as_they_are() -> None:
    digits = bytes(range(32)).hex()

    assert f"spina-master-1:{digits}:ad6f4696" == TEXT
    assert KEY.key_id == "3de2988d49d4dc6c"


@pytest.mark.parametrize("place", range(len(TEXT)))
def test_a_mistyped_key_is_refused_without_being_shown(place: int) -> None:
    wrong = "0" if TEXT[place] != "0" else "1"
    mistyped = TEXT[:place] + wrong + TEXT[place + 1 :]

    with pytest.raises(KeyRefused) as refused:
        parse_master_key(mistyped)

    assert "04050607" not in str(refused.value)


@pytest.mark.parametrize("length", range(len(TEXT)))
def test_a_truncated_key_is_refused(length: int) -> None:
    with pytest.raises(KeyRefused):
        parse_master_key(TEXT[:length])


@pytest.mark.parametrize("text", [TEXT + "0", TEXT + "\n", " " + TEXT, TEXT.upper(), TEXT.replace("0", "\u0660")])
def test_a_key_has_one_spelling(text: str) -> None:
    with pytest.raises(KeyRefused):
        parse_master_key(text)


def test_two_keys_are_never_the_same() -> None:
    keys = {build_master_key().key_id for _ in range(50)}

    assert len(keys) == 50


def test_a_key_does_not_show_itself() -> None:
    shown = f"{KEY} {KEY!r} {[KEY]}"

    assert shown == "[redacted] [redacted] [[redacted]]"


@given(st.binary(max_size=200), st.binary(max_size=60))
def test_a_box_opens_with_its_key_and_context(plaintext: bytes, context: bytes) -> None:
    box = seal_box(KEY, plaintext, context=context)

    opened = open_box(KEY, box, context=context)

    assert opened == plaintext
    assert len(box) == len(plaintext) + BOX_OVERHEAD_BYTES


def test_a_box_is_different_each_time() -> None:
    boxes = {seal_box(KEY, b"secret", context=CONTEXT) for _ in range(50)}

    assert len(boxes) == 50


def test_a_box_does_not_open_in_another_context() -> None:
    box = seal_box(KEY, b"secret", context=CONTEXT)

    with pytest.raises(BoxDamaged):
        open_box(KEY, box, context=CONTEXT + b"0")


def test_another_key_is_told_whose_box_it_is() -> None:
    box = seal_box(KEY, b"secret", context=CONTEXT)

    with pytest.raises(WrongMasterKey) as refused:
        open_box(OTHER_KEY, box, context=CONTEXT)

    assert (refused.value.expected_key_id, refused.value.found_key_id) == (KEY.key_id, OTHER_KEY.key_id)
    assert KEY.key_id in str(refused.value)


@pytest.mark.parametrize("place", range(BOX_OVERHEAD_BYTES + 6))
def test_a_box_with_any_byte_changed_does_not_open(place: int) -> None:
    box = bytearray(seal_box(KEY, b"secret", context=CONTEXT))
    box[place] ^= 0x40

    with pytest.raises((BoxDamaged, WrongMasterKey)):
        open_box(KEY, bytes(box), context=CONTEXT)


@pytest.mark.parametrize("length", range(BOX_OVERHEAD_BYTES + 6))
def test_a_box_cut_anywhere_does_not_open(length: int) -> None:
    box = seal_box(KEY, b"secret", context=CONTEXT)

    with pytest.raises(BoxDamaged):
        open_box(KEY, box[:length], context=CONTEXT)


def test_a_key_file_is_read_back_and_belongs_to_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "new" / "master.key"

    made = create_key_file(path)

    assert read_key_file(path) == made
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_key_file_is_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "master.key"
    made = create_key_file(path)

    with pytest.raises(KeyRefused, match="never overwritten"):
        create_key_file(path)

    assert read_key_file(path) == made


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o644, 0o620])
def test_a_key_file_that_others_can_read_is_refused(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "master.key"
    create_key_file(path)
    path.chmod(mode)

    with pytest.raises(KeyRefused, match="chmod 600"):
        read_key_file(path)


def test_a_missing_key_file_names_the_command_that_makes_one(tmp_path: Path) -> None:
    with pytest.raises(KeyRefused, match="`spina keys create` makes one"):
        read_key_file(tmp_path / "master.key")


@pytest.mark.parametrize("content", [b"", b"\xff" * 80, b"x" * 2_000, TEXT.encode()[:-1]])
def test_another_file_is_no_key_file(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "master.key"
    path.write_bytes(content)
    path.chmod(0o600)

    with pytest.raises(KeyRefused):
        read_key_file(path)


def test_a_key_file_that_is_a_folder_is_refused(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)

    with pytest.raises(KeyRefused, match="is not a key file"):
        read_key_file(tmp_path)
