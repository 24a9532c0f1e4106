"""The game as a kind of stream: how its lines are read, its inputs admitted, its outcomes found and its log folded."""

from typing import Final

from msgspec import Struct

from domain.game.admission import (
    admit_event,
    check_phase,
    find_key,
    is_of_command,
    list_authors,
    list_authors_by_terms,
)
from domain.game.consequences import follow
from domain.game.events import INPUT_TAGS, INPUT_TYPES, OUTCOME_TAGS, OUTCOME_TYPES
from domain.game.evolve import evolve, settle
from domain.game.opening import begin_game, check_opening
from domain.game.state import Game
from domain.log.kind import StreamKind
from domain.log.record import Line
from domain.ruleset.ruleset import AnyRuleset


def find_type(line: Line, ruleset: AnyRuleset | None) -> type[Struct] | None:
    """Find the struct of a line's type, or None where no such type is known."""
    if line.kind == "input":
        return INPUT_TYPES.get(line.type)
    own = OUTCOME_TYPES.get(line.type)
    return own if own is not None or ruleset is None else ruleset.outcome_types.get(line.type)


def find_tag(event: Struct, ruleset: AnyRuleset) -> str:
    """Return the type under which an event is logged, of every game or of one ruleset."""
    tag = INPUT_TAGS.get(type(event)) or OUTCOME_TAGS.get(type(event))
    return tag or next(tag for tag, outcome in ruleset.outcome_types.items() if outcome is type(event))


GAMES: Final[StreamKind[Game]] = StreamKind(
    name="game",
    opening="game_opened",
    is_played=True,
    find_type=find_type,
    find_tag=lambda game, event: find_tag(event, game.ruleset),
    find_ruleset=lambda game: game.ruleset,
    check_opening=check_opening,
    begin=begin_game,
    check_phase=check_phase,
    list_authors=list_authors,
    list_authors_by_terms=list_authors_by_terms,
    is_of_command=is_of_command,
    find_key=find_key,
    admit=admit_event,
    follow=follow,
    evolve=evolve,
    settle=settle,
)
