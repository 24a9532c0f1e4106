"""The answers that a seat may give: all in ranges, the likely ones one by one. Measuring is free, so all is measured.

Distances are whole millimetres; a candidate is an answer that the rules accept as it stands.
"""

from msgspec import Struct

from domain.rulesets.chariotmaster.box.component_file import Category, TokenName
from domain.rulesets.chariotmaster.race import actions
from domain.rulesets.chariotmaster.race.board import AttackMeans, GraspAim, PieceId
from domain.rulesets.chariotmaster.race.outcomes import AnyPart, SpeedChange
from domain.rulesets.chariotmaster.table.shapes import Hinge, Pose


class Odds(Struct, frozen=True, kw_only=True):
    """A test with a die of six: the modifier of the die, the limit it must not exceed, and the faces that pass it."""

    modifier: int
    skill: int
    passing_faces: int


class TokenOffer(Struct, frozen=True, kw_only=True):
    """How far a token leads, and how wide its pivots are."""

    token: TokenName
    min_um: int
    max_um: int
    pivot_degrees: int


class TrackTurn(Struct, frozen=True, kw_only=True):
    """The turn from a chariot's heading to that of the track, so far on along its middle; left is positive."""

    ahead_um: int
    degrees: int


class Outlook(Struct, frozen=True, kw_only=True):
    """The track before a chariot: free way straight ahead, measured so far and no further, and how the track turns."""

    free_um: int
    turns: tuple[TrackTurn, ...]


class TokenChoices(Struct, frozen=True, kw_only=True, tag_field="kind", tag="token"):
    """`put_token`, one of these, for this chariot. There is no outlook for horses that are gone."""

    chariot: int
    outlook: Outlook | None
    tokens: tuple[TokenOffer, ...]
    candidates: tuple[actions.PutToken, ...]


class LuckChoices(Struct, frozen=True, kw_only=True, tag_field="kind", tag="luck"):
    """`modify_roll`, one die by one, or `leave_roll`; so many modifies are left."""

    chariot: int
    faces: tuple[int, ...]
    modifies: int
    candidates: tuple[actions.LuckAction, ...]


class DefenceChoices(Struct, frozen=True, kw_only=True, tag_field="kind", tag="defence"):
    """`defend` by braking or evading, for stamina, or `endure`. Without odds the horses shy of their own accord."""

    chariot: int
    attacker: int
    means: AttackMeans
    stamina: int
    brake: Odds
    evade: Odds | None
    candidates: tuple[actions.DefenceAction, ...]


class Span(Struct, frozen=True, kw_only=True):
    """Every whole millimetre from one to the other."""

    low_mm: int
    high_mm: int


class MetPart(Struct, frozen=True, kw_only=True):
    """A part of a piece on the table, or a wall."""

    piece: PieceId
    part: AnyPart


class HingeRange(Struct, frozen=True, kw_only=True):
    """How far a base can turn about a hinge until an obstacle, or the token, allows no more."""

    hinge: Hinge
    left_degrees: int
    right_degrees: int


class Landing(Struct, frozen=True, kw_only=True):
    """The end of a way, without a distance that up to the first contact, and the pivots possible there.

    About the corners it is measured only at the last landing ahead; a preview measures any other.
    """

    distance_mm: int | None
    distance_um: int
    pose: Pose
    pivots: tuple[HingeRange, ...]


class Passage(Struct, frozen=True, kw_only=True):
    """Something small that can be run across: these distances come clear of it on the far side."""

    piece: PieceId
    distances: Span


class WayOffer(Struct, frozen=True, kw_only=True):
    """A direction: the distances that touch nothing, and the first contact within the way left.

    `may_touch` states whether a sub-move may lead up to that contact, to the micrometre.
    """

    way: actions.Way
    stamina: int
    distances: Span | None
    contact_um: int | None
    contacts: tuple[MetPart, ...]
    may_touch: bool
    passage: Passage | None
    landings: tuple[Landing, ...]


class Skid(Struct, frozen=True, kw_only=True):
    """The end of the rest of the maximum without steering: the full way, or up to the first contact."""

    heading: int
    distance_um: int
    contacts: tuple[MetPart, ...]


class AttackOffer(Struct, frozen=True, kw_only=True):
    """A part beside the chariot that may be attacked so, the cost, and whether its driver may defend it."""

    target: PieceId
    part: int
    part_name: AnyPart
    means: AttackMeans
    stamina: int
    may_be_defended: bool


class End(Struct, frozen=True, kw_only=True):
    """Where a sub-move or a U-turn ends, if all goes as planned.

    `gain_um` is the progress along the middle of the track, `free_um` the free way ahead (measured so far and no
    further), `off_track_degrees` the turn from the heading of the track to that of the chariot.
    """

    pose: Pose
    gain_um: int
    free_um: int
    off_track_degrees: int


class Candidate(Struct, frozen=True, kw_only=True):
    """A legal step of the turn, and where it ends if it leads anywhere."""

    action: actions.MoveAction
    end: End | None


class MoveChoices(Struct, frozen=True, kw_only=True, tag_field="kind", tag="move"):
    """A step of the chariot's turn. An empty, null or false field cannot be chosen now.

    `speeds`: `change_speed`, for a stamina point each. `test`: `announce`, and be tested for another sub-move.
    `ways`: `make_sub_move`. `u_turns`: `make_u_turn`. `attacks`: `attack`. `may_go_on`: `go_on`. `may_stop`: `stop`.
    `skid` is where failing the test, or going on, leads.
    """

    chariot: int
    left_um: int
    pivot_degrees: int
    speeds: tuple[SpeedChange, ...]
    test: Odds | None
    skid: Skid | None
    ways: tuple[WayOffer, ...]
    u_turns: tuple[HingeRange, ...]
    attacks: tuple[AttackOffer, ...]
    may_go_on: bool
    may_stop: bool
    candidates: tuple[Candidate, ...]


class EquipmentOffer(Struct, frozen=True, kw_only=True):
    """A line of the table of equipment."""

    category: Category
    name: str
    points: int
    excludes: tuple[str, ...]


class RaceOffer(Struct, frozen=True, kw_only=True):
    """The equipment of a race: one option in each category; compulsory options; and options to add, repeatedly."""

    name: str
    may_choose: tuple[str, ...]
    must_take: tuple[str, ...]
    may_add: tuple[str, ...]


class BuildChoices(Struct, frozen=True, kw_only=True, tag_field="kind", tag="build"):
    """`build_chariot`: equipment in the order of the table, one of a category, for so many points at most.

    Without races there is no race to name, and everything may be chosen.
    """

    chariot: int
    points_max: int
    equipment: tuple[EquipmentOffer, ...]
    races: tuple[RaceOffer, ...]
    candidates: tuple[actions.BuildChariot, ...]


class Ray(Struct, frozen=True, kw_only=True):
    """How far a driver on foot can go in a direction, and the first contact there."""

    heading: int
    free_um: int
    contacts: tuple[MetPart, ...]


class WalkChoices(Struct, frozen=True, kw_only=True, tag_field="kind", tag="walk"):
    """`walk` in any direction, with a few bends, so far in all; some directions are measured."""

    chariot: int
    pose: Pose
    reach_um: int
    is_at_edge: bool
    rays: tuple[Ray, ...]
    candidates: tuple[actions.Walk, ...]


class CutLooseChoices(Struct, frozen=True, kw_only=True, tag_field="kind", tag="cut_loose"):
    """`cut_loose`, with these odds, or `hang_on`."""

    chariot: int
    odds: Odds
    candidates: tuple[actions.CutLoose | actions.HangOn, ...]


class GrabOdds(Struct, frozen=True, kw_only=True):
    """How likely a driver on the shaft reaches the aim of his climb, by the token his horses run by."""

    token: TokenName
    odds: Odds


class ClimbChoices(Struct, frozen=True, kw_only=True, tag_field="kind", tag="climb"):
    """`climb` on the shaft for one of these, to grab at the end of the next turn, or `stay_put`."""

    chariot: int
    aims: tuple[GraspAim, ...]
    odds: tuple[GrabOdds, ...]
    candidates: tuple[actions.Climb | actions.StayPut, ...]


AftermathChoices = WalkChoices | CutLooseChoices | ClimbChoices
Choices = BuildChoices | TokenChoices | LuckChoices | DefenceChoices | MoveChoices | AftermathChoices
