"""Keys of notes as text: the published ones are read and written, and every damage is refused."""

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from domain.ledger.note_key import (
    COSIGNATURE,
    ED25519,
    NoteKey,
    build_note_seed,
    format_note_key,
    format_note_seed,
    parse_note_key,
    parse_note_seed,
    public_half,
)
from domain.ledger.spelling import Misspelt
from tests.domain.ledger.published import LOG_KEY, WITNESS_KEY
from tests.domain.ledger.signing import LOG, WITNESS

PUBLIC = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
PRIVATE = "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz"
PUBLIC_KEYS = [
    PUBLIC,
    LOG_KEY,
    WITNESS_KEY,
    "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",
    "sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8",
]


@pytest.mark.parametrize("text", PUBLIC_KEYS)
def test_a_published_key_is_read_and_written_again(text: str) -> None:
    key = parse_note_key(text)

    assert format_note_key(key) == text
    assert text.startswith(f"{key.name}+{key.key_id.hex()}+")


def test_the_kind_of_a_key_is_in_its_text() -> None:
    assert parse_note_key(LOG_KEY) == LOG.key
    assert parse_note_key(WITNESS_KEY) == WITNESS.key
    assert (LOG.key.kind, WITNESS.key.kind) == (ED25519, COSIGNATURE)


def test_the_same_key_of_another_kind_or_name_has_another_id() -> None:
    key = LOG.key.public_key
    ids = {NoteKey(name=name, kind=kind, public_key=key).key_id for name in ("a", "b") for kind in (1, 4)}

    assert len(ids) == 4


def test_a_private_key_is_read_and_written_again() -> None:
    seed = parse_note_seed(PRIVATE)

    assert format_note_seed(seed) == PRIVATE
    assert format_note_seed(build_note_seed(parse_note_key(PUBLIC), seed=seed.seed)) == PRIVATE


def test_a_private_key_leads_to_its_public_one() -> None:
    seed = parse_note_seed(PRIVATE)
    public_key = Ed25519PrivateKey.from_private_bytes(seed.seed).public_key().public_bytes_raw()

    assert format_note_key(public_half(seed, public_key=public_key)) == PUBLIC
    with pytest.raises(Misspelt):
        public_half(seed, public_key=bytes(32))


def test_a_private_key_never_shows_itself() -> None:
    seed = parse_note_seed(PRIVATE)
    shown = [repr(seed), str(seed), repr(seed.__rich_repr__()), f"{seed}"]
    for damaged in (PRIVATE[:-1], PRIVATE[:-2] + "z=", PRIVATE.replace("AYEK", "AoEK"), PRIVATE.replace("c7", "C7")):
        with pytest.raises(Misspelt) as refused:
            parse_note_seed(damaged)
        shown += [str(refused.value), repr(refused.value.__cause__)]

    assert not any("KFALVFGyN" in text or seed.seed.hex() in text or repr(seed.seed)[2:-1] in text for text in shown)


@pytest.mark.parametrize("text", [PUBLIC, WITNESS_KEY])
def test_every_changed_or_cut_character_is_refused(text: str) -> None:
    for place in range(len(text)):
        for changed in (text[:place], text[place + 1 :], text[:place] + text[place + 1 :]):
            with pytest.raises(Misspelt):
                parse_note_key(changed)
        for other in map(chr, range(128)):
            if other != text[place]:
                with pytest.raises(Misspelt):
                    parse_note_key(text[:place] + other + text[place + 1 :])


def test_every_cut_of_a_private_key_is_refused() -> None:
    for place in range(len(PRIVATE)):
        with pytest.raises(Misspelt):
            parse_note_seed(PRIVATE[:place])
    with pytest.raises(Misspelt):
        parse_note_seed(PUBLIC)
    with pytest.raises(Misspelt):
        parse_note_key(PRIVATE)


@pytest.mark.parametrize("kind", [0x00, 0x02, 0x03, 0x05, 0x06, 0xFF])
def test_another_kind_of_key_is_refused(kind: int) -> None:
    with pytest.raises(Misspelt):
        parse_note_key(format_note_key(NoteKey(name="ada", kind=kind, public_key=bytes(32))))


@pytest.mark.parametrize("size", [0, 31, 33, 64])
def test_a_key_of_another_size_is_refused(size: int) -> None:
    with pytest.raises(Misspelt):
        parse_note_key(format_note_key(NoteKey(name="ada", kind=ED25519, public_key=bytes(size))))


@pytest.mark.parametrize(
    "name", ["", "a b", "a+b", "a\tb", "a\nb", "a\0b", "a\x1bb", "a\u00a0b", "a\u2028b", "a\u3000b", " ", "a\x85b"]
)
def test_a_name_that_no_key_may_have_is_refused(name: str) -> None:
    with pytest.raises(Misspelt):
        parse_note_key(format_note_key(NoteKey(name=name, kind=ED25519, public_key=LOG.key.public_key)))


def test_a_name_that_has_no_utf8_is_refused() -> None:
    with pytest.raises(Misspelt):
        parse_note_key(LOG_KEY.replace("example", "\ud800"))


@given(st.text(min_size=1, max_size=20), st.sampled_from([ED25519, COSIGNATURE]), st.binary(min_size=32, max_size=32))
def test_every_key_with_a_proper_name_is_read_back(name: str, kind: int, public_key: bytes) -> None:
    try:
        key = NoteKey(name=name, kind=kind, public_key=public_key)
        read = parse_note_key(format_note_key(key))
    except (Misspelt, UnicodeEncodeError):
        assert any(character.isspace() or character == "+" or character < " " for character in name)
    else:
        assert read == key
