"""The public view of a race: all of it but the tokens in the mug, which are nowhere on the board.

Drawn to scale, in micrometres: a client needs no rules and no tables of its own.
"""

from msgspec import Struct

from domain.ids import Seat
from domain.ruleset.decision import Placing
from domain.ruleset.teams import TeamResult
from domain.rulesets.chariotmaster.box.component_file import TokenName
from domain.rulesets.chariotmaster.box.tables import read_token
from domain.rulesets.chariotmaster.offers.chariot_view import ChariotView, show_chariot
from domain.rulesets.chariotmaster.offers.course_picture import CoursePicture
from domain.rulesets.chariotmaster.race.board import (
    Aftermath,
    Board,
    Mug,
    OfferedRoll,
    PieceId,
    Threat,
    owner_of,
)
from domain.rulesets.chariotmaster.race.options import ChainRule, SurvivorRule, WhipRollRule
from domain.rulesets.chariotmaster.race.race_outcomes import EndReason
from domain.rulesets.chariotmaster.race.racetrack import Arena, standing
from domain.rulesets.chariotmaster.race.ranking import list_teams, rank, still_racing
from domain.rulesets.chariotmaster.rounds.finish_line import laps_of
from domain.rulesets.chariotmaster.rounds.game_turn import turns_max
from domain.rulesets.chariotmaster.table.shapes import PartName, Pose, Shape, offset


class Rectangle(Struct, frozen=True, kw_only=True):
    """A part of a base: its middle, where its front faces, and how long and wide it is."""

    part: PartName
    x_um: int
    y_um: int
    heading: int
    length_um: int
    width_um: int


class PieceView(Struct, frozen=True, kw_only=True):
    """Something on the table, by the name it has in outcomes and actions."""

    piece: PieceId
    chariot: int
    pose: Pose
    parts: tuple[Rectangle, ...]


class TurnView(Struct, frozen=True, kw_only=True):
    """The chariot turn that is on: by which token, how far it must and may go, how far it has come."""

    chariot: int
    token: TokenName
    is_driven: bool
    min_um: int
    max_um: int
    travelled_um: int
    pivot_degrees: int
    sub_moves: int
    is_cleared: bool
    is_skidding: bool
    has_spurred: bool
    has_whipped: bool
    may_attack: bool
    attacked: tuple[PieceId, ...]


class RaceView(Struct, frozen=True, kw_only=True):
    """`active` is the chariot whose turn it is. `mug` lists the chariots still in it, with the tokens to choose from.

    `survivor`, `chained_bounce` and `whip_roll` are the options of these names. `teams` are in their order.
    `crossed` are the chariots that have crossed the line in this game turn, `finished` those that have their places.
    """

    game_turn: int
    game_turns_max: int
    laps: int
    survivor: SurvivorRule
    chained_bounce: ChainRule
    whip_roll: WhipRollRule
    course: CoursePicture
    chariots: tuple[ChariotView, ...]
    pieces: tuple[PieceView, ...]
    active: int | None
    turn: TurnView | None
    aftermath: Aftermath | None
    mug: Mug | None
    offered: OfferedRoll | None
    threat: Threat | None
    unbuilt: tuple[int, ...]
    crossed: tuple[int, ...]
    finished: tuple[int, ...]
    withdrawn: tuple[Seat, ...]
    ranking: tuple[Placing, ...]
    teams: tuple[TeamResult, ...]
    ended: EndReason | None


def show(arena: Arena, picture: CoursePicture, board: Board) -> RaceView:
    racing = still_racing(board)
    return RaceView(
        game_turn=board.game_turns,
        game_turns_max=turns_max(arena, board),
        laps=laps_of(arena, board.options),
        survivor=board.options.survivor,
        chained_bounce=board.options.chained_bounce,
        whip_roll=board.options.whip_roll,
        course=picture,
        chariots=tuple(
            show_chariot(board, number, chariot, is_racing=number in racing)
            for number, chariot in enumerate(board.chariots)
        ),
        pieces=tuple(
            PieceView(piece=piece, chariot=owner_of(piece), pose=pose, parts=_rectangles(shape, pose))
            for piece, shape, pose in standing(arena, board)
        ),
        active=board.active,
        turn=_show_turn(arena, board),
        aftermath=board.aftermath,
        mug=board.mug,
        offered=board.offered,
        threat=board.threat,
        unbuilt=board.unbuilt,
        crossed=tuple(crossing.chariot for crossing in board.crossings),
        finished=board.finished,
        withdrawn=board.withdrawn,
        ranking=rank(board),
        teams=list_teams(board),
        ended=board.ended,
    )


def _rectangles(shape: Shape, pose: Pose) -> tuple[Rectangle, ...]:
    shown = []
    for part in shape.parts:
        x_um, y_um = offset((part.front_um + part.rear_um) // 2, (part.left_um + part.right_um) // 2, pose.heading)
        shown.append(
            Rectangle(
                part=part.name,
                x_um=pose.x_um + x_um,
                y_um=pose.y_um + y_um,
                heading=pose.heading,
                length_um=part.front_um - part.rear_um,
                width_um=part.left_um - part.right_um,
            )
        )
    return tuple(shown)


def _show_turn(arena: Arena, board: Board) -> TurnView | None:
    turn = board.turn
    if turn is None:
        return None
    reading = board.chariots[turn.chariot].fitting.reading
    return TurnView(
        chariot=turn.chariot,
        token=turn.token,
        is_driven=turn.is_driven,
        min_um=turn.min_um,
        max_um=turn.max_um,
        travelled_um=turn.travelled_um,
        pivot_degrees=read_token(arena.box, turn.token, reading).pivot_degrees,
        sub_moves=turn.sub_moves,
        is_cleared=turn.is_cleared,
        is_skidding=turn.is_skidding,
        has_spurred=turn.has_spurred,
        has_whipped=turn.has_whipped,
        may_attack=turn.may_attack,
        attacked=turn.attacked,
    )
