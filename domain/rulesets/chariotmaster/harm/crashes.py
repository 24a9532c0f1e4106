"""CM-70, CM-71: a body becomes a wreck, a driver is dragged, hurled, dropped or dead, a team stands alone."""

from msgspec.structs import replace

from domain.rulesets.chariotmaster.harm.free_room import find_nearest_room, find_room
from domain.rulesets.chariotmaster.harm.luck import choose_contact, roll_for
from domain.rulesets.chariotmaster.race.board import Chariot, PieceId, driver_piece, team_piece, wreck_piece
from domain.rulesets.chariotmaster.race.cascade import Cascade, Clash
from domain.rulesets.chariotmaster.race.outcomes import ChariotCrashed, DriverDied, DriverSetDown
from domain.rulesets.chariotmaster.race.racetrack import obstacles, team_base
from domain.rulesets.chariotmaster.table.course import UM_PER_MM
from domain.rulesets.chariotmaster.table.shapes import Pose, Shape, bounds, opposite, polygons, shifted
from domain.rulesets.chariotmaster.table.travel import Obstacle, find_contacts, settle, travel

_UM_PER_CM = 10 * UM_PER_MM


def break_up(cascade: Cascade, chariot: int, *, away: int | None) -> None:
    """CM-70: leave a wreck where the body was; the driver is dragged behind the horses, or hurled off the cause."""
    before = cascade.board.chariots[chariot]
    pose = before.team_pose
    assert pose is not None, "a body stands where its team does"
    is_riding = before.driver == "riding"
    is_dragged = is_riding and before.horses > 0 and before.has_reins and _is_caught(cascade, chariot)
    centimetres = roll_for(cascade, "hurled", chariot)[0] if is_riding and not is_dragged else 0
    _emit_crash(cascade, chariot, pose, is_dragged=is_dragged)
    if not is_riding or is_dragged:
        return
    heading = pose.heading if away is None else away
    everything = obstacles(cascade.arena, cascade.board, without=())
    wreck = [other for other in everything if other.key[0] == wreck_piece(chariot)]
    body = _behind(cascade.arena.chariot, pose, part=1)
    edge = find_room(cascade.arena, cascade.arena.driver, body, wreck, heading=heading)
    if not _come_down(cascade, chariot, edge, heading=heading):
        cascade.drive(driver_piece(chariot), heading=heading, distance_um=centimetres * _UM_PER_CM, reason="hurled")


def let_go(cascade: Cascade, chariot: int) -> None:
    """CM-80: set down a dragged driver where he hung, cut loose or behind horses that are gone."""
    before = cascade.board.chariots[chariot]
    if before.driver == "dragged" and before.team_pose is not None:
        pose = _behind(cascade.arena.dragging, before.team_pose, part=1)
        set_down(cascade, chariot, pose, heading=opposite(pose.heading))


def drop_driver(cascade: Cascade, chariot: int) -> None:
    """T13 8: let the driver fall off, to right behind his chariot."""
    before = cascade.board.chariots[chariot]
    if before.driver != "riding" or before.team_pose is None:
        return
    behind_um = bounds(cascade.arena.chariot)[0] - bounds(cascade.arena.driver)[1]
    spot = shifted(before.team_pose, ahead_um=behind_um, left_um=0)
    _come_down(cascade, chariot, spot, heading=opposite(spot.heading))


def _come_down(cascade: Cascade, chariot: int, spot: Pose, *, heading: int) -> bool:
    """CM-128: set down a driver who flies or falls. A piece in his place collides with him, and he lies behind it.

    Return whether he collided.
    """
    driver, others = cascade.arena.driver, obstacles(cascade.arena, cascade.board, without=())
    met = () if settle(driver, spot, others) else find_contacts(driver, spot, others)
    set_down(cascade, chariot, spot, heading=heading)
    if met and cascade.may_collide:
        contact = choose_contact(cascade, met)
        cascade.collide(
            Clash(
                initiator=driver_piece(chariot),
                initiator_part=0,
                target=PieceId(contact.obstacle[0]),
                target_part=contact.obstacle[1],
                heading=heading,
                is_fall=True,
            )
        )
    return bool(met)


def kill_driver(cascade: Cascade, chariot: int) -> None:
    """CM-124: let the driver die; horses that dragged him stand alone."""
    before = cascade.board.chariots[chariot]
    after = replace(before, driver="dead")
    cascade.script.emit(DriverDied(chariot=chariot, team_pose=_team_pose(cascade, chariot, after)))


def _is_caught(cascade: Cascade, chariot: int) -> bool:
    return roll_for(cascade, "dragged", chariot)[0] >= cascade.box.numbers.dragged_min


def _emit_crash(cascade: Cascade, chariot: int, pose: Pose, *, is_dragged: bool) -> None:
    """Leave the wreck where the body was; a driver who hangs behind the horses takes them a base's length on.

    Where the horses have not so much room, the wreck makes it: it lies as near to the body's place as it can.
    """
    before = cascade.board.chariots[chariot]
    after = replace(before, has_body=False, driver="dragged" if is_dragged else before.driver)
    team_pose = _team_pose(cascade, chariot, after) if before.horses else None
    if is_dragged and team_pose is not None:
        team_pose = _drawn_on(cascade, chariot, team_pose)
    others = _others_beside(cascade, chariot, after, team_pose)
    spot = _behind(cascade.arena.chariot, pose, part=1)
    wreck_pose = find_nearest_room(cascade.arena, cascade.arena.wreck, spot, others, heading=pose.heading)
    cascade.script.emit(
        ChariotCrashed(chariot=chariot, wreck_pose=wreck_pose, team_pose=team_pose, is_driver_dragged=is_dragged)
    )


def _drawn_on(cascade: Cascade, chariot: int, pose: Pose) -> Pose:
    """Return where a team stands that has gone on by the length of its dragged driver, or up to the first contact."""
    rear_um, front_um, _, _ = bounds(cascade.arena.driver)
    others = obstacles(cascade.arena, cascade.board, without=(team_piece(chariot),))
    distance_um = front_um - rear_um
    return travel(cascade.arena.dragging, pose, others, heading=pose.heading, distance_um=distance_um).pose


def _team_pose(cascade: Cascade, chariot: int, after: Chariot) -> Pose | None:
    """Return where a team stands whose base has changed: its horses stay where they are."""
    before = cascade.board.chariots[chariot]
    pose = before.team_pose
    old, new = team_base(cascade.arena, before), team_base(cascade.arena, after)
    if pose is None or old == new:
        return pose
    ahead_um = old.parts[0].front_um - new.parts[0].front_um
    others = obstacles(cascade.arena, cascade.board, without=(team_piece(chariot),))
    return find_room(
        cascade.arena, new, shifted(pose, ahead_um=ahead_um, left_um=0), others, heading=opposite(pose.heading)
    )


def set_down(cascade: Cascade, chariot: int, spot: Pose, *, heading: int) -> None:
    """Put a driver on his feet at the first free spot from where he is thrown or falls."""
    before = cascade.board.chariots[chariot]
    after = replace(before, driver="on_foot")
    # The body still stands when its driver falls off as the last horse dies; the crash comes after that.
    is_standing = before.horses > 0 or before.has_body
    team_pose = _team_pose(cascade, chariot, after) if is_standing else None
    others = _others_beside(cascade, chariot, after, team_pose)
    pose = find_room(cascade.arena, cascade.arena.driver, spot, others, heading=heading)
    is_resting = cascade.board.active == chariot
    cascade.script.emit(DriverSetDown(chariot=chariot, pose=pose, team_pose=team_pose, is_resting=is_resting))


def _others_beside(cascade: Cascade, chariot: int, after: Chariot, team_pose: Pose | None) -> tuple[Obstacle, ...]:
    """Return the obstacles to a piece put down beside a team, that team standing on the base it has then."""
    others = obstacles(cascade.arena, cascade.board, without=(team_piece(chariot),))
    if team_pose is None:
        return others
    own = polygons(team_base(cascade.arena, after), team_pose)
    return others + tuple(
        Obstacle(key=(team_piece(chariot), place), heading=team_pose.heading, polygon=part)
        for place, part in enumerate(own)
    )


def _behind(shape: Shape, pose: Pose, *, part: int) -> Pose:
    """Return the middle of a part of a base."""
    rear_um, front_um = shape.parts[part].rear_um, shape.parts[part].front_um
    return shifted(pose, ahead_um=(rear_um + front_um) // 2, left_um=0)
