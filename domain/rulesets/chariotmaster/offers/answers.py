"""The short answers: tokens for the mug, luck after a roll, a defence against an attack; with their odds."""

from domain.ruleset.decision import Decision
from domain.rulesets.chariotmaster.box.tables import read_token
from domain.rulesets.chariotmaster.harm.luck import DIE_SIDES
from domain.rulesets.chariotmaster.offers.choices import DefenceChoices, LuckChoices, TokenChoices, TokenOffer
from domain.rulesets.chariotmaster.offers.measuring import look_ahead
from domain.rulesets.chariotmaster.offers.odds import odds_of
from domain.rulesets.chariotmaster.offers.preview import DefenceForeseen, LuckForeseen, TokenForeseen
from domain.rulesets.chariotmaster.offers.previews import foresee_price
from domain.rulesets.chariotmaster.race.actions import (
    DefenceAction,
    Defend,
    Endure,
    LeaveRoll,
    LuckAction,
    ModifyRoll,
    PutToken,
)
from domain.rulesets.chariotmaster.race.board import Board, owner_of
from domain.rulesets.chariotmaster.race.racetrack import Arena
from domain.rulesets.chariotmaster.rounds.mug import slip_for
from domain.rulesets.chariotmaster.table.course import UM_PER_MM
from domain.rulesets.chariotmaster.turn.attacks import may_evade_freely, modifier_of_defence


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
        candidates=tuple(PutToken(token=token) for token in slip.tokens),
    )


def list_luck(board: Board) -> LuckChoices:
    """CM-102: list every change of a die that changes it."""
    offered = board.offered
    assert offered is not None, "a roll is on offer"
    modifies: list[LuckAction] = [
        ModifyRoll(die=die, change=change)
        for die, face in enumerate(offered.faces)
        for change in (-1, 1)
        if 1 <= face + change <= DIE_SIDES
    ]
    return LuckChoices(
        chariot=offered.chariot,
        faces=offered.faces,
        modifies=board.chariots[offered.chariot].modifies,
        candidates=(LeaveRoll(), *modifies),
    )


def list_defences(arena: Arena, board: Board) -> DefenceChoices:
    """CM-54: list the ways out of an attack, with their odds."""
    threat = board.threat
    assert threat is not None, "somebody is attacked"
    target = owner_of(threat.target)
    modifier = modifier_of_defence(arena, board, target)
    odds = odds_of(arena.box, modifier=modifier, skill=board.chariots[target].skill)
    answers: tuple[DefenceAction, ...] = (Defend(means="brake"), Defend(means="evade"), Endure())
    return DefenceChoices(
        chariot=target,
        attacker=threat.attacker,
        means=threat.means,
        stamina=arena.box.numbers.defence_stamina,
        brake=odds,
        evade=None if may_evade_freely(board, threat.attacker, target) else odds,
        candidates=answers,
    )


def foresee_token(arena: Arena, board: Board, decision: Decision, action: PutToken) -> TokenForeseen:
    """Say how far a token leads."""
    choices = list_tokens(arena, board, decision)
    offer = next(offer for offer in choices.tokens if offer.token == action.token)
    return TokenForeseen(chariot=choices.chariot, offer=offer)


def foresee_luck(board: Board, action: LuckAction) -> LuckForeseen:
    """Foresee the faces of a roll after an answer, as far as its owner is concerned."""
    choices = list_luck(board)
    faces = list(choices.faces)
    if isinstance(action, LeaveRoll):
        return LuckForeseen(faces=choices.faces, modifies_left=choices.modifies)
    faces[action.die] = min(max(faces[action.die] + action.change, 1), DIE_SIDES)
    return LuckForeseen(faces=tuple(faces), modifies_left=choices.modifies - 1)


def foresee_defence(arena: Arena, board: Board, action: DefenceAction) -> DefenceForeseen:
    """Foresee the cost of a defence and how likely it helps."""
    choices = list_defences(arena, board)
    if isinstance(action, Endure):
        return DefenceForeseen(means=None, price=foresee_price(board, choices.chariot, 0), odds=None)
    return DefenceForeseen(
        means=action.means,
        price=foresee_price(board, choices.chariot, choices.stamina),
        odds=choices.brake if action.means == "brake" else choices.evade,
    )
