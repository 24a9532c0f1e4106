"""A tournament's bundle as the sheet that is exported of it: folded from its log, once all of it was decided again."""

from domain.audit.archive import BadArchive, Source
from domain.audit.case import NO_TRUST
from domain.audit.findings import Broken, Held, Result, Unchecked
from domain.audit.form import check_chain, check_form
from domain.audit.tournament_bundle import read_names, read_tournament_bundle
from domain.audit.tournament_case import TournamentCase
from domain.log.replay import replay
from domain.rulesets.released import RELEASED, Rebuilder
from domain.tournament.kind import TOURNAMENTS
from services.reading.tournaments.sheet import Sheet, build_sheet


class SheetRefused(Exception):
    """There is nothing in the file that could be printed as if it were so."""


def read_sheet(raw: Source, *, at: int | None) -> Sheet:
    """Return the server's export at that version. Raises SheetRefused.

    The games are not read: `spina verify` compares their results with the log.
    """
    try:
        bundle = read_tournament_bundle(raw)
        names = read_names(bundle)
    except BadArchive as refused:
        raise SheetRefused(str(refused)) from None
    case = TournamentCase(bundle, Rebuilder(RELEASED), NO_TRUST, {})
    for found in (check_form(case), check_chain(case), case.walk.redecision):
        _require(found)
    versions = len(case.lines)
    if at is not None and not 1 <= at <= versions:
        raise SheetRefused(f"expected a version from 1 to {versions}, found {at}")
    return build_sheet(replay(TOURNAMENTS, [line.raw for line in case.lines[:at]]), names)


def _require(found: Result) -> None:
    match found:
        case Broken(version=version, expected=expected, found=there):
            raise SheetRefused(f"expected a log that holds, found line {version}: expected {expected}, found {there}")
        case Unchecked(reason=reason):
            raise SheetRefused(f"expected a log that can be decided again, found that {reason}")
        case Held():
            pass
