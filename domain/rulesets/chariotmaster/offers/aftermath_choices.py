"""The choices of a chariot's aftermath: walks measured in some directions, tests with their odds."""

from typing import assert_never

from domain.rulesets.chariotmaster.aftermath.aftermath import find_stage
from domain.rulesets.chariotmaster.aftermath.shaft import climb_aims
from domain.rulesets.chariotmaster.aftermath.walking import is_at_edge, legs_of, reach_um, walk_to_edge
from domain.rulesets.chariotmaster.box.tables import grab_modifier, third_of
from domain.rulesets.chariotmaster.harm.luck import DIE_SIDES
from domain.rulesets.chariotmaster.offers import choices, foreseen
from domain.rulesets.chariotmaster.offers.measuring import name_contacts, odds_of
from domain.rulesets.chariotmaster.race.actions import AftermathAction, Climb, CutLoose, HangOn, Leg, StayPut, Walk
from domain.rulesets.chariotmaster.race.board import Board, driver_piece
from domain.rulesets.chariotmaster.race.racetrack import Arena, obstacles
from domain.rulesets.chariotmaster.table.course import UM_PER_MM
from domain.rulesets.chariotmaster.table.sines import FULL_TURN
from domain.rulesets.chariotmaster.table.travel import travel
from domain.rulesets.chariotmaster.turn.pace import allowed_tokens

# Enough to go round anything: every fifteen degrees.
_RAY_DEGREES = 15


def list_aftermath(arena: Arena, board: Board) -> choices.AftermathChoices:
    """List the legal answers to a decision of a chariot's aftermath."""
    assert board.aftermath is not None, "a chariot has moved"
    chariot, stage = board.aftermath.chariot, find_stage(board)
    if stage == "walk":
        return _list_walks(arena, board, chariot)
    if stage == "cut_loose":
        odds = _odds_of_cutting(arena, board, chariot)
        return choices.CutLooseChoices(chariot=chariot, odds=odds, candidates=(CutLoose(), HangOn()))
    assert stage == "climb", f"nothing is asked at {stage}"
    aims = climb_aims(board.chariots[chariot])
    return choices.ClimbChoices(
        chariot=chariot,
        aims=aims,
        odds=_odds_of_grabbing(arena, board, chariot),
        candidates=(*(Climb(aim=aim) for aim in aims), StayPut()),
    )


def foresee_aftermath(arena: Arena, board: Board, action: AftermathAction) -> foreseen.AftermathForeseen:
    """Foresee a legal answer."""
    assert board.aftermath is not None, "a chariot has moved"
    chariot = board.aftermath.chariot
    match action:
        case Walk():
            return _foresee_walk(arena, board, chariot, action)
        case CutLoose():
            return foreseen.CutLooseForeseen(odds=_odds_of_cutting(arena, board, chariot))
        case HangOn():
            return foreseen.StayForeseen(health_min=third_of(1), health_max=third_of(DIE_SIDES))
        case Climb():
            return foreseen.ClimbForeseen(aim=action.aim, odds=_odds_of_grabbing(arena, board, chariot))
        case StayPut():
            return foreseen.StayForeseen(health_min=0, health_max=0)
        case _:
            assert_never(action)


def _list_walks(arena: Arena, board: Board, chariot: int) -> choices.WalkChoices:
    pose = board.chariots[chariot].driver_pose
    assert pose is not None, "who is on foot stands somewhere"
    others = obstacles(arena, board, without=(driver_piece(chariot),))
    room_um = reach_um(arena, board.chariots[chariot])
    rays: list[choices.Ray] = []
    for heading in range(0, FULL_TURN, _RAY_DEGREES):
        went = travel(arena.driver, pose, others, heading=heading, distance_um=room_um)
        contacts = name_contacts(arena, board, went.contacts)
        rays.append(choices.Ray(heading=heading, free_um=went.distance_um, contacts=contacts))
    walks = [walk_to_edge(arena, board, chariot), Walk(legs=())]
    for ray in rays:
        distance_mm = ray.free_um // UM_PER_MM
        if distance_mm:
            walks.append(Walk(legs=(Leg(heading=ray.heading, distance_mm=distance_mm),)))
    return choices.WalkChoices(
        chariot=chariot,
        pose=pose,
        reach_um=room_um,
        is_at_edge=is_at_edge(arena, pose),
        rays=tuple(rays),
        candidates=tuple(dict.fromkeys(walks)),
    )


def _foresee_walk(arena: Arena, board: Board, chariot: int, action: Walk) -> foreseen.WalkForeseen:
    legs = tuple(legs_of(arena, board, chariot, action))
    pose = legs[-1].after if legs else board.chariots[chariot].driver_pose
    assert pose is not None, "who is on foot stands somewhere"
    return foreseen.WalkForeseen(
        poses=tuple(leg.after for leg in legs),
        distance_um=sum(leg.distance_um for leg in legs),
        leaves_track=is_at_edge(arena, pose),
    )


def _odds_of_cutting(arena: Arena, board: Board, chariot: int) -> choices.Odds:
    return odds_of(arena.box, modifier=0, skill=board.chariots[chariot].skill)


def _odds_of_grabbing(arena: Arena, board: Board, chariot: int) -> tuple[choices.GrabOdds, ...]:
    state = board.chariots[chariot]
    return tuple(
        choices.GrabOdds(
            token=token, odds=odds_of(arena.box, modifier=grab_modifier(arena.box, token), skill=state.skill)
        )
        for token in allowed_tokens(state)
    )
