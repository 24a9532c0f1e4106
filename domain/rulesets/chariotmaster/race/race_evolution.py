"""The board after outcomes that concern the whole race or its mug. Decides nothing and refuses nothing."""

from typing import assert_never

from msgspec.structs import replace

from domain.rulesets.chariotmaster.race import race_outcomes
from domain.rulesets.chariotmaster.race.board import Board, Chariot, Crossing, Mug
from domain.rulesets.chariotmaster.race.mug_outcomes import (
    ChariotDrawn,
    MugClosed,
    MugFilled,
    TokenForfeited,
    TokenLapsed,
    TokenShown,
)


def after_race_outcome(board: Board, outcome: race_outcomes.RaceOutcome) -> Board:
    """Return the board as the outcome leaves it."""
    match outcome:
        case race_outcomes.BuildsClosed():
            return replace(board, are_builds_closed=True)
        case race_outcomes.ChariotBuilt():
            built = with_fitting(board.chariots[outcome.chariot], outcome)
            unbuilt = tuple(number for number in board.unbuilt if number != outcome.chariot)
            return replace(_with_chariot(board, outcome.chariot, built), unbuilt=unbuilt)
        case race_outcomes.LapCompleted():
            return _with_chariot(
                board, outcome.chariot, replace(board.chariots[outcome.chariot], laps_completed=outcome.lap)
            )
        case race_outcomes.LineCrossed():
            crossing = Crossing(chariot=outcome.chariot, is_dragged=outcome.is_dragged)
            return replace(board, crossings=(*board.crossings, crossing))
        case race_outcomes.ChariotFinished():
            left = _off_the_table(_without_crossings(board, (outcome.chariot,)), (outcome.chariot,))
            return replace(left, finished=(*board.finished, outcome.chariot))
        case race_outcomes.CrossingVoided():
            return _without_crossings(board, (outcome.chariot,))
        case race_outcomes.WithdrawalAnnounced():
            return replace(board, leaving=(*board.leaving, outcome.seat))
        case race_outcomes.SeatWithdrawn():
            return _after_withdrawal(board, outcome)
        case race_outcomes.RaceEnded():
            return replace(board, ended=outcome.reason)
        case _:
            assert_never(outcome)


def with_fitting(chariot: Chariot, built: race_outcomes.ChariotBuilt) -> Chariot:
    """Give a chariot the points of its build."""
    return replace(
        chariot,
        race=built.race,
        equipment=built.equipment,
        fitting=built.fitting,
        stamina=built.fitting.stamina,
        structure=built.fitting.structure,
        health=built.fitting.health,
        skill=built.fitting.skill,
        modifies=built.fitting.modifies,
    )


def _after_withdrawal(board: Board, outcome: race_outcomes.SeatWithdrawn) -> Board:
    gone = outcome.chariots
    left = _off_the_table(_without_crossings(board, gone), gone)
    return replace(
        left,
        mug=None if board.mug is None else _without_slips(board.mug, gone),
        unbuilt=tuple(number for number in board.unbuilt if number not in gone),
        leaving=tuple(seat for seat in board.leaving if seat != outcome.seat),
        withdrawn=(*board.withdrawn, outcome.seat),
    )


def _off_the_table(board: Board, numbers: tuple[int, ...]) -> Board:
    chariots = tuple(
        replace(chariot, team_pose=None, driver_pose=None) if number in numbers else chariot
        for number, chariot in enumerate(board.chariots)
    )
    return replace(board, chariots=chariots)


def _without_crossings(board: Board, numbers: tuple[int, ...]) -> Board:
    return replace(board, crossings=tuple(each for each in board.crossings if each.chariot not in numbers))


def _without_slips(mug: Mug, numbers: tuple[int, ...]) -> Mug:
    slips = tuple(slip for slip in mug.slips if slip.chariot not in numbers)
    return replace(mug, slips=slips, drawn=None if mug.drawn in numbers else mug.drawn)


def _with_chariot(board: Board, number: int, chariot: Chariot) -> Board:
    chariots = list(board.chariots)
    chariots[number] = chariot
    return replace(board, chariots=tuple(chariots))


MugOutcome = MugFilled | MugClosed | ChariotDrawn | TokenShown | TokenLapsed | TokenForfeited


def after_mug_outcome(board: Board, outcome: MugOutcome) -> Board:
    """Return the board as a step of filling and emptying the mug leaves it."""
    if isinstance(outcome, MugFilled):
        return replace(board, game_turns=outcome.game_turn, mug=Mug(game_turn=outcome.game_turn, slips=outcome.slips))
    assert board.mug is not None, "there is a mug in every game turn"
    match outcome:
        case MugClosed():
            return replace(board, mug=replace(board.mug, is_closed=True))
        case ChariotDrawn():
            return replace(board, mug=replace(board.mug, drawn=outcome.chariot))
        case TokenShown() | TokenLapsed() | TokenForfeited():
            left = tuple(slip for slip in board.mug.slips if slip.chariot != outcome.chariot)
            chariots = list(board.chariots)
            is_halted = isinstance(outcome, TokenForfeited)
            chariots[outcome.chariot] = replace(
                chariots[outcome.chariot], last_token=outcome.token, is_halted=is_halted
            )
            mug = replace(board.mug, slips=left, drawn=None)
            return replace(board, active=outcome.chariot, mug=mug, chariots=tuple(chariots))
