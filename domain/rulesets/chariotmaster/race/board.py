"""The table in the middle of a race: points left to every chariot, poses of all pieces, dice on the table.

Values only; the same board may be looked at by many while the rules make the next one.
"""

from typing import Literal, NewType

from msgspec import Struct
from msgspec.structs import replace

from domain.ids import DecisionId, Seat
from domain.rulesets.chariotmaster.box.building import Fitting
from domain.rulesets.chariotmaster.box.component_file import Points, PointsTable, TokenName
from domain.rulesets.chariotmaster.race.options import Options
from domain.rulesets.chariotmaster.race.race_outcomes import EndReason
from domain.rulesets.chariotmaster.table.shapes import Pose

# A piece that can be met: a chariot's team (with all that hangs on it), a driver on foot, a wreck, one of the walls, or
# an object of the course: the first is -3.
PieceId = NewType("PieceId", int)
FASTEST: TokenName = 10
_OBJECTS_FROM = -3
_DRIVERS_FROM = 100
_WRECKS_FROM = 200

# A driver who has left the track on foot is out of the race, and as well as ever.
DriverStatus = Literal["riding", "dragged", "on_foot", "left", "dead"]
GraspAim = Literal["reins", "dead_horse"]
# Stages that may follow the movement of a chariot turn, in this order.
AftermathStage = Literal["walk", "grab", "cut_loose", "climb", "over"]
# How long "until the end of the next chariot turn" still lasts, in ends of that chariot's turns: 0, 1 or 2.
TurnEnds = int
AttackMeans = Literal["ram", "whip_horses", "whip_driver", "ram_with_horses", "bite"]


class Grasp(Struct, frozen=True, kw_only=True):
    """A driver on the shaft: the aim of his grab, and whether he let go of the reins to climb there."""

    aim: GraspAim
    held_reins: bool


class Chariot(Struct, frozen=True, kw_only=True):
    """One chariot, whole or in pieces. `team_pose` is that of horses and their load; None when they are gone.

    `progress_um` counts from the finish line along the middle of the track, through all laps. `fallen_out` states after
    how many chariot turns of the game it could no longer finish.
    """

    seat: Seat
    race: str | None = None
    equipment: tuple[str, ...] = ()
    fitting: Fitting
    stamina: int
    structure: int
    health: int
    skill: int
    stamina_modifier: int = 0
    structure_modifier: int = 0
    health_modifier: int = 0
    skill_modifier: int = 0
    tokens: tuple[TokenName, ...] = (0, 5, 10)
    modifies: int = 0
    horses: int = 2
    dead_horses: int = 0
    has_body: bool = True
    driver: DriverStatus = "riding"
    has_reins: bool = True
    has_knife: bool = True
    has_whip: bool = True
    is_exhausted: bool = False
    has_damaged_wheel: bool = False
    unconscious_for: TurnEnds = 0
    out_of_control_for: TurnEnds = 0
    fallen_for: TurnEnds = 0
    grasp: Grasp | None = None
    is_resting: bool = False  # set down in the turn that is on: he walks from the next one on
    last_token: TokenName | None = None
    is_halted: bool = False
    team_pose: Pose | None = None
    driver_pose: Pose | None = None
    progress_um: int = 0
    laps_completed: int = 0
    fallen_out: int | None = None


class Wreck(Struct, frozen=True, kw_only=True):
    """The rest of a chariot's body; there is at most one of each chariot."""

    chariot: int
    pose: Pose


class OfferedRoll(Struct, frozen=True, kw_only=True):
    """Dice on the table that the owner of a chariot may still modify; `decision` is the one that it owes."""

    chariot: int
    faces: tuple[int, ...]
    decision: DecisionId


class Turn(Struct, frozen=True, kw_only=True):
    """How far a chariot has come in its turn. The token's distances are as brakes, spurs and whips have left them.

    `steps` counts its steps, so that no two decisions are named alike.
    `attacked` names the target of every attack announced in it.
    `way` is the direction of the last sub-move; `is_cleared` that a test for the next one was passed.
    """

    chariot: int
    token: TokenName
    min_um: int
    max_um: int
    is_driven: bool = True
    travelled_um: int = 0
    sub_moves: int = 0
    way: int | None = None
    is_cleared: bool = False
    is_skidding: bool = False
    has_spurred: bool = False
    has_whipped: bool = False
    has_lost_token: bool = False
    may_attack: bool = False
    attacked: tuple[PieceId, ...] = ()
    steps: int = 0


class Aftermath(Struct, frozen=True, kw_only=True):
    """The rest of a chariot turn when the movement is over: the next stage, and the token by which the chariot went."""

    chariot: int
    token: TokenName
    stage: AftermathStage = "walk"


class Slip(Struct, frozen=True, kw_only=True):
    """A chariot's place in the mug: the tokens it could choose from when that was filled; one is no choice."""

    chariot: int
    tokens: tuple[TokenName, ...]


class Mug(Struct, frozen=True, kw_only=True):
    """The mug of one game turn. Tokens in it are hidden until they are drawn; the chariots still in it are public."""

    game_turn: int
    slips: tuple[Slip, ...]
    is_closed: bool = False
    drawn: int | None = None


class Threat(Struct, frozen=True, kw_only=True):
    """An attack that was announced. While its target is asked to avoid it, `decision` is that question."""

    attacker: int
    target: PieceId
    means: AttackMeans
    decision: DecisionId | None = None


class Crossing(Struct, frozen=True, kw_only=True):
    """A chariot has driven all its laps in this game turn, with its driver in it or behind it."""

    chariot: int
    is_dragged: bool


class Board(Struct, frozen=True, kw_only=True):
    """`active` is the chariot whose turn it is, from its token to the end of all that belongs to the turn.

    `offered` is a roll that a seat may modify in the middle of it. `finished` and `crossings` are in the order of
    crossing the line; `withdrawn` in the order of resigning.
    """

    chariots: tuple[Chariot, ...]
    wrecks: tuple[Wreck, ...] = ()
    active: int | None = None
    offered: OfferedRoll | None = None
    threat: Threat | None = None
    turn: Turn | None = None
    aftermath: Aftermath | None = None
    mug: Mug | None = None
    game_turns: int = 0
    seats: tuple[Seat, ...] = ()
    options: Options = Options()
    unbuilt: tuple[int, ...] = ()
    are_builds_closed: bool = False
    turns_closed: int = 0
    crossings: tuple[Crossing, ...] = ()
    finished: tuple[int, ...] = ()
    leaving: tuple[Seat, ...] = ()
    withdrawn: tuple[Seat, ...] = ()
    ended: EndReason | None = None


def with_chariot(board: Board, number: int, chariot: Chariot) -> Board:
    """Return the board with this chariot in the place of the one of its number."""
    return replace(board, chariots=(*board.chariots[:number], chariot, *board.chariots[number + 1 :]))


def current_turn(board: Board) -> Turn:
    """Return the chariot turn that is on."""
    assert board.turn is not None, "no chariot's turn is on"
    return board.turn


def team_piece(chariot: int) -> PieceId:
    """Name the horses of a chariot, with the body or the driver that hangs on them."""
    return PieceId(chariot)


def driver_piece(chariot: int) -> PieceId:
    """Name a chariot's driver on foot."""
    return PieceId(_DRIVERS_FROM + chariot)


def wreck_piece(chariot: int) -> PieceId:
    """Name the wreck of a chariot's body."""
    return PieceId(_WRECKS_FROM + chariot)


def object_piece(number: int) -> PieceId:
    """Name an object of the course."""
    return PieceId(_OBJECTS_FROM - number)


def object_number(piece: PieceId) -> int:
    """Return which object of the course a piece is."""
    assert is_fixed(piece), "only objects are counted"
    assert not is_wall(piece), "walls are no objects"
    return _OBJECTS_FROM - piece


def is_fixed(piece: PieceId) -> bool:
    """Return whether a piece is a wall or an object of the course: they belong to no seat and never move."""
    return piece < 0


def is_wall(piece: PieceId) -> bool:
    """Return whether a piece is one of the walls."""
    return _OBJECTS_FROM < piece < 0


def is_wreck(piece: PieceId) -> bool:
    """Return whether a piece is a wreck."""
    return piece >= _WRECKS_FROM


def is_on_foot(piece: PieceId) -> bool:
    """Return whether a piece is a driver on foot."""
    return _DRIVERS_FROM <= piece < _WRECKS_FROM


def is_team(piece: PieceId) -> bool:
    """Return whether a piece is a chariot or its horses."""
    return 0 <= piece < _DRIVERS_FROM


def chariot_of(piece: PieceId) -> int | None:
    """Return the chariot that suffers the damage to a piece; walls, objects and wrecks have none."""
    if is_team(piece):
        return piece
    return piece - _DRIVERS_FROM if is_on_foot(piece) else None


def owner_of(piece: PieceId) -> int:
    """Return the chariot that a piece is, or once was a part of; walls and objects never were."""
    assert not is_fixed(piece), "walls and objects belong to no chariot"
    return piece % _DRIVERS_FROM


def find_pose(board: Board, piece: PieceId) -> Pose | None:
    """Return where a piece stands, if it is on the table and can move."""
    if is_wreck(piece):
        return next((wreck.pose for wreck in board.wrecks if wreck_piece(wreck.chariot) == piece), None)
    if is_on_foot(piece):
        return board.chariots[piece - _DRIVERS_FROM].driver_pose
    return board.chariots[piece].team_pose if is_team(piece) else None


def owned_tokens(chariot: Chariot) -> tuple[TokenName, ...]:
    """Return the tokens that are not lost: with its first horse a chariot loses the fastest for good (CM-73)."""
    return chariot.tokens if chariot.horses > 1 else tuple(token for token in chariot.tokens if token != FASTEST)


def points_left(chariot: Chariot, kind: Points) -> int:
    """Return how many points of a kind a chariot has left."""
    left: int = getattr(chariot, kind)
    return left


def modifier_of(chariot: Chariot, kind: Points) -> int:
    """Return the number that earlier rolls add to the next one on the table of a kind; a driver keeps it (CM-93)."""
    modifier: int = getattr(chariot, f"{kind}_modifier")
    return modifier


def table_of(chariot: Chariot, kind: Points) -> PointsTable | None:
    """Return the table that a chariot without points of a kind rolls on; None where nothing is left to lose them."""
    if kind == "stamina":
        return "stamina" if chariot.horses else None
    if kind == "structure":
        return "structure" if chariot.has_body else None
    match chariot.driver:
        case "riding":
            return "health_on_chariot" if kind == "health" else "skill_on_chariot"
        case "dragged":
            return "health_dragged" if kind == "health" else "skill_dragged"
        case "on_foot":
            return "health_on_foot" if kind == "health" else "skill_on_foot"
        case "left" | "dead":
            return None


def is_under_control(chariot: Chariot) -> bool:
    """CM-126, CM-127: state whether an awake driver stands in the body and holds the reins of living horses."""
    is_driven = chariot.driver == "riding" and chariot.has_reins and chariot.has_body and chariot.horses > 0
    return is_driven and not chariot.unconscious_for and not chariot.out_of_control_for


def can_finish(chariot: Chariot) -> bool:
    """CM-01: state whether a living driver is still on living horses, or dragged by them."""
    return chariot.driver in ("riding", "dragged") and chariot.horses > 0
