"""The contract: decisions, actions, outcomes, options and codes, as the game around the rules needs them."""

import re
from typing import get_args

import msgspec
import pytest

from domain.canonical import encode
from domain.ids import DecisionId, Seat
from domain.rejection import IllegalAction
from domain.ruleset.catalogue import Catalogue, hash_components
from domain.ruleset.chapter import NotDueNow
from domain.ruleset.decision import Decision
from domain.rulesets.chariot_race import rejections
from domain.rulesets.chariot_race.actions import Action, Move
from domain.rulesets.chariot_race.evolution import EVOLUTIONS
from domain.rulesets.chariot_race.options import RaceOptions
from domain.rulesets.chariot_race.outcomes import OUTCOME_TYPES, Outcome
from tests.domain.rulesets.chariot_race.boards import (
    RULES,
    chariot,
    play_by_default,
    play_out,
    race,
    script_on,
    told_by,
    with_dice,
)

BOARD = with_dice(race(chariot("green", "outer-15"), chariot("red", "outer-20")), "steer")
MOVE = Decision(id=DecisionId("r1/green/move/1"), seat=Seat(2), kind="plain")


def test_the_ruleset_is_found_by_its_components() -> None:
    catalogue = Catalogue([RULES])

    assert catalogue.find(name="chariot-race", version=1, components=hash_components(RULES)) is RULES


@pytest.mark.rule("CR-66", "XG-06", "XG-10")
def test_nothing_is_sealed_so_a_forfeit_is_a_programming_error() -> None:
    playout = play_out(2)
    [decision] = playout.owed()

    with pytest.raises(AssertionError, match="nothing is sealed"):
        RULES.forfeit(script_on(playout.board), decision)
    with pytest.raises(AssertionError, match="nothing is sealed"):
        RULES.close(script_on(playout.board))


@pytest.mark.rule("CR-66", "XG-10", "CR-64")
def test_one_plain_decision_at_a_time_is_owed_and_its_id_is_never_used_again() -> None:
    playout = play_out(3, RaceOptions(chariots="alternate"))
    ids: list[str] = []

    while owed := playout.owed():
        [decision] = owed
        assert decision.kind == "plain"
        ids.append(decision.id)
        playout.answer(decision, RULES.default_action(playout.board, decision))

    assert len(ids) == len(set(ids)) > 50


def test_a_decision_that_is_not_owed_is_never_asked_about() -> None:
    assert RULES.decisions(BOARD) == (MOVE,)
    with pytest.raises(NotDueNow, match="expected r1/green/move/1, found r1/red/move/1"):
        RULES.legal_actions(BOARD, Decision(id=DecisionId("r1/red/move/1"), seat=Seat(1), kind="plain"))


@pytest.mark.parametrize(
    "raw",
    [
        b'{"kind":"move","minuses":0,"path":"oooooo","whip":1}',
        b'{"kind":"move","minuses":0}',
        b'{"kind":"move","minuses":-1,"path":"oooooo"}',
        b'{"kind":"move","minuses":0,"path":"OOOOOO"}',
        b'{"kind":"move","minuses":0.0,"path":"oooooo"}',
        b'{"kind":"gallop","minuses":0,"path":"oooooo"}',
        b'{"minuses":0,"path":"oooooo"}',
        b'{"kind":"reroll","dice":[]}',
        b'{"kind":"reroll","dice":[5]}',
        b'{"kind":"turn_die","die":0,"face":"six"}',
        b'{"kind":"throw_javelin","chariot":"black"}',
        b'{"kind":"choose_place","place":7}',
        b'{"kind":"pass","why":null}',
        b"null",
    ],
)
def test_what_is_no_action_is_not_decoded(raw: bytes) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(raw, type=RULES.action_type)


def test_every_action_survives_the_log() -> None:
    move = Move(minuses=0, path="oooooo")

    assert encode(move) == b'{"kind":"move","minuses":0,"path":"oooooo"}'
    assert msgspec.json.decode(encode(move), type=RULES.action_type) == move


def test_every_action_forbids_unknown_fields_and_needs_all_its_own() -> None:
    for action in get_args(Action):
        assert action.__struct_config__.forbid_unknown_fields
        assert action.__struct_config__.frozen
        assert action.__struct_defaults__ == ()


def test_every_outcome_has_a_tag_and_a_place_in_the_evolution() -> None:
    kinds = set(Outcome.__subclasses__())

    assert set(OUTCOME_TYPES.values()) == kinds
    assert {
        evolution for evolution in EVOLUTIONS if evolution.__module__ == "domain.rulesets.chariot_race.outcomes"
    } == kinds
    for tag, kind in OUTCOME_TYPES.items():
        assert tag == re.sub("(?<!^)(?=[A-Z])", "_", kind.__name__).lower()


def test_every_outcome_of_a_game_survives_the_log() -> None:
    tags = {kind: tag for tag, kind in OUTCOME_TYPES.items()}

    for told in told_by(play_by_default(play_out(3))):
        if type(told) in tags:
            assert msgspec.json.decode(encode(told), type=OUTCOME_TYPES[tags[type(told)]]) == told


def test_every_rejection_has_a_code_of_its_own() -> None:
    reasons = [
        var
        for var in vars(rejections).values()
        if isinstance(var, type) and issubclass(var, IllegalAction) and var is not IllegalAction
    ]

    codes = {reason.code for reason in reasons}

    assert len(codes) == len(reasons) > 5
    assert all(re.fullmatch("[a-z]+(-[a-z]+)*", code) for code in codes)


def test_options_refuse_what_they_do_not_know() -> None:
    for raw in (b'{"rounds_max":61}', b'{"rounds_max":0}', b'{"first_half":"C"}', b'{"horses":4}'):
        with pytest.raises(msgspec.ValidationError):
            msgspec.json.decode(raw, type=RULES.options_type)
