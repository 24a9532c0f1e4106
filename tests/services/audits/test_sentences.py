"""Games of the same people in several bundles: how many were opened, and how they ended."""

import msgspec

from domain.audit.bundle import format_bundle
from domain.audit.case import NO_TRUST
from domain.ids import GameId, StreamId
from domain.rulesets.released import Rebuilder
from services.audits.audit import FileAudit, audit_bytes
from services.audits.sentences import tell_openings
from tests.domain.audit.audited_game import bundle_of
from tests.domain.game.game_harness import ADA, BOB, Table


def audited(table: Table, number: int) -> FileAudit:
    raw = format_bundle(bundle_of(tuple(table.raws)))
    found = audit_bytes(raw, name=str(number), trust=NO_TRUST, rebuilder=Rebuilder())
    assert found.verified is not None
    game = GameId(StreamId(f"0199c0de-0000-7000-8000-00000000000{number}"))
    report = msgspec.structs.replace(found.verified.report, game=game)
    return msgspec.structs.replace(found, verified=msgspec.structs.replace(found.verified, report=report))


def test_games_of_the_same_people_are_counted_with_those_that_were_aborted() -> None:
    aborted, running, others = Table(seats=2).start(), Table(seats=2).start(), Table(seats=3).start()
    aborted.abort()

    told = list(tell_openings([audited(each, number) for number, each in enumerate((aborted, running, others))]))
    twice = list(tell_openings([audited(aborted, 1), audited(aborted, 1)]))

    assert told == [f"2 games of the same 2 players, 0 finished and 1 aborted or cancelled: {ADA}, {BOB}"]
    assert twice == []
