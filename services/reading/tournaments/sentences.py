"""Rulings, draws and byes in sentences that a person can check against the numbers beside them.

They follow from the log alone, so that page, terminal and export give the same ones at the same version. The words are
data: `domain/sentences/tournament.toml`.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from domain.audit.findings import escape_unseen
from domain.ids import PlayerId
from domain.log.entry import as_stored
from domain.sentences.templates import Name, tell
from domain.tournament.contender import Entrant
from domain.tournament.events import TableScored
from domain.tournament.scoring import Scored
from domain.tournament.state import Bye, Round, Ruled, Table, Tournament, find_table
from infra.ruleset_files import read_tournament_words

Names = Mapping[PlayerId, str]


def name_entrant(tournament: Tournament, entrant: Entrant, names: Names) -> str:
    """Return an entrant's name, or its number where no name is known."""
    return names.get(tournament.entries[entrant].player) or f"entrant {entrant}"


def list_names(names: Sequence[str]) -> str:
    """Enumerate: "Ada, Bob and Cleo"."""
    return tell("{.}", list(names), read_tournament_words(), {})


def tell_draw(tournament: Tournament, round_: Round, table: Table, names: Names) -> str:
    """Describe why those at a table sit there, the first draw first where it was drawn again."""
    points = [seat.points for seat in table.seats]
    about = {"round": round_.number, "low": min(points), "high": max(points)}
    named = _Named(lambda entrant: name_entrant(tournament, entrant, names))
    whys = [as_stored(why) | about for why in table.whys]
    return " ".join(
        _tell_part(part, why, named) for part, why in (*((why["kind"], why) for why in whys), ("seats", {}))
    )


def tell_bye(tournament: Tournament, round_: Round, bye: Bye) -> str:
    """Describe the reason of a bye, with the numbers of those who were in the draw with it."""
    about = as_stored(tournament.opened.tables) | {"tables": len(round_.tables)}
    return _tell_part("bye", as_stored(bye) | about, {})


def tell_ruling(ruled: Ruled, *, by: str, name: Callable[[Entrant], str]) -> str:
    """Describe a ruling in three sentences: its content, its reason, and its effect on the points of that time."""
    about = {
        **as_stored(ruled.event),
        "by": by,
        "changes": as_stored(ruled.changes),
        "reason": ruled.reason.rstrip("."),
        "scored_before": _by_place(ruled.scored_before),
        **_list_places(ruled.scored, [score.entrant for score in ruled.scored_before]),
    }
    return _tell_sentence(ruled.type, about, _Named(name))


def tell_outcome(tournament: Tournament, type_: str, event: Struct, names: Names) -> str:
    """Describe a line that would follow from a ruling."""
    about = {}
    if isinstance(event, TableScored):
        about = _list_places(event.scored, find_table(tournament, event.round, event.table).entrants)
    return _tell_sentence(
        type_, as_stored(event) | about, _Named(lambda entrant: name_entrant(tournament, entrant, names))
    )


def tell_warning(tournament: Tournament, about: str, data: Mapping[str, Any], names: Names) -> str:
    """Describe a warning about a draw."""
    named = _Named(lambda entrant: name_entrant(tournament, entrant, names))
    return escape_unseen(_tell_part(f"warned_{about}", data, named))


class _Named(dict[int, Name]):
    """Names of entrants, each looked up when a sentence has it."""

    def __init__(self, name: Callable[[Entrant], str]) -> None:
        super().__init__()
        self._name = name

    def __contains__(self, entrant: object) -> bool:
        return isinstance(entrant, int)

    def __missing__(self, entrant: int) -> Name:
        name = self._name(entrant)
        return Name(short=name, full=name)


def _list_places(scored: Sequence[Scored], seated: Sequence[Entrant]) -> dict[str, Any]:
    """List the entrants of a table with a place, the best first, and those without one."""
    placed = {score.entrant for score in scored}
    return {"scored": _by_place(scored), "unplaced": [entrant for entrant in seated if entrant not in placed]}


def _by_place(scored: Sequence[Scored]) -> Any:
    return as_stored(sorted(scored, key=lambda scored: scored.place))


def _tell_sentence(type_: str, about: Mapping[str, Any], named: Mapping[int, Name]) -> str:
    words = read_tournament_words()
    return escape_unseen(tell(words.sentences[type_], about, words, named))


def _tell_part(part: str, data: Mapping[str, Any], named: Mapping[int, Name]) -> str:
    return tell(f"{{@{part}}}", data, read_tournament_words(), named)
