"""Files and the first lines of their reports, which a reader without the background must understand."""

from collections.abc import Callable
from io import BytesIO
from zipfile import ZipFile, ZipInfo

import msgspec
import pytest
from msgspec import Struct

from domain.audit.archive import Member, format_archive
from domain.audit.bundle import Bundle, format_bundle
from domain.audit.case import Trust
from domain.ledger.note_key import format_note_key
from domain.ledger.policy import Policy
from domain.log.actors import ByOperator
from domain.rulesets.released import Rebuilder
from services.audits.audit import FileAudit, audit_bytes
from services.audits.sentences import tell_verdict, tell_why
from services.audits.trust import trust_key
from tests.domain.audit.audited_game import BUILDERS, specimen
from tests.domain.audit.forgeries import a_die_changed
from tests.domain.audit.memory_ledger import TRUSTED, proven
from tests.domain.game.game_harness import ORGA, Table
from tests.domain.ledger.signing import LOG, STRANGER

ENDED = "Seat 0 and seat 1 won Torches on 2026-11-18 at 12:20 UTC."
AS_LOGGED = "Proven as logged: every check holds, witnessed by club. Not shown:"
HISTORY = "that the ledger has no second history of it (its entries were not read)"
MOVES = "who made the unsigned moves of seat 0, seat 1 and seat 2, that the operator did not know the dice beforehand"
PROVEN = f"{AS_LOGGED} who made the unsigned moves of seat 2, {HISTORY}."
UNVOUCHED = "Consistent, but no outsider vouches for it:"


class Case(Struct, frozen=True, kw_only=True):
    """A file as its reader gets it, the keys that the reader trusts, and the lines that the report begins with."""

    name: str
    make: Callable[[], bytes]
    first: str
    why: str | None = None
    policy: Policy | None = TRUSTED


def genuine() -> bytes:
    return format_bundle(proven(specimen()))


def cut_short() -> bytes:
    """Cut the last lines from a finished game, and keep its proof."""
    log = b"".join(raw + b"\n" for raw in specimen()[:-3])
    return format_bundle(msgspec.structs.replace(proven(specimen()), log=log))


def zipped_again() -> bytes:
    """Pack the members anew, as an archiver does."""
    packed = BytesIO()
    with ZipFile(BytesIO(genuine())) as before, ZipFile(packed, "w") as after:
        for name in before.namelist():
            after.writestr(ZipInfo(name, (2026, 1, 1, 0, 0, 0)), before.read(name))
    return packed.getvalue()


def ruled() -> bytes:
    table = Table(organisers={ORGA: None}).start()
    table.remove(0)
    return format_bundle(proven(table.finish().raws))


def aborted() -> bytes:
    table = Table().start()
    table.abort()
    return format_bundle(proven(table.raws))


def aborted_by_a_person() -> bytes:
    table = Table().start()
    table.abort(ByOperator(account=ORGA))
    return format_bundle(proven(table.raws))


def of(bundle: Callable[[], Bundle]) -> Callable[[], bytes]:
    return lambda: format_bundle(bundle())


CASES = (
    Case(
        name="genuine",
        make=genuine,
        first=f"{ENDED} {PROVEN}",
    ),
    Case(
        name="forged",
        make=of(lambda: proven(a_die_changed().raws)),
        first=f"Do not believe this file: it was changed at line 11. It claims: {ENDED}",
        why="Line 11: the dice show other faces than those that were fixed before the roll.",
    ),
    Case(
        name="unfinished",
        make=of(lambda: proven(specimen()[:60])),
        first="Torches was not over at line 60, 2026-11-18 at 12:10 UTC: no winner yet. "
        "Whether it can be believed cannot be told yet: some checks need the end of the game.",
    ),
    Case(
        name="foreign",
        make=of(lambda: proven(specimen(), signer=STRANGER)),
        first=f"{ENDED} {UNVOUCHED} no ledger that you trust has signed for it.",
    ),
    Case(
        name="unwitnessed",
        make=of(lambda: proven(specimen(), witnesses=())),
        first=f"{ENDED} {UNVOUCHED} its own ledger has signed for it, but no witness has.",
        policy=trust_key(format_note_key(LOG.key)),
    ),
    Case(
        name="packed again",
        make=zipped_again,
        first="No verdict: this is no file as Spina writes them. "
        "It was cut, damaged or packed again by another program; ask for the original.",
        why="expected a plain stored member at byte 0, "
        "found version 20, flags 0, method 0, date 23585, 0 bytes of extras",
    ),
    Case(
        name="of another edition",
        make=lambda: format_archive([Member(name="format", body=b"spina/bundle/v2\n")]),
        first="No verdict: this file follows another edition of the format than this verifier reads. "
        "Verify it with another release.",
        why="expected the format spina/bundle/v1, found 'spina/bundle/v2'",
    ),
    Case(
        name="cut",
        make=cut_short,
        first="Do not believe this file. It claims: "
        "Torches was not over at line 72, 2026-11-18 at 12:20 UTC: no winner yet.",
        why="Line 72: the ledger has another last line than this file: the file was changed, or cut off here.",
    ),
    Case(
        name="ruled",
        make=ruled,
        first="Seat 1 won Torches on 2026-11-18 at 12:00 UTC. "
        f"Ruled: in line 20 the organiser removed seat 0 (“absent”). "
        f"{AS_LOGGED} {MOVES}, who made the unsigned rulings, {HISTORY}.",
    ),
    Case(
        name="aborted",
        make=aborted,
        first="Torches was aborted by the server on 2026-11-18 at 12:00 UTC, without a winner "
        f"(“the hall is on fire”). {AS_LOGGED} {MOVES}, {HISTORY}.",
    ),
    Case(
        name="aborted by a person",
        make=aborted_by_a_person,
        first="Torches was aborted by the operator on 2026-11-18 at 12:00 UTC, without a winner "
        f"(“the hall is on fire”). {AS_LOGGED} {MOVES}, {HISTORY}.",
    ),
    Case(
        name="of another ledger",
        make=of(lambda: proven(specimen(), signer=STRANGER)),
        first=f"Do not believe this file. It claims: {ENDED}",
        why="Line 1: the signature is forged, or of another ledger than the one that the game names as its own.",
        policy=trust_key(format_note_key(STRANGER.key)),
    ),
    Case(
        name="without a key",
        make=genuine,
        first=f"{ENDED} {UNVOUCHED} you gave no key of a ledger or of witnesses to judge it by.",
        policy=None,
    ),
)


def audit(case: Case) -> FileAudit:
    return audit_bytes(case.make(), name="game.zip", trust=Trust(policy=case.policy), rebuilder=Rebuilder(BUILDERS))


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_the_first_line_says_who_won_and_whether_it_can_be_believed(case: Case) -> None:
    audited = audit(case)

    assert tell_verdict(audited) == case.first
    assert tell_why(audited) == case.why
