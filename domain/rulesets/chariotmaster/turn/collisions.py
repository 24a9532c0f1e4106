"""Collisions and rams: both sides roll, the target suffers first, then the initiator, then they bounce or run through.

A collision is always between two parts; each is resolved on the spot, with all that follows from it.
"""

from msgspec import Struct

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
from domain.rulesets.chariotmaster.harm.luck import roll_together
from domain.rulesets.chariotmaster.race.board import (
    Board,
    PieceId,
    chariot_of,
    find_pose,
    is_on_foot,
    is_wall,
    is_wreck,
    owner_of,
    team_piece,
    wreck_piece,
)
from domain.rulesets.chariotmaster.race.cascade import AnyScript, Cascade, Clash
from domain.rulesets.chariotmaster.race.outcomes import (
    AnyPart,
    CascadeEnded,
    MoveReason,
    PieceMoved,
    PiecesCollided,
    WreckDestroyed,
)
from domain.rulesets.chariotmaster.race.racetrack import Arena, base_of, obstacles, part_of
from domain.rulesets.chariotmaster.table.alignment import align
from domain.rulesets.chariotmaster.table.course import UM_PER_MM
from domain.rulesets.chariotmaster.table.geometry import is_within
from domain.rulesets.chariotmaster.table.shapes import Pose, opposite, polygons
from domain.rulesets.chariotmaster.table.travel import Contact, Obstacle, Travel, is_free, travel


class _Result(Struct, frozen=True, kw_only=True):
    """What the dice of a collision say."""

    bounce: int
    target_damage: int
    initiator_damage: int


def begin_cascade(script: AnyScript, arena: Arena, *, name: str, mover: int | None) -> Cascade:
    """Begin a move and what follows from it, under a name that is unique in the game."""
    return Cascade(script, arena, name=name, mover=mover, drive=drive, collide=collide)


def drive(cascade: Cascade, piece: PieceId, *, heading: int, distance_um: int, reason: MoveReason) -> None:
    """Move a piece straight until it has gone so far or met something, and resolve what it has met."""
    went = _go(cascade, piece, heading=heading, distance_um=distance_um, reason=reason)
    if went is None or not went.contacts:
        return
    if not cascade.may_collide:
        cascade.script.emit(CascadeEnded(collisions=cascade.collisions))
        return
    contact = _choose(cascade, went.contacts)
    target, target_part = contact.obstacle
    # What is left of a push is lost; only who moves by itself can go on through something small.
    rest_um = distance_um - went.distance_um if reason == "moved" else 0
    collide(
        cascade,
        Clash(
            initiator=piece,
            initiator_part=contact.part,
            target=PieceId(target),
            target_part=target_part,
            heading=heading,
            rest_um=rest_um,
        ),
    )


def collide(cascade: Cascade, clash: Clash) -> None:
    """Roll, suffer, bounce: one collision and everything that follows from it."""
    cascade.collisions += 1
    arena, before = cascade.arena, cascade.board
    target_part = part_of(arena, before, clash.target, clash.target_part)
    is_run_through = not clash.is_ram and is_small(before, clash.target, target_part)
    result = _roll(cascade, clash)
    _suffer(cascade, clash.target, target_part, count=result.target_damage, away=clash.heading)
    own_part = part_of(arena, before, clash.initiator, clash.initiator_part)
    _suffer(cascade, clash.initiator, own_part, count=result.initiator_damage, away=opposite(clash.heading))
    if is_run_through:
        _run_through(cascade, clash, before, running_through_row(cascade.box, result.bounce))
    else:
        _rebound(cascade, clash, before, bounce_row(cascade.box, result.bounce))


def is_small(board: Board, piece: PieceId, part: AnyPart) -> bool:
    """Say whether something is at most half as high as a horse: wrecks, and drivers on the ground."""
    if is_on_foot(piece):
        driver = board.chariots[owner_of(piece)]
        return bool(driver.fallen_for or driver.unconscious_for)
    return part in ("wreck", "driver")


def dice_of(arena: Arena, board: Board, piece: PieceId, part: AnyPart) -> int:
    """T3: how many dice a part rolls in a collision."""
    match part:
        case "horses":
            chariot = board.chariots[owner_of(piece)]
            return collision_value(arena.box, "horses") * chariot.horses + chariot.fitting.team_value
        case "body":
            return body_value(arena.box, board.chariots[owner_of(piece)].structure)
        case _:
            return collision_value(arena.box, part)


def _go(cascade: Cascade, piece: PieceId, *, heading: int, distance_um: int, reason: MoveReason) -> Travel | None:
    """Move a piece until contact, and no more."""
    pose = find_pose(cascade.board, piece)
    if pose is None or distance_um <= 0:
        return None
    others = obstacles(cascade.arena, cascade.board, without=(piece,))
    base = base_of(cascade.arena, cascade.board, piece)
    went = travel(base, pose, others, heading=heading, distance_um=distance_um)
    _emit_move(cascade, piece, pose, went, reason)
    return went


def _emit_move(cascade: Cascade, piece: PieceId, before: Pose, went: Travel, reason: MoveReason) -> None:
    if went.pose != before:
        cascade.script.emit(
            PieceMoved(piece=piece, reason=reason, before=before, after=went.pose, distance_um=went.distance_um)
        )


def _choose(cascade: Cascade, contacts: tuple[Contact, ...]) -> Contact:
    """Of parts met at the same micrometre a die takes one; the stretches of a wall are one wall."""
    distinct: dict[tuple[int, int, int], Contact] = {}
    for contact in contacts:
        piece, place = contact.obstacle
        distinct.setdefault((contact.part, piece, -1 if piece < 0 else place), contact)
    met = list(distinct.values())
    if len(met) == 1:
        return met[0]
    (face,) = cascade.script.roll("contact", dice=1, sides=len(met))
    return met[face - 1]


def _roll(cascade: Cascade, clash: Clash) -> _Result:
    arena, board = cascade.arena, cascade.board
    own_part = part_of(arena, board, clash.initiator, clash.initiator_part)
    target_part = part_of(arena, board, clash.target, clash.target_part)
    own_dice = dice_of(arena, board, clash.initiator, own_part) + clash.is_ram * cascade.box.numbers.ram_bonus
    target_dice = dice_of(arena, board, clash.target, target_part)
    own, others = roll_together(
        cascade,
        "collision",
        ((chariot_of(clash.initiator), own_dice), (chariot_of(clash.target), target_dice)),
    )
    bounce = impact(cascade.box, own) - impact(cascade.box, others)
    cascade.script.emit(
        PiecesCollided(
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


def _suffer(cascade: Cascade, piece: PieceId, part: AnyPart, *, count: int, away: int) -> None:
    """T4: take the points that damage to a part costs its chariot."""
    kind, chariot = damage_loss(cascade.box, part), chariot_of(piece)
    if chariot is not None and kind != "nothing":
        lose(cascade, chariot, kind, count=count, away=away)


def _run_through(cascade: Cascade, clash: Clash, before: Board, row: RunningThroughRow) -> None:
    """T5: what small things do to who runs into them, and what he does to them; then he goes on, if he can."""
    if row.loses != "nothing":
        _suffer_as(cascade, clash.initiator, row)
    for part in _hurt_parts(cascade, clash, before, row.target_damage):
        _suffer(cascade, clash.target, part, count=1, away=clash.heading)
    if not row.goes_on:
        _align(cascade, clash, before)
    if row.destroys_wreck:
        _destroy(cascade, clash.target)
    _end_turn(cascade, clash, ends_turn=row.ends_turn)
    if row.goes_on and clash.rest_um and _stands_as(cascade, clash.initiator, before):
        _go_through(cascade, clash)


def _hurt_parts(cascade: Cascade, clash: Clash, before: Board, damage: TargetDamage) -> tuple[AnyPart, ...]:
    """Return the parts of a target that suffer a point more: of several a die takes one, or each has its share."""
    parts = tuple(part.name for part in base_of(cascade.arena, before, clash.target).parts)
    match damage:
        case "none":
            return ()
        case "one_part":
            return (parts[cascade.script.roll("part", dice=1, sides=len(parts))[0] - 1 if len(parts) > 1 else 0],)
        case "two_shared":
            return parts if len(parts) > 1 else parts * 2


def _suffer_as(cascade: Cascade, piece: PieceId, row: RunningThroughRow) -> None:
    chariot = chariot_of(piece)
    if chariot is not None and row.loses != "nothing":
        lose(cascade, chariot, row.loses)


def _go_through(cascade: Cascade, clash: Clash) -> None:
    """Finish the move across a small thing; who would end on top of it stays on the near side."""
    pose = find_pose(cascade.board, clash.initiator)
    if pose is None:
        return
    base = base_of(cascade.arena, cascade.board, clash.initiator)
    everything = obstacles(cascade.arena, cascade.board, without=(clash.initiator,))
    others = [other for other in everything if not _is_run_across(cascade, clash.target, other)]
    went = travel(base, pose, others, heading=clash.heading, distance_um=clash.rest_um)
    if not is_free(base, went.pose, everything):
        return
    _emit_move(cascade, clash.initiator, pose, went, "moved")
    if went.contacts and cascade.may_collide:
        contact = _choose(cascade, went.contacts)
        cascade.collide(
            Clash(
                initiator=clash.initiator,
                initiator_part=contact.part,
                target=PieceId(contact.obstacle[0]),
                target_part=contact.obstacle[1],
                heading=clash.heading,
                rest_um=clash.rest_um - went.distance_um,
            )
        )


def _is_run_across(cascade: Cascade, target: PieceId, other: Obstacle) -> bool:
    """Say whether an obstacle is the small part of a target: a dragged driver is, the horses that drag him are not."""
    piece, place = other.key
    return piece == target and is_small(cascade.board, target, part_of(cascade.arena, cascade.board, target, place))


def _rebound(cascade: Cascade, clash: Clash, before: Board, row: BounceRow) -> None:
    """T6: align, then somebody is pushed, even if the target is in pieces by now."""
    _align(cascade, clash, before)
    if row.back_mm:
        back_um = row.back_mm * UM_PER_MM
        drive(cascade, clash.initiator, heading=opposite(clash.heading), distance_um=back_um, reason="bounced")
    if row.push_mm and not is_wall(clash.target):
        target = _what_is_left(cascade, clash, before)
        drive(cascade, target, heading=clash.heading, distance_um=row.push_mm * UM_PER_MM, reason="pushed")
        follow_um = row.follow_mm * UM_PER_MM
        _go(cascade, clash.initiator, heading=clash.heading, distance_um=follow_um, reason="followed")
    if row.destroys_wreck:
        _destroy(cascade, clash.target)
    _end_turn(cascade, clash, ends_turn=row.ends_turn)


def _what_is_left(cascade: Cascade, clash: Clash, before: Board) -> PieceId:
    """Return what is pushed: a body that was hit and crashed is a wreck now."""
    part = part_of(cascade.arena, before, clash.target, clash.target_part)
    if part == "body" and not cascade.board.chariots[owner_of(clash.target)].has_body:
        return wreck_piece(owner_of(clash.target))
    return clash.target


def _align(cascade: Cascade, clash: Clash, before: Board) -> None:
    """Turn the initiator flush with what it met, if both still are what they were and still touch."""
    if not _stands_as(cascade, clash.initiator, before):
        return
    pose = find_pose(cascade.board, clash.initiator)
    others = obstacles(cascade.arena, cascade.board, without=(clash.initiator,))
    met = [other for other in others if other.key == (clash.target, clash.target_part)]
    base = base_of(cascade.arena, cascade.board, clash.initiator)
    if pose is None or not met:
        return
    own = polygons(base, pose)[clash.initiator_part]
    if not is_within(own, met[0].polygon, limit_um=cascade.box.numbers.touching_mm * UM_PER_MM):
        return
    turned = align(base, pose, others, part=clash.initiator_part, target=met[0])
    if turned.pose != pose:
        cascade.script.emit(
            PieceMoved(piece=clash.initiator, reason="aligned", before=pose, after=turned.pose, distance_um=0)
        )


def _stands_as(cascade: Cascade, piece: PieceId, before: Board) -> bool:
    """Say whether a piece has neither moved nor changed its base since."""
    pose = find_pose(before, piece)
    if pose is None or pose != find_pose(cascade.board, piece):
        return False
    return base_of(cascade.arena, before, piece) == base_of(cascade.arena, cascade.board, piece)


def _destroy(cascade: Cascade, piece: PieceId) -> None:
    if is_wreck(piece) and find_pose(cascade.board, piece) is not None:
        cascade.script.emit(WreckDestroyed(chariot=owner_of(piece)))


def _end_turn(cascade: Cascade, clash: Clash, *, ends_turn: bool) -> None:
    """End the active chariot's turn: for a collision of its own, and for any in the chain that its move began."""
    active = cascade.board.active
    if ends_turn and active is not None and (cascade.mover == active or clash.initiator == team_piece(active)):
        cascade.is_turn_ended = True
