"""Every decision of this game in one place: the seat that owes it, the legal answers, the effect of an answer."""

from typing import assert_never

from domain.ruleset.decision import Decision
from domain.rulesets.chariotmaster.aftermath.aftermath import owed_aftermath
from domain.rulesets.chariotmaster.box.tables import read_token
from domain.rulesets.chariotmaster.harm.luck import DIE_SIDES
from domain.rulesets.chariotmaster.offers.aftermath_choices import foresee_aftermath, list_aftermath
from domain.rulesets.chariotmaster.offers.build_choices import foresee_build, list_builds
from domain.rulesets.chariotmaster.offers.choices import Choices, DefenceChoices, LuckChoices, TokenChoices, TokenOffer
from domain.rulesets.chariotmaster.offers.foreseen import DefenceForeseen, Foreseen, LuckForeseen, TokenForeseen
from domain.rulesets.chariotmaster.offers.measuring import look_ahead, odds_of
from domain.rulesets.chariotmaster.offers.move_choices import list_moves
from domain.rulesets.chariotmaster.offers.previews import foresee_move, foresee_price
from domain.rulesets.chariotmaster.race import actions
from domain.rulesets.chariotmaster.race.board import Board, owner_of
from domain.rulesets.chariotmaster.race.racetrack import Arena
from domain.rulesets.chariotmaster.rounds.mug import slip_for
from domain.rulesets.chariotmaster.rounds.workshop import chariot_to_build
from domain.rulesets.chariotmaster.table.course import UM_PER_MM
from domain.rulesets.chariotmaster.turn.attacks import may_evade_freely, modifier_of_defence
from domain.rulesets.chariotmaster.turn.chariot_turn import owed_step


def list_choices(arena: Arena, board: Board, decision: Decision) -> Choices:
    """List the legal answers to a decision that is owed."""
    if board.offered is not None:
        return list_luck(board)
    if board.threat is not None:
        return list_defences(arena, board)
    if decision in owed_step(board):
        return list_moves(arena, board)
    if decision in owed_aftermath(board):
        return list_aftermath(arena, board)
    if board.unbuilt:
        return list_builds(arena, board, chariot_to_build(decision))
    return list_tokens(arena, board, decision)


def foresee(arena: Arena, board: Board, decision: Decision, action: actions.Action) -> Foreseen:
    """Foresee a legal answer to a decision that is owed."""
    match action:
        case actions.BuildChariot():
            return foresee_build(arena, board, action)
        case actions.PutToken():
            return foresee_token(arena, board, decision, action)
        case actions.ModifyRoll() | actions.LeaveRoll():
            return foresee_luck(board, action)
        case actions.Defend() | actions.Endure():
            return foresee_defence(arena, board, action)
        case _ if isinstance(action, actions.AftermathAction):
            return foresee_aftermath(arena, board, action)
        case _ if isinstance(action, actions.MoveAction):
            return foresee_move(arena, board, action)
        case _:
            assert_never(action)


def list_tokens(arena: Arena, board: Board, decision: Decision) -> TokenChoices:
    """CM-130: list the tokens that may be put into the mug, and the use of each."""
    slip = slip_for(board, decision)
    reading = board.chariots[slip.chariot].fitting.reading
    rows = [read_token(arena.box, token, reading) for token in slip.tokens]
    return TokenChoices(
        chariot=slip.chariot,
        outlook=look_ahead(arena, board, slip.chariot),
        tokens=tuple(
            TokenOffer(
                token=row.token,
                min_um=row.min_mm * UM_PER_MM,
                max_um=row.max_mm * UM_PER_MM,
                pivot_degrees=row.pivot_degrees,
            )
            for row in rows
        ),
        candidates=tuple(actions.PutToken(token=token) for token in slip.tokens),
    )


def list_luck(board: Board) -> LuckChoices:
    """CM-102: list every change of a die that changes it."""
    offered = board.offered
    assert offered is not None, "a roll is on offer"
    modifies: list[actions.LuckAction] = [
        actions.ModifyRoll(die=die, change=change)
        for die, face in enumerate(offered.faces)
        for change in (-1, 1)
        if 1 <= face + change <= DIE_SIDES
    ]
    return LuckChoices(
        chariot=offered.chariot,
        faces=offered.faces,
        modifies=board.chariots[offered.chariot].modifies,
        candidates=(actions.LeaveRoll(), *modifies),
    )


def list_defences(arena: Arena, board: Board) -> DefenceChoices:
    """CM-54: list the ways out of an attack, with their odds."""
    threat = board.threat
    assert threat is not None, "no chariot is attacked"
    target = owner_of(threat.target)
    modifier = modifier_of_defence(arena, board, target)
    odds = odds_of(arena.box, modifier=modifier, skill=board.chariots[target].skill)
    answers: tuple[actions.DefenceAction, ...] = (
        actions.Defend(means="brake"),
        actions.Defend(means="evade"),
        actions.Endure(),
    )
    return DefenceChoices(
        chariot=target,
        attacker=threat.attacker,
        means=threat.means,
        stamina=arena.box.numbers.defence_stamina,
        brake=odds,
        evade=None if may_evade_freely(board, threat.attacker, target) else odds,
        candidates=answers,
    )


def foresee_token(arena: Arena, board: Board, decision: Decision, action: actions.PutToken) -> TokenForeseen:
    """Say how far a token leads."""
    choices = list_tokens(arena, board, decision)
    offer = next(offer for offer in choices.tokens if offer.token == action.token)
    return TokenForeseen(chariot=choices.chariot, offer=offer)


def foresee_luck(board: Board, action: actions.LuckAction) -> LuckForeseen:
    """Foresee the faces of a roll after an answer, as far as its owner is concerned."""
    choices = list_luck(board)
    faces = list(choices.faces)
    if isinstance(action, actions.LeaveRoll):
        return LuckForeseen(faces=choices.faces, modifies_left=choices.modifies)
    faces[action.die] = min(max(faces[action.die] + action.change, 1), DIE_SIDES)
    return LuckForeseen(faces=tuple(faces), modifies_left=choices.modifies - 1)


def foresee_defence(arena: Arena, board: Board, action: actions.DefenceAction) -> DefenceForeseen:
    """Foresee the cost of a defence and how likely it helps."""
    choices = list_defences(arena, board)
    if isinstance(action, actions.Endure):
        return DefenceForeseen(means=None, price=foresee_price(board, choices.chariot, 0), odds=None)
    return DefenceForeseen(
        means=action.means,
        price=foresee_price(board, choices.chariot, choices.stamina),
        odds=choices.brake if action.means == "brake" else choices.evade,
    )
