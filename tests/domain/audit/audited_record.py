"""An operators' record with a line of each type, and its forgeries: chained anew, as its operator could."""

from collections.abc import Callable
from functools import cache

import msgspec
from msgspec.structs import replace

from domain.audit.bundle import LogBundle
from domain.audit.record_bundle import build_howto
from domain.derived_ids import derive_record
from domain.ids import CommandId, GameId, PlayerId, StreamId, StreamVersion
from domain.log.actors import ByOperator
from domain.operators import events
from domain.operators.commands import OpenRecord, RecordCommand
from domain.operators.decide import decide, decide_opening
from tests.domain.audit.forgery_tools import Fields, chained
from tests.domain.audit.memory_ledger import LEAF_KEY, prove
from tests.domain.game.game_harness import GAME, NOON
from tests.domain.ledger.signing import ORIGIN

RECORD = derive_record(ORIGIN)
ADA = PlayerId("0199c0de-0000-7000-8000-0000000000a1")
SAID = {"operator": "Grace", "reason": "said so"}
ON_ADA = SAID | {"account": ADA}
ACTS: tuple[events.AnyAct, ...] = (
    events.AccountMade(operator="Grace", reason=None, account=ADA, role="organiser"),
    events.TokensRenewed(operator="Grace", reason=None, account=ADA),
    events.TokensRevoked(operator="Grace", reason=None, account=ADA),
    events.AccountRenamed(operator="Grace", reason="said so", account=ADA),
    events.AccountMuted(operator="Grace", reason="said so", account=ADA),
    events.AccountUnmuted(operator="Grace", reason="said so", account=ADA),
    events.AccountClosed(operator="Grace", reason="said so", account=ADA),
    events.KeyTurned(operator="Grace", reason=None, former="0123456789abcdef", new="fedcba9876543210"),
    events.LedgerBegun(operator="Grace", reason=None, former="games.example.org/log/2025"),
    events.GameExported(operator="Grace", reason="a complaint", game=GameId(GAME), lines=StreamVersion(40)),
    events.StreamsAudited(operator="Grace", reason=None, after=StreamId("00000000-0000-0000-0000-000000000000")),
    events.StreamsArchived(operator="Grace", reason="every night"),
    events.DumpMade(operator="Grace", reason=None, games=12, sums="ab" * 32),
)


@cache
def specimen() -> tuple[bytes, ...]:
    opened = decide_opening(
        OpenRecord(
            id=CommandId(RECORD), stream=RECORD, at_ms=NOON, actor=ByOperator(), ledger=ORIGIN, leaf_key=LEAF_KEY.hex()
        )
    )
    record, raws = opened.state, [opened.entries[0].raw]
    for number, act in enumerate(ACTS, start=1):
        command = CommandId(f"0199c0de-0000-7000-8000-{number:012x}")
        decided = decide(
            record,
            RecordCommand(id=command, stream=RECORD, at_ms=NOON + number, actor=ByOperator(), event=act),
        )
        record, raws = decided.state, [*raws, decided.entries[0].raw]
    return tuple(raws)


def bundle_of(raws: tuple[bytes, ...], *, is_proven: bool = True) -> LogBundle:
    """Bundle a log; the proof is that of the genuine record."""
    genuine = specimen()
    proof = prove(genuine, len(genuine)) if is_proven else None
    return LogBundle(log=b"".join(raw + b"\n" for raw in raws), howto=build_howto(RECORD), last_proof=proof)


def cut_at(version: int) -> LogBundle:
    """Leave out all later lines, with the proof of the last one left under the checkpoint of today."""
    genuine = specimen()
    return replace(bundle_of(genuine[:version]), last_proof=prove(genuine, version))


def _log() -> list[Fields]:
    return [msgspec.json.decode(raw) for raw in specimen()]


def _edited(version: int, **changes: object) -> tuple[bytes, ...]:
    log = _log()
    log[version - 1] |= changes
    return chained(log)


def _with_data(version: int, **changes: object) -> tuple[bytes, ...]:
    return _edited(version, data=_log()[version - 1]["data"] | changes)


def _without(version: int) -> tuple[bytes, ...]:
    log = _log()
    del log[version - 1]
    return chained(log)


def _swapped() -> tuple[bytes, ...]:
    log = _log()
    log[4], log[5] = log[5] | {"at": log[4]["at"]}, log[4] | {"at": log[5]["at"]}
    return chained(log)


def _doubled() -> tuple[bytes, ...]:
    log = _log()
    return chained([*log[:6], log[5], *log[6:]])


def _reopened() -> tuple[bytes, ...]:
    log = _log()
    return chained([*log, log[0] | {"command": ADA, "at": log[-1]["at"]}])


# Each with the checks that find it; the ledger's proof of the genuine last line finds all of them.
FORGERIES: dict[str, tuple[Callable[[], tuple[bytes, ...]], set[str]]] = {
    "a line taken out": (lambda: _without(6), set()),
    "the last line taken out": (lambda: specimen()[:-1], set()),
    "a line out, the others as they were": (lambda: (*specimen()[:5], *specimen()[6:]), {"chain"}),
    "another reason": (lambda: _with_data(6, reason="never said"), set()),
    "another operator": (lambda: _with_data(6, operator="Eve"), set()),
    "two lines in another order": (_swapped, set()),
    "two lines in another order, as they were": (
        lambda: (*specimen()[:4], specimen()[5], specimen()[4], *specimen()[6:]), {"chain"}
    ),
    "a line put twice": (_doubled, {"commands"}),
    "a line by the server": (lambda: _edited(6, by="server"), {"authors"}),
    "a line by a player": (lambda: _edited(6, by=f"player:{ADA}"), {"authors"}),
    "a line of no type of the record": (lambda: _edited(6, type="game_aborted"), {"fields"}),
    "an outcome": (lambda: _edited(6, by="server", command=None, kind="outcome", at=_log()[4]["at"]), {"fields"}),
    "a name in a line": (lambda: _with_data(5, name="Ada"), {"fields"}),
    "a reason of two lines": (lambda: _with_data(6, reason="one\ntwo"), {"fields"}),
    "a reason without an end": (lambda: _with_data(6, reason="x" * 81), {"fields"}),
    "an account that is none": (lambda: _with_data(6, account="ada"), {"fields"}),
    "a second record of the ledger": (lambda: _with_data(1, ledger="elsewhere/log"), {"opening", "checkpoint"}),
    "a second opening": (_reopened, {"opening"}),
}  # fmt: skip
