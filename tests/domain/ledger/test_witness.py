"""A witness's decisions: only an extension of the last checkpoint it saw is cosigned, and a fork is never forgotten."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from domain.ledger.add_checkpoint import AddCheckpoint, parse_add_checkpoint
from domain.ledger.checkpoint import SignedCheckpoint
from domain.ledger.consistency import prove_consistency
from domain.ledger.fork import check_fork
from domain.ledger.note import Note
from domain.ledger.spelling import Misspelt
from domain.ledger.witness import (
    Cosign,
    LogMemory,
    Refuse,
    RefusedBecause,
    Verdict,
    WatchedLog,
    decide_cosigning,
    refuse_malformed,
)
from tests.domain.ledger.published import LEAVES, ROOTS
from tests.domain.ledger.reference_tree import defined_root, leaf, read_from
from tests.domain.ledger.signing import LOG, ORIGIN, STRANGER, WITNESS, cosigned, publish

WATCHED = WatchedLog(origin=ORIGIN, keys=(LOG.key,))
NOTHING = LogMemory()
FORKED = [*LEAVES[:2], leaf(99), *LEAVES[3:]]


def growth(old_size: int, new_size: int, *, leaves: list[bytes] = LEAVES) -> AddCheckpoint:
    proof = prove_consistency(read_from(leaves), old_size=old_size, new_size=new_size)
    signed = publish(new_size, defined_root(leaves[:new_size]))
    return AddCheckpoint(old_size=old_size, path=proof.path, signed=signed)


def after(*requests: AddCheckpoint) -> LogMemory:
    memory = NOTHING
    for request in requests:
        memory = decide(memory, request).memory
    return memory


def decide(memory: LogMemory, request: AddCheckpoint) -> Verdict:
    return decide_cosigning(WATCHED, memory, request)


def refused(verdict: Verdict) -> int:
    """The HTTP status of a refusal."""
    assert isinstance(verdict.answer, Refuse), verdict.answer
    return verdict.answer.reason.value


@pytest.mark.parametrize("tree_size", [0, 1, 8])
def test_the_first_checkpoint_is_cosigned_and_remembered(tree_size: int) -> None:
    request = growth(0, tree_size)

    assert decide(NOTHING, request) == Verdict(LogMemory(latest=request.signed), Cosign(request.signed))


@given(st.lists(st.integers(0, 8), min_size=1, max_size=6))
def test_a_log_that_only_grows_is_cosigned_every_time(sizes: list[int]) -> None:
    memory, old_size = NOTHING, 0

    for new_size in sorted(sizes):
        verdict = decide(memory, growth(old_size, new_size))

        assert isinstance(verdict.answer, Cosign)
        memory, old_size = verdict.memory, new_size
        assert memory.latest == publish(new_size, ROOTS[new_size])
        assert memory.fork is None


def test_the_same_checkpoint_is_cosigned_again() -> None:
    verdict = decide(after(growth(0, 8)), growth(8, 8))

    assert isinstance(verdict.answer, Cosign)


def test_a_log_that_is_not_watched_is_not_found() -> None:
    elsewhere = WatchedLog(origin="example.com/another-log", keys=(LOG.key,))

    for log in (None, elsewhere):
        verdict = decide_cosigning(log, NOTHING, growth(0, 8))
        assert refused(verdict) == 404
        assert verdict.memory == NOTHING


def test_a_checkpoint_that_the_log_did_not_sign_is_forbidden() -> None:
    request = growth(0, 8)
    by_stranger = replace(request, signed=publish(8, ROOTS[8], signer=STRANGER))
    moved = Note(text=request.signed.note.text, signatures=publish(7, ROOTS[7]).note.signatures)

    for forged in (by_stranger, replace(request, signed=replace(request.signed, note=moved))):
        verdict = decide(NOTHING, forged)
        assert refused(verdict) == 403
        assert verdict.memory == NOTHING


def test_an_old_size_beyond_the_new_one_is_a_bad_request() -> None:
    memory = after(growth(0, 8))

    verdict = decide(memory, replace(growth(6, 6), old_size=8))

    assert refused(verdict) == 400
    assert verdict.memory == memory


@pytest.mark.parametrize("old_size", [0, 1, 5, 7, 8])
def test_a_log_that_does_not_know_how_far_the_witness_is_gets_told(old_size: int) -> None:
    memory = after(growth(0, 6))

    verdict = decide(memory, growth(old_size, 8))

    assert verdict == Verdict(memory, Refuse(RefusedBecause.OTHER_SIZE, b"6\n"))


def test_an_old_checkpoint_shown_again_takes_nothing_back() -> None:
    memory = after(growth(0, 4), growth(4, 8))

    verdict = decide(memory, growth(0, 4))

    assert verdict == Verdict(memory, Refuse(RefusedBecause.OTHER_SIZE, b"8\n"))


@pytest.mark.parametrize("old_size", [1, 2, 3, 4, 5, 6, 7])
def test_a_proof_that_does_not_hold_is_not_cosigned_and_no_fork(old_size: int) -> None:
    memory = after(growth(0, old_size))
    request = growth(old_size, 8)

    for path in (request.path[:-1], (*request.path, leaf(1)), (leaf(1), *request.path[1:]), request.path[:0]):
        verdict = decide(memory, replace(request, path=path))
        assert refused(verdict) == 422
        assert verdict.memory == memory
    assert isinstance(decide(memory, request).answer, Cosign)


def test_the_first_request_has_an_empty_proof() -> None:
    verdict = decide(NOTHING, replace(growth(0, 8), path=(ROOTS[8],)))

    assert refused(verdict) == 422
    assert verdict.memory == NOTHING


def test_another_root_at_the_same_size_is_a_fork_for_ever() -> None:
    memory = after(growth(0, 6))

    caught = decide(memory, growth(6, 6, leaves=FORKED))

    assert refused(caught) == 422
    assert caught.memory.latest == memory.latest
    assert caught.memory.fork is not None
    check_fork(caught.memory.fork, [LOG.key])
    for request in (growth(6, 6), growth(6, 8), growth(6, 8, leaves=FORKED)):
        verdict = decide(caught.memory, request)
        assert refused(verdict) == 422
        assert verdict.memory == caught.memory


@pytest.mark.parametrize("old_size", [3, 5, 6, 7])
def test_a_proof_over_another_beginning_is_a_fork_for_ever(old_size: int) -> None:
    caught = decide(after(growth(0, old_size)), growth(old_size, 8, leaves=FORKED))

    assert refused(caught) == 422
    assert caught.memory.fork is not None
    check_fork(caught.memory.fork, [LOG.key])
    assert refused(decide(caught.memory, growth(old_size, 8))) == 422


def test_a_fork_is_remembered_also_where_the_old_size_was_wrong() -> None:
    caught = decide(after(growth(0, 6)), growth(0, 6, leaves=FORKED))

    assert refused(caught) == 409
    assert caught.memory.fork is not None
    assert refused(decide(caught.memory, growth(6, 8))) == 422


def test_a_stranger_cannot_make_a_log_look_forked() -> None:
    memory = after(growth(0, 6))
    forged = AddCheckpoint(old_size=6, path=(), signed=publish(6, defined_root(FORKED[:6]), signer=STRANGER))

    verdict = decide(memory, forged)

    assert refused(verdict) == 403
    assert verdict.memory == memory


def test_only_the_logs_own_signatures_are_remembered() -> None:
    request = growth(0, 8)
    others = (STRANGER.sign(request.signed.note.text), *cosigned(request.signed, WITNESS).note.signatures[1:])
    crowded = Note(text=request.signed.note.text, signatures=(*others, *request.signed.note.signatures))

    verdict = decide(
        NOTHING, replace(request, signed=SignedCheckpoint(checkpoint=request.signed.checkpoint, note=crowded))
    )

    assert verdict == Verdict(LogMemory(latest=request.signed), Cosign(request.signed))


def test_bytes_that_are_no_request_are_a_bad_request() -> None:
    with pytest.raises(Misspelt) as misspelt:
        parse_add_checkpoint(b"old 08\n\n")

    assert refuse_malformed(misspelt.value).reason.value == 400
