"""A new ruleset is one folder and one line: the code for all rulesets measures and describes Dash too."""

import re
from typing import Any

import msgspec
from jsonschema_rs import Draft202012Validator

from bench.ruleset import measure_ruleset
from domain.ids import Seat
from domain.ruleset.playout import Playout
from domain.rulesets.released import KITS
from infra.ruleset_files import load_ruleset, read_words
from services.api.http.ruleset_schemas import describe_rulesets
from services.practice.games import Plan, simulate, summarise
from tests.rulesets.dash.kit import KIT

RULES = load_ruleset(KIT)


def test_its_games_are_simulated_and_summed_up() -> None:
    summary = summarise(simulate(KIT, RULES, Plan(bots=("daring", "wavering"), games=20, seed=1)))

    assert {share.bot: share.expected for share in summary.shares} == {"daring": 10, "wavering": 10}
    assert sum(share.wins for share in summary.shares) == 20
    assert 1 <= summary.means["dashes"] <= 12


def test_its_cost_is_measured() -> None:
    figures = measure_ruleset(KIT, games=2)

    assert all(figure.title.startswith("dash@1") for figure in figures)
    assert figures[1].rows.keys() >= {"dash", "elsewhere"}


def test_its_boards_and_actions_are_described_beside_those_of_the_others() -> None:
    schemas = describe_rulesets((*KITS, KIT))
    board = msgspec.to_builtins(
        RULES.view(Playout(RULES, seats=(Seat(0), Seat(1)), options=RULES.options_type(), secret=bytes(32)).board, None)
    )

    def fits(name: str, value: Any) -> bool:
        return Draft202012Validator(
            {"$ref": f"#/components/schemas/{name}", "components": {"schemas": schemas}}
        ).is_valid(value)

    assert fits("Dash1RulesetBoard", board)
    assert fits("RulesetBoard", board)
    assert not fits("Charioteer1RulesetBoard", board)
    assert fits("RulesetAction", {"kind": "dare"})
    assert set(re.findall("^Dash1\\w+", "\n".join(schemas), re.MULTILINE)) >= {
        "Dash1RulesetOptions",
        "Dash1RulesetAction",
        "Dash1Runner",
    }


def test_its_words_are_its_own_and_those_of_every_game() -> None:
    words = read_words(KIT)

    assert (words.title, words.turn, words.turn_field) == ("The Dash", "dash", "number")
    assert words.marks == {"dash_began": "turn", "dash_won": "end"}
    assert words.sentences.keys() > set(RULES.outcome_types)
    assert words.options.keys() == {"head_start"}
