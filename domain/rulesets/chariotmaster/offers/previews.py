"""Foreseeing a legal step of a chariot's turn: measured and counted on the board as it is; no die is thrown."""

from typing import assert_never

from domain.rulesets.chariotmaster.harm.luck import DIE_SIDES
from domain.rulesets.chariotmaster.offers import foreseen
from domain.rulesets.chariotmaster.offers.measuring import Ground, measure_end, measure_rest, name_contacts, survey
from domain.rulesets.chariotmaster.offers.move_choices import foresee_test
from domain.rulesets.chariotmaster.race import actions
from domain.rulesets.chariotmaster.race.board import Board, owner_of, team_piece
from domain.rulesets.chariotmaster.race.racetrack import Arena, part_of
from domain.rulesets.chariotmaster.table.course import UM_PER_MM
from domain.rulesets.chariotmaster.table.travel import travel, turn
from domain.rulesets.chariotmaster.turn.attacks import bite_dice, may_defend, price_of, ram_dice
from domain.rulesets.chariotmaster.turn.collisions import dice_of
from domain.rulesets.chariotmaster.turn.sub_moves import plan_sub_move

_UM_PER_CM = 10 * UM_PER_MM


def foresee_move(arena: Arena, board: Board, action: actions.MoveAction) -> foreseen.MoveForeseen:
    """Foresee a legal step."""
    ground = survey(arena, board)
    match action:
        case actions.ChangeSpeed():
            return _foresee_speed(ground, action)
        case actions.AnnounceSubMove():
            return foreseen.AnnounceForeseen(
                odds=foresee_test(arena, ground), skid=_foresee_rest(arena, ground, is_skid=True)
            )
        case actions.MakeSubMove():
            return _foresee_sub_move(arena, ground, action)
        case actions.MakeUTurn():
            hinge, degrees = action.pivot.hinge, action.pivot.degrees
            turned = turn(ground.base, ground.pose, ground.others, hinge=hinge, degrees=degrees)
            return foreseen.UTurnForeseen(end=measure_end(arena, ground, turned.pose))
        case actions.GoOn():
            return foreseen.GoOnForeseen(way=_foresee_rest(arena, ground, is_skid=ground.turn.is_skidding))
        case actions.Attack():
            return _foresee_attack(arena, ground, action)
        case actions.Stop():
            return foreseen.StopForeseen(travelled_um=ground.turn.travelled_um)
        case _:
            assert_never(action)


def foresee_price(board: Board, chariot: int, stamina: int) -> foreseen.Price:
    """Foresee the loss that a payment causes."""
    missing = max(stamina - board.chariots[chariot].stamina, 0)
    return foreseen.Price(stamina=stamina, table_rolls=missing, table_modifier=board.chariots[chariot].stamina_modifier)


def _foresee_speed(ground: Ground, action: actions.ChangeSpeed) -> foreseen.SpeedForeseen:
    low, high = (-DIE_SIDES, -1) if action.change == "brake" else (1, DIE_SIDES)
    return foreseen.SpeedForeseen(
        change=action.change,
        price=foresee_price(ground.board, ground.turn.chariot, 1),
        min_um=(ground.turn.min_um + low * _UM_PER_CM, ground.turn.min_um + high * _UM_PER_CM),
        max_um=(ground.turn.max_um + low * _UM_PER_CM, ground.turn.max_um + high * _UM_PER_CM),
    )


def _foresee_sub_move(arena: Arena, ground: Ground, action: actions.MakeSubMove) -> foreseen.SubMoveForeseen:
    plan = plan_sub_move(arena, ground.board, action)
    way = _foresee_way(arena, ground, heading=plan.heading, distance_um=plan.distance_um)
    end = way.after
    if action.pivot is not None:
        hinge, degrees = action.pivot.hinge, action.pivot.degrees
        end = turn(ground.base, end, ground.others, hinge=hinge, degrees=degrees).pose
    return foreseen.SubMoveForeseen(
        price=foresee_price(ground.board, ground.turn.chariot, 0 if action.way == "ahead" else 1),
        way=way,
        end=None if plan.across is not None else measure_end(arena, ground, end),
        left_um=ground.room_um - plan.distance_um,
    )


def _foresee_rest(arena: Arena, ground: Ground, *, is_skid: bool) -> foreseen.Way:
    """Foresee the rest of the maximum: in a skid the way of the last sub-move, else straight ahead."""
    heading = measure_rest(arena, ground, is_skid=is_skid).heading
    return _foresee_way(arena, ground, heading=heading, distance_um=max(ground.room_um, 0))


def _foresee_way(arena: Arena, ground: Ground, *, heading: int, distance_um: int) -> foreseen.Way:
    went = travel(ground.base, ground.pose, ground.others, heading=heading, distance_um=distance_um)
    clash = None
    if went.contacts:
        board, own = ground.board, team_piece(ground.turn.chariot)
        met = name_contacts(arena, board, went.contacts)[0]
        own_dice = dice_of(arena, board, own, part_of(arena, board, own, went.contacts[0].part))
        clash = foreseen.Clash(met=met, dice=_dice(arena, own_dice, dice_of(arena, board, met.piece, met.part)))
    return foreseen.Way(before=ground.pose, after=went.pose, distance_um=went.distance_um, clash=clash)


def _foresee_attack(arena: Arena, ground: Ground, action: actions.Attack) -> foreseen.AttackForeseen:
    board, own = ground.board, ground.turn.chariot
    dice, duel_won, duel_drawn = None, None, None
    match action.means:
        case "ram" | "ram_with_horses":
            dice = _dice(arena, *ram_dice(arena, board, action))
        case "bite":
            dice = _dice(arena, bite_dice(arena, board, own), bite_dice(arena, board, owner_of(action.target)))
        case "whip_driver":
            duel_won, duel_drawn = _foresee_duel(board, own, owner_of(action.target))
        case "whip_horses":
            pass  # a die states how far they bolt
    return foreseen.AttackForeseen(
        means=action.means,
        price=foresee_price(board, own, price_of(arena, board, action)),
        may_be_defended=may_defend(board, action.target),
        dice=dice,
        duel_won=duel_won,
        duel_drawn=duel_drawn,
    )


def _foresee_duel(board: Board, own: int, target: int) -> tuple[int, int]:
    """Count the throws of two dice in which a driver beats the other, and those in which they are equal."""
    mine, theirs = board.chariots[own], board.chariots[target]
    lead = mine.skill + mine.health - theirs.skill - theirs.health
    faces = range(1, DIE_SIDES + 1)
    leads = [lead + face - other for face in faces for other in faces]
    return sum(lead > 0 for lead in leads), leads.count(0)


def _dice(arena: Arena, own: int, theirs: int) -> foreseen.Dice:
    return foreseen.Dice(own=own, theirs=theirs, hit_faces=DIE_SIDES + 1 - arena.box.numbers.hit_min)
