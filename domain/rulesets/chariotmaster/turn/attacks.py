"""CM-50 to CM-57: rams, whips and bites on the parts beside the chariot, and the defences of their targets."""

from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from domain.rejection import IllegalAction
from domain.ruleset.decision import Decision
from domain.rulesets.chariotmaster.box.bases import axle
from domain.rulesets.chariotmaster.box.tables import hits, is_test_passed
from domain.rulesets.chariotmaster.harm.losses import gain, lose
from domain.rulesets.chariotmaster.harm.luck import roll_for, roll_together
from domain.rulesets.chariotmaster.race import outcomes as told
from domain.rulesets.chariotmaster.race.actions import Attack, Defend
from domain.rulesets.chariotmaster.race.board import (
    AttackMeans,
    Board,
    Chariot,
    PieceId,
    current_turn,
    find_pose,
    is_team,
    is_under_control,
    owner_of,
    team_piece,
)
from domain.rulesets.chariotmaster.race.cascade import AnyScript, Cascade, Clash
from domain.rulesets.chariotmaster.race.racetrack import Arena, base_of, part_of, standing, team_base
from domain.rulesets.chariotmaster.table.course import UM_PER_MM
from domain.rulesets.chariotmaster.table.geometry import Polygon, is_within
from domain.rulesets.chariotmaster.table.shapes import (
    Pose,
    Shape,
    Side,
    is_level,
    opposite,
    polygons,
    shifted,
    side_edge,
)
from domain.rulesets.chariotmaster.table.sines import FULL_TURN, QUARTER_TURN, direction
from domain.rulesets.chariotmaster.turn.collisions import begin_cascade, dice_of

_UM_PER_CM = 10 * UM_PER_MM
_WHIP_SLIPS = 6
_RAMS: tuple[AttackMeans, ...] = ("ram", "ram_with_horses")
_SIDE_TURNS: dict[Side, int] = {"front": 0, "left": QUARTER_TURN, "right": -QUARTER_TURN}


class NoSuchAttack(IllegalAction):
    """Nothing there can be attacked like that now."""

    code = "no-such-attack"


class Target(Struct, frozen=True, kw_only=True):
    """A part that can be attacked, how, and in which direction a ram goes."""

    attack: Attack
    heading: int


def list_attacks(arena: Arena, board: Board) -> tuple[Target, ...]:
    """CM-51: list the targets of the active chariot where it stands, in the order of pieces, parts and means."""
    turn = board.turn
    if turn is None or not turn.may_attack or not is_under_control(board.chariots[turn.chariot]):
        return ()
    pose = board.chariots[turn.chariot].team_pose
    assert pose is not None, "a chariot under control is on the table"
    return tuple(
        target
        for piece, shape, other in standing(arena, board)
        if piece != team_piece(turn.chariot)
        for target in _ways(arena, board, pose, piece, polygons(shape, other))
    )


def check_attack(arena: Arena, board: Board, action: Attack) -> None:
    """CM-50, CM-51: raise NoSuchAttack unless this attack is possible here and now."""
    possible = [target.attack for target in list_attacks(arena, board)]
    if action.holds_back and action.means not in _RAMS:
        raise NoSuchAttack(expected="a ram that holds back", found=action.means)
    if _with_force(action) not in possible:
        found = f"{action.means} of part {action.part} of {action.target}"
        raise NoSuchAttack(expected=f"one of {len(possible)} attacks", found=found)


def carry_out_attack(script: AnyScript, arena: Arena, action: Attack, *, name: str) -> told.TurnEnd | None:
    """CM-52: announce, pay, let the target defend itself, strike. Return why the attacker's turn is over, if it is."""
    turn = current_turn(script.board)
    before = list_attacks(arena, script.board)
    heading = next(target.heading for target in before if target.attack == _with_force(action))
    part = part_of(arena, script.board, action.target, action.part)
    cascade = begin_cascade(script, arena, name=name)
    price = price_of(arena, script.board, action)
    reach = _reach(arena, script.board, turn.chariot, action.target)
    script.emit(told.AttackAnnounced(chariot=turn.chariot, target=action.target, part=part, means=action.means))
    lose(cascade, turn.chariot, "stamina", count=price)
    # The cost of a payment comes first: the attacker's, or that of a defence that fails, may leave nothing in reach.
    if reach != _reach(arena, script.board, turn.chariot, action.target):
        script.emit(told.AttackEnded(chariot=turn.chariot, result="out_of_reach"))
    elif _is_avoided(cascade, turn.chariot, action):
        script.emit(told.AttackEnded(chariot=turn.chariot, result="avoided"))
    elif reach != _reach(arena, script.board, turn.chariot, action.target):
        script.emit(told.AttackEnded(chariot=turn.chariot, result="out_of_reach"))
    else:
        _strike(cascade, turn.chariot, action, heading)
        script.emit(told.AttackEnded(chariot=turn.chariot, result="carried_out"))
    return cascade.turn_end


def price_of(arena: Arena, board: Board, action: Attack) -> int:
    """CM-52: return the price of an attack: the first is free; a frightening target costs more (CM-106)."""
    turn, numbers = current_turn(board), arena.box.numbers
    price = numbers.further_attack_stamina if turn.attacked else 0
    if is_team(action.target) and is_frightening(board.chariots[owner_of(action.target)]):
        price += 0 if is_frightening(board.chariots[turn.chariot]) else numbers.frightening_attack_stamina
    return price


def is_frightening(chariot: Chariot) -> bool:
    """CM-106: state whether a chariot frightens: only while its body, its driver and a horse are alive and together."""
    return chariot.fitting.is_frightening and chariot.has_body and chariot.driver == "riding" and chariot.horses > 0


def may_defend(board: Board, piece: PieceId) -> bool:
    """CM-54: state whether the target of an attack can do anything about it."""
    if not is_team(piece):
        return False
    chariot = board.chariots[owner_of(piece)]
    return is_under_control(chariot) and not chariot.is_halted


def bite_dice(arena: Arena, board: Board, chariot: int) -> int:
    """CM-105: return how many dice a team rolls when teams bite each other."""
    return board.chariots[chariot].fitting.bite or dice_of(arena, board, team_piece(chariot), "horses")


def ram_dice(arena: Arena, board: Board, action: Attack) -> tuple[int, int]:
    """CM-55: return how many dice the attacker and its target roll in a ram."""
    piece = team_piece(current_turn(board).chariot)
    own_part = part_of(arena, board, piece, ram_part(action.means))
    own = dice_of(arena, board, piece, own_part) + (0 if action.holds_back else arena.box.numbers.ram_bonus)
    return own, dice_of(arena, board, action.target, part_of(arena, board, action.target, action.part))


def _with_force(action: Attack) -> Attack:
    """MO-5: a ram that holds back is possible wherever a ram is."""
    return replace(action, holds_back=False)


def ram_part(means: AttackMeans) -> int:
    """CM-104: return the place of the part that rams: the body behind, or the horses in front."""
    return 1 if means == "ram" else 0


def modifier_of_defence(arena: Arena, board: Board, target: int) -> int:
    """MO-8: return the modifier of a defence: every attack announced in this turn against this target counts."""
    return current_turn(board).attacked.count(team_piece(target)) * arena.box.numbers.defence_per_attack


def may_evade_freely(board: Board, attacker: int, target: int) -> bool:
    """CM-106: state whether the target's horses shy of their own accord."""
    return is_frightening(board.chariots[attacker]) and not is_frightening(board.chariots[target])


def _ways(arena: Arena, board: Board, pose: Pose, piece: PieceId, parts: tuple[Polygon, ...]) -> Iterator[Target]:
    """CM-50: a side touches the piece with any part, and the axle is level with the part that is attacked."""
    chariot = board.chariots[current_turn(board).chariot]
    side = _touching_side(arena, team_base(arena, chariot), pose, parts, ("left", "right"))
    team_sides = _team_sides(arena, chariot, pose, parts)
    for place, polygon in enumerate(parts):
        name = part_of(arena, board, piece, place)
        means: list[tuple[AttackMeans, Side]] = []
        if side is not None and is_level(pose, axle(arena.box), polygon):
            means.append(("ram", side))
            if chariot.has_whip and name == "horses":
                means.append(("whip_horses", side))
            if chariot.has_whip and name == "body" and _is_manned(board.chariots[owner_of(piece)]):
                means.append(("whip_driver", side))
        team_side = team_sides[place]
        if team_side is not None and chariot.fitting.rams_with_horses:
            means.append(("ram_with_horses", team_side))
        if team_side is not None and team_side != "front" and chariot.fitting.bite and name == "horses":
            means.append(("bite", team_side))
        for each, at in means:
            heading = (pose.heading + _SIDE_TURNS[at]) % FULL_TURN
            yield Target(attack=Attack(target=piece, part=place, means=each), heading=heading)


def _is_manned(chariot: Chariot) -> bool:
    """CM-53: state whether the driver stands in the body, and not on the shaft in front of it."""
    return chariot.driver == "riding" and chariot.grasp is None


def _touching_side(
    arena: Arena, base: Shape, pose: Pose, parts: Iterable[Polygon], sides: tuple[Side, ...]
) -> Side | None:
    limit_um = arena.box.numbers.touching_mm * UM_PER_MM
    edges = ((side, side_edge(base, pose, side)) for side in sides)
    return next((side for side, edge in edges for part in parts if is_within(edge, part, limit_um=limit_um)), None)


def _team_sides(arena: Arena, chariot: Chariot, pose: Pose, parts: tuple[Polygon, ...]) -> list[Side | None]:
    """CM-104, CM-105: for each part the side of the team it can be attacked on: beside it and level, or in front."""
    horses = team_base(arena, chariot).parts[0]
    own = shifted(pose, ahead_um=(horses.front_um + horses.rear_um) // 2, left_um=0)
    # A part that reaches no further than where two corners touch is not beside the team.
    corner_um = arena.box.numbers.touching_mm * UM_PER_MM
    stretch = horses.rear_um + corner_um, horses.front_um - corner_um
    beside = _touching_side(arena, arena.team, own, parts, ("left", "right"))
    return [
        beside if is_level(pose, stretch, part) else _touching_side(arena, arena.team, own, (part,), ("front",))
        for part in parts
    ]


def _reach(arena: Arena, board: Board, attacker: int, target: PieceId) -> tuple[bool, Pose | None, Pose | None, Shape]:
    """Return the conditions that must not change between announcing an attack and carrying it out."""
    is_able = is_under_control(board.chariots[attacker])
    return is_able, *_poses(board, attacker, target), base_of(arena, board, target)


def _poses(board: Board, attacker: int, target: PieceId) -> tuple[Pose | None, Pose | None]:
    return find_pose(board, team_piece(attacker)), find_pose(board, target)


def _is_avoided(cascade: Cascade, attacker: int, action: Attack) -> bool:
    """CM-54: ask the target, and let it try; state whether the attack comes to nothing."""
    if not may_defend(cascade.board, action.target):
        return False
    target = owner_of(action.target)
    seat, question = cascade.board.chariots[target].seat, cascade.next_question("defence")
    cascade.script.emit(told.DefenceOffered(chariot=target, decision=question))
    answer = cascade.script.ask(Decision(id=question, seat=seat, kind="plain"))
    means = answer.means if isinstance(answer, Defend) else None
    cascade.script.emit(told.DefenceChosen(chariot=target, means=means))
    if not isinstance(answer, Defend):
        return False
    lose(cascade, target, "stamina", count=cascade.box.numbers.defence_stamina)
    if not is_under_control(cascade.board.chariots[target]) or not _try_defence(cascade, attacker, target, answer):
        return False
    _get_away(cascade, attacker, target, answer)
    return True


def _try_defence(cascade: Cascade, attacker: int, target: int, answer: Defend) -> bool:
    modifier = modifier_of_defence(cascade.arena, cascade.board, target)
    face, is_passed = None, True
    if answer.means == "brake" or not may_evade_freely(cascade.board, attacker, target):
        (face,) = roll_for(cascade, "defence", target)
        skill = cascade.board.chariots[target].skill
        is_passed = is_test_passed(cascade.box, face, modifier=modifier, skill=skill)
    cascade.script.emit(
        told.DefenceTried(chariot=target, means=answer.means, face=face, modifier=modifier, is_passed=is_passed)
    )
    return is_passed


def _get_away(cascade: Cascade, attacker: int, target: int, answer: Defend) -> None:
    """CM-54: move straight back, or square to the own axis to the side away from the attacker."""
    (face,) = roll_for(cascade, answer.means, target)
    pose, other = _poses(cascade.board, target, team_piece(attacker))
    if pose is None or other is None:
        return
    away = _side_of(pose, other) * -QUARTER_TURN
    heading = opposite(pose.heading) if answer.means == "brake" else (pose.heading + away) % FULL_TURN
    fleeing = begin_cascade(cascade.script, cascade.arena, name=cascade.next_question("flight"))
    reason: told.MoveReason = "braked" if answer.means == "brake" else "evaded"
    fleeing.drive(team_piece(target), heading=heading, distance_um=face * _UM_PER_CM, reason=reason)
    _heed(cascade, fleeing)


def _side_of(pose: Pose, other: Pose) -> int:
    """Return 1 if the other is on the left of a base, -1 if it is on its right."""
    ahead = direction(pose.heading)
    aside = ahead[0] * (other.y_um - pose.y_um) - ahead[1] * (other.x_um - pose.x_um)
    return 1 if aside > 0 else -1


def _strike(cascade: Cascade, attacker: int, action: Attack, heading: int) -> None:
    match action.means:
        case "ram" | "ram_with_horses":
            cascade.collide(
                Clash(
                    initiator=team_piece(attacker),
                    initiator_part=ram_part(action.means),
                    target=action.target,
                    target_part=action.part,
                    heading=heading,
                    is_ram=True,
                    holds_back=action.holds_back,
                )
            )
        case "whip_horses":
            _whip_horses(cascade, attacker, owner_of(action.target))
        case "whip_driver":
            _whip_driver(cascade, attacker, owner_of(action.target))
        case "bite":
            _bite(cascade, attacker, owner_of(action.target))


def _whip_horses(cascade: Cascade, attacker: int, target: int) -> None:
    # CM-102: luck may change a die rolled for a chariot of one's own.
    (face,) = roll_for(cascade, "whipped", attacker if cascade.board.options.whip_roll == "attacker" else target)
    pose = cascade.board.chariots[target].team_pose
    assert pose is not None, "horses that are whipped are on the table"
    running = begin_cascade(cascade.script, cascade.arena, name=cascade.next_question("whipped"))
    running.drive(team_piece(target), heading=pose.heading, distance_um=face * _UM_PER_CM, reason="whipped")
    if face == _WHIP_SLIPS:
        gain(running, target, "out_of_control")
    lose(running, target, "stamina", count=cascade.box.numbers.whipped_horses_stamina)
    _heed(cascade, running)


def _heed(cascade: Cascade, other: Cascade) -> None:
    """CM-56: end the attacker's turn if the move of the target has thrown the attacker against a piece."""
    cascade.turn_end = cascade.turn_end or other.turn_end


def _whip_driver(cascade: Cascade, attacker: int, target: int) -> None:
    """CM-57: compare a die, skill and health: the better strikes, equals lose the attacker his whip."""
    mine, theirs = roll_together(cascade, "duel", ((attacker, 1), (target, 1)))
    drivers = cascade.board.chariots[attacker], cascade.board.chariots[target]
    lead = mine[0] + drivers[0].skill + drivers[0].health - (theirs[0] + drivers[1].skill + drivers[1].health)
    if lead == 0:
        gain(cascade, attacker, "no_whip")
    elif lead > 0:
        (face,) = roll_for(cascade, "lash", attacker)
        lose(cascade, target, "skill" if face <= cascade.box.numbers.whip_skill_max else "health")


def _bite(cascade: Cascade, attacker: int, target: int) -> None:
    """CM-105: let both teams bite; the side with fewer hits loses the difference."""
    rolls = tuple((number, bite_dice(cascade.arena, cascade.board, number)) for number in (attacker, target))
    mine, theirs = (hits(cascade.box, faces) for faces in roll_together(cascade, "bite", rolls))
    loser = target if mine > theirs else attacker
    lose(cascade, loser, "stamina", count=abs(mine - theirs))
