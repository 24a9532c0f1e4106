"""The bots of every ruleset, as a player over HTTP needs them: from the board as it is served to an action.

A ruleset with a line here can be shown in exhibitions and played by `spina demo`.
"""

from collections.abc import Callable, Mapping
from functools import partial
from random import Random
from typing import TypeVar

import msgspec
from msgspec import Struct

from domain.canonical import Json
from domain.rulesets.chariot_race.view import RaceView
from domain.rulesets.charioteer.views import View
from services.bots.chariot_race.roster import BOTS as RACERS
from services.bots.charioteer.roster import BOTS as CHARIOTEERS

ViewT = TypeVar("ViewT")

# From the bytes of a seat's own view, and where whims come from, to an action.
Choose = Callable[[bytes, Random], Json]


class Roster(Struct, frozen=True, kw_only=True):
    """`favourites` are seated in turn where nobody names others."""

    ruleset: str
    bots: Mapping[str, Choose]
    favourites: tuple[str, ...]


def _choose(bot: Callable[[ViewT, Random], Struct], view: type[ViewT], board: bytes, numbers: Random) -> Json:
    action: Json = msgspec.to_builtins(bot(msgspec.json.decode(board, type=view), numbers))
    return action


def _reading(view: type[ViewT], bots: Mapping[str, Callable[[ViewT, Random], Struct]]) -> dict[str, Choose]:
    return {name: partial(_choose, bot, view) for name, bot in bots.items()}


ROSTERS: tuple[Roster, ...] = (
    Roster(ruleset="charioteer@1", bots=_reading(View, CHARIOTEERS), favourites=("strategic", "longest")),
    Roster(ruleset="chariot-race@1", bots=_reading(RaceView, RACERS), favourites=("careful", "fast")),
)


def find_roster(ruleset: str) -> Roster | None:
    """Return the bots for `name@version`, or for the newest version of `name`."""
    return next((each for each in reversed(ROSTERS) if ruleset in (each.ruleset, each.ruleset.partition("@")[0])), None)
