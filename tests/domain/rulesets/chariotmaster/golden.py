"""Golden games: whole logs, recorded once, that must be decided again to the same bytes.

To record one more, add a recipe and run this module. Until 0.1.0 is tagged, a game that a corrected rule changes is
deleted and recorded again; from then on a recorded game is never written again.
"""

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.chance import Secret
from domain.ids import PlayerId, Seat
from domain.log.actors import ByPlayer
from domain.rejection import IllegalAction
from domain.ruleset.catalogue import Catalogue, hash_components
from domain.ruleset.decision import Decision
from domain.rulesets.chariotmaster.race.actions import (
    Action,
    BuildChariot,
    ChangeSpeed,
    CutLoose,
    HangOn,
    MakeSubMove,
    Way,
)
from domain.rulesets.chariotmaster.race.board import Board
from domain.rulesets.chariotmaster.race.options import Options
from domain.rulesets.chariotmaster.ruleset import ChariotmasterRuleset, build_ruleset
from domain.rulesets.chariotmaster.turn.attacks import list_attacks
from tests.domain.game.game_harness import Table, with_clock
from tests.domain.rulesets.chariotmaster.races import RULES
from tests.domain.rulesets.chariotmaster.random_races import candidates_of

FOLDER = Path(__file__).parent / "golden"
Box = Literal["released", "frail"]
# Longer than a decision's time and the bank.
AWAY_MS = 600_000
STEELED = BuildChariot(race=None, equipment=("standard", "untrained", "experienced", "steeled", "ordinary"))
WEAKLING = BuildChariot(race=None, equipment=("standard", "untrained", "experienced", "weakling", "ordinary"))
# So near the line some tire their teams out, and lose their chariots.
DESPERATE_UM = 250_000
SIDES: tuple[Way, ...] = ("left", "right")


def build_frail() -> ChariotmasterRuleset:
    """Build from a box in which a tired team breaks its body, and every driver who crashes is dragged: that is rare."""
    data: Any = msgspec.json.decode(RULES.components)
    data["numbers"]["stated"]["dragged_min"] = 1
    for item in data["equipment"]:
        item.update({"steeled": {"health": 9}, "weakling": {"health": 1}}.get(item["name"], {}))
    return build_ruleset(with_stamina_row(data, "crash"))


def with_stamina_row(data: dict[str, Any], effect: str) -> Any:
    """Let every roll on the table of stamina have one effect."""
    others = [row for row in data["out_of_points"] if row["table"] != "stamina"]
    row = {"adds": 0, "effects": [effect], "roll_min": 1, "source": "default", "table": "stamina"}
    return {**data, "out_of_points": [*others, row]}


BOXES: dict[Box, ChariotmasterRuleset] = {"released": RULES, "frail": build_frail()}
CATALOGUE = Catalogue(BOXES.values())


def components_file(box: Box) -> Path:
    """Return the path of a box as it was when games were recorded with it; such a file never changes."""
    return FOLDER / f"{box}.json"


class Recipe(Struct, frozen=True, kw_only=True):
    """Recipe of a golden game: how each seat chooses, and the seeds of the secret and of the bots."""

    chooses: Callable[[Board, Decision, Random], Action]
    seats: int
    seed: int
    options: Options
    box: Box = "released"
    links: int = 0
    resigns: tuple[int, Seat] | None = None  # in which game turn, who
    absent: Seat | None = None  # never answers: its clock runs out each time
    unrevealed: tuple[int, Seat] | None = None  # in which game turn its tokens are sealed and never shown


def anything(board: Board, decision: Decision, random: Random) -> Action:
    """Choose any candidate, but every other time the default action."""
    if random.randrange(2):
        return RULES.default_action(board, decision)
    return random.choice(candidates_of(RULES.legal_actions(board, decision)))


def desperate(board: Board, decision: Decision, random: Random) -> Action:
    """Drive carefully to shortly before the line, and brake there until something breaks; then hang on."""
    if decision.id.startswith("build/"):
        return STEELED if decision.seat == 0 else WEAKLING
    if decision.id.endswith("/cut-loose"):
        return HangOn() if random.randrange(6) else CutLoose()
    turn = board.turn
    if "/step/" in decision.id and turn is not None:
        own = board.chariots[turn.chariot]
        if own.progress_um >= RULES.arena.middle.length_um - DESPERATE_UM:
            return ChangeSpeed(change="brake")
    return RULES.default_action(board, decision)


def brawling(board: Board, decision: Decision, random: Random) -> Action:
    """Get up to a neighbour and strike; otherwise drive by default, or do anything."""
    if "/step/" in decision.id:
        attacks = list_attacks(RULES.arena, board)
        if attacks:
            return random.choice(attacks).attack
        for way in SIDES:
            sweep = MakeSubMove(way=way, distance_mm=None, pivot=None)
            if random.randrange(3) and is_legal(board, decision, sweep):
                return sweep
    return anything(board, decision, random)


def is_legal(board: Board, decision: Decision, action: Action) -> bool:
    try:
        RULES.check(board, decision, action)
    except IllegalAction:
        return False
    return True


CROWD = Options(laps=1, equipment="none", chariots_each=2, turns_max=6, second_row_bonus=True)
OTHER_READINGS = replace(CROWD, survivor="must_finish", chained_bounce="goes_on", whip_roll="target")
RECIPES = {
    "dragged_winner": Recipe(chooses=desperate, seats=2, seed=7, options=Options(laps=1), box="frail"),
    "one_left": Recipe(chooses=desperate, seats=2, seed=13, options=Options(laps=1), box="frail"),
    "run_across": Recipe(chooses=brawling, seats=4, seed=66, options=OTHER_READINGS),
    "second_row_and_chain": Recipe(chooses=brawling, seats=4, seed=4, options=CROWD),
    "lost_token": Recipe(chooses=brawling, seats=4, seed=10, options=CROWD),
    "walked_off": Recipe(chooses=brawling, seats=4, seed=51, options=CROWD),
    "absent_unrevealed_resigned": Recipe(
        chooses=anything,
        seats=4,
        seed=3,
        options=Options(laps=1, equipment="races", turns_max=5),
        links=64,
        absent=Seat(2),
        unrevealed=(2, Seat(1)),
        resigns=(4, Seat(0)),
    ),
}


class RaceTable(Table):
    """A table with as many players as a race has seats."""

    def player(self, seat: int) -> dict[str, Any]:
        return self.meta(ByPlayer(player=PlayerId(f"0199c0de-0000-7000-8000-0000000000{seat + 1}a")))


def record(recipe: Recipe) -> RaceTable:
    """Play a game as its recipe states."""
    may_be_late = recipe.absent is not None or recipe.unrevealed is not None
    table = RaceTable(
        catalogue=CATALOGUE,
        ruleset="chariotmaster",
        components=hash_components(BOXES[recipe.box]),
        seats=recipe.seats,
        options=msgspec.json.decode(msgspec.json.encode(recipe.options)),
        secret=Secret(recipe.seed.to_bytes(32, "big")),
        clock=with_clock() if may_be_late else None,
        links=recipe.links,
    )
    table.start()
    random = Random(recipe.seed)  # noqa: S311 - a fixed seed records the same game again
    has_resigned = False
    while table.game.status == "running":
        if not has_resigned and recipe.resigns is not None and table.game.board.game_turns == recipe.resigns[0]:
            table.resign(recipe.resigns[1])
            has_resigned = True
        else:
            answer(table, recipe, random)
    return table


def answer(table: RaceTable, recipe: Recipe, random: Random) -> None:
    """Act on the first pending decision as its seat does; time runs out when all others have answered."""
    owed = [
        decision for decision in table.owed() if decision.kind == "opening" or decision.id not in table.game.choices
    ]
    decision = min(owed, key=lambda owed: (owed.seat == recipe.absent, owed.kind == "opening"))
    if decision.seat == recipe.absent or decision.kind == "opening":
        table.now += AWAY_MS
        table.expire(decision.seat, decision.id)
        return
    action = recipe.chooses(table.game.board, decision, random)
    if decision.kind == "plain":
        table.play(decision.seat, decision.id, action)
    elif (table.game.board.game_turns, decision.seat) == recipe.unrevealed:
        table.seal(decision.seat, action, decision=decision.id)
    else:
        table.entrust(decision.seat, action, decision=decision.id)


def record_missing() -> None:
    FOLDER.mkdir(exist_ok=True)
    for box, rules in BOXES.items():
        if not components_file(box).exists():
            components_file(box).write_bytes(rules.components)
    for name, recipe in RECIPES.items():
        path = FOLDER / f"{name}.ndjson"
        if not path.exists():
            path.write_bytes(b"".join(raw + b"\n" for raw in record(recipe).raws))


if __name__ == "__main__":
    record_missing()
