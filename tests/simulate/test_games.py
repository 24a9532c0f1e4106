"""Simulated games: repeatable, fair to every bot's seat, and summed up right."""

import pytest

from domain.canonical import encode
from domain.ruleset.figures import Duel, Figures
from domain.ruleset.kit import Kit
from domain.rulesets.charioteer.kit.kit import KIT as CHARIOTEER
from domain.rulesets.charioteer.kit.kit import judge_claims
from domain.rulesets.released import KITS
from infra.ruleset_files import load_ruleset
from services.practice.games import Plan, Result, play_game, simulate, summarise
from simulate.summary_tables import draw_bars
from tests.domain.rulesets.charioteer.boards import RULES

PLAN = Plan(bots=("longest", "strategic", "random"), games=6, seed=11)


def result(*, winner: str, turns: int, places: tuple[int, int] = (1, 2)) -> Result:
    other = "longest" if winner == "strategic" else "strategic"
    figures: Figures = {"turns": turns, "moves": 40, "ended by": ("line_crossed",)}
    return Result(bots=(winner, other), places=places, lead_changes=3, figures=figures, unsound=())


def test_the_same_plan_gives_the_same_games_in_any_order() -> None:
    in_order = [encode(each) for each in simulate(CHARIOTEER, RULES, PLAN)]

    backwards = [encode(play_game(CHARIOTEER, RULES, PLAN, number)) for number in reversed(range(PLAN.games))]

    assert in_order == backwards[::-1]
    assert len(set(in_order)) == PLAN.games


def test_another_seed_gives_other_games() -> None:
    other = Plan(bots=PLAN.bots, games=1, seed=12)

    assert play_game(CHARIOTEER, RULES, other, 0) != play_game(CHARIOTEER, RULES, PLAN, 0)


def test_bots_take_every_seat_in_turn() -> None:
    seats = {(bot, seat) for each in simulate(CHARIOTEER, RULES, PLAN) for seat, bot in enumerate(each.bots)}

    assert len(seats) == len(PLAN.bots) ** 2


@pytest.mark.parametrize("kit", KITS, ids=lambda kit: str(kit.name))
def test_figures_add_up_over_games_that_were_all_sound(kit: Kit) -> None:
    plan = Plan(bots=tuple(kit.bots), games=3, seed=1, options=kit.short)

    summary = summarise(simulate(kit, load_ruleset(kit), plan))

    assert summary.unsound == ()
    assert summary.games == sum(count for _, count in summary.lengths) == 3
    assert sum(share.expected for share in summary.shares) == pytest.approx(3)
    assert sum(share.wins for share in summary.shares) >= 1
    assert {share.bot: share.wins for share in summary.shares}["random"] == 0


def test_a_summary_counts_wins_lengths_and_changes_of_lead() -> None:
    games = [
        result(winner="strategic", turns=21),
        result(winner="strategic", turns=23, places=(1, 1)),
        result(winner="longest", turns=21),
    ]

    summary = summarise(games)

    assert {share.bot: (share.wins, share.expected) for share in summary.shares} == {
        "longest": (2, 1.5),
        "strategic": (2, 1.5),
    }
    assert (summary.lengths, summary.lead_changes) == (((21, 2), (23, 1)), ((3, 3),))
    assert summary.means["moves"] == pytest.approx(40)
    assert summary.counts == {"ended by": {"line_crossed": 3}}


def test_pairs_of_bots_are_compared_in_every_game_and_a_shared_place_is_half() -> None:
    def ended(*places: int) -> Result:
        bots = ("strategic", "longest", "longest")
        return Result(bots=bots, places=places, lead_changes=0, figures={"turns": 20}, unsound=())

    summary = summarise([ended(1, 2, 3), ended(2, 1, 2)])

    assert summary.duels == (
        Duel(bot="longest", rival="strategic", pairs=4, ahead=1.5),
        Duel(bot="strategic", rival="longest", pairs=4, ahead=2.5),
    )


@pytest.mark.parametrize(
    ("winner", "turns", "held"), [("strategic", 21, [True, True]), ("longest", 20, [False, False])]
)
def test_the_designers_claims_are_held_against_the_games(winner: str, turns: int, held: list[bool]) -> None:
    summary = summarise([result(winner=winner, turns=turns)])

    assert [claim.holds for claim in judge_claims(summary)] == held


def test_the_longest_move_is_judged_against_the_bot_that_plans_alone() -> None:
    def ended(rival: str) -> Result:
        return Result(bots=("longest", rival), places=(1, 2), lead_changes=0, figures={"turns": 21}, unsound=())

    judged = {rival: judge_claims(summarise([ended(rival)]))[1:] for rival in ("random", "strategic")}

    assert judged["random"] == ()
    assert [(claim.holds, claim.found) for claim in judged["strategic"]] == [
        (False, "ahead of strategic in 1 of 1 pairs")
    ]


@pytest.mark.parametrize(("long", "held"), [(3, True), (2, True), (1, False)])
def test_more_than_twenty_moves_is_a_claim_about_most_games(long: int, *, held: bool) -> None:
    games = [result(winner="strategic", turns=30 if number < long else 20) for number in range(3)]

    claim, _ = judge_claims(summarise(games))

    assert claim.holds == held
    assert f"{long} of 3 games longer" in claim.found


def test_bars_are_as_long_as_their_counts() -> None:
    assert list(draw_bars([("20", 4), ("9", 1), ("x", 0)], width=8)) == ["20 ████████ 4", " 9 ██ 1", " x  0"]
    assert list(draw_bars([], width=8)) == []
