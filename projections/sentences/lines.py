"""A line of a log as a sentence. Every line has one: what this release does not know is told by its tag.

A new ruleset adds its module beside this one, with `tell`, `MARKS` and `QUIET`, and one entry here.
"""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from domain.game.events import INPUT_TYPES, OUTCOME_TYPES
from domain.log.record import Line
from domain.rulesets.chariot_race.outcomes import OUTCOME_TYPES as CHARIOT_RACE_TYPES
from domain.rulesets.charioteer.outcomes import OUTCOME_TYPES as CHARIOTEER_TYPES
from domain.rulesets.chariotmaster.race.outcomes import OUTCOME_TYPES as CHARIOTMASTER_TYPES
from projections.sentences import chariot_race, charioteer, chariotmaster, game
from projections.sentences.words import Weight, tell_tag


class Teller(Struct, frozen=True, kw_only=True):
    """How outcomes of one kind become sentences."""

    types: Mapping[str, type[Struct]]
    tell: Callable[[Any], str]
    marks: Mapping[str, Weight] = {}
    quiet: frozenset[str] = frozenset()


class Told(Struct, frozen=True, kw_only=True):
    text: str
    weight: Weight


_INPUTS = Teller(types=INPUT_TYPES, tell=game.tell_input, quiet=game.QUIET)
_OUTCOMES = Teller(types=OUTCOME_TYPES, tell=game.tell_outcome, quiet=game.QUIET)
# By the name of the ruleset; its versions tell the same tags.
TELLERS: Mapping[str, Teller] = {
    "charioteer": Teller(types=CHARIOTEER_TYPES, tell=charioteer.tell, marks=charioteer.MARKS, quiet=charioteer.QUIET),
    "chariot-race": Teller(
        types=CHARIOT_RACE_TYPES, tell=chariot_race.tell, marks=chariot_race.MARKS, quiet=chariot_race.QUIET
    ),
    "chariotmaster": Teller(
        types=CHARIOTMASTER_TYPES, tell=chariotmaster.tell, marks=chariotmaster.MARKS, quiet=chariotmaster.QUIET
    ),
}


def tell_line(ruleset: str, line: Line) -> Told:
    """Tell a line of a game of this ruleset, which is given by its name."""
    for teller in _list_tellers(ruleset, line):
        type_ = teller.types.get(line.type)
        if type_ is not None:
            weight = "quiet" if line.type in teller.quiet else teller.marks.get(line.type, "plain")
            return Told(text=_tell(teller, type_, line), weight=weight)
    return Told(text=tell_tag(line.type), weight="plain")


def _list_tellers(ruleset: str, line: Line) -> tuple[Teller, ...]:
    if line.kind == "input":
        return (_INPUTS,)
    own = TELLERS.get(ruleset)
    return (_OUTCOMES,) if own is None else (_OUTCOMES, own)


def _tell(teller: Teller, type_: type[Struct], line: Line) -> str:
    try:
        return teller.tell(msgspec.convert(line.data, type_))
    except msgspec.ValidationError:
        # Written by a later release, with values that this one has no words for.
        return tell_tag(line.type)
