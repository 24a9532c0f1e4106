"""A policy's verdict on a checkpoint: a log that it knows, and as many of its witnesses as it asks for."""

import pytest
from msgspec.structs import replace

from domain.ledger.checkpoint import parse_signed_checkpoint
from domain.ledger.note import Note
from domain.ledger.note_key import parse_note_key
from domain.ledger.policy import Policy, PolicyGroup, PolicyLog, PolicyWitness, Sighting, count_witnesses_min, evaluate
from domain.ledger.signers import BadSignature
from tests.domain.ledger.published import CHECKPOINT, LOG_KEY, ROOTS, WITNESS_KEY
from tests.domain.ledger.signing import (
    LOG,
    SECOND_WITNESS,
    STRANGER,
    THIRD_WITNESS,
    TIME_S,
    WITNESS,
    SigningKey,
    cosigned,
    publish,
)

WITNESSES = {"one": WITNESS, "two": SECOND_WITNESS, "three": THIRD_WITNESS}
TWO_OF_THREE = PolicyGroup(name="most", threshold=2, members=("one", "two", "three"))
SIGNED = publish(8, ROOTS[8])


def policy(quorum: str, *groups: PolicyGroup) -> Policy:
    return Policy(
        logs=(PolicyLog(key=LOG.key),),
        witnesses=tuple(PolicyWitness(name=name, key=witness.key) for name, witness in WITNESSES.items()),
        groups=groups,
        quorum=quorum,
    )


def has_quorum(wanted: Policy, *witnesses: str) -> bool:
    return evaluate(wanted, cosigned(SIGNED, *(WITNESSES[name] for name in witnesses))).has_quorum


def test_the_published_checkpoint_is_trusted_by_its_log_and_witness() -> None:
    wanted = Policy(
        logs=(PolicyLog(key=parse_note_key(LOG_KEY)),),
        witnesses=(PolicyWitness(name="club", key=parse_note_key(WITNESS_KEY)),),
        groups=(),
        quorum="club",
    )

    standing = evaluate(wanted, parse_signed_checkpoint(CHECKPOINT))

    assert standing.is_trusted
    assert standing.log == LOG.key
    assert standing.sightings == (Sighting(witness="club", time_s=TIME_S),)


def test_without_a_quorum_the_log_alone_is_trusted() -> None:
    assert evaluate(policy("none"), SIGNED).is_trusted


@pytest.mark.parametrize(
    ("seen_by", "met"),
    [
        ([], False),
        (["one"], False),
        (["one", "three"], True),
        (["two", "three"], True),
        (["one", "two", "three"], True),
    ],
)
def test_a_group_asks_for_as_many_as_its_threshold(seen_by: list[str], *, met: bool) -> None:
    signed = cosigned(SIGNED, *(WITNESSES[name] for name in seen_by))

    standing = evaluate(policy("most", TWO_OF_THREE), signed)

    assert standing.has_quorum == standing.is_trusted == met


@pytest.mark.parametrize(
    ("seen_by", "met"), [(["one"], False), (["two"], False), (["two", "three"], False), (["one", "three"], True)]
)
def test_a_group_may_be_a_member_of_a_group(seen_by: list[str], *, met: bool) -> None:
    others = PolicyGroup(name="others", threshold=1, members=("two", "three"))
    both = PolicyGroup(name="both", threshold=2, members=("one", "others"))

    assert has_quorum(policy("both", others, both), *seen_by) == met


def test_as_many_witnesses_are_needed_as_the_cheapest_way_to_the_quorum_asks_for() -> None:
    others = PolicyGroup(name="others", threshold=1, members=("two", "three"))
    both = PolicyGroup(name="both", threshold=2, members=("one", "others"))
    either = PolicyGroup(name="either", threshold=1, members=("one", "others"))

    counts = [
        count_witnesses_min(each)
        for each in (
            policy("none"),
            policy("two"),
            policy("most", TWO_OF_THREE),
            policy("both", others, both),
            policy("either", others, either),
        )
    ]

    assert counts == [0, 1, 2, 2, 1]


def test_a_witness_that_signs_twice_counts_once() -> None:
    signed = cosigned(SIGNED, WITNESS, WITNESS)

    standing = evaluate(policy("most", TWO_OF_THREE), signed)

    assert len(standing.sightings) == 2
    assert not standing.has_quorum


def test_only_the_witness_asked_for_makes_the_quorum() -> None:
    assert has_quorum(policy("two"), "two")
    assert not has_quorum(policy("two"), "one", "three")


def test_a_checkpoint_that_no_known_log_signed_is_not_trusted() -> None:
    for signer in (STRANGER, SigningKey("example.com/board-log", kind=LOG.key.kind, first_byte=0x90)):
        standing = evaluate(policy("none"), publish(8, ROOTS[8], signer=signer))

        assert standing.log is None
        assert standing.has_quorum
        assert not standing.is_trusted


def test_a_log_speaks_for_its_own_origin_alone() -> None:
    other = publish(8, ROOTS[8], origin="example.com/another-log")

    assert not evaluate(policy("none"), other).is_trusted


def test_witnesses_alone_make_no_checkpoint_trusted() -> None:
    lines = cosigned(SIGNED, WITNESS, SECOND_WITNESS).note.signatures[1:]
    unsigned = replace(SIGNED, note=Note(text=SIGNED.note.text, signatures=lines))

    standing = evaluate(policy("most", TWO_OF_THREE), unsigned)

    assert standing.has_quorum
    assert not standing.is_trusted


def test_a_bad_line_by_any_key_of_the_policy_is_refused() -> None:
    elsewhere = cosigned(publish(7, ROOTS[7]), WITNESS).note.signatures
    for line in elsewhere:
        note = Note(text=SIGNED.note.text, signatures=(*SIGNED.note.signatures, line))

        with pytest.raises(BadSignature):
            evaluate(policy("none"), replace(SIGNED, note=note))
