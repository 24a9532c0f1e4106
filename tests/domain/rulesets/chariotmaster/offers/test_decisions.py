"""Every decision of whole races: an offer is accepted, a preview costs nothing, and the right seat is asked."""

from collections import Counter

import msgspec
import pytest

from domain.canonical import encode
from domain.rejection import IllegalAction
from domain.ruleset.chapter import WrongAction
from domain.rulesets.chariotmaster.offers.aftermath_choices import foresee_aftermath, list_aftermath
from domain.rulesets.chariotmaster.offers.choices import (
    BuildChoices,
    Choices,
    ClimbChoices,
    CutLooseChoices,
    Odds,
    WalkChoices,
)
from domain.rulesets.chariotmaster.offers.foreseen import BuildForeseen, ClimbForeseen, CutLooseForeseen, WalkForeseen
from domain.rulesets.chariotmaster.race.actions import BuildChariot, GoOn, Leg, PutToken, Walk
from domain.rulesets.chariotmaster.race.board import Aftermath, AftermathStage, Board, Chariot
from domain.rulesets.chariotmaster.race.options import Options
from tests.domain.rulesets.chariotmaster.fake_ruleset_pileup import ARENA, chariot_at
from tests.domain.rulesets.chariotmaster.loaded_script import pose_at, table
from tests.domain.rulesets.chariotmaster.races import RULES, play_out
from tests.domain.rulesets.chariotmaster.random_races import candidates_of, random_race


@pytest.mark.parametrize("seed", [0, 2, 5])
def test_every_candidate_of_a_race_is_legal_and_can_be_foreseen(seed: int) -> None:
    asked: Counter[type] = Counter()
    for race, random in random_race(seed):
        for decision in race.owed():
            choices = RULES.legal_actions(race.board, decision)
            asked[type(choices)] += 1
            candidates = candidates_of(choices)
            assert len(set(candidates)) == len(candidates) > 0
            for action in candidates:
                RULES.check(race.board, decision, action)
            before = (race.board, list(race.written), race.chance)
            RULES.preview(race.board, decision, random.choice(candidates))
            assert before == (race.board, race.written, race.chance)
            assert msgspec.json.decode(encode(choices), type=Choices) == choices

    assert len(asked) >= 3


def test_an_answer_to_another_question_is_refused() -> None:
    race = play_out(2)
    decision = race.owed()[0]

    for action in (GoOn(), BuildChariot(race=None, equipment=())):
        with pytest.raises(WrongAction):
            RULES.preview(race.board, decision, action)
    RULES.preview(race.board, decision, PutToken(token=5))


@pytest.mark.rule("CM-100", "CM-107")
def test_builds_are_offered_with_the_table_and_the_races() -> None:
    open_race = play_out(2, Options(laps=1, equipment="open"))
    by_race = play_out(2, Options(laps=1, equipment="races"))
    anything, choices = (RULES.legal_actions(race.board, race.owed()[0]) for race in (open_race, by_race))

    assert isinstance(choices, BuildChoices)
    assert isinstance(anything, BuildChoices)
    assert (choices.points_max, len(choices.equipment), len(anything.races)) == (3, 19, 0)
    assert [race.name for race in choices.races][:3] == ["humans", "high_elves", "orcs"]
    races = {candidate.race for candidate in choices.candidates}
    assert races == {race.name for race in choices.races}
    seen = RULES.preview(by_race.board, by_race.owed()[0], choices.candidates[0])
    assert isinstance(seen, BuildForeseen)
    assert seen.points <= choices.points_max


def aftermath(chariot: Chariot, stage: AftermathStage) -> Board:
    board = table(chariot)
    return msgspec.structs.replace(board, aftermath=Aftermath(chariot=0, token=5, stage=stage))


@pytest.mark.rule("CM-81")
def test_a_walk_is_measured_all_around() -> None:
    walker = chariot_at(0, None, driver="on_foot", has_body=False, horses=0, driver_pose=pose_at(0, 70))
    board = aftermath(walker, "walk")
    choices = list_aftermath(ARENA, board)

    assert isinstance(choices, WalkChoices)
    assert (choices.reach_um, choices.is_at_edge, len(choices.rays)) == (50_000, False, 24)
    ahead, left = choices.rays[0], choices.rays[6]
    assert (ahead.free_um, ahead.contacts) == (50_000, ())
    # The wall is 100 mm from the middle, the driver's base 10 mm wide.
    assert (left.heading, left.free_um, left.contacts[0].part) == (90, 25_000, "wall")
    to_the_wall = Walk(legs=(Leg(heading=90, distance_mm=25),))
    assert to_the_wall in choices.candidates
    seen = foresee_aftermath(ARENA, board, to_the_wall)
    assert seen == WalkForeseen(poses=(pose_at(0, 95),), distance_um=25_000, leaves_track=True)


@pytest.mark.rule("CM-80", "CM-65")
def test_tests_of_drivers_are_offered_with_their_odds() -> None:
    dragged = aftermath(chariot_at(0, pose_at(0), driver="dragged", has_body=False, skill=4), "cut_loose")
    loose = aftermath(chariot_at(0, pose_at(0), has_reins=False, skill=4), "climb")
    cutting, climbing = list_aftermath(ARENA, dragged), list_aftermath(ARENA, loose)

    assert isinstance(cutting, CutLooseChoices)
    assert isinstance(climbing, ClimbChoices)
    assert cutting.odds == Odds(modifier=0, skill=4, passing_faces=4)
    assert [(grab.token, grab.odds.passing_faces) for grab in climbing.odds] == [(0, 5), (5, 4), (10, 3)]
    assert isinstance(foresee_aftermath(ARENA, dragged, cutting.candidates[0]), CutLooseForeseen)
    assert isinstance(foresee_aftermath(ARENA, loose, climbing.candidates[0]), ClimbForeseen)


def test_an_illegal_action_is_not_foreseen() -> None:
    race = play_out(2)
    decision = race.owed()[0]

    with pytest.raises(IllegalAction):
        RULES.preview(race.board, decision, Walk(legs=()))
