"""The operators' record as a stream: what it takes, what it refuses, and that a stored line is read for ever."""

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from domain.ids import CommandId, PlayerId, StreamId
from domain.log.actors import ByOperator, ByServer
from domain.log.record import parse_at
from domain.log.rejections import CommandIdReused, NotAllowed, SignatureUnwanted, UnfitEvent
from domain.log.replay import replay
from domain.operators.commands import OpenRecord, RecordCommand
from domain.operators.decide import decide, decide_opening
from domain.operators.events import AccountMuted
from domain.operators.kind import RECORDS
from domain.operators.rejections import UnfitRecord
from domain.operators.state import Record
from tests.domain.audit.audited_record import ADA, RECORD, specimen
from tests.domain.audit.memory_ledger import LEAF_KEY
from tests.domain.game.game_harness import GAME, NOON
from tests.domain.ledger.signing import ORIGIN

GOLDEN = Path(__file__).with_name("golden") / "record.ndjson"
MUTED = AccountMuted(operator="Grace", reason="said so", account=ADA)


def stored() -> Record:
    return replay(RECORDS, specimen())


def command(**changes: Any) -> RecordCommand:
    fields: dict[str, Any] = {
        "id": CommandId(ADA),
        "stream": RECORD,
        "at_ms": NOON,
        "actor": ByOperator(),
        "event": MUTED,
    }
    return RecordCommand(**(fields | changes))


def test_a_record_of_today_has_the_bytes_that_were_stored() -> None:
    raws = tuple(GOLDEN.read_bytes().splitlines())

    assert specimen() == raws
    assert replay(RECORDS, raws).version == len(raws)


def test_an_act_is_one_line_no_earlier_than_the_one_before() -> None:
    record = stored()

    (entry,) = decide(record, command(at_ms=0)).entries

    assert (entry.line.version, entry.line.prev, entry.line.by) == (record.version + 1, record.head, "operator")
    assert parse_at(entry.line.at) == record.at_ms


@pytest.mark.parametrize(
    ("changes", "rejection"),
    [
        ({"actor": ByServer()}, NotAllowed),
        ({"id": CommandId(RECORD)}, CommandIdReused),
        ({"sig": "0" * 128, "base": replay(RECORDS, specimen()).head}, SignatureUnwanted),
        ({"event": replace(MUTED, reason="a\nb")}, UnfitEvent),
        ({"event": replace(MUTED, reason="x" * 81)}, UnfitEvent),
        ({"event": replace(MUTED, operator="")}, UnfitEvent),
        ({"event": replace(MUTED, account=PlayerId("ada"))}, UnfitEvent),
    ],
)
def test_an_act_that_no_line_can_hold_is_refused(changes: dict[str, Any], rejection: type[Exception]) -> None:
    refused = command(**changes)

    with pytest.raises(rejection):
        decide(stored(), refused)


def test_a_record_is_opened_under_the_id_of_its_ledger_alone() -> None:
    opening = OpenRecord(
        id=CommandId(GAME),
        stream=StreamId(GAME),
        at_ms=NOON,
        actor=ByOperator(),
        ledger=ORIGIN,
        leaf_key=LEAF_KEY.hex(),
    )

    with pytest.raises(UnfitRecord, match=RECORD):
        decide_opening(opening)
