"""The contract of all rulesets, kept."""

import msgspec
import pytest

from domain.canonical import check_value, encode, parse
from domain.chance import LINKS_PER_CHAIN
from domain.ruleset.ruleset import AnyRuleset
from domain.rulesets.charioteer.actions import Stack
from domain.rulesets.charioteer.evolution import EVOLUTIONS
from domain.rulesets.charioteer.options import TURNS_LIMIT
from domain.rulesets.charioteer.outcomes import OUTCOME_TYPES
from tests.domain.rulesets.charioteer.boards import BOX, RULES, fan, move, own, reset

ACTIONS = [
    (
        move("red-5", 0, 4, crowd=True, token=own("plus-5-red"), discard=Stack(cards=(1,), token=fan(3))),
        (
            b'{"cards":[0,4],"changed":null,"crowd":true,"discard":{"cards":[1],"token":{"draw":3,"kind":"fan"}},'
            b'"kind":"move","symbol":"red-5","token":{"kind":"player","type":"plus-5-red"}}'
        ),
    ),
    (reset(2, 7), b'{"cards":[2,7],"discard":null,"kind":"reset"}'),
]


def test_it_keeps_the_contract_of_all_rulesets() -> None:
    rules: AnyRuleset = RULES

    assert (rules.name, rules.version, list(rules.seats)) == ("charioteer", 1, [2, 3, 4, 5, 6])
    assert rules.link_chains * LINKS_PER_CHAIN > TURNS_LIMIT + 6 + 1


@pytest.mark.parametrize(("action", "raw"), ACTIONS)
def test_an_action_has_one_spelling_with_all_its_fields(action: object, raw: bytes) -> None:
    assert encode(action) == raw
    assert msgspec.convert(parse(raw), RULES.action_type) == action


@pytest.mark.parametrize(("action", "raw"), ACTIONS)
def test_an_action_without_one_of_its_fields_or_with_another_is_not_read(action: object, raw: bytes) -> None:
    fields = parse(raw)
    assert isinstance(fields, dict)

    for field in fields:
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert({key: value for key, value in fields.items() if key != field}, RULES.action_type)
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({**fields, "card": 1}, RULES.action_type)
    assert action is not None


def test_every_outcome_has_an_evolution_and_a_tag_of_its_own() -> None:
    assert set(OUTCOME_TYPES.values()) == set(EVOLUTIONS)
    assert len(OUTCOME_TYPES) == len(set(OUTCOME_TYPES.values()))


def test_the_options_have_defaults_and_bounds() -> None:
    assert msgspec.convert({}, RULES.options_type).turns_max == 400
    for wrong in ({"laps": 4}, {"turns_max": 0}, {"disrupt": "1-1-1"}, {"speed": 1}):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(wrong, RULES.options_type)


def test_the_components_fit_the_canonical_form() -> None:
    check_value(parse(RULES.components))
    assert len(BOX.faces) == 145
