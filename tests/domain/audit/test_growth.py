"""A ledger that its reader saw at another time: every change since shows, in either direction."""

from collections.abc import Callable

import msgspec
import pytest

from domain.audit.bundle import Bundle
from domain.audit.case import Trust
from domain.audit.findings import Held, Result
from domain.audit.verify import CHECKS, Verified, verify
from domain.ledger.add_checkpoint import AddCheckpoint, format_add_checkpoint
from domain.ledger.checkpoint import SignedCheckpoint
from domain.ledger.consistency import prove_consistency
from domain.ledger.merkle import EMPTY_ROOT, root_hash
from domain.ledger.policy import PolicyLog
from domain.ledger.proof import parse_proof
from domain.rulesets.released import Rebuilder
from tests.domain.audit.audited_game import BUILDERS, broken_in, specimen, unchecked_in
from tests.domain.audit.memory_ledger import TRUSTED, leaves_of, prove, proven
from tests.domain.ledger.reference_tree import leaf, read_from
from tests.domain.ledger.signing import LOG, STRANGER, SigningKey, publish

RAWS = specimen()
LEAVES = leaves_of(RAWS)
SIZE = len(LEAVES)
# Not powers of two and beside some, so that every form of a path occurs.
OLDER = (1, 2, 63, 64, 65, SIZE - 1)
GROWN = [*LEAVES, *(leaf(SIZE + number) for number in range(40))]


def checkpoint(leaves: list[bytes], *, signer: SigningKey = LOG) -> SignedCheckpoint:
    root = root_hash(read_from(leaves), len(leaves))
    return publish(len(leaves), root, signer=signer, origin=signer.key.name)


def growth(leaves: list[bytes], *, old_size: int) -> AddCheckpoint:
    proof = prove_consistency(read_from(leaves), old_size=old_size, new_size=len(leaves))
    return AddCheckpoint(old_size=old_size, path=proof.path, signed=checkpoint(leaves))


def bundle_with(request: AddCheckpoint | None) -> Bundle:
    return msgspec.structs.replace(proven(RAWS), since=None if request is None else format_add_checkpoint(request))


def audit_since(bundle: Bundle, seen: SignedCheckpoint | None, *, without: str = "") -> Verified:
    checks = [check for check in CHECKS if check.name != without]
    return verify(bundle, rebuilder=Rebuilder(BUILDERS), trust=Trust(policy=TRUSTED, seen=seen), checks=checks)


def finding(verified: Verified) -> Result:
    return next(each.result for each in verified.report.findings if each.check == "growth")


@pytest.mark.parametrize("size", OLDER)
def test_a_ledger_that_grew_since_it_was_seen_holds(size: int) -> None:
    verified = audit_since(bundle_with(growth(LEAVES, old_size=size)), checkpoint(LEAVES[:size]))

    assert (broken_in(verified), unchecked_in(verified)) == ({}, {})
    assert isinstance(finding(verified), Held)


@pytest.mark.parametrize("more", [1, 7, 40])
def test_a_game_of_long_ago_is_in_the_ledger_of_today(more: int) -> None:
    today = GROWN[: SIZE + more]

    verified = audit_since(bundle_with(growth(today, old_size=SIZE)), checkpoint(today))

    assert isinstance(finding(verified), Held)


def test_the_very_checkpoint_that_was_seen_needs_no_path() -> None:
    verified = audit_since(bundle_with(None), checkpoint(LEAVES))

    assert isinstance(finding(verified), Held)


def test_every_ledger_grows_out_of_the_empty_one() -> None:
    verified = audit_since(bundle_with(None), publish(0, EMPTY_ROOT))

    assert isinstance(finding(verified), Held)


def test_nobody_is_asked_who_has_seen_nothing() -> None:
    verified = audit_since(bundle_with(None), None)

    assert "growth" not in {each.check for each in verified.report.findings}
    assert unchecked_in(verified) == {}


def test_without_a_path_it_is_not_known_yet() -> None:
    verified = audit_since(bundle_with(None), checkpoint(LEAVES[:64]))

    assert set(unchecked_in(verified)) == {"growth"}
    assert "from 64 leaves" in unchecked_in(verified)["growth"]


def test_without_a_key_what_was_seen_is_nobodys_word() -> None:
    bundle = bundle_with(growth(LEAVES, old_size=64))

    verified = verify(bundle, rebuilder=Rebuilder(BUILDERS), trust=Trust(seen=checkpoint(LEAVES[:64])))

    assert "growth" in unchecked_in(verified)


def forked() -> tuple[Bundle, SignedCheckpoint]:
    """The operator changed one leaf of the past, and proves its new ledger to itself."""
    seen = [leaf(9_999), *LEAVES[1:64]]
    return bundle_with(growth(LEAVES, old_size=64)), checkpoint(seen)


def forked_at_the_same_size() -> tuple[Bundle, SignedCheckpoint]:
    return bundle_with(None), checkpoint([leaf(9_999), *LEAVES[1:]])


def shrunk() -> tuple[Bundle, SignedCheckpoint]:
    """The ledger had grown after this game, and the later leaves were removed."""
    seen = [*LEAVES[:-1], leaf(9_999), leaf(10_000)]
    return bundle_with(growth(GROWN[: SIZE + 1], old_size=SIZE)), checkpoint(seen)


def put_into_another_order() -> tuple[Bundle, SignedCheckpoint]:
    seen = LEAVES[:64]
    seen[3], seen[4] = seen[4], seen[3]
    return bundle_with(growth(LEAVES, old_size=64)), checkpoint(seen)


def a_path_of_another_ledger() -> tuple[Bundle, SignedCheckpoint]:
    other = [leaf(number + 500) for number in range(SIZE)]
    return bundle_with(growth(other, old_size=64)), checkpoint(LEAVES[:64])


def a_path_between_other_sizes() -> tuple[Bundle, SignedCheckpoint]:
    return bundle_with(growth(LEAVES, old_size=32)), checkpoint(LEAVES[:64])


def a_path_cut() -> tuple[Bundle, SignedCheckpoint]:
    whole = growth(LEAVES, old_size=63)
    return bundle_with(msgspec.structs.replace(whole, path=whole.path[:-1])), checkpoint(LEAVES[:63])


def a_path_lengthened() -> tuple[Bundle, SignedCheckpoint]:
    whole = growth(LEAVES, old_size=63)
    return bundle_with(msgspec.structs.replace(whole, path=(*whole.path, leaf(1)))), checkpoint(LEAVES[:63])


def a_path_under_a_root_that_fits_nothing() -> tuple[Bundle, SignedCheckpoint]:
    """The path is right, and the checkpoint beside it is of another tree of that size."""
    whole = growth(LEAVES, old_size=64)
    other = checkpoint([leaf(number) for number in range(SIZE)])
    return bundle_with(msgspec.structs.replace(whole, signed=other)), checkpoint(LEAVES[:64])


def seen_by_a_stranger() -> tuple[Bundle, SignedCheckpoint]:
    """A checkpoint of the operator's second ledger, presented as the published one."""
    return bundle_with(growth(LEAVES, old_size=64)), checkpoint(LEAVES[:64], signer=STRANGER)


def seen_and_signed_wrongly() -> tuple[Bundle, SignedCheckpoint]:
    seen = checkpoint(LEAVES[:64])
    (line,) = seen.note.signatures
    broken = msgspec.structs.replace(line, payload=bytes(64))
    note = msgspec.structs.replace(seen.note, signatures=(broken,))
    return bundle_with(growth(LEAVES, old_size=64)), msgspec.structs.replace(seen, note=note)


def unreadable() -> tuple[Bundle, SignedCheckpoint]:
    return msgspec.structs.replace(proven(RAWS), since=b"old 64\n"), checkpoint(LEAVES[:64])


@pytest.mark.parametrize(
    "forge",
    [
        forked,
        forked_at_the_same_size,
        shrunk,
        put_into_another_order,
        a_path_of_another_ledger,
        a_path_between_other_sizes,
        a_path_cut,
        a_path_lengthened,
        a_path_under_a_root_that_fits_nothing,
        seen_by_a_stranger,
        seen_and_signed_wrongly,
        unreadable,
    ],
    ids=lambda forge: forge.__name__.replace("_", "-"),
)
def test_another_ledger_is_told_by_this_check_and_by_no_other(
    forge: Callable[[], tuple[Bundle, SignedCheckpoint]],
) -> None:
    bundle, seen = forge()

    verified = audit_since(bundle, seen)
    silent = audit_since(bundle, seen, without="growth")

    assert set(broken_in(verified)) == {"growth"}
    assert (broken_in(silent), unchecked_in(silent)) == ({}, {})


def test_two_ledgers_that_are_both_trusted_are_not_one() -> None:
    both = msgspec.structs.replace(TRUSTED, logs=(*TRUSTED.logs, PolicyLog(key=STRANGER.key)))
    bundle = bundle_with(growth(LEAVES, old_size=64))
    trust = Trust(policy=both, seen=checkpoint(LEAVES[:64], signer=STRANGER))

    verified = verify(bundle, rebuilder=Rebuilder(BUILDERS), trust=trust)

    assert broken_in(verified)["growth"].expected == f"a ledger named {STRANGER.key.name}, as the one seen before"


def test_no_flipped_byte_of_a_path_is_believed(stride: int) -> None:
    since = format_add_checkpoint(growth(LEAVES, old_size=64))
    # Signatures stand behind the checkpoint's text; this test does not look at them.
    looked_at = since.index(b"\n\n", since.index(b"\n\n") + 2)
    bundle = proven(RAWS)

    believed = [
        place
        for place in range(0, looked_at, stride)
        if "growth"
        not in broken_in(
            audit_since(
                msgspec.structs.replace(bundle, since=since[:place] + bytes([since[place] ^ 1]) + since[place + 1 :]),
                checkpoint(LEAVES[:64]),
            )
        )
    ]

    assert believed == []


def test_a_proof_of_the_last_line_that_is_missing_or_unreadable_is_told_elsewhere() -> None:
    seen = checkpoint(LEAVES[:64])
    missing = msgspec.structs.replace(proven(RAWS), last_proof=None)
    unreadable_proof = msgspec.structs.replace(proven(RAWS), last_proof=b"none\n")

    assert "growth" in unchecked_in(audit_since(missing, seen))
    assert set(broken_in(audit_since(unreadable_proof, seen))) == {"inclusion"}


def test_the_older_checkpoint_of_another_bundle_is_one_that_was_seen() -> None:
    older = parse_proof(prove(RAWS, 20, tree_size=64)).signed

    verified = audit_since(bundle_with(growth(LEAVES, old_size=64)), older)

    assert isinstance(finding(verified), Held)
