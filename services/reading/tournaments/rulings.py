"""Rulings in words: author, subject, reason, and the points before and after."""

from collections.abc import Callable, Sequence

from domain.audit.findings import escape_unseen
from domain.tournament.contender import Entrant
from domain.tournament.scoring import Scored
from domain.tournament.state import Ruled
from services.reading.tournaments.reasons import list_names

NO_POINTS_CHANGED = "No points changed."


def tell_ruling(ruled: Ruled, *, by: str, name: Callable[[Entrant], str]) -> str:
    """Tell a ruling in three sentences: its content, its reason, and its effect."""
    told = f"{_tell_what(ruled, by, name)}. Reason: {ruled.reason.rstrip('.')}. {tell_effect(ruled, name)}"
    return escape_unseen(told)


def tell_effect(ruled: Ruled, name: Callable[[Entrant], str]) -> str:
    """Tell whose points a ruling changed, as they stood then."""
    if not ruled.changes:
        return NO_POINTS_CHANGED
    changes = (f"{name(each.entrant)} {each.points_before} → {each.points_after}" for each in ruled.changes)
    return f"Points changed: {', '.join(changes)}."


def tell_places(scored: Sequence[Scored], seated: Sequence[Entrant], name: Callable[[Entrant], str]) -> str:
    """Tell a table's points, the best first, then entrants without a place: "1. Ada, 2. Bob; Cleo without a place"."""
    if not scored:
        return "nothing"
    placed = ", ".join(f"{each.place}. {name(each.entrant)}" for each in sorted(scored, key=lambda one: one.place))
    left = [name(each) for each in seated if each not in {one.entrant for one in scored}]
    return f"{placed}; {list_names(left)} without a place" if left else placed


def _tell_what(ruled: Ruled, by: str, name: Callable[[Entrant], str]) -> str:
    at = f"round {ruled.round}, table {ruled.table}"
    match ruled.type:
        case "points_ruled":
            assert ruled.entrant is not None, ruled
            assert ruled.points is not None, ruled
            whom, count = name(ruled.entrant), f"{abs(ruled.points)} points"
            given = f"gave {whom} {count}" if ruled.points > 0 else f"took {count} from {whom}"
            return f"{by} {given} in round {ruled.round}"
        case "entrant_removed":
            assert ruled.entrant is not None, ruled
            return f"{by} removed {name(ruled.entrant)}"
        case "result_replaced":
            return f"{by} replaced the result of {at}{_tell_replaced(ruled, name)}"
        case "game_voided":
            return f"{by} voided the game of {at}"
        case "no_show_told":
            return f"{by} told {list_names([name(each) for each in ruled.absent])} absent from {at}"
        case "table_replayed":
            return f"{by} had {at} played again"
        case _:
            raise AssertionError(ruled.type)


def _tell_replaced(ruled: Ruled, name: Callable[[Entrant], str]) -> str:
    """Tell the places that count now, and those before: the subject of a protest."""
    if not ruled.scored:
        return ""
    seated = [each.entrant for each in ruled.scored_before]
    before = f" (before: {tell_places(ruled.scored_before, seated, name)})" if ruled.scored_before else ""
    return f": {tell_places(ruled.scored, seated, name)}{before}"


def name_number(entrant: Entrant) -> str:
    """Name an entrant where nothing but the log is at hand."""
    return f"entrant {entrant}"
