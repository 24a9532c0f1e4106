"""`spina simulate`: the same seed gives the same figures, and an impossible plan is refused in a sentence."""

import json

import pytest

from tests.services.cli.program import run


@pytest.mark.parametrize("game", ["charioteer", "chariot-race", "chariotmaster"])
def test_the_same_seed_gives_the_same_figures(game: str) -> None:
    arguments = ("simulate", game, "--games", "2", "--seats", "3", "--seed", "5", "--json")

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


def test_a_tournament_of_no_ruleset_is_refused() -> None:
    ended = run("simulate", "tournament", "--ruleset", "ludus")

    assert ended.returncode == 2
    assert "found ludus" in " ".join(ended.stderr.replace("│", " ").split())


@pytest.mark.parametrize("game", ["charioteer", "chariot-race", "chariotmaster"])
def test_a_bot_that_does_not_exist_is_refused(game: str) -> None:
    ended = run("simulate", game, "--bots", "ben-hur")

    assert ended.returncode == 2
    assert "found ben-hur" in " ".join(ended.stderr.replace("│", " ").split())
