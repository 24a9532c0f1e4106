"""Whole races of random and of sensible drivers, over player counts, tracks, boards and variants."""

from itertools import pairwise
from random import Random
from typing import Literal

import msgspec
import pytest

from domain.chance import DiceRolled
from domain.rejection import IllegalAction
from domain.ruleset.decision import Decision
from domain.rulesets.chariot_race.actions import Action, DropCaltrop, Move, Reroll, ThrowJavelin
from domain.rulesets.chariot_race.answers import list_answers
from domain.rulesets.chariot_race.board import Board, Chariot, chariot_of, front_of, racing, space_of
from domain.rulesets.chariot_race.options import RaceOptions
from domain.rulesets.chariot_race.outcomes import ChariotMoved, DiceThrown, RoundBegan
from tests.domain.rulesets.chariot_race.boards import RULES, play_out, told_by


def options_of(game: int) -> RaceOptions:
    """Count through all variants; with the player counts, all of them meet within 160 games."""
    equal: Literal["basic", "own_colours"] = "own_colours" if game & 16 else "basic"
    return RaceOptions(
        chariots="alternate" if game & 1 else equal,
        first_half="B" if game & 2 else "A",
        second_half="B" if game & 4 else "A",
        no_damage_after_line=bool(game & 8),
        rounds_max=60 if game % 10 else 4,
        teams=msgspec.UNSET if game % 7 else "ABBA",
    )


@pytest.mark.rule("CR-02", "CR-34", "CR-11", "XG-05", "XG-08", "CR-51")
@pytest.mark.parametrize("block", range(10))
def test_random_legal_play_keeps_the_board_sound(block: int, games: int) -> None:
    for game in range(block, games, 10):
        numbers = Random(game)  # noqa: S311 - a fixed seed makes the races the same everywhere
        playout = play_out(2 + game % 5, options_of(game), secret=game)
        # Every other game is driven so that it is finished: by default, but for one answer in eight.
        chooser = 1 if game % 20 < 10 else 8

        while owed := playout.owed():
            [decision] = owed
            check_sound(playout.board)
            answers = list_answers(RULES.legal_actions(playout.board, decision))
            default = RULES.default_action(playout.board, decision)
            assert default in answers
            playout.answer(decision, default if numbers.randrange(chooser) else numbers.choice(answers))

        check_sound(playout.board)
        assert playout.board.ended is not None
        assert {placing.seat for placing in RULES.ranking(playout.board)} == set(playout.board.seats)
        check_story(playout.written)


@pytest.mark.rule("CR-10")
@pytest.mark.parametrize("game", range(10))
def test_the_order_of_turns_follows_the_front_borders(game: int) -> None:
    playout = play_out(2 + game % 5, options_of(2 * game), secret=game)
    board = RULES.initial_board(playout.board.seats, options_of(2 * game))
    while owed := playout.owed():
        playout.answer(owed[0], RULES.default_action(playout.board, owed[0]))

    for told in told_by(playout):
        board = RULES.evolve(board, told, None)
        if isinstance(told, RoundBegan):
            fronts = [front_of(board, chariot_of(board, colour)) for colour in told.order]
            assert fronts == sorted(fronts, reverse=True)
            assert set(told.order) == {chariot.colour for chariot in racing(board)}


@pytest.mark.rule("CR-64", "XG-05")
@pytest.mark.parametrize("game", range(8))
def test_what_is_not_offered_is_refused(game: int) -> None:
    numbers = Random(game)  # noqa: S311 - a fixed seed makes the races the same everywhere
    playout = play_out(2 + game % 5, options_of(game), secret=game)
    refused = 0

    while owed := playout.owed():
        [decision] = owed
        answers = list_answers(RULES.legal_actions(playout.board, decision))
        for mutant in mutants(numbers.choice(answers)):
            is_legal = accepts(playout.board, decision, mutant)
            assert is_legal == (mutant in answers), mutant
            refused += not is_legal
        playout.answer(decision, numbers.choice(answers))

    assert refused > 50


def check_sound(board: Board) -> None:
    for chariot in board.chariots:
        check_values(chariot)
    standing = [space_of(board, chariot) for chariot in racing(board)]
    assert len(set(standing)) == len(standing), "two chariots at rest on one space"
    assert not any(board.track.heaps[space] for space in standing)
    assert len(set(board.caltrops)) == len(board.caltrops)
    assert len(board.caltrops) + board.caltrops_left == 20
    assert board.caltrops_left >= 0
    assert board.caltrops == tuple(sorted(board.caltrops))


def check_values(chariot: Chariot) -> None:
    table = chariot.table
    assert (chariot.damage_left == 0) == (chariot.status == "wrecked")
    assert 0 <= chariot.damage_left <= table.damage_max
    assert 0 <= chariot.speed <= table.speed_max
    assert 0 <= chariot.fate <= table.fate_max


def check_story(written: list[msgspec.Struct]) -> None:
    """No die falls without a throw, no throw follows a free one but for Fate, and no chariot moves without a path."""
    for before, told in pairwise(written):
        if isinstance(told, DiceRolled) and told.label.startswith("dice:"):
            assert isinstance(before, DiceThrown)
            assert len(before.dice) == len(told.faces)
        assert not isinstance(told, ChariotMoved) or told.path
    throws = [told.throw for told in written if isinstance(told, DiceThrown)]
    assert all(after != "free" or before == "first" for before, after in pairwise(throws))


def mutants(action: Action) -> list[Action]:
    """Change one thing, or answer something else."""
    changed: list[Action] = [
        Move(minuses=0, path=""),
        Move(minuses=3, path="mmm"),
        Reroll(dice=(0, 1, 2, 3, 4)),
        DropCaltrop(space="inner-1"),
        ThrowJavelin(chariot="white"),
    ]
    if isinstance(action, Move):
        path = action.path
        changed += [
            Move(minuses=action.minuses + 1, path=path),
            Move(minuses=action.minuses, path=path[:-1]),
            Move(minuses=action.minuses, path=path + "m"),
            *(Move(minuses=action.minuses, path=path[:at] + "m" + path[at + 1 :]) for at in range(len(path))),
            *(Move(minuses=action.minuses, path=path[:at] + "i" + path[at + 1 :]) for at in range(len(path))),
        ]
    if isinstance(action, Reroll):
        changed += [Reroll(dice=(*action.dice, action.dice[-1])), Reroll(dice=tuple(die + 1 for die in action.dice))]
    return changed


def accepts(board: Board, decision: Decision, action: Action) -> bool:
    try:
        RULES.check(board, decision, action)
    except IllegalAction:
        return False
    return True
