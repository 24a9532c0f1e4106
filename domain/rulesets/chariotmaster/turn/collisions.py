"""CM-40 to CM-47: collisions and rams: both sides roll, first the target suffers, then the initiator; one is moved.

A collision is always between two parts; each is resolved on the spot, with all that follows from it.
"""

from msgspec import Struct
from msgspec.structs import replace

from domain.rulesets.chariotmaster.box.component_file import BounceRow, RunningThroughRow, TargetDamage
from domain.rulesets.chariotmaster.box.tables import (
    body_value,
    bounce_row,
    collision_value,
    damage_loss,
    hits,
    impact,
    running_through_row,
)
from domain.rulesets.chariotmaster.harm.losses import lose
from domain.rulesets.chariotmaster.harm.luck import choose_contact, roll_together
from domain.rulesets.chariotmaster.race import outcomes as told
from domain.rulesets.chariotmaster.race.board import (
    Board,
    PieceId,
    chariot_of,
    current_turn,
    find_pose,
    is_fixed,
    is_on_foot,
    is_team,
    is_wreck,
    owner_of,
    team_piece,
    wreck_piece,
)
from domain.rulesets.chariotmaster.race.cascade import AnyScript, Cascade, Clash
from domain.rulesets.chariotmaster.race.racetrack import Arena, base_of, object_of, obstacles, part_of
from domain.rulesets.chariotmaster.table.alignment import align
from domain.rulesets.chariotmaster.table.course import UM_PER_MM
from domain.rulesets.chariotmaster.table.geometry import is_within
from domain.rulesets.chariotmaster.table.shapes import Pose, opposite, polygons
from domain.rulesets.chariotmaster.table.travel import Obstacle, Travel, is_free, travel
from domain.rulesets.chariotmaster.turn.pace import heed_lost_token

# CM-123: moves that a chariot makes by itself, even against its driver's will. All others are pushes.
_OWN_MOVES: tuple[told.MoveReason, ...] = ("moved", "whipped", "evaded", "braked", "swept", "stumbled")
_OBJECT_PARTS: tuple[told.AnyPart, ...] = ("low_obstacle", "high_obstacle")


class _Result(Struct, frozen=True, kw_only=True):
    """The effect of the dice of a collision."""

    bounce: int
    target_damage: int
    initiator_damage: int


def begin_cascade(script: AnyScript, arena: Arena, *, name: str) -> Cascade:
    """Begin a move and its consequences, under a name that is unique in the game."""
    return Cascade(script, arena, name=name, drive=drive, collide=collide)


def drive(
    cascade: Cascade,
    piece: PieceId,
    *,
    heading: int,
    distance_um: int,
    reason: told.MoveReason,
    is_chained: bool = False,
) -> None:
    """CM-123: move a piece straight for a distance or until contact, and resolve the collision there."""
    went = _go(cascade, piece, heading=heading, distance_um=distance_um, reason=reason)
    if went is None or not went.contacts:
        return
    if not cascade.may_collide:
        cascade.script.emit(told.CascadeEnded(collisions=cascade.collisions))
        return
    contact = choose_contact(cascade, went.contacts)
    target, target_part = contact.obstacle
    # CM-123: the rest of a push is lost; only a chariot's own move goes on through small pieces.
    rest_um = distance_um - went.distance_um if reason in _OWN_MOVES else 0
    collide(
        cascade,
        Clash(
            initiator=piece,
            initiator_part=contact.part,
            target=PieceId(target),
            target_part=target_part,
            heading=heading,
            reason=reason,
            rest_um=rest_um,
            is_chained=is_chained,
        ),
    )


def collide(cascade: Cascade, clash: Clash) -> None:
    """CM-43: roll, suffer, bounce: one collision and everything that follows from it."""
    cascade.collisions += 1
    arena, before = cascade.arena, cascade.board
    target_part = part_of(arena, before, clash.target, clash.target_part)
    is_run_through = not clash.is_ram and is_small(before, clash.target, target_part)
    result = _roll(cascade, clash)
    # CM-24, MO-4: a collision ends the turn of its initiator. Rams, and ways across small pieces, end it by table only.
    is_way_across = is_run_through and clash.rest_um > 0 and clash.reason == "moved"
    if _is_active(cascade, clash.initiator) and not (clash.is_ram or is_way_across):
        cascade.turn_end = cascade.turn_end or "collision"
    _suffer(cascade, clash.target, target_part, count=result.target_damage, away=clash.heading)
    own_part = part_of(arena, before, clash.initiator, clash.initiator_part)
    _suffer(cascade, clash.initiator, own_part, count=result.initiator_damage, away=opposite(clash.heading))
    if target_part in _OBJECT_PARTS:
        _take_effect(cascade, clash)
    if is_run_through:
        _run_through(cascade, clash, before, running_through_row(cascade.box, result.bounce))
    else:
        _rebound(cascade, clash, before, bounce_row(cascade.box, result.bounce))


def is_small(board: Board, piece: PieceId, part: told.AnyPart) -> bool:
    """CM-34: state whether a part is at most half as high as a horse: wrecks, drivers on the ground, some objects."""
    if is_on_foot(piece):
        driver = board.chariots[owner_of(piece)]
        return bool(driver.fallen_for or driver.unconscious_for)
    return part in ("wreck", "driver", "low_obstacle")


def dice_of(arena: Arena, board: Board, piece: PieceId, part: told.AnyPart) -> int:
    """CM-42, T3: how many dice a part rolls in a collision."""
    match part:
        case "horses":
            chariot = board.chariots[owner_of(piece)]
            return collision_value(arena.box, "horses") * chariot.horses + chariot.fitting.team_value
        case "body":
            return body_value(arena.box, board.chariots[owner_of(piece)].structure)
        case "low_obstacle" | "high_obstacle":
            return object_of(arena, piece).plan.dice
        case "wall" if arena.plan.wall_dice is not None:
            return arena.plan.wall_dice
        case _:
            return collision_value(arena.box, part)


def _go(cascade: Cascade, piece: PieceId, *, heading: int, distance_um: int, reason: told.MoveReason) -> Travel | None:
    """Move a piece until contact, and no more."""
    pose = find_pose(cascade.board, piece)
    if pose is None or distance_um <= 0:
        return None
    others = obstacles(cascade.arena, cascade.board, without=(piece,))
    base = base_of(cascade.arena, cascade.board, piece)
    went = travel(base, pose, others, heading=heading, distance_um=distance_um)
    _emit_move(cascade, piece, pose, went, reason)
    return went


def _emit_move(cascade: Cascade, piece: PieceId, before: Pose, went: Travel, reason: told.MoveReason) -> None:
    if went.pose != before:
        cascade.script.emit(
            told.PieceMoved(piece=piece, reason=reason, before=before, after=went.pose, distance_um=went.distance_um)
        )


def _roll(cascade: Cascade, clash: Clash) -> _Result:
    arena, board = cascade.arena, cascade.board
    own_part = part_of(arena, board, clash.initiator, clash.initiator_part)
    target_part = part_of(arena, board, clash.target, clash.target_part)
    own_dice = dice_of(arena, board, clash.initiator, own_part)
    if clash.is_ram and not clash.holds_back:
        own_dice += cascade.box.numbers.ram_bonus
    target_dice = dice_of(arena, board, clash.target, target_part)
    own, others = roll_together(
        cascade,
        "collision",
        ((chariot_of(clash.initiator), own_dice), (chariot_of(clash.target), target_dice)),
    )
    bounce = impact(cascade.box, own) - impact(cascade.box, others)
    cascade.script.emit(
        told.PiecesCollided(
            initiator=clash.initiator,
            initiator_part=own_part,
            initiator_faces=own,
            target=clash.target,
            target_part=target_part,
            target_faces=others,
            heading=clash.heading,
            is_ram=clash.is_ram,
            bounce=bounce,
        )
    )
    return _Result(bounce=bounce, target_damage=hits(cascade.box, own), initiator_damage=hits(cascade.box, others))


def _suffer(cascade: Cascade, piece: PieceId, part: told.AnyPart, *, count: int, away: int) -> None:
    """CM-44, T4: take the points that damage to a part costs its chariot."""
    kind, chariot = damage_loss(cascade.box, part), chariot_of(piece)
    if chariot is not None and kind != "nothing":
        lose(cascade, chariot, kind, count=count, away=away)


def _take_effect(cascade: Cascade, clash: Clash) -> None:
    """CM-141: take the point that an object of the course costs a chariot that runs into it."""
    kind, chariot = object_of(cascade.arena, clash.target).plan.loses, chariot_of(clash.initiator)
    if chariot is not None and kind != "nothing":
        lose(cascade, chariot, kind, away=opposite(clash.heading))


def _run_through(cascade: Cascade, clash: Clash, before: Board, row: RunningThroughRow) -> None:
    """CM-45, T5: both sides suffer by the row, then the initiator finishes its move, if it can."""
    # The horses that are entangled and the body that rocks are the initiator's: a driver on foot has neither.
    if row.loses != "nothing" and is_team(clash.initiator):
        lose(cascade, owner_of(clash.initiator), row.loses)
    for part in _hurt_parts(cascade, clash, before, row.target_damage):
        _suffer(cascade, clash.target, part, count=1, away=clash.heading)
    if not row.goes_on:
        _align(cascade, clash, before)
    if row.destroys_wreck:
        _destroy(cascade, clash.target)
    _end_turn(cascade, clash, ends_turn=row.ends_turn)
    if row.goes_on and clash.rest_um and _stands_as(cascade, clash.initiator, before):
        rest_um = _heed_lost_token(cascade, clash)
        if rest_um:
            _go_through(cascade, replace(clash, rest_um=rest_um))


def _heed_lost_token(cascade: Cascade, clash: Clash) -> int:
    """CM-92: return how far a move still leads; that of the active chariot by the token that it has left by now."""
    if clash.reason != "moved" or cascade.board.turn is None:
        return clash.rest_um
    heed_lost_token(cascade)
    state = current_turn(cascade.board)
    return min(clash.rest_um, max(state.max_um - state.travelled_um, 0))


def _hurt_parts(cascade: Cascade, clash: Clash, before: Board, damage: TargetDamage) -> tuple[told.AnyPart, ...]:
    """Return the parts of a target that suffer a point more: of several a die takes one, or each has its share."""
    parts = tuple(part.name for part in base_of(cascade.arena, before, clash.target).parts)
    match damage:
        case "none":
            return ()
        case "one_part":
            return (parts[cascade.script.roll("part", dice=1, sides=len(parts))[0] - 1 if len(parts) > 1 else 0],)
        case "two_shared":
            return parts if len(parts) > 1 else parts * 2


def _go_through(cascade: Cascade, clash: Clash) -> None:
    """Finish the move across small pieces; an initiator that would end on top of one stays on the near side (CM-121).

    The next small piece on the way is met wherever it stands: beside the first, or so close behind that both are
    crossed at once.
    """
    pose = find_pose(cascade.board, clash.initiator)
    if pose is None:
        return
    crossed = (*clash.crossed, clash.target)
    base = base_of(cascade.arena, cascade.board, clash.initiator)
    everything = obstacles(cascade.arena, cascade.board, without=(clash.initiator,))
    others = [other for other in everything if not _is_run_across(cascade, crossed, other)]
    went = travel(base, pose, others, heading=clash.heading, distance_um=clash.rest_um)
    is_clear = is_free(base, went.pose, everything)
    if is_clear:
        _emit_move(cascade, clash.initiator, pose, went, clash.reason)
    if not went.contacts or not cascade.may_collide:
        return
    contact = choose_contact(cascade, went.contacts)
    target, target_part = PieceId(contact.obstacle[0]), contact.obstacle[1]
    if is_clear or is_small(cascade.board, target, part_of(cascade.arena, cascade.board, target, target_part)):
        cascade.collide(
            Clash(
                initiator=clash.initiator,
                initiator_part=contact.part,
                target=target,
                target_part=target_part,
                heading=clash.heading,
                reason=clash.reason,
                rest_um=clash.rest_um - (went.distance_um if is_clear else 0),
                crossed=crossed,
                is_chained=clash.is_chained,
            )
        )


def _is_run_across(cascade: Cascade, crossed: tuple[PieceId, ...], other: Obstacle) -> bool:
    """Return whether an obstacle is a small part of these pieces: a dragged driver is, his horses are not."""
    piece, place = PieceId(other.key[0]), other.key[1]
    return piece in crossed and is_small(cascade.board, piece, part_of(cascade.arena, cascade.board, piece, place))


def _rebound(cascade: Cascade, clash: Clash, before: Board, row: BounceRow) -> None:
    """CM-45, T6: align, then one of the two is moved, even if the target is in pieces by now."""
    _align(cascade, clash, before)
    is_chained = clash.is_chained or _is_active(cascade, clash.initiator)
    # A driver who comes down behind his target has no way back.
    if row.back_mm and not clash.is_fall:
        drive(
            cascade,
            clash.initiator,
            heading=opposite(clash.heading),
            distance_um=row.back_mm * UM_PER_MM,
            reason="bounced",
            is_chained=is_chained,
        )
    if row.push_mm and not is_fixed(clash.target):
        drive(
            cascade,
            _what_is_left(cascade, clash, before),
            heading=clash.heading,
            distance_um=row.push_mm * UM_PER_MM,
            reason="pushed",
            is_chained=is_chained,
        )
        follow_um = row.follow_mm * UM_PER_MM
        _go(cascade, clash.initiator, heading=clash.heading, distance_um=follow_um, reason="followed")
    if row.destroys_wreck:
        _destroy(cascade, clash.target)
    _end_turn(cascade, clash, ends_turn=row.ends_turn)


def _what_is_left(cascade: Cascade, clash: Clash, before: Board) -> PieceId:
    """CM-45: return the piece that is pushed: a body that was hit and crashed is a wreck now."""
    part = part_of(cascade.arena, before, clash.target, clash.target_part)
    if part == "body" and not cascade.board.chariots[owner_of(clash.target)].has_body:
        return wreck_piece(owner_of(clash.target))
    return clash.target


def _align(cascade: Cascade, clash: Clash, before: Board) -> None:
    """CM-47: turn the initiator flush with the target, if neither has changed and both still touch.

    A rammer may touch with another part than the one that rams, and so may its target be touched.
    """
    if not _stands_as(cascade, clash.initiator, before):
        return
    pose = find_pose(cascade.board, clash.initiator)
    assert pose is not None, "a piece that stands as before is on the table"
    others = obstacles(cascade.arena, cascade.board, without=(clash.initiator,))
    target = (clash.target, clash.target_part)
    met = [other for other in others if other.key[0] == clash.target and (other.key == target or clash.is_ram)]
    base = base_of(cascade.arena, cascade.board, clash.initiator)
    limit_um = cascade.box.numbers.touching_mm * UM_PER_MM
    touching = [
        (part, other)
        for part, own in enumerate(polygons(base, pose))
        for other in met
        if is_within(own, other.polygon, limit_um=limit_um)
    ]
    if not touching:
        return
    part, other = min(touching, key=lambda piece: (piece[0] != clash.initiator_part, piece[1].key != target))
    turned = align(base, pose, others, part=part, target=other)
    if turned.pose != pose:
        cascade.script.emit(
            told.PieceMoved(piece=clash.initiator, reason="aligned", before=pose, after=turned.pose, distance_um=0)
        )


def _stands_as(cascade: Cascade, piece: PieceId, before: Board) -> bool:
    """Return whether a piece has neither moved nor changed its base since."""
    pose = find_pose(before, piece)
    if pose is None or pose != find_pose(cascade.board, piece):
        return False
    return base_of(cascade.arena, before, piece) == base_of(cascade.arena, cascade.board, piece)


def _destroy(cascade: Cascade, piece: PieceId) -> None:
    if is_wreck(piece) and find_pose(cascade.board, piece) is not None:
        cascade.script.emit(told.WreckDestroyed(chariot=owner_of(piece)))


def _end_turn(cascade: Cascade, clash: Clash, *, ends_turn: bool) -> None:
    """CM-46: end the active chariot's turn for a collision of its own, or of a piece pushed by one."""
    is_of_chain = clash.is_chained and cascade.board.options.chained_bounce == "ends_turn"
    if ends_turn and (is_of_chain or _is_active(cascade, clash.initiator)):
        cascade.turn_end = "bounce"


def _is_active(cascade: Cascade, piece: PieceId) -> bool:
    return cascade.board.active is not None and piece == team_piece(cascade.board.active)
