"""The bots of every ruleset, as a player over HTTP needs them: from the board as it is served to an action.

A ruleset with a line here can be shown in exhibitions and played by `spina demo`.
"""

from collections.abc import Callable, Mapping
from functools import partial
from random import Random
from typing import Any

import msgspec
from msgspec import Struct

from domain.canonical import Json
from domain.ids import DecisionId
from domain.ruleset import bot
from domain.rulesets.chariot_race.bots.roster import BOTS as RACERS
from domain.rulesets.chariot_race.view import RaceView
from domain.rulesets.charioteer.bots.roster import BOTS as CHARIOTEERS
from domain.rulesets.charioteer.view import View
from domain.rulesets.chariotmaster.bots.roster import BOTS as MASTERS
from domain.rulesets.chariotmaster.offers.view import RaceView as ChariotmasterView

# From the bytes of a seat's own view, which of its decisions is asked, and where whims come from, to an action.
Choose = Callable[[bytes, DecisionId, Random], Json]


class Roster(Struct, frozen=True, kw_only=True):
    """`favourites` are seated in turn where nobody names others; with `options` a game is short enough to watch."""

    ruleset: str
    bots: Mapping[str, Choose]
    favourites: tuple[str, ...]
    options: Mapping[str, Json] = {}


def _reading(view: Any, bots: Mapping[str, bot.Choose[Any, Any]]) -> dict[str, Choose]:
    """Let bots choose from a view as it is served."""

    def choose(brain: bot.Choose[Any, Any], board: bytes, decision: DecisionId, numbers: Random) -> Json:
        action: Json = msgspec.to_builtins(brain(msgspec.json.decode(board, type=view), decision, numbers))
        return action

    return {name: partial(choose, each) for name, each in bots.items()}


# The three laps of the rules are some fifty game turns; a lap shows all there is to see.
ONE_LAP: Mapping[str, Json] = {"laps": 1}

ROSTERS: tuple[Roster, ...] = (
    Roster(ruleset="charioteer@1", bots=_reading(View, CHARIOTEERS), favourites=("strategic", "longest")),
    Roster(ruleset="chariot-race@1", bots=_reading(RaceView, RACERS), favourites=("careful", "fast")),
    Roster(
        ruleset="chariotmaster@1",
        bots=_reading(ChariotmasterView, MASTERS),
        favourites=("ruthless", "steady"),
        options=ONE_LAP,
    ),
)


def find_roster(ruleset: str) -> Roster | None:
    """Return the bots for `name@version`, or for the newest version of `name`."""
    return next((each for each in reversed(ROSTERS) if ruleset in (each.ruleset, each.ruleset.partition("@")[0])), None)
