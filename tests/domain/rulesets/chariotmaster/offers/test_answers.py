"""Short answers are offered one by one, with their purpose."""

import pytest
from msgspec.structs import replace

from domain.ids import DecisionId
from domain.rulesets.chariotmaster.harm.luck import check_luck
from domain.rulesets.chariotmaster.offers.choices import Odds, TokenOffer
from domain.rulesets.chariotmaster.offers.decisions import list_defences, list_luck, list_tokens
from domain.rulesets.chariotmaster.race.actions import Defend, Endure, LeaveRoll, ModifyRoll, PutToken
from domain.rulesets.chariotmaster.race.board import OfferedRoll, Threat, team_piece
from domain.rulesets.chariotmaster.rounds.mug import check_token
from tests.domain.rulesets.chariotmaster.attackers import HORROR, attacking, them
from tests.domain.rulesets.chariotmaster.default_course import GRID
from tests.domain.rulesets.chariotmaster.fake_ruleset_heat import play_out
from tests.domain.rulesets.chariotmaster.fake_ruleset_pileup import ARENA, FITTING, chariot_at
from tests.domain.rulesets.chariotmaster.loaded_script import pose_at, table


@pytest.mark.rule("CM-05", "CM-130")
def test_tokens_are_offered_as_the_team_reads_them() -> None:
    fast = chariot_at(0, GRID[0][0], fitting=replace(FITTING, reading="fast"))
    heat = play_out((fast, chariot_at(0, GRID[0][1], tokens=(0, 5))), seed=1)
    first, second = heat.owed()

    assert list_tokens(ARENA, heat.board, first).tokens[-1] == TokenOffer(
        token=10, min_um=100_000, max_um=180_000, pivot_degrees=10
    )
    assert list_tokens(ARENA, heat.board, second).candidates == (PutToken(token=0), PutToken(token=5))
    for decision in (first, second):
        for candidate in list_tokens(ARENA, heat.board, decision).candidates:
            check_token(heat.board, decision, candidate)


@pytest.mark.rule("CM-102")
def test_luck_offers_every_change_that_changes_a_die() -> None:
    offered = OfferedRoll(chariot=0, faces=(1, 6, 3), decision=DecisionId("t1/luck/1"))
    board = replace(table(chariot_at(0, pose_at(0), modifies=2)), offered=offered)
    choices = list_luck(board)

    assert choices.modifies == 2
    assert choices.candidates == (
        LeaveRoll(),
        ModifyRoll(die=0, change=1),
        ModifyRoll(die=1, change=-1),
        ModifyRoll(die=2, change=-1),
        ModifyRoll(die=2, change=1),
    )
    for candidate in choices.candidates:
        check_luck(board, candidate)


@pytest.mark.rule("CM-54", "CM-106")
def test_a_defence_is_offered_with_its_odds_and_frightened_horses_need_none() -> None:
    threatened = {
        fitting: replace(
            attacking(others=(them(),), fitting=fitting).board,
            threat=Threat(attacker=0, target=team_piece(1), means="ram", decision=DecisionId("t1/defence/1")),
        )
        for fitting in (FITTING, HORROR)
    }
    plain = list_defences(ARENA, threatened[FITTING])

    assert (plain.chariot, plain.attacker, plain.stamina) == (1, 0, 1)
    assert plain.brake == plain.evade == Odds(modifier=0, skill=6, passing_faces=5)
    assert plain.candidates == (Defend(means="brake"), Defend(means="evade"), Endure())
    assert list_defences(ARENA, threatened[HORROR]).evade is None
