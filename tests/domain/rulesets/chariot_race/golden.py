"""Golden games: whole logs, recorded once with bots, that must be decided again to the same bytes.

To record one more, add a recipe and run this module. Until 0.1.0 is tagged, a game that a corrected rule changes is
deleted and recorded again; from then on a recorded game is never written again.
"""

from pathlib import Path
from random import Random
from typing import Any

import msgspec
from msgspec import Struct

from domain.chance import Secret
from domain.ids import PlayerId, Seat
from domain.log.actors import ByPlayer
from domain.ruleset.catalogue import Catalogue, hash_components
from domain.rulesets.chariot_race.bots.roster import BOTS
from domain.rulesets.chariot_race.options import RaceOptions
from tests.domain.game.game_harness import Table, with_clock
from tests.domain.rulesets.chariot_race.boards import RULES

FOLDER = Path(__file__).parent / "golden"
# The box of all these games. A change of today's components leaves this one alone.
COMPONENTS = FOLDER / "components.json"
# Longer than a decision's time and the bank.
AWAY_MS = 300_000


class Recipe(Struct, frozen=True, kw_only=True):
    """How a golden game is recorded: a bot for each seat, and the seed of the secret and of the bots' whims."""

    bots: tuple[str, ...]
    options: RaceOptions
    seed: int
    resigns: Seat | None = None  # in the second round, in the middle of another's turn or of its own
    absent: Seat | None = None  # never answers: its clock runs out each time


RECIPES = {
    "draft_of_two_and_nobody_wins": Recipe(
        bots=("random", "random"), options=RaceOptions(chariots="alternate"), seed=361
    ),
    "draft_of_three_on_mixed_halves": Recipe(
        bots=("fast", "random", "careful"), options=RaceOptions(chariots="alternate", second_half="B"), seed=484
    ),
    "a_shared_win": Recipe(
        bots=("fast", "random", "fast", "careful"), options=RaceOptions(chariots="alternate"), seed=289
    ),
    "draft_of_six_on_side_b": Recipe(
        bots=("random", "fast", "random", "fast", "careful", "random"),
        options=RaceOptions(chariots="alternate", first_half="B", second_half="B"),
        seed=199,
    ),
    "resigned_and_absent": Recipe(
        bots=("fast", "careful", "careful"),
        options=RaceOptions(no_damage_after_line=True),
        seed=1,
        resigns=Seat(0),
        absent=Seat(2),
    ),
}


class RaceTable(Table):
    """A table with as many players as a race has seats."""

    def player(self, seat: int) -> dict[str, Any]:
        return self.meta(ByPlayer(player=PlayerId(f"0199c0de-0000-7000-8000-0000000000{seat + 1}a")))


def record(recipe: Recipe) -> RaceTable:
    """Play a game as its recipe states."""
    table = RaceTable(
        catalogue=Catalogue([RULES]),
        ruleset="chariot-race",
        components=hash_components(RULES),
        seats=len(recipe.bots),
        options=msgspec.to_builtins(recipe.options),
        secret=Secret(recipe.seed.to_bytes(32, "big")),
        clock=None if recipe.absent is None else with_clock(),
    )
    table.start()
    numbers = Random(recipe.seed)  # noqa: S311 - a fixed seed records the same game again
    has_resigned = False
    while table.game.status == "running":
        [decision] = table.owed()
        if recipe.resigns is not None and table.game.board.round == 2 and not has_resigned:
            table.resign(recipe.resigns)
            has_resigned = True
        elif decision.seat == recipe.absent:
            table.now += AWAY_MS
            table.expire(decision.seat, decision.id)
        else:
            board, bot = table.game.board, BOTS[recipe.bots[decision.seat]]
            action = bot(RULES.view(board, decision.seat), RULES.legal_actions(board, decision), numbers)
            table.play(decision.seat, decision.id, action)
    return table


def record_missing() -> None:
    FOLDER.mkdir(exist_ok=True)
    if not COMPONENTS.exists():
        COMPONENTS.write_bytes(RULES.components)
    for name, recipe in RECIPES.items():
        path = FOLDER / f"{name}.ndjson"
        if not path.exists():
            path.write_bytes(b"".join(raw + b"\n" for raw in record(recipe).raws))


if __name__ == "__main__":
    record_missing()
