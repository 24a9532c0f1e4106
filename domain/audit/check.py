"""One check of an audit, run by itself, and those that are the same for every stream. A name never changes."""

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from msgspec import Struct

from domain.audit.authors import check_commands, check_components, check_fields
from domain.audit.case import AnyCase, AnyLog
from domain.audit.ending import check_secret
from domain.audit.findings import Finding, Held, Result, Unchecked, broken
from domain.audit.form import check_chain, check_form
from domain.audit.growth import check_growth
from domain.audit.ledger import check_checkpoint, check_inclusion, check_witnesses
from domain.audit.logged_once import check_logged_once
from domain.audit.receipts import check_receipts
from domain.audit.signatures import check_bases
from domain.audit.times import check_times

# A check of any stream is a check of each kind.
CaseT_contra = TypeVar("CaseT_contra", bound=AnyLog, contravariant=True)


class TooDear(BaseException):
    """The audit takes more than any game needs. Raised by the process that audits, at any place of a check.

    No check catches it: it states nothing of the bytes looked at when it came.
    """

    def __init__(self, limit: str) -> None:
        super().__init__(f"expected an audit within {limit}, found a file that asks for more than any game")


def always(_: AnyLog) -> bool:
    return True


class Check(Struct, Generic[CaseT_contra], frozen=True, kw_only=True):
    """`walks` states that it looks at the lines up to the first unreadable one, and knows nothing of those after.

    `is_asked` states whether the reader has the material that it is about: most need the bundle alone.
    """

    name: str
    claim: str
    run: Callable[[CaseT_contra], Result]
    walks: bool = True
    is_asked: Callable[[AnyLog], bool] = always


FORM: Check[AnyLog] = Check(name="form", claim="Every line has the one accepted form.", run=check_form, walks=False)
CHAIN: Check[AnyLog] = Check(
    name="chain",
    claim="Every line carries the hash of the line before, its place, and a time no earlier.",
    run=check_chain,
    walks=False,
)
FIELDS: Check[AnyLog] = Check(name="fields", claim="Every line says what its type says.", run=check_fields, walks=False)
COMPONENTS: Check[AnyCase] = Check(
    name="components",
    claim="The decks, tracks and tables are those the first line names.",
    run=check_components,
    walks=False,
)
COMMANDS: Check[AnyLog] = Check(name="commands", claim="No command stands in the log twice.", run=check_commands)
BASES: Check[AnyLog] = Check(
    name="bases", claim="Everything signed was signed for the log as it stood there.", run=check_bases
)
SECRET: Check[AnyCase] = Check(
    name="secret",
    claim="The disclosed secret is the one committed to in the first line.",
    run=check_secret,
    walks=False,
)
INCLUSION: Check[AnyLog] = Check(
    name="inclusion", claim="The ledger has the last line, and so all before it.", run=check_inclusion, walks=False
)
CHECKPOINT: Check[AnyLog] = Check(
    name="checkpoint",
    claim="A ledger that you trust, the one that the first line names, has signed the checkpoint over it.",
    run=check_checkpoint,
    walks=False,
)
WITNESSES: Check[AnyLog] = Check(
    name="witnesses",
    claim="As many witnesses have seen that checkpoint as you ask for.",
    run=check_witnesses,
    walks=False,
)


GROWTH: Check[AnyLog] = Check(
    name="growth",
    claim="The ledger over this log and the one you saw before are one that only grew.",
    run=check_growth,
    walks=False,
    is_asked=lambda case: case.seen is not None,
)


TIMES: Check[AnyLog] = Check(
    name="times",
    claim="No line is younger than a cosignature over it, and no seat older than that of a witnessed opening.",
    run=check_times,
    walks=False,
)
LOGGED_ONCE: Check[AnyLog] = Check(
    name="logged-once",
    claim="The ledger has each line of this log once, in its order, and no other line of it.",
    run=check_logged_once,
    walks=False,
    is_asked=lambda case: case.trust.read is not None,
)
RECEIPTS: Check[AnyLog] = Check(
    name="receipts",
    claim="The log has every line for which your receipts have the signature of its ledger.",
    run=check_receipts,
    walks=False,
    is_asked=lambda case: bool(case.trust.receipts),
)


def run_checks(checks: Sequence[Check[CaseT_contra]], case: CaseT_contra) -> tuple[Finding, ...]:
    """Run every applicable check, each independent of the others; hostile bytes make findings, not exceptions.

    Raises MemoryError and TooDear, which state nothing of a single check.
    """
    asked = (check for check in checks if check.is_asked(case))
    return tuple(Finding(check=check.name, claim=check.claim, result=_run(check, case)) for check in asked)


def _run(check: Check[CaseT_contra], case: CaseT_contra) -> Result:
    try:
        result = check.run(case)
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001  an audit that stops at hostile bytes would serve them
        return broken(None, expected="bytes that this can be checked of", found=f"{type(error).__name__}: {error}")
    if check.walks and isinstance(result, Held) and case.unread_from is not None:
        return Unchecked(reason=f"it held up to line {case.unread_from - 1}; line {case.unread_from} cannot be read")
    return result
