"""Golden games: whole logs, recorded once with bots, that must be decided again to the same bytes for ever.

To record one more, add it here and run this module; a log that is there is never written again.
"""

from pathlib import Path
from random import Random
from typing import Any

import msgspec
from msgspec import Struct

from domain.chance import Secret
from domain.game.commands import ByPlayer
from domain.ids import PlayerId, Seat
from domain.rulesets.catalogue import Catalogue, hash_components
from domain.rulesets.chariot_race.options import RaceOptions
from services.bots.chariot_race.roster import BOTS
from tests.domain.game.table import Table
from tests.domain.rulesets.chariot_race.stable import RULES

FOLDER = Path(__file__).parent / "golden"
CATALOGUE = Catalogue([RULES])


class Recipe(Struct, frozen=True, kw_only=True):
    """How a golden game was recorded: one bot a seat, and the seed of the secret and of the bots' whims."""

    bots: tuple[str, ...]
    options: RaceOptions
    seed: int
    resigns: Seat | None = None  # once the second round has begun


class RaceTable(Table):
    """A table with as many players as a race has seats."""

    def player(self, seat: int) -> dict[str, Any]:
        return self.meta(ByPlayer(player=PlayerId(f"0199c0de-0000-7000-8000-0000000000{seat + 1}a")))


def secret_of(recipe: Recipe) -> Secret:
    return Secret(recipe.seed.to_bytes(32, "big"))


def record(recipe: Recipe) -> RaceTable:
    """Play a game as the recipe says."""
    table = RaceTable(
        catalogue=CATALOGUE,
        ruleset="chariot-race",
        components=hash_components(RULES),
        seats=len(recipe.bots),
        options=msgspec.to_builtins(recipe.options),
        secret=secret_of(recipe),
    )
    table.start()
    numbers = Random(recipe.seed)  # noqa: S311 - a fixed seed records the same game again
    while table.game.status == "running":
        [decision] = table.owed()
        if recipe.resigns not in {None, *table.game.board.withdrawn} and table.game.board.round == 2:
            table.resign(recipe.resigns or 0)
            continue
        view = RULES.view(table.game.board, decision.seat)
        table.play(decision.seat, decision.id, BOTS[recipe.bots[decision.seat]](view, numbers))
    return table
