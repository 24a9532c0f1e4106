"""The three drivers on whole races: always legal, from the seat's own view alone, and each as its name states."""

from collections import Counter
from functools import partial
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from domain.ids import Seat
from domain.ruleset.playout import Playout
from domain.rulesets.chariotmaster.bots.roster import BOTS
from domain.rulesets.chariotmaster.kit import kit as chariotmaster
from domain.rulesets.chariotmaster.race.actions import Attack
from domain.rulesets.chariotmaster.race.options import Options
from domain.rulesets.chariotmaster.ruleset import build_ruleset
from infra.ruleset_files import read_components
from tests.domain.rulesets.chariotmaster.attackers import attacking, them
from tests.domain.rulesets.chariotmaster.fake_ruleset_pileup import chariot_at
from tests.domain.rulesets.chariotmaster.loaded_script import pose_at

RULES = build_ruleset(read_components(Path(chariotmaster.KIT.folder) / "components.toml"))
SPRINT = Options(laps=1)
# A random driver attacks about once in six chances.
TRIES = 60


def drive(bots: tuple[str, ...], *, game: int, options: Options = SPRINT) -> Playout:
    numbers = Random(game)  # noqa: S311 - a fixed seed makes the races the same everywhere
    seats = tuple(Seat(seat) for seat in range(len(bots)))
    race = Playout(RULES, seats=seats, options=options, secret=game.to_bytes(32, "big"))
    while race.owed():
        # All decisions owed at once are answered from the board before any of them.
        for decision in race.owed():
            if decision in race.owed():
                view, choices = RULES.view(race.board, decision.seat), RULES.legal_actions(race.board, decision)
                race.answer(decision, BOTS[bots[decision.seat]](view, choices, numbers))
    return race


def count(race: Playout) -> Counter[str]:
    return Counter(type(event).__name__ for event in race.written)


@pytest.mark.parametrize("game", range(3))
def test_all_three_race_to_the_end_with_whatever_equipment_there_is(game: int) -> None:
    equipment = ("none", "open", "races")[game]
    options = Options(laps=1, equipment=equipment, chariots_each=1 + game % 2)  # type: ignore[arg-type]  # of three names

    race = drive(("steady", "ruthless", "random"), game=game, options=options)

    assert race.board.ended in ("places_taken", "one_left", "none_left")
    assert race.board.finished


def test_steady_drivers_finish_whole_and_take_hardly_a_test() -> None:
    race = drive(("steady",) * 4, game=1)

    told = count(race)
    assert race.board.ended == "places_taken"
    assert race.board.game_turns <= 20
    assert told["SubMoveTested"] * 5 < told["TurnBegan"]
    assert not {"ChariotCrashed", "AttackAnnounced"} & set(told)


@pytest.mark.parametrize(("bot", "turns_max"), [("steady", 16), ("ruthless", 14)])
def test_a_lap_alone_with_a_rival_takes_a_sensible_driver_few_turns(bot: str, turns_max: int) -> None:
    races = [drive((bot, bot), game=game) for game in range(2)]

    assert sum(race.board.game_turns for race in races) <= turns_max * len(races)


def test_a_ruthless_driver_beats_a_steady_one() -> None:
    winners = [RULES.ranking(drive(("ruthless", "steady"), game=game).board)[0].seat for game in range(3)]

    assert winners.count(Seat(0)) >= 2


def test_ruthless_drivers_spur_take_tests_and_attack() -> None:
    told = count(drive(("ruthless",) * 4, game=0))

    assert min(told["SpeedChanged"], told["SubMoveTested"]) > 10
    assert told["AttackAnnounced"]


@pytest.mark.parametrize(("teams", "attacked"), [(None, [1]), ("ABA", [1]), ("AAB", [])])
@pytest.mark.parametrize("bot", ["random", "ruthless"])
def test_a_driver_that_attacks_attacks_rivals_and_no_mate(bot: str, teams: str | None, attacked: list[int]) -> None:
    script = attacking(others=(them(), chariot_at(2, pose_at(900))), progress_um=0)
    board = replace(script.board, seats=(Seat(0), Seat(1), Seat(2)), options=Options(laps=1, teams=teams))
    decision = RULES.decisions(board)[0]

    ask = partial(BOTS[bot], RULES.view(board, None), RULES.legal_actions(board, decision))
    answers = [ask(Random(number)) for number in range(TRIES)]  # noqa: S311 - a fixed seed makes the answers the same

    assert sorted({answer.target for answer in answers if isinstance(answer, Attack)}) == attacked


@pytest.mark.parametrize("bot", ["steady", "ruthless"])
def test_a_sensible_driver_beats_a_random_one(bot: str) -> None:
    winners = [RULES.ranking(drive((bot, "random"), game=game).board)[0] for game in range(2)]

    assert [(winner.place, winner.seat) for winner in winners] == [(1, 0)] * 2


def test_the_same_seed_drives_the_same_race() -> None:
    bots = ("random", "ruthless")

    assert drive(bots, game=7).written == drive(bots, game=7).written
