"""The figures of Chariot Race, and the unsound states that none of its boards may reach."""

from collections.abc import Sequence

from msgspec import Struct

from domain.ruleset.figures import Figures
from domain.rulesets.chariot_race.board import Board, Chariot, front_of, racing, space_of
from domain.rulesets.chariot_race.components import Colour
from domain.rulesets.chariot_race.outcomes import ChariotWrecked
from domain.rulesets.chariot_race.ranking import rank
from domain.rulesets.chariot_race.ruleset import ChariotRaceRuleset


def measure(board: Board, written: Sequence[Struct]) -> Figures:
    causes = tuple(event.cause for event in written if isinstance(event, ChariotWrecked))
    return {
        "rounds": board.round,
        "wrecks": len(causes),
        "ended by": (board.ended or "",),
        "wrecked by": causes,
        "won with": _won_with(board),
    }


def _won_with(board: Board) -> tuple[Colour, ...]:
    """List the chariots that took first place; of two of one seat the one further ahead."""
    best = {each.seat: each.colour for each in sorted(racing(board), key=lambda each: front_of(board, each))}
    return tuple(best[placing.seat] for placing in rank(board) if placing.place == 1 and placing.seat in best)


def find_unsound(_rules: ChariotRaceRuleset, board: Board) -> tuple[str, ...]:
    """List the faults of a board between two decisions; a sound board has none."""
    found = [f"{each.colour} is off its tracks: {each}" for each in board.chariots if not _is_within_tracks(each)]
    standing = [space_of(board, each) for each in racing(board)]
    if len(set(standing)) < len(standing):
        found.append(f"two chariots at rest on one space: {sorted(standing)}")
    if any(board.track.heaps[space] for space in standing):
        found.append("a chariot at rest on a stone heap")
    if len(set(board.caltrops)) < len(board.caltrops) or board.caltrops_left < 0:
        found.append(f"caltrops that are not there: {board.caltrops}")
    return tuple(found)


def _is_within_tracks(chariot: Chariot) -> bool:
    table = chariot.table
    return (
        0 <= chariot.damage_left <= table.damage_max
        and 0 <= chariot.speed <= table.speed_max
        and 0 <= chariot.fate <= table.fate_max
        and (chariot.damage_left == 0) == (chariot.status == "wrecked")
    )
