"""An environment for agents that learn, in PettingZoo's AEC form, by the rules alone: from a seed, without a server.

An observation is the seat's own view and choices as the API has them; an action is an index into its legal answers.
"""

from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import islice
from random import Random
from typing import Any, TypedDict

import msgspec

from domain.canonical import Json
from domain.ids import Seat
from domain.ruleset.decision import Decision
from domain.ruleset.kit import Kit
from domain.ruleset.playout import Playout
from infra.ruleset_files import load_ruleset

# The size of the action space. A move of Chariot Race has some hundred answers; of others the simple ones come first.
ANSWERS_MAX = 4_096


class Observation(TypedDict):
    """`choices` is None for a seat that owes nothing; `action_mask` has a 1 for each legal index."""

    board: Any
    choices: Any
    action_mask: bytes


class Indexes:
    """The action space: the indexes below `n`."""

    n = ANSWERS_MAX

    def __init__(self) -> None:
        self._numbers = Random(0)  # noqa: S311  an agent's own chance

    def seed(self, seed: int | None = None) -> None:
        self._numbers.seed(seed)

    def contains(self, index: object) -> bool:
        return isinstance(index, int) and 0 <= index < self.n

    def sample(self, mask: Sequence[int] | None = None) -> int:
        """Choose one of the indexes that the mask has, all of them without one."""
        return self._numbers.choice([index for index, bit in enumerate(mask) if bit] if mask else range(self.n))


class Observations:
    """The observation space."""

    def contains(self, seen: object) -> bool:
        return isinstance(seen, dict) and seen.keys() == Observation.__annotations__.keys()


class Environment:
    """One game after the other: `reset`, then `step` for `agent_selection` until `agents` is empty.

    The reward is given at the end: the share of rivals that a seat has left behind, less that of those ahead.
    `rivals` are bots of the kit for the last seats, which then are no agents.

        env = Environment(find_kit("chariot-race"), rivals=("fast",))
        env.reset(seed=1)
        for agent in env.agent_iter():
            seen, reward, is_over, _, _ = env.last()
            env.step(None if is_over else env.action_space(agent).sample(seen["action_mask"]))
    """

    def __init__(
        self, kit: Kit, *, seats: int = 2, rivals: Sequence[str] = (), options: Mapping[str, Json] | None = None
    ) -> None:
        self.metadata = {"name": kit.reference, "is_parallelizable": False, "render_modes": []}
        self.render_mode = None
        self._kit = kit
        self._rules = load_ruleset(kit)
        self._seats = tuple(Seat(seat) for seat in range(seats))
        chosen = kit.short if options is None else options
        self._options = msgspec.convert(dict(chosen), self._rules.options_type)
        self._rivals = {Seat(seats - len(rivals) + place): kit.bots[name] for place, name in enumerate(rivals)}
        self.possible_agents = [_name(seat) for seat in self._seats if seat not in self._rivals]
        self._spaces = {agent: (Observations(), Indexes()) for agent in self.possible_agents}
        self._seed = -1
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> Observations:
        return self._spaces[agent][0]

    def action_space(self, agent: str) -> Indexes:
        return self._spaces[agent][1]

    @property
    def num_agents(self) -> int:
        return len(self.agents)

    def reset(self, seed: int | None = None, options: object = None) -> None:
        """Begin the game of this seed; without one, the game after the last."""
        del options  # a game's options are those of the environment
        self._seed = self._seed + 1 if seed is None else seed
        secret = sha256(f"spina/environment/{self._seed}".encode()).digest()
        self._numbers = Random(secret)  # noqa: S311  choices of bots, repeatable on purpose
        self._game = Playout(self._rules, seats=self._seats, options=self._options, secret=secret)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._go_on()

    def observe(self, agent: str) -> Observation:
        """Return the view of an agent, and its choices and mask while it is to act."""
        is_asked = self._asked is not None and agent == self.agent_selection
        seat = self._seats[int(agent.removeprefix("seat_"))]
        legal = len(self._answers) if is_asked else 0
        return {
            "board": _to_json(self._rules.view(self._game.board, seat)),
            "choices": _to_json(self._choices) if is_asked else None,
            "action_mask": b"\1" * legal + bytes(ANSWERS_MAX - legal),
        }

    def answers(self) -> tuple[Json, ...]:
        """Return the legal answers of the agent that is to act, as the API takes them, by their indexes."""
        return tuple(_to_json(answer) for answer in self._answers)

    def last(self, observe: bool = True) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:  # noqa: FBT001, FBT002  the form of AEC
        """Return the observation, reward, termination, truncation and info of the agent that is to act."""
        agent = self.agent_selection
        seen = self.observe(agent) if observe else None
        flags = self.terminations[agent], self.truncations[agent]
        return seen, self._cumulative_rewards[agent], *flags, self.infos[agent]

    def step(self, action: int | None) -> None:
        """Answer with the index of a legal answer; an agent whose game is over answers None, and leaves."""
        agent = self.agent_selection
        self._cumulative_rewards[agent] = 0.0
        if self.terminations[agent]:
            if action is not None:
                raise ValueError(f"expected None of {agent}, whose game is over, found {action}")
            self._leave(agent)
            return
        if action is None or not 0 <= action < len(self._answers):
            raise ValueError(f"expected an index below {len(self._answers)} of {agent}, found {action}")
        assert self._asked is not None, agent
        self._game.answer(self._asked, self._answers[action])
        self._go_on()

    def agent_iter(self, max_iter: int = 2**63) -> Iterator[str]:
        """Iterate over the agents that are to act, until all have left."""
        for _ in range(max_iter):
            if not self.agents:
                return
            yield self.agent_selection

    def render(self) -> None:
        """Draw nothing: the pages draw boards."""

    def close(self) -> None:
        """Release nothing: all of it is memory."""

    def _leave(self, agent: str) -> None:
        self.agents.remove(agent)
        for kept in (self.rewards, self._cumulative_rewards, self.terminations, self.truncations, self.infos):
            del kept[agent]
        if self.agents:
            self.agent_selection = self.agents[0]

    def _go_on(self) -> None:
        """Let rivals answer until an agent is asked, or the game is over."""
        self._asked: Decision | None = None
        self._choices: Any = None
        self._answers: Sequence[Any] = ()
        while owed := self._game.owed():
            decision, view = owed[0], None
            choices = self._rules.legal_actions(self._game.board, decision)
            if decision.seat not in self._rivals:
                self._asked, self._choices = decision, choices
                self._answers = tuple(islice(self._kit.list_answers(choices), ANSWERS_MAX))
                self.agent_selection = _name(decision.seat)
                return
            view = self._rules.view(self._game.board, decision.seat)
            self._game.answer(decision, self._rivals[decision.seat](view, choices, self._numbers))
        self._end()

    def _end(self) -> None:
        places = {placing.seat: placing.place for placing in self._rules.ranking(self._game.board)}
        for agent, seat in zip(self.possible_agents, self._seats, strict=False):
            behind = sum(place > places[seat] for place in places.values())
            ahead = sum(place < places[seat] for place in places.values())
            self.rewards[agent] = self._cumulative_rewards[agent] = (behind - ahead) / (len(places) - 1)
            self.terminations[agent] = True
        self.agent_selection = self.agents[0]


def _name(seat: Seat) -> str:
    return f"seat_{seat}"


def _to_json(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))
