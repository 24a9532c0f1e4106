"""The bots: legal, blind to everything hidden from their seat, and as good as they claim."""

from collections import Counter

import msgspec
import pytest

from domain.canonical import encode
from domain.ids import Seat
from domain.ruleset.bot import Choose
from domain.ruleset.playout import Playout
from domain.rulesets.charioteer.actions import Action, Move, Reset
from domain.rulesets.charioteer.board import Board
from domain.rulesets.charioteer.bots.choices import list_choices
from domain.rulesets.charioteer.bots.judgement import Road
from domain.rulesets.charioteer.bots.roster import BOTS
from domain.rulesets.charioteer.choices import LegalActions
from domain.rulesets.charioteer.options import Options
from domain.rulesets.charioteer.view import View
from tests.domain.rulesets.charioteer.boards import ADA, BOB, CAI, RULES, board, decision_for, driver, fan, own
from tests.domain.rulesets.charioteer.games import seeded

GAMES = 24


def legal_actions(on: Board, seat: Seat) -> LegalActions:
    return RULES.legal_actions(on, decision_for(on, seat))


def play(names: tuple[str, ...], seed: int, *, options: Options | None = None) -> Playout:
    """Play a whole game; each bot is given the view that a client of its seat would decode, and no more."""
    random = seeded(seed)
    seats = tuple(Seat(seat) for seat in range(len(names)))
    game = Playout(RULES, seats=seats, options=options or Options(), secret=seed.to_bytes(32, "big"))
    while game.owed():
        for decision in game.owed():
            view, legal = RULES.view(game.board, decision.seat), RULES.legal_actions(game.board, decision)
            game.answer(decision, BOTS[names[decision.seat]](view, legal, random))
    return game


def winners(names: tuple[str, ...]) -> Counter[str]:
    """Play games in which every bot sits in every seat equally often, and count who wins."""
    won: Counter[str] = Counter()
    for seed in range(GAMES):
        turned = names[seed % len(names) :] + names[: seed % len(names)]
        won[turned[RULES.ranking(play(turned, seed).board)[0].seat]] += 1
    return won


@pytest.mark.parametrize(
    "names", [("random",) * 2, ("longest",) * 3, ("strategic",) * 6, ("random", "longest", "strategic")]
)
def test_bots_finish_whole_games_with_legal_moves_alone(names: tuple[str, ...]) -> None:
    game = play(names, 7)

    assert game.board.phase == "over"
    assert game.board.turn < 60


@pytest.mark.parametrize("choose", BOTS.values(), ids=BOTS)
def test_a_bot_plays_from_the_bytes_of_its_view_and_choices(choose: Choose[View, LegalActions, Action]) -> None:
    game = play(("random", "strategic", "longest"), 3, options=Options(turns_max=6))
    on = Playout(RULES, seats=(ADA, BOB, CAI), options=Options(), secret=bytes(32)).board

    seen, legal = RULES.view(on, BOB), legal_actions(on, BOB)
    decoded = msgspec.json.decode(encode(seen), type=View), msgspec.json.decode(encode(legal), type=LegalActions)

    assert choose(*decoded, seeded(1)) == choose(seen, legal, seeded(1))
    assert game.board.turn == 6


def test_the_longest_move_is_chosen_with_whatever_token_makes_it_longer() -> None:
    hand = ("green-6 green-6 red-1", "green-6 green-6 red-3", "red-5 red-5 green-2", "red-5 red-5 black-0")
    on = board(driver(ADA, *hand, fan=("plus-3-green",)), driver(BOB))

    chosen = BOTS["longest"](RULES.view(on, ADA), legal_actions(on, ADA), seeded(1))

    assert chosen == Move(
        cards=(0, 1), changed=None, crowd=False, discard=None, symbol="green-6", token=own("plus-5-green")
    )


@pytest.mark.parametrize("name", BOTS)
def test_a_bot_without_a_legal_move_resets(name: str) -> None:
    on = board(driver(ADA, "green-2 green-2 red-1", "yellow-0 yellow-0 black-1", player_tokens=()), driver(BOB))

    assert isinstance(BOTS[name](RULES.view(on, ADA), legal_actions(on, ADA), seeded(1)), Reset)


def test_every_choice_carries_its_token_and_distance() -> None:
    hand = ("red-5 red-5 green-2", "red-5 red-5 black-0")
    on = board(driver(ADA, *hand, fan=("wild-red",), player_tokens=()), driver(BOB))
    legal = legal_actions(on, ADA)

    choices = [(choice.cards, choice.changed, choice.token, choice.distance) for choice in list_choices(legal)]

    assert ((0, 1), None, None, 9) in choices
    assert ((0, 1), 1, fan(0), 9) in choices


def test_the_road_counts_rivals_and_skips_outer_spaces_for_black_moves() -> None:
    on = board(driver(ADA, progress=0), driver(BOB, progress=1), driver(CAI, progress=40))
    road = Road(RULES.view(on, ADA))

    assert [road.gain(points, is_black=False) for points in (1, 2, 3, 4)] == [1, 1, 2, 3]
    assert [road.gain(points, is_black=True) for points in (3, 4, 5)] == [2, 4, 6]


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_the_longest_move_loses_to_strategy_more_often_than_chance(seats: int) -> None:
    won = winners(("longest", *("strategic",) * (seats - 1)))

    assert won["longest"] * seats * 2 < GAMES


def test_strategy_takes_more_than_twenty_moves_each() -> None:
    turns = [play(("strategic",) * 4, seed).board.turn for seed in range(GAMES)]

    assert sum(turns) / GAMES > 20
