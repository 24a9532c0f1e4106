"""What the ledger adds: whatever was rewritten after a checkpoint shows, as far as the reader has a key to judge by."""

from functools import cache

import msgspec
import pytest

from domain.audit.bundle import Bundle
from domain.audit.findings import Assurance
from domain.audit.verify import Verified, verify
from domain.ledger.policy import Policy
from domain.rulesets.released import Rebuilder
from tests.domain.audit.forgery_table import FORGERIES, Forgery, forged_bundle
from tests.domain.audit.forging import chained
from tests.domain.audit.notary import TRUSTED, index_of, prove, proven
from tests.domain.audit.specimen import BUILDERS, OF_THE_LEDGER, broken_in, specimen, unchecked_in
from tests.domain.game.table import Table
from tests.domain.ledger.signing import LOG, STRANGER


def audit_by(bundle: Bundle, policy: Policy | None = TRUSTED) -> Verified:
    return verify(bundle, rebuilder=Rebuilder(BUILDERS), policy=policy)


def witnessed_opening(verified: Verified) -> Assurance:
    return next(each for each in verified.report.assurances if each.name == "witnessed_opening")


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
    assert set(unchecked_in(verified)) == {"checkpoint", "witnesses"}


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


def test_a_game_of_another_ledger_is_told() -> None:
    verified = audit_by(proven(specimen(), signer=STRANGER))

    found = broken_in(verified)
    assert set(found) == {"checkpoint"}
    assert LOG.key.name in found["checkpoint"].expected


def test_a_signature_that_only_names_the_ledger_is_told() -> None:
    proof = prove(specimen(), len(specimen()))
    head, _, signature = proof.rpartition(b" ")
    forged = msgspec.structs.replace(
        proven(specimen()), last_proof=head + b" " + signature[:9] + b"AAAA" + signature[13:]
    )

    verified = audit_by(forged)

    assert set(broken_in(verified)) == {"checkpoint", "witnesses"}


def test_a_checkpoint_too_few_have_seen_is_told() -> None:
    verified = audit_by(proven(specimen(), witnesses=()))

    assert set(broken_in(verified)) == {"witnesses"}


def test_a_cosignature_of_an_older_checkpoint_is_told() -> None:
    older = prove(specimen(), len(specimen()), tree_size=index_of(len(specimen())) + 1)
    signed, _, _ = prove(specimen(), len(specimen())).rpartition(b"\xe2\x80\x94 ")
    stale = signed + b"\xe2\x80\x94 " + older.rpartition(b"\xe2\x80\x94 ")[2]

    verified = audit_by(msgspec.structs.replace(proven(specimen()), last_proof=stale))

    assert "witnesses" in broken_in(verified)
    assert "inclusion" not in broken_in(verified)


def test_a_proof_of_another_line_is_told() -> None:
    bundle = msgspec.structs.replace(proven(specimen()), last_proof=prove(specimen(), 40))

    assert set(broken_in(audit_by(bundle))) == {"inclusion"}


def test_no_flipped_byte_of_a_proof_is_believed() -> None:
    bundle = proven(specimen())
    proof = bundle.last_proof
    assert proof is not None

    believed = []
    for place in range(len(proof)):
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


def test_a_checkpoint_that_had_the_first_seat_already_is_told() -> None:
    raws = specimen()
    table = Table(demands=("witnessed_opening",))
    late = prove([*table.raws, *raws[1:40]], 1, tree_size=index_of(40))
    table.witness(late.decode())
    table.start().finish()
    bundle = msgspec.structs.replace(proven(table.raws), first_seat_proof=prove(table.raws, 3))

    verified = audit_by(bundle)

    assert broken_in(verified)["opening-witness"].version == 3


def test_an_opening_in_another_ledger_is_no_witness() -> None:
    table = Table(demands=("witnessed_opening",))
    table.witness(prove(table.raws, 1, signer=STRANGER).decode())
    table.start().finish()
    bundle = msgspec.structs.replace(proven(table.raws), first_seat_proof=prove(table.raws, 3))

    verified = audit_by(bundle)

    assert set(broken_in(verified)) == {"opening-witness"}
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
