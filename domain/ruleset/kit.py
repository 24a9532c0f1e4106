"""A ruleset's kit: the one value by which the product builds, plays, describes, shows, simulates and measures it.

A new ruleset is one folder with a kit in it, and one line in `domain/rulesets/released.py`.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol

from msgspec import Struct

from domain.canonical import Json
from domain.ruleset.bot import Choose, Numbers
from domain.ruleset.courses import CourseRules
from domain.ruleset.figures import (
    FindUnsound,
    JudgeClaims,
    Measure,
    find_nothing_unsound,
    judge_nothing,
    measure_nothing,
)
from domain.ruleset.ruleset import AnyRuleset

# From the data of its components to a ruleset; raises a ValueError for data that it cannot use.
Build = Callable[[Json], AnyRuleset]
# From the choices of a decision to legal answers to it, the simple ones first.
ListAnswers = Callable[[Any], Iterable[Any]]
# From a ruleset and random numbers to one run of something dear, which the bench times.
Workload = Callable[[Any, Numbers], Callable[[], object]]


class Described(Protocol):
    """The types of a ruleset's class, which do not depend on decks and tracks."""

    name: str
    version: int
    action_type: Any
    options_type: Any
    view_type: Any
    choices_type: Any
    preview_type: Any


def list_candidates(choices: Any) -> Iterable[Any]:
    """List the `candidates` of choices: actions, or offers with an `action`."""
    return (getattr(candidate, "action", candidate) for candidate in choices.candidates)


class Marker(Struct, frozen=True, kw_only=True):
    """The outcome with which a turn of all seats begins, or a lap ends, and its field with the number."""

    event: str
    field: str


class Kit(Struct, frozen=True, kw_only=True):
    """One ruleset. `folder` holds `components.toml` and, if the ruleset is described in words, `words.toml`.

    There `fields.toml` has the words of its structs for the API's document.
    `favourites` are the bots seated in turn where none is named. With the options `short` a game is short enough to
    watch; an exhibition adds those of its presets to them, one after the other. `think_ms` is the mean time before an
    answer at which a spectator can follow. With `courses` players may draw their own. With `offers_all_answers` every
    legal answer is among those of `list_answers`.
    """

    ruleset: type[Described]
    build: Build
    folder: str
    turn: Marker | None = None
    lap: Marker | None = None
    bots: Mapping[str, Choose[Any, Any, Any]] = {}
    favourites: tuple[str, ...] = ()
    short: Mapping[str, Json] = {}
    think_ms: int = 4_000
    measure: Measure = measure_nothing
    find_unsound: FindUnsound = find_nothing_unsound
    judge_claims: JudgeClaims = judge_nothing
    workloads: Mapping[str, Workload] = {}
    list_answers: ListAnswers = list_candidates
    offers_all_answers: bool = False
    courses: CourseRules | None = None

    @property
    def name(self) -> str:
        return self.ruleset.name

    @property
    def reference(self) -> str:
        return f"{self.ruleset.name}@{self.ruleset.version}"
