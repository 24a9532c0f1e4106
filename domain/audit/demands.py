"""The demands of a game's terms on every seat, and which of them held, demanded or not."""

from collections.abc import Mapping

from msgspec import UnsetType

from domain.audit.case import Case
from domain.audit.findings import Assurance, Broken, Held, Result, broken
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
    first = min((each for each in misfits if each is not None), key=lambda each: each.version or 0, default=None)
    table = "seats that are kept for the table of a tournament" if _table_of(case) is not None else ""
    return first or Held(seen=", ".join(filter(None, (*demands, table))) or "a game that demands nothing")


def list_assurances(case: Case, results: Mapping[str, Result]) -> tuple[Assurance, ...]:
    """List the four, in words; `results` are those of the checks by their names."""
    demands = case.opened.demands if case.opened is not None else ()
    taken = [entry.event for entry in case.entries if isinstance(entry.event, SeatTaken)]
    reveals = [entry for entry in case.entries if isinstance(entry.event, ActionRevealed)]
    by_server = sum(entry.line.by == "server" for entry in reveals)
    keyed, linked = sum(each.key is not None for each in taken), sum(each.links >= LINKS_DEMANDED for each in taken)
    is_witnessed = isinstance(results.get("opening-witness"), Held) and _has_witness(case)
    told = {
        "own_custody": (not by_server, f"{by_server} of {len(reveals)} reveals came out of the server's custody"),
        "signed": (
            bool(taken) and keyed == len(taken) and isinstance(results.get("signatures"), Held),
            f"{keyed} of {len(taken)} seats were taken with a key that signs what its player does",
        ),
        "links": (
            bool(taken) and linked == len(taken) and isinstance(results.get("contributions"), Held),
            f"{linked} of {len(taken)} seats were taken with at least {LINKS_DEMANDED} links of the player's own",
        ),
        "witnessed_opening": (
            is_witnessed,
            "a checkpoint over the opening was seen before the first seat was taken"
            if is_witnessed
            else "nothing shows that the opening was in the ledger before the first seat was taken",
        ),
    }
    return tuple(
        Assurance(name=name, is_demanded=name in demands, is_kept=is_kept, told=words)
        for name, (is_kept, words) in told.items()
    )


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


def _has_witness(case: Case) -> bool:
    return any(isinstance(entry.event, OpeningWitnessed) for entry in case.entries)
