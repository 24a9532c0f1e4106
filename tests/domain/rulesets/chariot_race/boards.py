"""Boards as the tests want them: chariots on named spaces, a turn in any phase, and one action carried out.

Green is Caesar, red Benedict, yellow Diana, blue Alma, as in the rulebook's examples.
"""

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from domain.chance import Secret, derive_anchors, open_chance
from domain.ids import GameId, Seat, StreamId
from domain.ruleset.decision import Decision
from domain.ruleset.playout import Playout
from domain.ruleset.script import Script
from domain.rulesets.chariot_race.actions import Action
from domain.rulesets.chariot_race.board import Board, Chariot, Turn, chariot_of
from domain.rulesets.chariot_race.components import Colour, Face, read_components
from domain.rulesets.chariot_race.decisions import CHAPTERS
from domain.rulesets.chariot_race.options import RaceOptions
from domain.rulesets.chariot_race.ruleset import ChariotRaceRuleset, build_ruleset
from domain.rulesets.chariot_race.wreck import RaceScript

COMPONENTS_PATH = Path(__file__).parents[4] / "domain/rulesets/chariot_race/components.toml"
DATA = tomllib.loads(COMPONENTS_PATH.read_text())
RULES: ChariotRaceRuleset = build_ruleset(DATA)

SECRET = Secret(bytes(range(32)))
CHANCE = open_chance(GameId(StreamId("0199c0de-0000-7000-8000-000000000001")), derive_anchors(SECRET, 2), SECRET)

FACES: tuple[Face, ...] = read_components(DATA).die.faces

BASIC = RaceOptions()
ALTERNATE = RaceOptions(chariots="alternate")
SIDE_B = RaceOptions(first_half="B", second_half="B")
SAFE_HOME = RaceOptions(no_damage_after_line=True)

SEATS: dict[Colour, Seat] = {
    "blue": Seat(0),
    "red": Seat(1),
    "green": Seat(2),
    "yellow": Seat(3),
    "purple": Seat(4),
    "white": Seat(5),
}


def chariot(colour: Colour, space: str, *, lap: int = 0, options: RaceOptions = BASIC, **values: Any) -> Chariot:
    """Put a chariot on a space such as "outer-7"; on the grid the lap is -1."""
    board = RULES.initial_board((Seat(0), Seat(1)), options)
    components = board.components
    tables = components.alternate if options.chariots == "alternate" else components.basic_boards()
    table = next(table for table in tables if table.colour == colour)
    number = board.track.spaces[space]
    lane = board.track.lane(number)
    step = lap * board.track.sizes[lane] + number - board.track.bases[lane]
    known = {"damage_left": table.damage_max, "speed": 6, "fate": 3, "seat": SEATS[colour], "status": "racing"}
    return Chariot(table=table, lane=lane, step=step, **{**known, **values})


def race(*chariots: Chariot, options: RaceOptions = BASIC, caltrops: tuple[str, ...] = ()) -> Board:
    """Set up a race in its first round; the turns are in the order of the arguments, and the first has begun."""
    seats = tuple(sorted({each.seat for each in chariots}))
    board = RULES.initial_board((Seat(0), Seat(1)), options)
    return replace(
        board,
        seats=seats,
        chariots=tuple(sorted(chariots, key=lambda each: each.seat)),
        caltrops=tuple(sorted(board.track.spaces[space] for space in caltrops)),
        round=1,
        order=tuple(each.colour for each in chariots),
        turns_begun=1,
        turn=Turn(chariot=chariots[0].colour),
    )


def with_dice(board: Board, *dice: Face, phase: str = "move") -> Board:
    """Lay dice before the chariot whose turn it is."""
    assert board.turn is not None
    return replace(board, turn=msgspec.structs.replace(board.turn, phase=phase, dice=dice))


def carry_out(board: Board, action: Action) -> tuple[Board, list[Any]]:
    """Check and carry out one action, and stop before the game goes on: the board after it, and the outcomes."""
    [decision] = RULES.decisions(board)
    RULES.check(board, decision, action)
    script = script_on(board)
    chapter = next(chapter for chapter in CHAPTERS if chapter.owed(board))
    chapter.play(script, None, decision, action)
    return script.board, [written.event for written in script.written]


def answer(board: Board, action: Action) -> tuple[Board, list[Any]]:
    """Answer the decision owed, and let the game go on to the next one."""
    [decision] = RULES.decisions(board)
    RULES.check(board, decision, action)
    script = script_on(board)
    RULES.play(script, decision, action)
    return script.board, [written.event for written in script.written]


def script_on(board: Board) -> RaceScript:
    return Script(evolve=RULES.evolve, board=board, chance=CHANCE, respond=_nobody)


def play_out(seats: int, options: RaceOptions = BASIC, *, secret: int = 0) -> Playout:
    return Playout(
        RULES, seats=tuple(Seat(seat) for seat in range(seats)), options=options, secret=secret.to_bytes(32, "big")
    )


def told_by(playout: Playout) -> list[Any]:
    return list(playout.written)


def play_by_default(playout: Playout) -> Playout:
    """Answer everything as for seats that are all absent."""
    while owed := playout.owed():
        playout.answer(owed[0], RULES.default_action(playout.board, owed[0]))
    return playout


def owed_question(board: Board) -> str | None:
    owed = RULES.decisions(board)
    return str(RULES.legal_actions(board, owed[0]).__struct_config__.tag) if owed else None


def space_name(board: Board, colour: Colour) -> str:
    found = chariot_of(board, colour)
    return board.track.names[board.track.space(lane=found.lane, step=found.step)]


def names(told: Sequence[Any]) -> list[str]:
    return [type(sentence).__name__ for sentence in told]


def _nobody(_: RaceScript, decision: Decision) -> Action:
    raise AssertionError(f"nothing is asked in the middle of a play: {decision.id}")
