"""The board after outcomes that concern the whole race or its mug. Decides nothing and refuses nothing."""

from typing import assert_never

from msgspec.structs import replace

from domain.rulesets.chariotmaster.race import mug_outcomes as mug
from domain.rulesets.chariotmaster.race import race_outcomes as told
from domain.rulesets.chariotmaster.race.board import Board, Chariot, Crossing, Mug, with_chariot


def after_race_outcome(board: Board, outcome: told.RaceOutcome) -> Board:
    """Return the board as the outcome leaves it."""
    match outcome:
        case told.BuildsClosed():
            return replace(board, are_builds_closed=True)
        case told.ChariotBuilt():
            built = with_fitting(board.chariots[outcome.chariot], outcome)
            unbuilt = tuple(number for number in board.unbuilt if number != outcome.chariot)
            return replace(with_chariot(board, outcome.chariot, built), unbuilt=unbuilt)
        case told.LapCompleted():
            return with_chariot(
                board, outcome.chariot, replace(board.chariots[outcome.chariot], laps_completed=outcome.lap)
            )
        case told.LineCrossed():
            crossing = Crossing(chariot=outcome.chariot, is_dragged=outcome.is_dragged)
            return replace(board, crossings=(*board.crossings, crossing))
        case told.ChariotFinished():
            left = _off_the_table(_without_crossings(board, (outcome.chariot,)), (outcome.chariot,))
            return replace(left, finished=(*board.finished, outcome.chariot))
        case told.CrossingVoided():
            return _without_crossings(board, (outcome.chariot,))
        case told.WithdrawalAnnounced():
            return replace(board, leaving=(*board.leaving, outcome.seat))
        case told.SeatWithdrawn():
            return _after_withdrawal(board, outcome)
        case told.RaceEnded():
            return replace(board, ended=outcome.reason)
        case _:
            assert_never(outcome)


def with_fitting(chariot: Chariot, built: told.ChariotBuilt) -> Chariot:
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


def _after_withdrawal(board: Board, outcome: told.SeatWithdrawn) -> Board:
    gone = outcome.chariots
    # MO-23: a place once crossed for stays the team's.
    crossings = board.crossings if board.options.teams else _without_crossings(board, gone).crossings
    return replace(
        _off_the_table(board, gone),
        crossings=crossings,
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
    return replace(board, crossings=tuple(crossing for crossing in board.crossings if crossing.chariot not in numbers))


def _without_slips(mug: Mug, numbers: tuple[int, ...]) -> Mug:
    slips = tuple(slip for slip in mug.slips if slip.chariot not in numbers)
    return replace(mug, slips=slips, drawn=None if mug.drawn in numbers else mug.drawn)


MugOutcome = mug.MugFilled | mug.MugClosed | mug.ChariotDrawn | mug.TokenShown | mug.TokenLapsed | mug.TokenForfeited


def after_mug_outcome(board: Board, outcome: MugOutcome) -> Board:
    """Return the board as a step of filling and emptying the mug leaves it."""
    if isinstance(outcome, mug.MugFilled):
        return replace(board, game_turns=outcome.game_turn, mug=Mug(game_turn=outcome.game_turn, slips=outcome.slips))
    assert board.mug is not None, "there is a mug in every game turn"
    match outcome:
        case mug.MugClosed():
            return replace(board, mug=replace(board.mug, is_closed=True))
        case mug.ChariotDrawn():
            return replace(board, mug=replace(board.mug, drawn=outcome.chariot))
        case mug.TokenShown() | mug.TokenLapsed() | mug.TokenForfeited():
            left = tuple(slip for slip in board.mug.slips if slip.chariot != outcome.chariot)
            is_halted = isinstance(outcome, mug.TokenForfeited)
            shown = replace(board.chariots[outcome.chariot], last_token=outcome.token, is_halted=is_halted)
            emptied = replace(board.mug, slips=left, drawn=None)
            return replace(with_chariot(board, outcome.chariot, shown), active=outcome.chariot, mug=emptied)
