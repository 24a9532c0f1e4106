"""Proof files: the published one is read, written and holds; every damage is refused or proves something else."""

import pytest
from msgspec.structs import replace

from domain.ledger.broken_proof import BrokenProof
from domain.ledger.checkpoint import parse_signed_checkpoint
from domain.ledger.merkle import leaf_hash, node_hash
from domain.ledger.note_key import parse_note_key
from domain.ledger.proof import (
    PATH_LENGTH_MAX,
    PROOF_SIZE_MAX,
    LedgerProof,
    check_proof,
    format_proof,
    parse_proof,
)
from domain.ledger.signers import BadSignature, NoKnownSigner, check_signed
from domain.ledger.spelling import Misspelt, format_base64
from tests.domain.ledger.published import CHECKPOINT, ENTRIES, LOG_KEY, PATH_OF_5, PROOF, WITNESS_KEY
from tests.domain.ledger.signing import publish

HEAD = PROOF[: PROOF.index(b"\n\n")].decode()
HASH = format_base64(PATH_OF_5[0]) + "\n"


def head(text: str) -> bytes:
    return text.encode() + b"\n\n" + CHECKPOINT


def test_the_published_proof_is_read_and_written_again() -> None:
    proof = parse_proof(PROOF)

    assert proof == LedgerProof(index=5, path=PATH_OF_5, signed=parse_signed_checkpoint(CHECKPOINT))
    assert format_proof(proof) == PROOF


def test_the_published_proof_holds_for_its_entry_alone() -> None:
    proof = parse_proof(PROOF)

    check_proof(proof, ENTRIES[5])

    for other in (*ENTRIES[:5], *ENTRIES[6:], ENTRIES[5] + b"\0", ENTRIES[5][:-1]):
        with pytest.raises(BrokenProof):
            check_proof(proof, other)


def test_a_tree_of_one_leaf_has_a_proof_without_hashes() -> None:
    proof = LedgerProof(index=0, path=(), signed=publish(1, leaf_hash(b"entry")))

    assert format_proof(proof).startswith(b"c2sp.org/tlog-proof@v1\nindex 0\n\nexample.com/board-log\n1\n")
    assert parse_proof(format_proof(proof)) == proof
    check_proof(parse_proof(format_proof(proof)), b"entry")


def test_extra_data_is_kept_and_proves_nothing() -> None:
    proof = replace(parse_proof(PROOF), extra=b"anything")

    assert format_proof(proof).startswith(b"c2sp.org/tlog-proof@v1\nextra YW55dGhpbmc=\nindex 5\n")
    assert parse_proof(format_proof(proof)) == proof
    check_proof(proof, ENTRIES[5])


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"\n",
        CHECKPOINT,
        PROOF[1:],
        PROOF[:-1],
        PROOF + b"\n",
        b"\n" + PROOF,
        head(HEAD.replace("@v1", "@v2")),
        head(HEAD.replace("@v1", "@v1 ")),
        head(HEAD.replace("index 5", "index  5")),
        head(HEAD.replace("index 5", "index 05")),
        head(HEAD.replace("index 5", "index -5")),
        head(HEAD.replace("index 5", "index five")),
        head(HEAD.replace("index 5", "Index 5")),
        head(HEAD.replace("index 5\n", "")),
        head(HEAD.replace("index 5", "index 5\nindex 5")),
        head(HEAD.replace("index 5", "index 5\nextra QUJD")),
        head(HEAD.replace("index 5", "extra \nindex 5")),
        head(HEAD.replace("index 5", "extra\nindex 5")),
        head(HEAD.replace("index 5", "extra QQ\nindex 5")),
        head(HEAD.replace("index 5", "extra QUJD\nextra QUJD\nindex 5")),
        head(HEAD.replace("index 5", "index 5\nQUJD")),
        head(HEAD.replace("\n", "\r\n")),
        head(HEAD + "\n"),
        head(HEAD + " "),
        head("c2sp.org/tlog-proof@v1"),
        head("c2sp.org/tlog-proof@v1\nextra QUJD"),
        head("index 5"),
    ],
)
def test_another_form_is_refused(raw: bytes) -> None:
    with pytest.raises(Misspelt):
        parse_proof(raw)


def test_a_path_has_at_most_63_hashes() -> None:
    start = "c2sp.org/tlog-proof@v1\nindex 5\n"

    assert len(parse_proof(head((start + HASH * PATH_LENGTH_MAX).removesuffix("\n"))).path) == PATH_LENGTH_MAX
    with pytest.raises(Misspelt):
        parse_proof(head((start + HASH * (PATH_LENGTH_MAX + 1)).removesuffix("\n")))


def test_what_is_too_large_is_refused() -> None:
    extra = "A" * (PROOF_SIZE_MAX // 4 * 4)

    with pytest.raises(Misspelt):
        parse_proof(head(HEAD.replace("index 5", f"extra {extra}\nindex 5")))


def test_every_changed_byte_is_refused_somewhere() -> None:
    keys = [parse_note_key(LOG_KEY), parse_note_key(WITNESS_KEY)]
    missing: list[int] = []

    for place in range(len(PROOF)):
        for change in (0x01, 0x20, 0x80):
            changed = PROOF[:place] + bytes([PROOF[place] ^ change]) + PROOF[place + 1 :]
            try:
                proof = parse_proof(changed)
                check_proof(proof, ENTRIES[5])
                signers = check_signed(proof.signed.note, keys)
            except (Misspelt, BrokenProof, BadSignature, NoKnownSigner):
                continue
            # The remaining changes hit a name or id, which makes a line one by an unknown key.
            assert format_proof(proof) == changed
            assert len(signers) == 1
            missing.append(place)

    names_and_ids = 2 * (len("witness.example/w1 519lMg") + 1)
    assert 0 < len(set(missing)) <= names_and_ids


def test_every_cut_is_refused() -> None:
    for size in range(len(PROOF)):
        with pytest.raises(Misspelt):
            parse_proof(PROOF[size + 1 :])
        try:
            proof = parse_proof(PROOF[:size])
        except Misspelt:
            continue
        # Cut between two signatures, it is a proof without the second one.
        assert PROOF[:size] + CHECKPOINT.splitlines(keepends=True)[-1] == PROOF
        assert len(proof.signed.note.signatures) == 1


def test_a_node_is_never_proven_as_an_entry() -> None:
    left, right = leaf_hash(b"left"), leaf_hash(b"right")
    signed = publish(2, node_hash(left, right))

    with pytest.raises(BrokenProof):
        check_proof(LedgerProof(index=0, path=(), signed=signed), left + right)
    with pytest.raises(BrokenProof):
        check_proof(LedgerProof(index=0, path=(), signed=publish(1, node_hash(left, right))), left + right)
