"""The demands of a game's terms on every seat."""

from msgspec import UnsetType

from domain.audit.case import Case
from domain.audit.findings import Broken, Held, Result, broken
from domain.game.events import ActionRevealed, SeatTaken, TournamentTable
from domain.game.opening import check_table
from domain.game.rejections import UnfitTerms
from domain.log.events import OpeningWitnessed
from domain.log.own_links import LINKS_DEMANDED


def check_demands(case: Case) -> Result:
    """Check each demand of the first line at each line it speaks of."""
    demands = case.opened.demands if case.opened is not None else ()
    misfits = [_find_misfit(case, demand) for demand in demands]
    misfits.append(_find_table_misfit(case))
    first = min(
        (misfit for misfit in misfits if misfit is not None), key=lambda misfit: misfit.version or 0, default=None
    )
    table = "seats that are kept for the table of a tournament" if _table_of(case) is not None else ""
    return first or Held(seen=", ".join(filter(None, (*demands, table))) or "a game that demands nothing")


def _find_misfit(case: Case, demand: str) -> Broken | None:
    is_witnessed = False
    for entry in case.entries:
        version = entry.line.version
        match entry.event:
            case OpeningWitnessed():
                is_witnessed = True
            case ActionRevealed() if demand == "own_custody" and entry.line.by == "server":
                return broken(version, expected="a reveal by the seat", found="one by the server")
            case SeatTaken(key=None) if demand == "signed":
                return broken(version, expected="a seat taken with a key", found="no key")
            case SeatTaken(links=links) if demand == "links" and links < LINKS_DEMANDED:
                return broken(version, expected=f"a seat taken with {LINKS_DEMANDED} links", found=links)
            case SeatTaken() if demand == "witnessed_opening" and not is_witnessed:
                return broken(version, expected="a witnessed opening before the first seat is taken", found="none yet")
            case _:
                pass
    return None


def _find_table_misfit(case: Case) -> Broken | None:
    """Find players in seats drawn for others. That a game is the one of its table, its id shows."""
    table = _table_of(case)
    if table is None or case.opened is None or case.game is None:
        return None
    try:
        check_table(case.opened, game=case.game)
    except UnfitTerms as error:
        return broken(1, expected=error.expected, found=error.found)
    for entry in case.entries:
        taken = entry.event
        if not isinstance(taken, SeatTaken):
            continue
        kept = table.seats[taken.seat] if taken.seat < len(table.seats) else None
        if kept is None or taken.player != kept.player or kept.key not in (None, taken.key):
            expected = f"a seat taken by the player, and with the key, for which it is kept: {kept}"
            return broken(entry.line.version, expected=expected, found=f"{taken.player}, {taken.key}")
    return None


def _table_of(case: Case) -> TournamentTable | None:
    if case.opened is None or isinstance(case.opened.table, UnsetType):
        return None
    return case.opened.table
