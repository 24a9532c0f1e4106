"""The bots of every ruleset, as a player over HTTP needs them: from the board as it is served to an action.

A ruleset with a line here can be shown in exhibitions and played by `spina demo`.
"""

from collections.abc import Callable, Mapping
from functools import partial
from random import Random
from typing import TypeVar

import msgspec
from msgspec import Struct

from clients.bots.chariot_race.roster import BOTS as RACERS
from clients.bots.charioteer.roster import BOTS as CHARIOTEERS
from clients.bots.chariotmaster.roster import BOTS as MASTERS
from clients.bots.chariotmaster.roster import Choose as Drive
from domain.canonical import Json
from domain.ids import DecisionId
from domain.rulesets.chariot_race.view import RaceView
from domain.rulesets.charioteer.view import View
from domain.rulesets.chariotmaster.offers.view import RaceView as ChariotmasterView

ViewT = TypeVar("ViewT")

# From the bytes of a seat's own view, which of its decisions is asked, and where whims come from, to an action.
Choose = Callable[[bytes, DecisionId, Random], Json]


class Roster(Struct, frozen=True, kw_only=True):
    """`favourites` are seated in turn where nobody names others; with `options` a game is short enough to watch."""

    ruleset: str
    bots: Mapping[str, Choose]
    favourites: tuple[str, ...]
    options: Mapping[str, Json] = {}


def _reading(view: type[ViewT], bots: Mapping[str, Callable[[ViewT, Random], Struct]]) -> dict[str, Choose]:
    """Let bots choose that never have two decisions to tell apart."""

    def choose(bot: Callable[[ViewT, Random], Struct], board: bytes, _: DecisionId, numbers: Random) -> Json:
        action: Json = msgspec.to_builtins(bot(msgspec.json.decode(board, type=view), numbers))
        return action

    return {name: partial(choose, bot) for name, bot in bots.items()}


def _choose_as_master(bot: Drive, board: bytes, decision: DecisionId, numbers: Random) -> Json:
    """Let a bot choose that may be asked for several chariots at once."""
    action: Json = msgspec.to_builtins(bot(msgspec.json.decode(board, type=ChariotmasterView), decision, numbers))
    return action


# The three laps of the rules are some fifty game turns; a lap shows all there is to see.
ONE_LAP: Mapping[str, Json] = {"laps": 1}

ROSTERS: tuple[Roster, ...] = (
    Roster(ruleset="charioteer@1", bots=_reading(View, CHARIOTEERS), favourites=("strategic", "longest")),
    Roster(ruleset="chariot-race@1", bots=_reading(RaceView, RACERS), favourites=("careful", "fast")),
    Roster(
        ruleset="chariotmaster@1",
        bots={name: partial(_choose_as_master, bot) for name, bot in MASTERS.items()},
        favourites=("ruthless", "steady"),
        options=ONE_LAP,
    ),
)


def find_roster(ruleset: str) -> Roster | None:
    """Return the bots for `name@version`, or for the newest version of `name`."""
    return next((each for each in reversed(ROSTERS) if ruleset in (each.ruleset, each.ruleset.partition("@")[0])), None)
