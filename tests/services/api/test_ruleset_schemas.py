"""The description's schemas of rulesets' boards and actions: they fit every real board and answer."""

import json
import re
from functools import cache
from random import Random
from typing import Any

import msgspec
import pytest
from jsonschema_rs import Draft202012Validator

from domain.ids import Seat
from domain.ruleset.playout import Playout
from domain.ruleset.ruleset import AnyRuleset
from domain.rulesets.chariot_race.kit import kit as chariot_race
from domain.rulesets.charioteer.kit import kit as charioteer
from domain.rulesets.chariotmaster.kit import kit as chariotmaster
from domain.rulesets.released import find_kit
from infra.ruleset_files import load_ruleset
from services.api.http.ruleset_schemas import ACTION, BOARD, CHOICES, OPTIONS, PREVIEW
from spina_players.bots.player import read_bot
from tests.services.api.described import describe

LOADED: tuple[AnyRuleset, ...] = (
    load_ruleset(charioteer.KIT),
    load_ruleset(chariot_race.KIT),
    load_ruleset(chariotmaster.KIT),
)
ADA, BOB, CEM = Seat(0), Seat(1), Seat(2)
# Enough for every kind of question, and a second for the slowest of the three.
ANSWERS_MAX = 120


@cache
def validator(name: str) -> Draft202012Validator:
    return Draft202012Validator({"$ref": f"#/components/schemas/{name}", "components": describe()["components"]})


def prefix(ruleset: AnyRuleset) -> str:
    return "".join(word.capitalize() for word in ruleset.name.split("-")) + "1"


def is_of(ruleset: AnyRuleset, role: str, value: Any) -> bool:
    """Return whether a value fits the description of this ruleset, and of any ruleset."""
    return validator(f"{prefix(ruleset)}{role}").is_valid(value) and validator(role).is_valid(value)


@pytest.mark.parametrize("ruleset", LOADED, ids=lambda each: each.name)
def test_whatever_a_race_shows_and_takes_is_as_described(ruleset: AnyRuleset) -> None:
    numbers, options = Random(1), ruleset.options_type()  # noqa: S311  repeatable play, not a secret
    race = Playout(ruleset, seats=(ADA, BOB, CEM), options=options, secret=bytes(32))
    kit = find_kit(f"{ruleset.name}@1")
    assert kit is not None

    assert is_of(ruleset, OPTIONS, msgspec.to_builtins(options))
    for _ in range(ANSWERS_MAX):
        decision = next(iter(race.owed()), None)
        if decision is None:
            break
        for seat in (None, ADA, BOB, CEM):
            assert is_of(ruleset, BOARD, msgspec.to_builtins(ruleset.view(race.board, seat)))
        own, choices = ruleset.view(race.board, decision.seat), ruleset.legal_actions(race.board, decision)
        assert is_of(ruleset, CHOICES, msgspec.to_builtins(choices))
        choose = read_bot(kit, numbers.choice(sorted(kit.bots)))
        action = choose(msgspec.json.encode(own), msgspec.json.encode(choices), numbers)
        known = msgspec.convert(action, ruleset.action_type)
        assert is_of(ruleset, ACTION, action)
        assert is_of(ruleset, PREVIEW, msgspec.to_builtins(ruleset.preview(race.board, decision, known)))
        race.answer(decision, known)


@pytest.mark.parametrize("ruleset", LOADED, ids=lambda each: each.name)
def test_a_board_fits_its_own_ruleset_alone(ruleset: AnyRuleset) -> None:
    race = Playout(ruleset, seats=(ADA, BOB), options=ruleset.options_type(), secret=bytes(32))

    board = msgspec.to_builtins(ruleset.view(race.board, ADA))

    assert [ruleset.name for ruleset in LOADED if validator(f"{prefix(ruleset)}{BOARD}").is_valid(board)] == [
        ruleset.name
    ]
    assert not validator(BOARD).is_valid({})
    assert not any(validator(BOARD).is_valid({name: board[name] for name in board.keys() - {left}}) for left in board)


def test_every_ruleset_of_this_release_is_described() -> None:
    for ruleset in LOADED:
        named = {prefix(ruleset) + role for role in (BOARD, CHOICES, ACTION, PREVIEW, OPTIONS)}
        assert named <= set(describe()["components"]["schemas"])


def test_every_reference_of_the_description_leads_somewhere() -> None:
    described = describe()
    text = json.dumps(described)

    referred = set(re.findall(r'"#/components/schemas/([^"]+)"', text))

    assert referred <= set(described["components"]["schemas"])
    assert text.count('"#/') == len(re.findall(r'"#/components/schemas/', text))


def test_board_action_and_options_lead_to_the_rulesets() -> None:
    described = describe()
    schemas, paths = described["components"]["schemas"], described["paths"]

    def body_of(path: str) -> Any:
        reference = paths[path]["post"]["requestBody"]["content"]["application/json"]["schema"]["$ref"]
        return schemas[reference.rpartition("/")[2]]["properties"]

    assert {"$ref": f"#/components/schemas/{BOARD}"} in schemas["GameShown"]["properties"]["board"]["oneOf"]
    assert schemas["GameShown"]["properties"]["choices"]["additionalProperties"] == {
        "$ref": f"#/components/schemas/{CHOICES}"
    }
    assert schemas["Previewed"]["properties"]["effect"]["$ref"] == f"#/components/schemas/{PREVIEW}"
    assert body_of("/v1/games")["options"]["$ref"] == f"#/components/schemas/{OPTIONS}"
    for last in ("actions", "entrustments", "reveals", "previews"):
        assert body_of(f"/v1/games/{{game}}/{last}")["action"]["$ref"] == f"#/components/schemas/{ACTION}"
