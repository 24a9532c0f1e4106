"""The tournament as a kind of stream: how its lines are read, its inputs admitted and its log folded."""

from typing import Final

from msgspec import Struct

from domain.log.kind import StreamKind
from domain.log.record import Line
from domain.ruleset.ruleset import AnyRuleset
from domain.tournament.admission import admit_event, check_phase, find_key, list_authors
from domain.tournament.consequences import follow
from domain.tournament.events import INPUT_TYPES, OUTCOME_TYPES, TAGS
from domain.tournament.evolve import evolve, settle
from domain.tournament.opening import begin_tournament, check_opening
from domain.tournament.state import Tournament


def find_type(line: Line, _ruleset: AnyRuleset | None) -> type[Struct] | None:
    """Find the struct of a line's type, or None where no such type is known."""
    return INPUT_TYPES.get(line.type) if line.kind == "input" else OUTCOME_TYPES.get(line.type)


TOURNAMENTS: Final[StreamKind[Tournament]] = StreamKind(
    name="tournament",
    opening="tournament_opened",
    is_played=False,
    find_type=find_type,
    find_tag=lambda _, event: TAGS[type(event)],
    find_ruleset=lambda _: None,
    check_opening=check_opening,
    begin=begin_tournament,
    check_phase=check_phase,
    list_authors=list_authors,
    list_authors_by_terms=list_authors,
    is_of_command=lambda _: True,
    find_key=find_key,
    admit=admit_event,
    follow=follow,
    evolve=evolve,
    settle=settle,
)
