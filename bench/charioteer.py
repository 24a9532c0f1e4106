"""What a game of Charioteer costs: playing it by the rules alone, folding it, listing a hand's moves, keeping it."""

import time
import tracemalloc
from collections.abc import Sequence

from msgspec import Struct

from bench.rate import Rate, build_rate
from bench.timing import Timed, time_side_by_side
from domain.chance import DeckShuffled, DiceRolled, Secret, after_dice, after_shuffle, derive_anchors, open_chance
from domain.ids import Seat
from domain.ruleset.rehearsal import REHEARSED_GAME, Rehearsal
from domain.rulesets.charioteer.board import Board
from domain.rulesets.charioteer.options import Options
from domain.rulesets.charioteer.ruleset import CharioteerRuleset
from simulate.charioteer import Plan, play_game

# Four seats are the usual table; random bots play the longest games.
BOTS = ("random",) * 4
SEATS = tuple(Seat(seat) for seat in range(len(BOTS)))
SECRET = Secret(bytes(range(32)))


class CharioteerFigures(Struct, frozen=True, kw_only=True):
    """`games` are played with views and bots, without record, hashes or a store. Memory is of board and chance.

    Both rates count time of this processor alone, so that what else the machine does is left out.
    """

    games: Rate
    hand: Rate
    fold_events: int
    fold: dict[str, Timed]
    folded_bytes: int


def measure_charioteer(ruleset: CharioteerRuleset, games: int) -> CharioteerFigures:
    """Play some games, then look closer at one."""
    written = play_one(ruleset)
    return CharioteerFigures(
        games=time_games(ruleset, games),
        hand=time_hands(ruleset, games),
        fold_events=len(written),
        fold=time_side_by_side(
            {
                "fold with the secret": lambda: fold(ruleset, written, SECRET),
                "fold without": lambda: fold(ruleset, written, None),
            }
        ),
        folded_bytes=weigh_fold(ruleset, written),
    )


def time_games(ruleset: CharioteerRuleset, games: int) -> Rate:
    plan = Plan(bots=BOTS, games=games, seed=1)
    latencies_s = []
    for number in range(games):
        started = time.process_time()
        play_game(ruleset, plan, number)
        latencies_s.append(time.process_time() - started)
    return build_rate("whole games", latencies_s=latencies_s, events=games, elapsed_s=sum(latencies_s))


def time_hands(ruleset: CharioteerRuleset, games: int) -> Rate:
    """List the moves of every hand of some games, in the middle of which seats have earned tokens."""
    latencies_s = []
    for board in middle_boards(ruleset, games):
        for decision in ruleset.decisions(board):
            started = time.process_time()
            ruleset.legal_actions(board, decision)
            latencies_s.append(time.process_time() - started)
    return build_rate("hands", latencies_s=latencies_s, events=len(latencies_s), elapsed_s=sum(latencies_s))


def middle_boards(ruleset: CharioteerRuleset, games: int) -> list[Board]:
    """Play by defaults, which keep all tokens, and keep the board of each turn."""
    boards: list[Board] = []
    for number in range(games):
        game = Rehearsal(ruleset, seats=SEATS, options=Options(), secret=number.to_bytes(32, "big"))
        while game.owed():
            boards.append(game.board)
            for decision in game.owed():
                game.answer(decision, ruleset.default_action(game.board, decision))
    return boards


def play_one(ruleset: CharioteerRuleset) -> list[Struct]:
    """Return what one game by defaults writes."""
    game = Rehearsal(ruleset, seats=SEATS, options=Options(), secret=SECRET)
    while game.owed():
        for decision in game.owed():
            game.answer(decision, ruleset.default_action(game.board, decision))
    return game.written


def fold(ruleset: CharioteerRuleset, written: Sequence[Struct], secret: Secret | None) -> tuple[Board, object]:
    """Fold a game's outcomes as the arena does with the secret, and as projections do without."""
    board = ruleset.initial_board(SEATS, Options())
    chance = open_chance(REHEARSED_GAME, derive_anchors(SECRET, ruleset.link_chains), secret)
    for event in written:
        if isinstance(event, DiceRolled):
            chance = after_dice(chance, event)
        elif isinstance(event, DeckShuffled):
            chance = after_shuffle(chance, event)
        board = ruleset.evolve(board, event, chance if secret is not None else None)  # type: ignore[arg-type] # this ruleset wrote them
    return board, chance


def weigh_fold(ruleset: CharioteerRuleset, written: Sequence[Struct]) -> int:
    """Count the bytes that a folded game keeps, beyond what its ruleset and its log hold anyway."""
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    kept = fold(ruleset, written, SECRET)
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kept
    return after - before
