"""The ledger's evidence: every rewrite after a checkpoint shows, as far as the reader has a key to judge by."""

from collections.abc import Callable
from functools import cache

import msgspec
import pytest

from domain.audit.bundle import Bundle
from domain.audit.case import Trust
from domain.audit.findings import Assurance
from domain.audit.verify import CHECKS, Verified, verify
from domain.ledger.policy import Policy
from domain.ledger.proof import format_proof, parse_proof
from domain.rulesets.released import Rebuilder
from tests.domain.audit.audited_game import BUILDERS, OF_THE_LEDGER, broken_in, specimen, unchecked_in
from tests.domain.audit.forgery_table import FORGERIES, Forgery, forged_bundle
from tests.domain.audit.forgery_tools import chained
from tests.domain.audit.memory_ledger import TRUSTED, index_of, prove, proven
from tests.domain.game.game_harness import Table
from tests.domain.ledger.signing import LOG, STRANGER


def audit_by(bundle: Bundle, policy: Policy | None = TRUSTED, *, without: str = "") -> Verified:
    checks = [check for check in CHECKS if check.name != without]
    return verify(bundle, rebuilder=Rebuilder(BUILDERS), trust=Trust(policy=policy), checks=checks)


def witnessed_opening(verified: Verified) -> Assurance:
    return next(assurance for assurance in verified.report.assurances if assurance.name == "witnessed_opening")


@cache
def witnessed_game() -> tuple[bytes, ...]:
    """Played to its end after its opening had been witnessed, as its terms demand."""
    table = Table(demands=("witnessed_opening",))
    table.witness(prove(table.raws, 1).decode())
    return tuple(table.start().finish().raws)


def witnessed_bundle(first_seat: bytes | None) -> Bundle:
    return msgspec.structs.replace(proven(witnessed_game()), first_seat_proof=first_seat)


def test_a_game_that_a_trusted_ledger_has_holds_in_all() -> None:
    verified = audit_by(proven(specimen()))

    assert (broken_in(verified), unchecked_in(verified)) == ({}, {})


def test_without_a_key_of_the_readers_own_the_checkpoint_is_nobodys_word() -> None:
    verified = audit_by(proven(specimen()), None)

    assert broken_in(verified) == {}
    assert set(unchecked_in(verified)) == {"checkpoint", "witnesses", "times"}


def test_without_a_proof_the_ledger_says_nothing() -> None:
    bundle = msgspec.structs.replace(proven(specimen()), last_proof=None)

    verified = audit_by(bundle)

    assert broken_in(verified) == {}
    assert set(unchecked_in(verified)) == OF_THE_LEDGER


@pytest.mark.parametrize("forgery", FORGERIES, ids=lambda forgery: forgery.name.replace(" ", "-"))
def test_a_log_rewritten_after_its_checkpoint_is_told(forgery: Forgery) -> None:
    forged = forgery.forge()
    bundle = msgspec.structs.replace(forged_bundle(forged), last_proof=prove(specimen(), len(specimen())))

    verified = audit_by(bundle)

    # Where the last line is the one it was, something before it does not lead there; the components are no line.
    is_chained_anew = forged.raws[-1] != specimen()[-1]
    assert ("inclusion" in broken_in(verified)) == is_chained_anew
    assert broken_in(verified)


def with_last(proof: bytes) -> Bundle:
    return msgspec.structs.replace(proven(specimen()), last_proof=proof)


def a_signature_that_only_names_the_ledger() -> Bundle:
    head, _, signature = prove(specimen(), len(specimen())).rpartition(b" ")
    return with_last(head + b" " + signature[:9] + b"AAAA" + signature[13:])


def a_cosignature_of_an_older_checkpoint() -> Bundle:
    """A stale witness: its line is good, and states that it saw another tree."""
    older = prove(specimen(), len(specimen()), tree_size=index_of(len(specimen())) + 1)
    signed, _, _ = prove(specimen(), len(specimen())).rpartition(b"\xe2\x80\x94 ")
    return with_last(signed + b"\xe2\x80\x94 " + older.rpartition(b"\xe2\x80\x94 ")[2])


def a_ledger_that_shrank() -> Bundle:
    """The proof is of a tree from before the last line was in it, as its size states."""
    proof = parse_proof(prove(specimen(), len(specimen())))
    smaller = parse_proof(prove(specimen(), 1, tree_size=index_of(40)))
    return with_last(format_proof(msgspec.structs.replace(proof, signed=smaller.signed)))


def a_ledger_in_another_order() -> Bundle:
    """The same lines in a tree of another order: the path leads to an unsigned root."""
    proof = parse_proof(prove(specimen(), len(specimen())))
    path = (proof.path[1], proof.path[0], *proof.path[2:])
    return with_last(format_proof(msgspec.structs.replace(proof, path=path)))


def a_late_first_seat() -> Bundle:
    """The checkpoint that should show the opening before the first seat was taken already holds that seat."""
    raws = specimen()
    table = Table(demands=("witnessed_opening",))
    late = prove([*table.raws, *raws[1:40]], 1, tree_size=index_of(40))
    table.witness(late.decode())
    table.start().finish()
    return msgspec.structs.replace(proven(table.raws), first_seat_proof=prove(table.raws, 3))


def an_opening_in_another_ledger() -> Bundle:
    table = Table(demands=("witnessed_opening",))
    table.witness(prove(table.raws, 1, signer=STRANGER).decode())
    table.start().finish()
    return msgspec.structs.replace(proven(table.raws), first_seat_proof=prove(table.raws, 3))


def a_game_that_names_another_ledger() -> Bundle:
    """The operator of a ledger publishes a game of another one, cut and aborted, with that one's genuine signatures."""
    table = Table(ledger="other.example/log").start()
    table.abort()
    return proven(table.raws)


def a_game_of_an_earlier_day() -> Bundle:
    """Every line after the opening has a time of the day before its opening was witnessed."""
    table = Table(demands=("witnessed_opening",))
    table.witness(prove(table.raws, 1, late_s=86_400).decode())
    table.start().finish()
    return msgspec.structs.replace(proven(table.raws), first_seat_proof=prove(table.raws, 3))


# The forgery, the check that catches it, and so the forgery that passes where that one check is off.
FORGED_PROOFS: dict[str, tuple[Callable[[], Bundle], set[str]]] = {
    "a game of another ledger": (lambda: proven(specimen(), signer=STRANGER), {"checkpoint"}),
    "a signature that only names the ledger": (a_signature_that_only_names_the_ledger, {"checkpoint", "witnesses"}),
    "a checkpoint too few have seen": (lambda: proven(specimen(), witnesses=()), {"witnesses"}),
    "a cosignature of an older checkpoint": (a_cosignature_of_an_older_checkpoint, {"checkpoint", "witnesses"}),
    "a proof of another line": (lambda: with_last(prove(specimen(), 40)), {"inclusion", "times"}),
    "a ledger that shrank": (a_ledger_that_shrank, {"inclusion", "times"}),
    "a ledger in another order": (a_ledger_in_another_order, {"inclusion"}),
    "a late first seat": (a_late_first_seat, {"opening-witness"}),
    "an opening in another ledger": (an_opening_in_another_ledger, {"opening-witness"}),
    "a game that names another ledger": (a_game_that_names_another_ledger, {"checkpoint"}),
    "times ahead of the witnesses": (lambda: with_last(prove(specimen(), len(specimen()), late_s=-3600)), {"times"}),
    "a game played before its opening was witnessed": (a_game_of_an_earlier_day, {"times"}),
}
# A key of the policy that is misused spoils the note for all who are asked about it, so two checks find it.
SLIPS_THROUGH = {
    "inclusion": {"a ledger in another order"},
    "checkpoint": {"a game of another ledger", "a game that names another ledger"},
    "times": {"times ahead of the witnesses", "a game played before its opening was witnessed"},
    "witnesses": {"a checkpoint too few have seen"},
    "opening-witness": {"a late first seat", "an opening in another ledger"},
}


@pytest.mark.parametrize("name", FORGED_PROOFS)
def test_a_forged_proof_is_told_by_what_it_forges(name: str) -> None:
    forge, caught_by = FORGED_PROOFS[name]

    assert set(broken_in(audit_by(forge()))) == caught_by


@pytest.mark.parametrize("check", SLIPS_THROUGH)
def test_a_check_of_the_ledger_switched_off_lets_through_what_the_table_says(check: str) -> None:
    silent = {name for name, (forge, _) in FORGED_PROOFS.items() if not broken_in(audit_by(forge(), without=check))}

    assert silent == SLIPS_THROUGH[check]


def test_a_game_of_another_ledger_is_told_with_the_one_that_was_expected() -> None:
    found = broken_in(audit_by(proven(specimen(), signer=STRANGER)))

    assert LOG.key.name in found["checkpoint"].expected


def test_no_flipped_byte_of_a_proof_is_believed(stride: int) -> None:
    bundle = proven(specimen())
    proof = bundle.last_proof
    assert proof is not None

    believed = []
    for place in range(0, len(proof), stride):
        flipped = proof[:place] + bytes([proof[place] ^ 1]) + proof[place + 1 :]
        verified = audit_by(msgspec.structs.replace(bundle, last_proof=flipped))
        if not broken_in(verified).keys() & OF_THE_LEDGER:
            believed.append(place)

    assert believed == []


def test_an_opening_seen_before_the_first_seat_is_assured() -> None:
    verified = audit_by(witnessed_bundle(prove(witnessed_game(), 3)))

    assert (broken_in(verified), unchecked_in(verified)) == ({}, {})
    assert witnessed_opening(verified).is_kept


def test_an_opening_without_the_proof_of_the_first_seat_is_not_assured_yet() -> None:
    verified = audit_by(witnessed_bundle(None))

    assert set(unchecked_in(verified)) == {"opening-witness"}
    assert not witnessed_opening(verified).is_kept


def test_a_checkpoint_that_had_the_first_seat_already_is_told_at_that_line() -> None:
    verified = audit_by(a_late_first_seat())

    assert broken_in(verified)["opening-witness"].version == 3


def test_an_opening_in_another_ledger_is_no_witness() -> None:
    verified = audit_by(an_opening_in_another_ledger())

    assert not witnessed_opening(verified).is_kept


def test_an_opening_of_another_game_is_no_witness() -> None:
    log = [msgspec.json.decode(raw) for raw in witnessed_game()]
    log[1]["data"]["proof"] = prove(specimen(), 1).decode()
    raws = chained(log)
    bundle = msgspec.structs.replace(proven(raws), first_seat_proof=prove(raws, 3))

    verified = audit_by(bundle)

    assert broken_in(verified)["opening-witness"].version == 2
    assert broken_in(verified)["redecision"].version == 2
    assert not witnessed_opening(verified).is_kept
