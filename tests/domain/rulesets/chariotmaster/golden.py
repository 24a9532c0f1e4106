"""Golden games: whole logs, recorded once, that must be decided again to the same bytes for ever.

To record one more, add a recipe and run this module; what is recorded is never written again.
"""

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from msgspec import Struct

from domain.chance import Secret
from domain.game.commands import ByPlayer
from domain.ids import PlayerId, Seat
from domain.rejection import IllegalAction
from domain.rulesets.catalogue import Catalogue, hash_components
from domain.rulesets.chariotmaster.actions import Action, BuildChariot, HangOn, MakeSubMove
from domain.rulesets.chariotmaster.attacks import list_attacks
from domain.rulesets.chariotmaster.board import Board, is_team, owner_of
from domain.rulesets.chariotmaster.measuring import measure_ways, survey
from domain.rulesets.chariotmaster.options import Options
from domain.rulesets.decision import Decision
from tests.domain.game.table import Table, with_clock
from tests.domain.rulesets.chariotmaster.races import RULES
from tests.domain.rulesets.chariotmaster.random_races import candidates_of

FOLDER = Path(__file__).parent / "golden"
# The box all of these were played with. Whoever changes the components of today leaves this one alone.
COMPONENTS = FOLDER / "components.json"
# Longer than a decision's time and the bank.
AWAY_MS = 600_000
# Light bodies do not last; steeled drivers do.
FRAIL = BuildChariot(race=None, equipment=("light", "staying_power", "experienced", "steeled", "ordinary"))
# One answer in so many is any that is offered.
WHIMS = 30
# The way before the line on which hunters hunt.
HUNT_UM = 1_000_000


class Recipe(Struct, frozen=True, kw_only=True):
    """How a golden game is recorded: how everybody chooses, and the seed of the secret and of their whims."""

    chooses: Callable[[Board, Decision, Random], Action]
    seats: int
    seed: int
    options: Options
    links: int = 0
    resigns: tuple[int, Seat] | None = None  # in which game turn, who
    absent: Seat | None = None  # never answers: its clock runs out each time
    unrevealed: tuple[int, Seat] | None = None  # in which game turn its tokens are sealed and never shown


def anything(board: Board, decision: Decision, random: Random) -> Action:
    """Choose any of what is offered, but every other time as the absent do."""
    if random.randrange(2):
        return RULES.default_action(board, decision)
    return random.choice(candidates_of(RULES.legal_actions(board, decision)))


def hunting(board: Board, decision: Decision, random: Random) -> Action:
    """Drive carefully, but for a whim; near the line get beside others and ram them; be dragged rather than walk."""
    if decision.id.startswith("build/"):
        return FRAIL
    if "/step/" in decision.id:
        attacks = list_attacks(RULES.arena, board)
        rams = [target.attack for target in attacks if target.attack.means == "ram" and target.attack.part == 1]
        if attacks:
            return rams[0] if rams else random.choice(attacks).attack
        pursuit = pursue(board)
        if pursuit is not None:
            return pursuit
    if decision.id.endswith("/cut-loose") and random.randrange(6):
        return HangOn()
    if random.randrange(WHIMS) == 0:
        return anything(board, decision, random)
    return RULES.default_action(board, decision)


def pursue(board: Board) -> Action | None:
    """Sweep up to somebody else who is right beside, if that is legal."""
    turn = board.turn
    if turn is None or turn.is_skidding or board.game_turns < 2:
        return None
    own = board.chariots[turn.chariot]
    if not own.stamina or own.progress_um < RULES.arena.middle.length_um - HUNT_UM:
        return None
    for way in measure_ways(RULES.arena, survey(RULES.arena, board)):
        met = [contact.piece for contact in way.contacts if is_team(contact.piece) and contact.part != "horses"]
        sweep = MakeSubMove(way=way.way, distance_mm=None, pivot=None)
        is_other = any(board.chariots[owner_of(piece)].seat != own.seat for piece in met)
        if way.way != "ahead" and is_other and is_legal(board, sweep):
            return sweep
    return None


def is_legal(board: Board, action: Action) -> bool:
    try:
        RULES.check(board, RULES.decisions(board)[0], action)
    except IllegalAction:
        return False
    return True


RECIPES: dict[str, Recipe] = {}


class RaceTable(Table):
    """A table with as many players as a race has seats."""

    def player(self, seat: int) -> dict[str, Any]:
        return self.meta(ByPlayer(player=PlayerId(f"0199c0de-0000-7000-8000-0000000000{seat + 1}a")))


def record(recipe: Recipe) -> RaceTable:
    """Play a game as its recipe says."""
    may_be_late = recipe.absent is not None or recipe.unrevealed is not None
    table = RaceTable(
        catalogue=Catalogue([RULES]),
        ruleset="chariotmaster",
        components=hash_components(RULES),
        seats=recipe.seats,
        options=msgspec.to_builtins(recipe.options),
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
            continue
        answer(table, recipe, random)
    return table


def answer(table: RaceTable, recipe: Recipe, random: Random) -> None:
    """Do for the first decision that is waited for what its seat does."""
    decision = next(each for each in table.owed() if each.kind == "opening" or each.id not in table.game.choices)
    turn = table.game.board.game_turns
    if decision.seat == recipe.absent or decision.kind == "opening":
        table.now += AWAY_MS
        table.expire(decision.seat, decision.id)
        return
    action = recipe.chooses(table.game.board, decision, random)
    if decision.kind == "plain":
        table.play(decision.seat, decision.id, action)
    elif (turn, decision.seat) == recipe.unrevealed:
        table.seal(decision.seat, action, decision=decision.id)
    else:
        table.entrust(decision.seat, action, decision=decision.id)


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
