"""Who signed a note: unknown lines are ignored, bad ones by known keys refuse the note."""

import pytest
from msgspec.structs import replace

from domain.ledger.note import Note, parse_note
from domain.ledger.note_key import ED25519, NoteKey, parse_note_key
from domain.ledger.signers import BadSignature, NoKnownSigner, Signer, check_signed, find_signers
from tests.domain.ledger.published import CHECKPOINT, LOG_KEY, WITNESS_KEY
from tests.domain.ledger.signing import LOG, SECOND_WITNESS, STRANGER, TIME_S, WITNESS

EXAMPLE_KEY = parse_note_key("example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k")
EXAMPLE = """\
This is an example message.

— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=
""".encode()
NEUMANN_KEY = parse_note_key("PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW")
NEUMANN = """\
If you think cryptography is the answer to your problem,
then you don't know what your problem is.

— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=
""".encode()
TEXT = "some text\n"


def note(*signatures: str) -> Note:
    lines = {
        "log": LOG.sign(TEXT),
        "stranger": STRANGER.sign(TEXT),
        "witness": WITNESS.cosign(TEXT),
        "bad log": LOG.sign("another text\n"),
        "bad witness": WITNESS.cosign("another text\n"),
        "short log": replace(LOG.sign(TEXT), payload=LOG.sign(TEXT).payload[:-1]),
        "short witness": replace(WITNESS.cosign(TEXT), payload=WITNESS.cosign(TEXT).payload[:-1]),
        "bare witness": replace(WITNESS.cosign(TEXT), payload=WITNESS.cosign(TEXT).payload[8:]),
        "the log's name": replace(STRANGER.sign(TEXT), name=LOG.key.name),
        "the log's id": replace(STRANGER.sign(TEXT), key_id=LOG.key.key_id),
    }
    return Note(text=TEXT, signatures=tuple(lines[signature] for signature in signatures))


@pytest.mark.parametrize(("raw", "key"), [(EXAMPLE, EXAMPLE_KEY), (NEUMANN, NEUMANN_KEY)])
def test_the_published_notes_are_signed_by_their_keys(raw: bytes, key: NoteKey) -> None:
    assert find_signers(parse_note(raw), [key]) == (Signer(key=key, time_s=None),)


def test_the_published_checkpoint_has_a_log_and_a_witness() -> None:
    log, witness = parse_note_key(LOG_KEY), parse_note_key(WITNESS_KEY)

    signers = find_signers(parse_note(CHECKPOINT), [witness, log])

    assert signers == (Signer(key=log, time_s=None), Signer(key=witness, time_s=TIME_S))


@pytest.mark.parametrize("lines", [["log"], ["stranger", "log"], ["log", "the log's name", "the log's id", "witness"]])
def test_lines_of_unknown_keys_are_ignored(lines: list[str]) -> None:
    assert check_signed(note(*lines), [LOG.key]) == (Signer(key=LOG.key, time_s=None),)


@pytest.mark.parametrize("bad", ["bad log", "short log"])
@pytest.mark.parametrize("good", [[], ["log"], ["stranger"], ["witness"]])
def test_a_bad_line_by_a_known_key_refuses_the_note(bad: str, good: list[str]) -> None:
    for lines in ([*good, bad], [bad, *good]):
        with pytest.raises(BadSignature) as refused:
            find_signers(note(*lines), [LOG.key, WITNESS.key])
        assert refused.value.key == LOG.key


@pytest.mark.parametrize("bad", ["bad witness", "short witness", "bare witness"])
def test_a_bad_cosignature_refuses_the_note(bad: str) -> None:
    with pytest.raises(BadSignature):
        find_signers(note("log", bad), [LOG.key, WITNESS.key])

    assert len(find_signers(note("log", bad), [LOG.key])) == 1


def test_a_note_that_no_known_key_signed_is_refused() -> None:
    for keys in ([WITNESS.key], [STRANGER.key, SECOND_WITNESS.key], []):
        assert find_signers(note("log"), keys) == ()
        with pytest.raises(NoKnownSigner):
            check_signed(note("log"), keys)


def test_the_time_of_a_cosignature_is_signed() -> None:
    line = WITNESS.cosign(TEXT)

    for place in range(len(line.payload)):
        payload = line.payload[:place] + bytes([line.payload[place] ^ 1]) + line.payload[place + 1 :]
        with pytest.raises(BadSignature):
            find_signers(Note(text=TEXT, signatures=(replace(line, payload=payload),)), [WITNESS.key])


def test_a_signature_of_one_kind_is_none_of_the_other() -> None:
    same_key = NoteKey(name=WITNESS.key.name, kind=ED25519, public_key=WITNESS.key.public_key)
    line = replace(WITNESS.cosign(TEXT), key_id=same_key.key_id)

    with pytest.raises(BadSignature):
        find_signers(Note(text=TEXT, signatures=(line,)), [same_key])


@pytest.mark.parametrize("point", ["00" * 32, "01" + "00" * 31, "ec" + "ff" * 30 + "7f"])
def test_a_key_of_small_order_signs_nothing(point: str) -> None:
    key = NoteKey(name="eve", kind=ED25519, public_key=bytes.fromhex(point))
    forged = replace(LOG.sign(TEXT), name="eve", key_id=key.key_id, payload=bytes.fromhex("01" + "00" * 63))

    with pytest.raises(BadSignature):
        find_signers(Note(text=TEXT, signatures=(forged,)), [key])


@pytest.mark.parametrize("raw", [EXAMPLE, NEUMANN])
def test_every_changed_bit_of_the_text_refuses_the_note(raw: bytes) -> None:
    signed = parse_note(raw)

    for place in range(len(signed.text)):
        changed = signed.text[:place] + chr(ord(signed.text[place]) ^ 1) + signed.text[place + 1 :]
        with pytest.raises(BadSignature):
            find_signers(replace(signed, text=changed), [EXAMPLE_KEY, NEUMANN_KEY])
