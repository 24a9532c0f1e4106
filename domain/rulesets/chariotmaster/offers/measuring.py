"""Measuring, which is free at any time: how far a chariot can go each way, how wide it can turn, its gain and odds."""

from msgspec import Struct

from domain.rulesets.chariotmaster.box.component_file import Components
from domain.rulesets.chariotmaster.box.tables import is_test_passed, read_token
from domain.rulesets.chariotmaster.harm.luck import DIE_SIDES
from domain.rulesets.chariotmaster.offers import choices
from domain.rulesets.chariotmaster.race.actions import Way
from domain.rulesets.chariotmaster.race.board import Board, PieceId, Turn, team_piece
from domain.rulesets.chariotmaster.race.racetrack import Arena, obstacles_near, part_of, team_base
from domain.rulesets.chariotmaster.table.course import UM_PER_MM
from domain.rulesets.chariotmaster.table.laps import Place, find_place, place_at, unwrapped
from domain.rulesets.chariotmaster.table.shapes import HINGES, Hinge, Pose, Shape, bounds, offset
from domain.rulesets.chariotmaster.table.sines import FULL_TURN, smallest_turn
from domain.rulesets.chariotmaster.table.travel import Contact, Obstacle, Travel, around, travel, turn
from domain.rulesets.chariotmaster.turn import sub_moves

# As far as the tokens lead: where one stands, and after the longest way of each.
_OUTLOOK_MM = (0, 50, 100, 150)

WAYS: tuple[Way, ...] = ("ahead", "left", "right")


class Ground(Struct, frozen=True, kw_only=True):
    """The circumstances of a measurement: the board, the chariot whose turn it is, and every obstacle in its reach."""

    board: Board
    turn: Turn
    base: Shape
    pose: Pose
    others: tuple[Obstacle, ...]
    place: Place
    pivot_degrees: int

    @property
    def room_um(self) -> int:
        """The way left in this turn."""
        return self.turn.max_um - self.turn.travelled_um


def survey(arena: Arena, board: Board) -> Ground:
    """Look at the table from the chariot whose turn it is."""
    turn_now, pose = sub_moves.stance(board)
    base, others = sub_moves.surroundings(arena, board)
    row = read_token(arena.box, turn_now.token, board.chariots[turn_now.chariot].fitting.reading)
    return Ground(
        board=board,
        turn=turn_now,
        base=base,
        pose=pose,
        others=others,
        place=find_nose(arena, base, pose),
        pivot_degrees=row.pivot_degrees,
    )


def measure_ways(arena: Arena, ground: Ground) -> tuple[choices.WayOffer, ...]:
    """Measure all three ways."""
    return tuple(_measure_way(arena, ground, way) for way in WAYS)


def measure_pivots(
    ground: Ground, pose: Pose, *, widest: int, hinges: tuple[Hinge, ...] = HINGES
) -> tuple[choices.HingeRange, ...]:
    """Measure how far the chariot, standing there, can turn about each hinge, to both sides."""
    near = around(ground.base, pose, ground.others)
    return tuple(
        choices.HingeRange(
            hinge=hinge,
            left_degrees=abs(turn(ground.base, pose, near, hinge=hinge, degrees=widest).degrees),
            right_degrees=abs(turn(ground.base, pose, near, hinge=hinge, degrees=-widest).degrees),
        )
        for hinge in hinges
    )


def measure_end(arena: Arena, ground: Ground, pose: Pose) -> choices.End:
    """Measure the gain of a chariot that stands there."""
    place = find_nose(arena, ground.base, pose)
    start_um = ground.place.along_um
    reach_um = sub_moves.FREE_WAY_MM * UM_PER_MM
    free = travel(ground.base, pose, ground.others, heading=pose.heading, distance_um=reach_um)
    return choices.End(
        pose=pose,
        gain_um=unwrapped(arena.middle, progress_um=start_um, along_um=place.along_um) - start_um,
        free_um=free.distance_um,
        off_track_degrees=smallest_turn(place.heading, pose.heading),
    )


def find_nose(arena: Arena, base: Shape, pose: Pose) -> Place:
    """Return where the middle of the front edge is along the middle of the track."""
    _, front_um, _, _ = bounds(base)
    x_um, y_um = offset(front_um, 0, pose.heading)
    return find_place(arena.middle, (pose.x_um + x_um, pose.y_um + y_um))


def measure_rest(arena: Arena, ground: Ground, *, is_skid: bool) -> choices.Skid:
    """Measure the rest of the maximum: in a skid the way of the last sub-move, else straight ahead."""
    last = ground.turn.way
    heading = last if is_skid and last is not None else ground.pose.heading
    distance_um = max(ground.room_um, 0)
    went = travel(ground.base, ground.pose, ground.others, heading=heading, distance_um=distance_um)
    contacts = name_contacts(arena, ground.board, went.contacts)
    return choices.Skid(heading=heading, distance_um=went.distance_um, contacts=contacts)


def look_ahead(arena: Arena, board: Board, chariot: int) -> choices.Outlook | None:
    """Look ahead from where a chariot stands, before any chariot moves."""
    pose, base = board.chariots[chariot].team_pose, team_base(arena, board.chariots[chariot])
    if pose is None:
        return None
    reach_um = _OUTLOOK_MM[-1] * UM_PER_MM
    far_um = reach_um + sum(abs(bound_um) for bound_um in bounds(base))
    others = obstacles_near(arena, board, pose, reach_um=far_um, without=(team_piece(chariot),))
    free = travel(base, pose, others, heading=pose.heading, distance_um=reach_um)
    along_um = find_nose(arena, base, pose).along_um
    turns = []
    for ahead_mm in _OUTLOOK_MM:
        place = place_at(arena.middle, along_um + ahead_mm * UM_PER_MM)
        degrees = smallest_turn(pose.heading, place.heading)
        turns.append(choices.TrackTurn(ahead_um=ahead_mm * UM_PER_MM, degrees=degrees))
    return choices.Outlook(free_um=free.distance_um, turns=tuple(turns))


def name_contacts(arena: Arena, board: Board, contacts: tuple[Contact, ...]) -> tuple[choices.MetPart, ...]:
    """Name the parts in contact; the stretches of a wall are one wall."""
    pieces = [(PieceId(contact.obstacle[0]), contact.obstacle[1]) for contact in contacts]
    named = [choices.MetPart(piece=piece, part=part_of(arena, board, piece, place)) for piece, place in pieces]
    return tuple(met for place, met in enumerate(named) if met not in named[:place])


def _measure_way(arena: Arena, ground: Ground, way: Way) -> choices.WayOffer:
    heading = (ground.pose.heading + sub_moves.WAY_TURNS[way]) % FULL_TURN
    least_um = arena.box.numbers.sub_move_min_mm * UM_PER_MM
    went = travel(ground.base, ground.pose, ground.others, heading=heading, distance_um=max(ground.room_um, 1))
    distances = _span(low_um=least_um, high_um=min(went.distance_um, ground.room_um))
    may_touch = bool(went.contacts) and least_um <= went.distance_um <= ground.room_um
    return choices.WayOffer(
        way=way,
        stamina=0 if way == "ahead" else 1,
        distances=distances,
        contact_um=went.distance_um if went.contacts else None,
        contacts=name_contacts(arena, ground.board, went.contacts),
        may_touch=may_touch,
        passage=_find_passage(arena, ground, heading, went) if went.contacts else None,
        landings=_measure_landings(ground, way, distances, touching=went if may_touch else None),
    )


def _measure_landings(
    ground: Ground, way: Way, span: choices.Span | None, *, touching: Travel | None
) -> tuple[choices.Landing, ...]:
    """Measure the pivots where a driver would stop, and where the chariot touches an obstacle on the way."""
    heading = (ground.pose.heading + sub_moves.WAY_TURNS[way]) % FULL_TURN
    stops: list[tuple[int | None, Travel]] = [
        (distance_mm, _go(ground, heading, distance_mm)) for distance_mm in _likely_distances(ground, way, span)
    ]
    if touching is not None and touching.distance_um % UM_PER_MM:
        stops.append((None, touching))
    last = len(stops) - 1 if way == "ahead" else None
    return tuple(
        choices.Landing(
            distance_mm=distance_mm,
            distance_um=stop.distance_um,
            pose=stop.pose,
            pivots=measure_pivots(
                ground, stop.pose, widest=ground.pivot_degrees, hinges=HINGES if place == last else HINGES[:1]
            ),
        )
        for place, (distance_mm, stop) in enumerate(stops)
    )


def _likely_distances(ground: Ground, way: Way, span: choices.Span | None) -> tuple[int, ...]:
    """Pick the distances that a driver would think of: just enough, as far as possible, and half way between."""
    if span is None:
        return ()
    if way != "ahead":
        return tuple(sorted({span.low_mm, span.high_mm}))
    missing_mm = -((ground.turn.travelled_um - ground.turn.min_um) // UM_PER_MM)
    enough_mm = min(max(span.low_mm, missing_mm), span.high_mm)
    return tuple(sorted({enough_mm, (enough_mm + span.high_mm) // 2, span.high_mm}))


def _go(ground: Ground, heading: int, distance_mm: int) -> Travel:
    return travel(ground.base, ground.pose, ground.others, heading=heading, distance_um=distance_mm * UM_PER_MM)


def _span(*, low_um: int, high_um: int) -> choices.Span | None:
    low_mm, high_mm = -(-low_um // UM_PER_MM), high_um // UM_PER_MM
    return choices.Span(low_mm=low_mm, high_mm=high_mm) if low_mm <= high_mm else None


def _find_passage(arena: Arena, ground: Ground, heading: int, went: Travel) -> choices.Passage | None:
    """CM-33: find the distances that lead across a small piece: from where it is left behind to the next contact."""
    piece = PieceId(went.contacts[0].obstacle[0])
    rest = sub_moves.without_small(arena, ground.board, ground.others, piece=piece)
    if len(rest) == len(ground.others):
        return None
    over = travel(ground.base, ground.pose, rest, heading=heading, distance_um=ground.room_um)
    low_mm, high_mm = went.distance_um // UM_PER_MM, over.distance_um // UM_PER_MM
    if high_mm <= low_mm or not _leads_across(arena, ground, heading, high_mm):
        return None
    # A chariot clear of the piece stays clear of it: halve the doubt until a millimetre is left.
    clear_mm = high_mm
    while clear_mm - low_mm > 1:
        tried_mm = (low_mm + clear_mm) // 2
        if _leads_across(arena, ground, heading, tried_mm):
            clear_mm = tried_mm
        else:
            low_mm = tried_mm
    return choices.Passage(piece=piece, distances=choices.Span(low_mm=clear_mm, high_mm=high_mm))


def _leads_across(arena: Arena, ground: Ground, heading: int, distance_mm: int) -> bool:
    try:
        return sub_moves.plan_way(arena, ground.board, heading, distance_mm * UM_PER_MM).across is not None
    except sub_moves.WouldCollide:
        return False


def odds_of(box: Components, *, modifier: int, skill: int) -> choices.Odds:
    """CM-21: count the faces on which a test against skill is passed."""
    faces = range(1, DIE_SIDES + 1)
    passing = sum(is_test_passed(box, face, modifier=modifier, skill=skill) for face in faces)
    return choices.Odds(modifier=modifier, skill=skill, passing_faces=passing)
