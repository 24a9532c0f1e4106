"""The chapters of the rules: every kind of decision of this game, in the order in which a board is asked."""

from collections.abc import Callable
from typing import get_args

from domain.ruleset.chapter import Chapter
from domain.ruleset.decision import Decision
from domain.rulesets.chariotmaster.aftermath.aftermath import (
    check_aftermath,
    default_aftermath,
    find_stage,
    owed_aftermath,
    play_aftermath,
)
from domain.rulesets.chariotmaster.box.tables import read_token
from domain.rulesets.chariotmaster.harm.luck import DIE_SIDES, check_luck
from domain.rulesets.chariotmaster.offers.aftermath_choices import foresee_aftermath, list_aftermath
from domain.rulesets.chariotmaster.offers.build_choices import foresee_build, list_builds
from domain.rulesets.chariotmaster.offers.choices import DefenceChoices, LuckChoices, TokenChoices, TokenOffer
from domain.rulesets.chariotmaster.offers.defaults import default_move, safe_token
from domain.rulesets.chariotmaster.offers.foreseen import DefenceForeseen, LuckForeseen, TokenForeseen
from domain.rulesets.chariotmaster.offers.measuring import look_ahead, odds_of
from domain.rulesets.chariotmaster.offers.move_choices import list_moves
from domain.rulesets.chariotmaster.offers.previews import foresee_move, foresee_price
from domain.rulesets.chariotmaster.race import actions
from domain.rulesets.chariotmaster.race.board import AftermathStage, Board, owner_of
from domain.rulesets.chariotmaster.race.cascade import AnyScript
from domain.rulesets.chariotmaster.race.racetrack import Arena
from domain.rulesets.chariotmaster.rounds.game_turn import begin_chariot_turn, close_tokens, forfeit_chariot_turn
from domain.rulesets.chariotmaster.rounds.mug import check_token, forfeit_token, owed_tokens, show_token, slip_for
from domain.rulesets.chariotmaster.rounds.workshop import (
    chariot_to_build,
    check_choice,
    close_builds,
    default_choice,
    open_build,
    owed_builds,
)
from domain.rulesets.chariotmaster.table.course import UM_PER_MM
from domain.rulesets.chariotmaster.turn.attacks import may_evade_freely, modifier_of_defence
from domain.rulesets.chariotmaster.turn.chariot_turn import check_move, owed_step, play_move


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
    """Return how far a token leads."""
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


def _owed_luck(board: Board) -> tuple[Decision, ...]:
    if board.offered is None:
        return ()
    return (Decision(id=board.offered.decision, seat=board.chariots[board.offered.chariot].seat, kind="plain"),)


def _owed_defence(board: Board) -> tuple[Decision, ...]:
    if board.threat is None or board.threat.decision is None:
        return ()
    seat = board.chariots[owner_of(board.threat.target)].seat
    return (Decision(id=board.threat.decision, seat=seat, kind="plain"),)


def _while_racing(owed: Callable[[Board], tuple[Decision, ...]]) -> Callable[[Board], tuple[Decision, ...]]:
    return lambda board: owed(board) if board.ended is None else ()


def _open_build(script: AnyScript, arena: Arena, decision: Decision, action: actions.BuildChariot) -> None:
    open_build(script, arena, chariot_to_build(decision), action)


def _forfeit_build(script: AnyScript, arena: Arena, decision: Decision) -> None:
    _open_build(script, arena, decision, default_choice(arena, script.board.options))


def _open_token(script: AnyScript, arena: Arena, _: Decision, action: actions.PutToken) -> None:
    show_token(script, action.token)
    begin_chariot_turn(script, arena)


def _forfeit_token(script: AnyScript, arena: Arena, _: Decision) -> None:
    forfeit_token(script)
    forfeit_chariot_turn(script, arena)


def _after_move(stage: AftermathStage, *answers: type[actions.AftermathAction]) -> Chapter[Arena, Board]:
    """Build the chapter of a stage of the aftermath in which its owner is asked."""
    return Chapter(
        answers=answers,
        owed=_while_racing(lambda board: owed_aftermath(board) if find_stage(board) == stage else ()),
        choices=lambda arena, board, _: list_aftermath(arena, board),
        check=lambda arena, board, _, action: check_aftermath(arena, board, action),
        foresee=lambda arena, board, _, action: foresee_aftermath(arena, board, action),
        default=lambda arena, board, _: default_aftermath(arena, board),
        play=lambda script, arena, decision, action: play_aftermath(script, arena, action, name=decision.id),
    )


LUCK = Chapter[Arena, Board](
    answers=(actions.ModifyRoll, actions.LeaveRoll),
    owed=_owed_luck,
    choices=lambda _, board, __: list_luck(board),
    check=lambda _, board, __, action: check_luck(board, action),
    foresee=lambda _, board, __, action: foresee_luck(board, action),
    default=lambda *_: actions.LeaveRoll(),
)
DEFENCE = Chapter[Arena, Board](
    answers=(actions.Defend, actions.Endure),
    owed=_owed_defence,
    choices=lambda arena, board, _: list_defences(arena, board),
    foresee=lambda arena, board, _, action: foresee_defence(arena, board, action),
    default=lambda *_: actions.Endure(),
)
BUILD = Chapter[Arena, Board](
    answers=(actions.BuildChariot,),
    owed=_while_racing(owed_builds),
    choices=lambda arena, board, decision: list_builds(arena, board, chariot_to_build(decision)),
    check=lambda arena, board, decision, action: check_choice(arena, board, chariot_to_build(decision), action),
    foresee=lambda arena, board, _, action: foresee_build(arena, board, action),
    default=lambda arena, board, _: default_choice(arena, board.options),
    play=_open_build,
    close=lambda script, _: close_builds(script),
    forfeit=_forfeit_build,
)
STEP = Chapter[Arena, Board](
    answers=get_args(actions.MoveAction),
    owed=_while_racing(owed_step),
    choices=lambda arena, board, _: list_moves(arena, board),
    check=lambda arena, board, _, action: check_move(arena, board, action),
    foresee=lambda arena, board, _, action: foresee_move(arena, board, action),
    default=lambda arena, board, _: default_move(arena, board),
    play=lambda script, arena, decision, action: play_move(script, arena, action, name=decision.id),
)
WALK = _after_move("walk", actions.Walk)
CUT_LOOSE = _after_move("cut_loose", actions.CutLoose, actions.HangOn)
CLIMB = _after_move("climb", actions.Climb, actions.StayPut)
TOKEN = Chapter[Arena, Board](
    answers=(actions.PutToken,),
    owed=_while_racing(owed_tokens),
    choices=list_tokens,
    check=lambda _, board, decision, action: check_token(board, decision, action),
    foresee=foresee_token,
    default=lambda arena, board, decision: actions.PutToken(token=safe_token(arena, board, slip_for(board, decision))),
    play=_open_token,
    close=close_tokens,
    forfeit=_forfeit_token,
)

# Luck and defence are asked in the middle of a play: before all that is owed between plays.
CHAPTERS = (LUCK, DEFENCE, BUILD, STEP, WALK, CUT_LOOSE, CLIMB, TOKEN)
