"""Evidence of a fork: two signatures of the log and hashes, independent of any testimony."""

import pytest
from msgspec.structs import replace

from domain.ledger.broken_proof import BrokenProof
from domain.ledger.consistency import prove_prefix
from domain.ledger.fork import Fork, check_fork, find_fork
from domain.ledger.signers import BadSignature, NoKnownSigner
from tests.domain.ledger.published import LEAVES, ROOTS
from tests.domain.ledger.reference_tree import defined_root, leaf, read_from
from tests.domain.ledger.signing import LOG, STRANGER, publish

# The log as it would like to have been: its third entry is another one.
FORKED = [*LEAVES[:2], leaf(99), *LEAVES[3:]]


def forked(tree_size: int) -> bytes:
    return defined_root(FORKED[:tree_size])


def test_two_roots_of_one_size_are_a_fork() -> None:
    fork = find_fork(publish(8, ROOTS[8]), publish(8, forked(8)), path=())

    assert fork is not None
    check_fork(fork, [LOG.key])


@pytest.mark.parametrize("old_size", range(3, 8))
def test_a_larger_tree_with_another_beginning_is_a_fork(old_size: int) -> None:
    path = prove_prefix(read_from(FORKED), old_size=old_size, new_size=8)

    for seen, shown in (
        (publish(old_size, ROOTS[old_size]), publish(8, forked(8))),
        (publish(8, forked(8)), publish(old_size, ROOTS[old_size])),
    ):
        fork = find_fork(seen, shown, path=path)
        assert fork is not None
        assert (fork.older.checkpoint.tree_size, fork.newer.checkpoint.tree_size) == (old_size, 8)
        check_fork(fork, [LOG.key])


@pytest.mark.parametrize("old_size", range(1, 9))
def test_a_tree_that_only_grew_is_none(old_size: int) -> None:
    path = prove_prefix(read_from(LEAVES), old_size=old_size, new_size=8) if old_size < 8 else ()

    assert find_fork(publish(old_size, ROOTS[old_size]), publish(8, ROOTS[8]), path=path) is None


def test_a_proof_that_does_not_fit_is_no_evidence() -> None:
    seen, shown = publish(6, ROOTS[6]), publish(8, ROOTS[8])
    path = prove_prefix(read_from(LEAVES), old_size=6, new_size=8)

    for made_up in ((), path[:-1], path[::-1], (leaf(1), *path[1:]), (*path, leaf(1)), (b"", *path[1:]), (b"",) * 3):
        assert find_fork(seen, shown, path=made_up) is None


def test_hashes_cut_in_another_place_are_no_evidence() -> None:
    seen, shown = publish(1, ROOTS[1]), publish(2, ROOTS[2])
    seed, sibling = prove_prefix(read_from(LEAVES), old_size=1, new_size=2)

    # A node hashes the same bytes however they are divided, so these would lead to the signed root.
    assert find_fork(seen, shown, path=(seed[:31], seed[31:] + sibling)) is None


def test_every_tree_grows_out_of_the_empty_one() -> None:
    assert find_fork(publish(0, ROOTS[0]), publish(8, ROOTS[8]), path=(ROOTS[8],)) is None


def test_two_logs_are_no_fork() -> None:
    assert find_fork(publish(8, ROOTS[8]), publish(8, forked(8), origin="example.com/another-log"), path=()) is None


def test_evidence_that_the_log_did_not_sign_is_refused() -> None:
    fork = Fork(older=publish(8, ROOTS[8]), newer=publish(8, forked(8)), path=())
    by_stranger = replace(fork, newer=publish(8, forked(8), signer=STRANGER))
    moved = replace(
        fork, newer=replace(fork.newer, note=replace(fork.newer.note, signatures=fork.older.note.signatures))
    )

    with pytest.raises(NoKnownSigner):
        check_fork(by_stranger, [LOG.key])
    with pytest.raises(BadSignature):
        check_fork(moved, [LOG.key])


def test_evidence_that_may_all_be_true_is_refused() -> None:
    with pytest.raises(BrokenProof):
        check_fork(Fork(older=publish(8, ROOTS[8]), newer=publish(8, ROOTS[8]), path=()), [LOG.key])
    with pytest.raises(BrokenProof):
        check_fork(Fork(older=publish(7, ROOTS[7]), newer=publish(8, ROOTS[8]), path=()), [LOG.key])
