"""Two histories of one game in one ledger, and lines withheld from it: found by its entries and by receipts."""

from collections.abc import Sequence

import msgspec
import pytest

from domain.audit.bundle import Bundle
from domain.audit.case import Trust
from domain.audit.verify import Verified, verify
from domain.ids import LineHash, StreamVersion
from domain.ledger.entry_reader import EntryReader, LedgerRead
from domain.ledger.leaf import build_leaf, format_leaf
from domain.ledger.receipt import LEDGER_DELAY_S, SignedReceipt, receipt_message
from domain.ledger.tiles import TILE_WIDTH, encode_bundle
from domain.log.record import line_hash, parse_at, parse_line
from domain.rulesets.released import Rebuilder
from tests.domain.audit.audited_game import BUILDERS, broken_in, specimen, unchecked_in
from tests.domain.audit.forgeries import all_keys_replaced
from tests.domain.audit.memory_ledger import LEAF_KEY, TRUSTED, proven
from tests.domain.game.game_harness import GAME, Table
from tests.domain.ledger.signing import LOG, ORIGIN, STRANGER, SigningKey, publish

DAY_S = 86_400


def entries_of(raws: Sequence[bytes], *, first: int = 1) -> list[bytes]:
    """List the entries of a log from a line on."""
    leaves = (
        build_leaf(LEAF_KEY, stream=GAME, version=StreamVersion(version), line=line_hash(raw))
        for version, raw in enumerate(raws, start=1)
    )
    return [format_leaf(leaf) for leaf in leaves][first - 1 :]


def read(entries: list[bytes], *, signer: SigningKey = LOG, late_s: int = DAY_S) -> LedgerRead:
    """Read a ledger that has these entries alone, long after the last line of the game."""
    reader = EntryReader([GAME])
    for bundle in reader.list_missing(len(entries)):
        start = bundle.index * TILE_WIDTH
        reader.add(bundle, encode_bundle(entries[start : start + bundle.width]))
    signed = publish(len(entries), reader.root(), signer=signer)
    read_s = parse_at(parse_line(specimen()[-1]).at) // 1000 + late_s
    return LedgerRead(signed=signed, leaves={GAME: tuple(reader.leaves[GAME])}, read_s=read_s)


def audit(bundle: Bundle, *, ledger: LedgerRead | None = None, receipts: Sequence[SignedReceipt] = ()) -> Verified:
    trust = Trust(policy=TRUSTED, read=ledger, receipts=tuple(receipts))
    return verify(bundle, rebuilder=Rebuilder(BUILDERS), trust=trust)


def false_game() -> tuple[bytes, ...]:
    """The same game up to its last turns, then aborted by the operator: every line by itself is as it should be."""
    table = Table(visibility="public")
    table.start()
    table.abort()
    return tuple(table.raws)


def true_game() -> tuple[bytes, ...]:
    return tuple(Table(visibility="public").start().finish().raws)


def receipt_for(raws: Sequence[bytes], version: int, *, signer: SigningKey = LOG) -> SignedReceipt:
    line = parse_line(raws[version - 1])
    unsigned = SignedReceipt(
        at=line.at,
        hash=LineHash(line_hash(raws[version - 1])),
        ledger=ORIGIN,
        sig="",
        stream=line.stream,
        version=line.version,
    )
    return msgspec.structs.replace(unsigned, sig=signer.sign(receipt_message(unsigned).decode()).payload.hex())


def test_a_game_that_is_logged_once_holds() -> None:
    verified = audit(proven(specimen()), ledger=read(entries_of(specimen())))

    assert (broken_in(verified), unchecked_in(verified)) == ({}, {})


@pytest.mark.parametrize("second", [1, 5, 9])
def test_a_game_that_is_logged_again_is_told_of_both_histories(second: int) -> None:
    """The entries of the false history stand behind those of the true one, or among them, from a line on."""
    true, false = true_game(), false_game()
    entries = entries_of(true) + entries_of(false, first=second)

    found = [broken_in(audit(proven(raws), ledger=read(entries))) for raws in (true, false)]

    assert [set(finding) for finding in found] == [{"logged-once"}, {"logged-once"}]
    assert found[0]["logged-once"].version == second


def test_a_finished_game_that_was_cut_and_aborted_is_told_by_the_ledger() -> None:
    found = broken_in(audit(proven(false_game()), ledger=read(entries_of(true_game()))))

    assert set(found) == {"logged-once"}
    assert found["logged-once"].version == len(false_game()) - 1


def test_a_tail_that_was_cut_is_told_by_the_ledger() -> None:
    verified = audit(proven(specimen()[:-3]), ledger=read(entries_of(specimen())))

    assert unchecked_in(verified)["logged-once"] == "the ledger has 3 further lines, which the file has not"


def test_keys_that_were_replaced_are_told_by_the_ledger() -> None:
    found = broken_in(audit(proven(all_keys_replaced().raws), ledger=read(entries_of(specimen()))))

    assert set(found) == {"logged-once"}
    assert found["logged-once"].version == 1


@pytest.mark.parametrize("late_s", [LEDGER_DELAY_S + 1, DAY_S])
def test_a_line_that_is_not_in_the_ledger_within_the_promised_time_is_told(late_s: int) -> None:
    verified = audit(proven(specimen()), ledger=read(entries_of(specimen()[:-1]), late_s=late_s))

    assert broken_in(verified)["logged-once"].version == len(specimen())


def test_a_line_that_may_still_come_into_the_ledger_is_waited_for() -> None:
    verified = audit(proven(specimen()), ledger=read(entries_of(specimen()[:-1]), late_s=LEDGER_DELAY_S))

    assert "logged-once" in unchecked_in(verified)


def test_entries_of_a_stranger_say_nothing_of_the_game() -> None:
    verified = audit(proven(specimen()), ledger=read(entries_of(specimen()), signer=STRANGER))

    assert set(broken_in(verified)) == {"logged-once"}


def test_entries_that_are_not_those_of_the_checkpoint_are_told() -> None:
    ledger = msgspec.structs.replace(read(entries_of(specimen())), refusal="others")

    assert broken_in(audit(proven(specimen()), ledger=ledger))["logged-once"].found == "others"


def test_receipts_of_the_lines_of_a_game_hold() -> None:
    receipts = [receipt_for(specimen(), version) for version in (2, 5, len(specimen()))]

    assert broken_in(audit(proven(specimen()), receipts=receipts)) == {}


def test_a_receipt_convicts_a_log_with_another_line() -> None:
    receipts = [receipt_for(true_game(), version) for version in range(1, len(true_game()) + 1)]

    found = broken_in(audit(proven(false_game()), receipts=receipts))

    assert set(found) == {"receipts"}
    assert found["receipts"].version == len(false_game()) - 1


def test_a_receipt_convicts_a_log_that_ended_before() -> None:
    receipts = [receipt_for(true_game(), len(true_game()))]

    assert set(broken_in(audit(proven(false_game()), receipts=receipts))) == {"receipts"}


def test_a_receipt_of_a_line_that_is_withheld_convicts_the_ledger() -> None:
    cut, receipts = specimen()[:-3], [receipt_for(specimen(), len(specimen()) - 2)]

    alone = audit(proven(cut), receipts=receipts)
    beside_the_ledger = audit(proven(cut), ledger=read(entries_of(cut)), receipts=receipts)

    assert "receipts" in unchecked_in(alone)
    assert set(broken_in(beside_the_ledger)) == {"receipts"}


def test_a_receipt_that_no_trusted_ledger_has_signed_convicts_nobody() -> None:
    receipts = [receipt_for(true_game(), 5, signer=STRANGER)]

    verified = audit(proven(false_game()), receipts=receipts)

    assert broken_in(verified) == {}
    assert "receipts" in unchecked_in(verified)


def test_receipts_of_other_games_are_passed_over() -> None:
    other = msgspec.structs.replace(receipt_for(true_game(), 5), stream="0199c0de-0000-7000-8000-00000000ffff")

    assert broken_in(audit(proven(false_game()), receipts=[other])) == {}
