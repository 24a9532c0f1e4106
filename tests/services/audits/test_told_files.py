"""The first line of each kind of file in the tables of forgeries, as a reader without the documents gets it.

Run with `pytest -s` to read them all.
"""

import re

from domain.audit.bundle import format_bundle
from domain.audit.case import Trust
from domain.audit.record_bundle import format_record_bundle
from domain.audit.tournament_bundle import format_tournament_bundle
from domain.rulesets.released import Rebuilder
from services.audits.audit import Audited, Terms, audit_bytes
from services.audits.sentences import tell_verdict, tell_why
from services.audits.tournament_audit import audit_tournament
from tests.domain.audit import audited_record, tournament_forgeries
from tests.domain.audit.audited_game import BUILDERS
from tests.domain.audit.forgery_table import FORGERIES, forged_bundle
from tests.domain.audit.memory_ledger import TRUSTED
from tests.domain.audit.test_ledger import FORGED_PROOFS

TRUST = Trust(policy=TRUSTED)
# The end, or that there is none.
ENDS = re.compile(
    r" won | share the first place |without a winner|no winner yet|no seat won|"
    r"operators' record .* has \d+ lines|No game can be read in it"
)
# Whether to believe it, with the ground.
BELIEFS = re.compile(
    r"^Do not believe this file|Proven( as logged)?: every check holds, witnessed by|"
    r"Consistent, but no outsider vouches for it: |cannot be told yet: "
)


def audit(raw: bytes) -> Audited:
    return audit_bytes(raw, name="file", trust=TRUST, rebuilder=Rebuilder(BUILDERS))


def audit_cup(raw: bytes) -> Audited:
    return audit_tournament(raw, Terms(trust=TRUST, builders=BUILDERS), name="file", processes=1)


def list_files() -> dict[str, Audited]:
    games = {forgery.name: audit(format_bundle(forged_bundle(forgery.forge()))) for forgery in FORGERIES}
    proofs = {name: audit(format_bundle(forge())) for name, (forge, _) in FORGED_PROOFS.items()}
    cups = {
        f"tournament: {forgery.name}": audit_cup(format_tournament_bundle(forgery.forge()))
        for forgery in tournament_forgeries.FORGERIES
    }
    records = {
        f"record: {name}": audit(format_record_bundle(audited_record.bundle_of(forge())))
        for name, (forge, _) in audited_record.FORGERIES.items()
    }
    return games | proofs | cups | records


def test_the_first_line_of_every_file_says_who_won_and_whether_to_believe_it() -> None:
    told = {name: (tell_verdict(audited), tell_why(audited)) for name, audited in list_files().items()}

    for name, (first, why) in told.items():
        print(f"{name}\n    {first}\n    {why or ''}")  # noqa: T201  to be read by a person
    silent = {name: first for name, (first, _) in told.items() if not (ENDS.search(first) and BELIEFS.search(first))}
    unfounded = [name for name, (first, why) in told.items() if first.startswith("Do not") and not why]
    assert silent == {}
    assert unfounded == []
