"""Invariants of every game here, and words of the rulebook: seats, draws, seals; horses and points."""

from typing import Any

import pytest

from domain.canonical import encode
from domain.chance import DiceRolled
from domain.ids import Seat
from domain.ruleset.playout import Playout
from domain.ruleset.teams import UnfitTeams
from domain.rulesets.chariotmaster.box.building import Build, fit_out
from domain.rulesets.chariotmaster.box.component_file import TOKENS
from domain.rulesets.chariotmaster.race.actions import PutToken
from domain.rulesets.chariotmaster.race.board import team_piece
from domain.rulesets.chariotmaster.race.mug_outcomes import ChariotDrawn, ChariotPlaced, MugClosed
from domain.rulesets.chariotmaster.race.options import Options
from domain.rulesets.chariotmaster.race.race_outcomes import ChariotBuilt
from domain.rulesets.chariotmaster.rounds.mug import fill_mug
from domain.rulesets.chariotmaster.rounds.workshop import UnfitRaceOptions
from domain.rulesets.chariotmaster.turn.collisions import dice_of
from tests.domain.rulesets.chariotmaster.fake_ruleset_pileup import ARENA, chariot_at
from tests.domain.rulesets.chariotmaster.loaded_script import pose_at
from tests.domain.rulesets.chariotmaster.own_components import BOX
from tests.domain.rulesets.chariotmaster.races import RULES, play_by_default, play_out, race_of, told

BOARS = fit_out(BOX, Build(equipment=("standard", "boars", "experienced", "fit", "ordinary")), stamina=9)
# A trial course with a bend to the right: "any shape".
TRIAL: list[dict[str, Any]] = [
    {"kind": "straight", "length_mm": 300},
    {"kind": "arc", "radius_mm": 200, "degrees": 90, "turn": "left"},
    {"kind": "arc", "radius_mm": 200, "degrees": 90, "turn": "right"},
    {"kind": "arc", "radius_mm": 200, "degrees": 180, "turn": "left"},
    {"kind": "straight", "length_mm": 900},
    {"kind": "arc", "radius_mm": 200, "degrees": 90, "turn": "left"},
    {"kind": "straight", "length_mm": 400},
    {"kind": "arc", "radius_mm": 200, "degrees": 90, "turn": "left"},
    {"kind": "straight", "length_mm": 200},
]


def rolls(race: Playout, name: str) -> list[DiceRolled]:
    return [event for event in told(race, DiceRolled) if event.label.startswith(f"{name}:")]


@pytest.mark.rule("CM-02", "CM-03")
def test_a_chariot_has_two_draught_beasts_and_four_kinds_of_points() -> None:
    (chariot, *_) = play_out(2, Options()).board.chariots

    assert chariot.horses == 2
    assert (chariot.stamina, chariot.structure, chariot.skill, chariot.health) == (29, 5, 6, 5)


@pytest.mark.rule("MT-6", "CM-104")
@pytest.mark.parametrize(("horses", "dice"), [(1, 2), (2, 3)])
def test_one_boar_counts_two_and_a_team_three(horses: int, dice: int) -> None:
    board = race_of(chariot_at(0, pose_at(0), fitting=BOARS, horses=horses)).board

    assert dice_of(ARENA, board, team_piece(0), "horses") == dice


@pytest.mark.rule("CM-07")
def test_a_game_names_its_course_which_may_have_any_shape() -> None:
    race = play_out(2, Options(laps=1, equipment="none", course="trial"))

    play_by_default(race, until=lambda race: race.board.game_turns == 14)

    # Past the bend to the right: further than the first four pieces but one.
    assert max(chariot.progress_um for chariot in race.board.chariots) > 700_000
    assert RULES.view(race.board, None).course.lap_um > RULES.arena.middle.length_um
    assert race.board.chariots[0].fitting.stamina == 18


@pytest.mark.rule("CM-07")
def test_a_course_that_the_components_do_not_have_is_refused() -> None:
    with pytest.raises(UnfitRaceOptions):
        play_out(2, Options(course="hippodrome"))


@pytest.mark.rule("CM-07", "MO-23")
def test_teams_are_of_any_size_and_two_at_least() -> None:
    unequal = play_out(5, Options(laps=1, teams="AABAC"))

    with pytest.raises(UnfitTeams):
        play_out(2, Options(laps=1, teams="AAB"))

    assert [result.seats for result in RULES.view(unequal.board, None).teams] == [(0, 1, 3), (2,), (4,)]


@pytest.mark.rule("CM-07", "XG-01")
def test_seats_are_those_that_were_taken_and_may_drive_several_chariots() -> None:
    seats = (Seat(1), Seat(4))
    race = Playout(RULES, seats=seats, options=Options(laps=1, chariots_each=2), secret=bytes(32))

    assert [chariot.seat for chariot in race.board.chariots] == [1, 1, 4, 4]
    assert [owed.seat for owed in race.owed()] == [1, 1, 4, 4]
    assert {placing.seat for placing in RULES.ranking(race.board)} == set(seats)


@pytest.mark.rule("XG-02")
def test_everything_is_drawn_by_one_die_over_what_is_left_and_the_last_one_by_none() -> None:
    race = play_by_default(play_out(4), until=lambda race: race.board.game_turns == 2)

    assert [rolled.sides for rolled in rolls(race, "grid")] == [4, 3, 2]
    assert [rolled.sides for rolled in rolls(race, "mug")] == [4, 3, 2]
    assert len(told(race, ChariotPlaced)) == len(told(race, ChariotDrawn)) == 4


@pytest.mark.rule("XG-03")
def test_builds_are_told_in_the_order_of_seats() -> None:
    race = play_out(3, Options(laps=1))
    for decision in reversed(race.owed()):
        race.answer(decision, RULES.default_action(race.board, decision))

    assert [built.chariot for built in told(race, ChariotBuilt)] == [0, 1, 2]


@pytest.mark.rule("XG-04")
def test_who_has_but_one_token_is_not_asked_for_it() -> None:
    script = race_of(chariot_at(0, pose_at(0)), chariot_at(1, pose_at(-60), tokens=(0,)))

    fill_mug(script)

    assert [decision.seat for decision in RULES.decisions(script.board)] == [0]


@pytest.mark.rule("XG-10")
def test_a_seal_shows_nothing_but_that_it_is_there() -> None:
    shown = set()
    for token in TOKENS:
        race = play_out(2)
        race.answer(race.owed()[0], PutToken(token=token))
        shown.add(encode(RULES.view(race.board, None)))

    assert len(shown) == 1
    assert not told(race, MugClosed)
