"""What Chariotmaster costs: chariot turns by the rules alone, by defaults and by bots, and how much of it is geometry.

A race of the house's bots is recorded once; its answers are given again for the rules alone, so that nobody chooses.
"""

import cProfile
import pstats
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

from msgspec import Struct

from bench.rate import Rate, build_rate
from domain.ids import Seat
from domain.ruleset.decision import Decision
from domain.ruleset.rehearsal import Rehearsal
from domain.rulesets.chariotmaster.bots import ruthless_bot
from domain.rulesets.chariotmaster.race.actions import Action
from domain.rulesets.chariotmaster.race.options import Options
from domain.rulesets.chariotmaster.ruleset import ChariotmasterRuleset

# About two races of a lap.
CHARIOT_TURNS = 200
# Six chariots, all with one seat each: the aim is stated for so many.
SEATS = tuple(Seat(seat) for seat in range(6))
RACE = Options(laps=1, equipment="none")

Answers = tuple[tuple[Decision, Action], ...]
Choose = Callable[[Rehearsal, Decision], Action]


class TableCost(Struct, frozen=True, kw_only=True):
    """Time of one processor, six chariots; an event is a chariot turn, a latency that of one answer.

    `rules` checks and plays answers that are known; `absent` looks for default answers too; `bots` get a view each
    time. `geometry_share` is the part of `rules` that is spent in geometry.
    """

    rules: Rate
    absent: Rate
    bots: Rate
    geometry_share: float


def measure_chariotmaster(rules: ChariotmasterRuleset, *, chariot_turns: int = CHARIOT_TURNS) -> TableCost:
    numbers = Random(7)  # noqa: S311 - whims of bots, the same in every run

    def by_bot(race: Rehearsal, decision: Decision) -> Action:
        return ruthless_bot.choose(rules.view(race.board, decision.seat), decision.id, numbers)

    def by_default(race: Rehearsal, decision: Decision) -> Action:
        return rules.default_action(race.board, decision)

    bots, answers = _measure(rules, "turns of six ruthless bots, with views", by_bot, chariot_turns)
    absent, _ = _measure(rules, "turns of six absent seats", by_default, chariot_turns)
    known = iter(answers)
    again, _ = _measure(rules, "the same turns, by the rules alone", lambda *_: next(known)[1], chariot_turns)
    return TableCost(rules=again, absent=absent, bots=bots, geometry_share=_measure_geometry(rules, answers))


def _measure(rules: ChariotmasterRuleset, name: str, choose: Choose, chariot_turns: int) -> tuple[Rate, Answers]:
    """Play race after race until so many chariot turns are over; an answer's latency is choosing and playing it."""
    latencies_s: list[float] = []
    answers: list[tuple[Decision, Action]] = []
    turns = races = 0
    started = time.process_time()
    while turns < chariot_turns:
        race = _begin(rules, races)
        while race.owed() and turns + race.board.turns_closed < chariot_turns:
            before = time.process_time()
            decision = race.owed()[0]
            action = choose(race, decision)
            race.answer(decision, action)
            latencies_s.append(time.process_time() - before)
            answers.append((decision, action))
        turns, races = turns + race.board.turns_closed, races + 1
    elapsed_s = time.process_time() - started
    return build_rate(name, latencies_s=latencies_s, events=turns, elapsed_s=elapsed_s), tuple(answers)


def _measure_geometry(rules: ChariotmasterRuleset, answers: Answers) -> float:
    """Give the answers once more under a profiler, and add up the time by module."""
    profile = cProfile.Profile()
    races = 0
    left = list(answers)
    while left:
        race = _begin(rules, races)
        races += 1
        profile.enable()
        while race.owed() and left:
            race.answer(*left.pop(0))
        profile.disable()
    # What functions of the interpreter take (min, max, sorted …) counts where they are called from.
    spent = {"geometry": 0.0, "rest": 0.0}
    for (file, _, _), (_, _, own_s, _, callers) in pstats.Stats(profile).stats.items():  # type: ignore[attr-defined]  # it has them
        if file == "~":
            for (caller, _, _), (_, _, by_caller_s, _) in callers.items():
                spent[_side(caller)] += by_caller_s
        else:
            spent[_side(file)] += own_s
    return spent["geometry"] / sum(spent.values())


def _side(file: str) -> str:
    path = Path(file)
    return "geometry" if path.parent.parts[-2:] == ("chariotmaster", "table") else "rest"


def _begin(rules: ChariotmasterRuleset, race: int) -> Rehearsal:
    return Rehearsal(rules, seats=SEATS, options=RACE, secret=race.to_bytes(32, "big"))
