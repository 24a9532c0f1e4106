"""Simulated games: repeatable, fair to every bot's seat, and summed up right."""

import pytest

from domain.canonical import encode
from simulate.charioteer import GameResult, Plan, draw_bars, judge_claims, play_game, simulate, summarise
from tests.domain.rulesets.charioteer.scene import ADA, BOB, RULES

PLAN = Plan(bots=("longest", "strategic", "random"), games=6, seed=11)


def result(number: int, *, winner: str, turns: int) -> GameResult:
    other = "longest" if winner == "strategic" else "strategic"
    return GameResult(
        number=number,
        bots=(winner, other),
        order=(ADA, BOB),
        turns=turns,
        lead_changes=3,
        moves=40,
        spaces=400,
        resets=2,
        fan_tokens=10,
        reshuffles=0,
    )


def test_the_same_plan_gives_the_same_games_in_any_order() -> None:
    in_order = [encode(each) for each in simulate(RULES, PLAN)]

    backwards = [encode(play_game(RULES, PLAN, number)) for number in reversed(range(PLAN.games))]

    assert in_order == backwards[::-1]
    assert len(set(in_order)) == PLAN.games


def test_another_seed_gives_other_games() -> None:
    other = Plan(bots=PLAN.bots, games=1, seed=12)

    assert play_game(RULES, other, 0) != play_game(RULES, PLAN, 0)


def test_bots_take_every_seat_in_turn() -> None:
    seats = {(bot, seat) for each in simulate(RULES, PLAN) for seat, bot in enumerate(each.bots)}

    assert len(seats) == len(PLAN.bots) ** 2


def test_a_summary_counts_wins_lengths_and_changes_of_lead() -> None:
    games = [
        result(0, winner="strategic", turns=21),
        result(1, winner="strategic", turns=23),
        result(2, winner="longest", turns=21),
    ]

    summary = summarise(games)

    assert {share.bot: (share.wins, share.expected) for share in summary.shares} == {
        "longest": (1, 1.5),
        "strategic": (2, 1.5),
    }
    assert (summary.turns, summary.lead_changes_mean, summary.distance_mean) == (((21, 2), (23, 1)), 3.0, 10.0)
    assert summary.lead_changes == ((3, 3),)
    assert summary.fan_tokens_per_seat == pytest.approx(5.0)


@pytest.mark.parametrize(
    ("winner", "turns", "held"), [("strategic", 21, [True, True]), ("longest", 20, [False, False])]
)
def test_the_designers_claims_are_held_against_the_games(winner: str, turns: int, held: list[bool]) -> None:
    summary = summarise([result(0, winner=winner, turns=turns)])

    assert [claim.holds for claim in judge_claims(summary)] == held


@pytest.mark.parametrize(("long", "held"), [(3, True), (2, True), (1, False)])
def test_more_than_twenty_moves_is_a_claim_about_most_games(long: int, *, held: bool) -> None:
    games = [result(0, winner="strategic", turns=30 if number < long else 20) for number in range(3)]

    claim, _ = judge_claims(summarise(games))

    assert claim.holds == held
    assert f"{long} of 3 games longer" in claim.found


def test_bars_are_as_long_as_their_counts() -> None:
    assert list(draw_bars([("20", 4), ("9", 1), ("x", 0)], width=8)) == ["20 ████████ 4", " 9 ██ 1", " x  0"]
    assert list(draw_bars([], width=8)) == []
