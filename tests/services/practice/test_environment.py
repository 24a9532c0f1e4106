"""The environment keeps PettingZoo's AEC form for every ruleset: the contract of its API test, without the package."""

from itertools import islice
from typing import Any

import msgspec
import pytest

from domain.ruleset.kit import Kit
from domain.rulesets.chariot_race.kit.kit import KIT as CHARIOT_RACE
from domain.rulesets.released import KITS
from services.practice.environment import ANSWERS_MAX, Environment, Indexes
from tests.rulesets.dash.kit import KIT as DASH

OPTIONS: dict[str, dict[str, Any]] = {"chariotmaster": {"laps": 1, "turns_max": 2, "equipment": "none"}}
EVERY = [*KITS, DASH]


def build(kit: Kit, **given: Any) -> Environment:
    return Environment(kit, options=OPTIONS.get(kit.name), **given)


def play(environment: Environment, *, seed: int, steps_max: int = 100_000) -> list[tuple[str, bytes, int | None]]:
    """Play one game by chance alone; return who acted on which observation, and how."""
    environment.reset(seed=seed)
    numbers, steps = Indexes(), []
    for agent in islice(environment.agent_iter(), steps_max):
        seen, _, is_over, is_cut, _ = environment.last()
        assert seen is not None
        action = None if is_over or is_cut else numbers.sample(seen["action_mask"])
        steps.append((agent, msgspec.json.encode(seen["board"]), action))
        environment.step(action)
    return steps


@pytest.mark.parametrize("kit", EVERY, ids=lambda kit: str(kit.name))
def test_a_game_of_every_ruleset_keeps_the_form(kit: Kit) -> None:
    environment = build(kit)
    environment.reset(seed=4)
    numbers, cumulative = Indexes(), dict.fromkeys(environment.possible_agents, 0.0)

    for agent in environment.agent_iter():
        seen, reward, is_over, is_cut, info = environment.last()
        assert environment.observation_space(agent).contains(seen)
        assert seen is not None
        assert len(seen["action_mask"]) == ANSWERS_MAX
        assert set(environment.rewards) == set(environment.agents) == set(environment.terminations)
        assert not is_cut
        assert info == {}
        assert (seen["choices"] is None) == is_over == (sum(seen["action_mask"]) == 0)
        assert len(environment.answers()) == sum(seen["action_mask"])
        cumulative[agent] += reward
        environment.step(None if is_over else numbers.sample(seen["action_mask"]))

    assert environment.agents == []
    assert sum(cumulative.values()) == 0
    assert all(-1 <= total <= 1 for total in cumulative.values())


@pytest.mark.parametrize("kit", EVERY, ids=lambda kit: str(kit.name))
def test_a_seed_gives_one_game(kit: Kit) -> None:
    first = play(build(kit), seed=7, steps_max=40)

    again, other = play(build(kit), seed=7, steps_max=40), play(build(kit), seed=8, steps_max=40)

    assert first == again
    assert first != other


def test_a_game_without_a_seed_is_the_one_after_the_last() -> None:
    counted, named = build(DASH), build(DASH)
    counted.reset(seed=3)
    counted.reset()
    named.reset(seed=4)

    assert counted.observe("seat_0") == named.observe("seat_0")


def test_rivals_are_bots_of_the_house_and_no_agents() -> None:
    environment = build(CHARIOT_RACE, seats=3, rivals=("fast",))

    steps = play(environment, seed=1)

    assert {agent for agent, _, _ in steps} == {"seat_0", "seat_1"} == set(environment.possible_agents)


def test_an_agent_that_is_not_to_act_sees_the_board_and_no_choices() -> None:
    environment = build(DASH)
    environment.reset(seed=1)
    (waiting,) = set(environment.agents) - {environment.agent_selection}

    seen = environment.observe(waiting)

    assert seen["board"]["length"] == 12
    assert seen["choices"] is None
    assert not any(seen["action_mask"])


@pytest.mark.parametrize("action", [None, -1, 2])
def test_an_index_that_the_mask_does_not_have_is_refused(action: int | None) -> None:
    environment = build(DASH)
    environment.reset(seed=1)

    with pytest.raises(ValueError, match="expected an index below 2 of seat_0, found"):
        environment.step(action)
