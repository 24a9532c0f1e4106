"""Invariants of every board of a race under any play: points, tokens, pieces, places."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from domain.rulesets.chariotmaster.box.component_file import TOKENS
from domain.rulesets.chariotmaster.harm.free_room import is_inside
from domain.rulesets.chariotmaster.race.board import Board, Chariot, can_finish
from domain.rulesets.chariotmaster.race.mug_outcomes import ChariotDrawn, MugFilled
from domain.rulesets.chariotmaster.race.outcomes import TokenLost, TurnClosed
from domain.rulesets.chariotmaster.race.racetrack import obstacles, standing
from domain.rulesets.chariotmaster.race.ranking import rank
from domain.rulesets.chariotmaster.table.travel import is_free
from tests.domain.rulesets.chariotmaster.races import RULES

HORSES = 2


class Watcher:
    """Checks the boards of one race, one after the other; unchanged parts were checked with the last."""

    def __init__(self) -> None:
        self._pieces: tuple[Any, ...] = ()
        self._read = 0
        self._lost: Counter[tuple[int, int]] = Counter()
        self._drawn: list[int] = []

    def check(self, board: Board, written: Sequence[Struct]) -> None:
        """Check a board between plays, and the events so far."""
        if board.mug is None or board.offered is not None or board.threat is not None:
            return
        pieces = tuple(standing(RULES.arena_of(board.options), board))
        if pieces != self._pieces:
            check_pieces(board, pieces)
            self._pieces = pieces
        for number, chariot in enumerate(board.chariots):
            check_points(chariot)
            check_parts(board, number, chariot)
        self._read_on(written)
        check_tokens(board, self._lost, self._drawn)
        check_places(board)

    def _read_on(self, written: Sequence[Struct]) -> None:
        """Count the tokens lost in the race, and the chariots drawn in its last game turn."""
        for event in written[self._read :]:
            if isinstance(event, TokenLost):
                self._lost[event.chariot, event.token] += 1
            elif isinstance(event, MugFilled):
                self._drawn = []
            elif isinstance(event, ChariotDrawn):
                self._drawn.append(event.chariot)
        self._read = len(written)


def check_pieces(board: Board, pieces: tuple[Any, ...]) -> None:
    """Nothing is on anything, and everything is on the track."""
    arena = RULES.arena_of(board.options)
    for piece, shape, pose in pieces:
        assert is_free(shape, pose, obstacles(arena, board, without=(piece,))), f"{piece} stands on something"
        assert is_inside(arena, x_um=pose.x_um, y_um=pose.y_um), f"{piece} stands outside"


def check_points(chariot: Chariot) -> None:
    fitting = chariot.fitting
    assert 0 <= chariot.stamina <= fitting.stamina + 1
    assert 0 <= chariot.structure <= fitting.structure
    assert 0 <= chariot.health <= fitting.health
    assert 0 <= chariot.skill <= fitting.skill
    assert 0 <= chariot.modifies <= fitting.modifies


def check_parts(board: Board, number: int, chariot: Chariot) -> None:
    """Horses, body and driver are each in one place, or gone."""
    is_gone = number in board.finished or chariot.seat in board.withdrawn
    assert 0 <= chariot.horses <= HORSES - chariot.dead_horses
    assert (chariot.team_pose is not None) == (chariot.horses > 0 and not is_gone)
    assert (chariot.driver_pose is not None) == (chariot.driver == "on_foot" and not is_gone)
    assert not (chariot.driver == "dragged" and (chariot.has_body or not chariot.horses))
    assert not (chariot.driver == "riding" and not chariot.has_body)
    assert [wreck.chariot for wreck in board.wrecks].count(number) <= (0 if chariot.has_body else 1)
    assert chariot.grasp is None or chariot.driver == "riding"


def check_tokens(board: Board, lost: Counter[tuple[int, int]], drawn: list[int]) -> None:
    """Each of three tokens is its chariot's or lost for good; a chariot is drawn once a game turn."""
    for number, chariot in enumerate(board.chariots):
        assert sorted((*chariot.tokens, *(token for token in TOKENS if lost[number, token]))) == sorted(TOKENS)
        assert all(lost[number, token] <= 1 for token in TOKENS)
    assert board.mug is not None
    assert len(set(drawn)) == len(drawn)
    left = {slip.chariot for slip in board.mug.slips}
    assert left & set(drawn) <= ({board.mug.drawn} if board.mug.drawn is not None else set())


def check_places(board: Board) -> None:
    """Every seat has a place on every board, and no chariot crosses the line twice."""
    across = [*board.finished, *(crossing.chariot for crossing in board.crossings)]
    assert len(set(across)) == len(across)
    ranking = rank(board)
    assert sorted(placing.seat for placing in ranking) == list(board.seats)
    ordered = [placing.place for placing in ranking]
    assert ordered == sorted(ordered)
    assert ordered[0] in (1, 2)
    for chariot in board.chariots:
        assert chariot.fallen_out is None or not can_finish(chariot)


def check_story(written: Sequence[Struct]) -> None:
    """Every chariot turn that began was closed, one at a time."""
    active: int | None = None
    for event in written:
        if isinstance(event, ChariotDrawn):
            assert active is None
            active = event.chariot
        elif isinstance(event, TurnClosed):
            assert active == event.chariot
            active = None
