"""`spina simulate`: the same seed gives the same figures, and an impossible plan is refused in a sentence."""

import json

import pytest

from tests.services.cli.program import one_sentence, run


@pytest.mark.parametrize("game", ["charioteer", "chariot-race", "chariotmaster"])
def test_the_same_seed_gives_the_same_figures(game: str) -> None:
    arguments = ("simulate", game, "--games", "2", "--seats", "2", "--seed", "5", "--json")

    first, second = run(*arguments), run(*arguments)

    assert first.returncode == 0
    assert json.loads(first.stdout) == json.loads(second.stdout)


@pytest.mark.parametrize(
    ("game", "said"),
    [("charioteer", "turns a game"), ("chariot-race", "rounds a game"), ("chariotmaster", "game turns a game")],
)
def test_people_get_tables_and_bars(game: str, said: str) -> None:
    ended = run("simulate", game, "--games", "2", "--seats", "2")

    assert ended.returncode == 0
    assert said in ended.stdout
    assert "by chance" in ended.stdout
    assert "█" in ended.stdout


def test_bots_that_are_not_named_in_the_order_of_their_strength_end_the_program_with_1() -> None:
    arguments = ("simulate", "charioteer", "--games", "4", "--seats", "2", "--least", "65", "--bots")

    in_order, turned = run(*arguments, "strategic,random"), run(*arguments, "random,strategic")

    assert in_order.returncode == 0
    assert one_sentence(turned).startswith("expected random ahead of strategic in at least 65 % of pairs, found ")


def test_a_bot_that_met_no_other_is_not_taken_for_the_stronger() -> None:
    bots = "longest,strategic,random"

    ended = run("simulate", "charioteer", "--games", "1", "--seats", "2", "--bots", bots, "--least", "50")

    assert ended.returncode == 1
    assert "found 0 of 0" in ended.stderr


def test_a_tournament_of_no_ruleset_is_refused() -> None:
    ended = run("simulate", "tournament", "--ruleset", "ludus")

    assert ended.returncode == 2
    assert "found ludus" in " ".join(ended.stderr.replace("│", " ").split())


@pytest.mark.parametrize("game", ["charioteer", "chariot-race", "chariotmaster"])
def test_a_bot_that_does_not_exist_is_refused(game: str) -> None:
    ended = run("simulate", game, "--bots", "ben-hur")

    assert ended.returncode == 2
    assert "found ben-hur" in " ".join(ended.stderr.replace("│", " ").split())
