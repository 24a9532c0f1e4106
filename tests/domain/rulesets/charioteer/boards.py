"""Boards made up for tests, and a turn played on them. Cards of seat n have the draw numbers 10n, 10n + 1, …"""

import tomllib
from pathlib import Path
from typing import Any, NoReturn

from msgspec import Struct
from msgspec.structs import replace

from domain.chance import Secret, derive_anchors, open_chance
from domain.ids import GameId, Seat, StreamId
from domain.ruleset.decision import Decision
from domain.ruleset.script import Script
from domain.rulesets.charioteer.actions import Action, FanToken, Move, PlayerToken, Reset, Stack, TokenHandle
from domain.rulesets.charioteer.board import Board, CrowdCard, Driver, Pile, Supply
from domain.rulesets.charioteer.options import Options
from domain.rulesets.charioteer.ruleset import build_ruleset
from domain.rulesets.charioteer.skills import EmperorFace

COMPONENT_FILE = Path(__file__).parents[4] / "domain/rulesets/charioteer/components.toml"
DATA = tomllib.loads(COMPONENT_FILE.read_text())
RULES = build_ruleset(DATA)
BOX = RULES.box
GAME = GameId(StreamId("0199c0de-0000-7000-8000-000000000001"))
SECRET = Secret(bytes(range(32)))
LAP = len(BOX.track.spaces)
START = BOX.start_progress
# Green and black shown with the crowd card would help or hinder; a whip helps nobody.
NO_CROWD = "whip"
# All four markers on the start spaces: +0 for every colour.
NO_SKILL = (0, 1, 2, 3)
# Cards that make nothing together, to fill a hand with.
FILLER = ("green-2 green-2 red-1", "green-4 green-4 yellow-0", "red-3 red-3 black-0", "yellow-2 yellow-2 black-1")
ADA, BOB, CAI, DOT = Seat(0), Seat(1), Seat(2), Seat(3)


def driver(seat: Seat, *cards: str, progress: int = 0, fan: tuple[str, ...] = (), **changes: Any) -> Driver:
    """Seat somebody with these cards, and fan tokens whose draw numbers are 100n, 100n + 1, …"""
    hand = cards or FILLER
    base = Driver(
        seat=seat,
        progress=progress,
        skills=NO_SKILL,
        hand=tuple(10 * seat + place for place in range(len(hand))),
        hand_faces=tuple(BOX.face_places[card] for card in hand),
        fan_tokens=tuple(100 * seat + place for place in range(len(fan))),
        fan_faces=tuple(BOX.token_places[token] for token in fan),
        player_tokens=BOX.player_tokens,
    )
    return replace(base, **changes)


def board(
    *drivers: Driver, crowd: str = NO_CROWD, turn: int = 2, emperor: EmperorFace = "disrupt", **changes: Any
) -> Board:
    """Set a board up in the middle of a race; chariots listed earlier stand further inside."""
    slots = (crowd, NO_CROWD, NO_CROWD)
    base = Board(
        options=Options(),
        drivers=tuple(sorted(drivers, key=lambda one: one.seat)),
        row=tuple(one.seat for one in drivers),
        deck=Supply(BOX.deck, 0, 1_000),
        bag=Supply(BOX.bag, 0, 1_000),
        discards=Pile(),
        fan_discards=Pile(),
        crowd=tuple(CrowdCard(900 + slot, BOX.face_places[card]) for slot, card in enumerate(slots)),
        turn=turn,
        emperor=emperor,
        first_player=drivers[0].seat,
        phase="choosing",
    )
    return replace(base, **changes)


def move(
    symbol: str,
    *cards: int,
    crowd: bool = False,
    token: TokenHandle | None = None,
    changed: int | None = None,
    discard: Stack | None = None,
) -> Move:
    return Move(cards=cards, changed=changed, crowd=crowd, discard=discard, symbol=symbol, token=token)


def reset(*cards: int, discard: Stack | None = None) -> Reset:
    return Reset(cards=cards, discard=discard)


def fan(draw: int) -> FanToken:
    return FanToken(draw=draw)


def own(name: str) -> PlayerToken:
    return PlayerToken(type=name)


def decision_for(on: Board, seat: Seat) -> Decision:
    return next(owed for owed in RULES.decisions(on) if owed.seat == seat)


def check(on: Board, seat: Seat, action: Action) -> None:
    RULES.check(on, decision_for(on, seat), action)


class Turn:
    """One turn: what each seat plays, where None is sealed and not opened. Actions are checked as the game would."""

    def __init__(self, on: Board, actions: dict[Seat, Action | None]) -> None:
        self.before = on
        for seat, action in actions.items():
            if action is not None:
                check(on, seat, action)
        script = script_on(on)
        owed = {decision.seat: decision for decision in RULES.decisions(on)}
        RULES.close(script)
        for seat in sorted(owed):
            if actions.get(seat) is None:
                RULES.forfeit(script, owed[seat])
        for seat in sorted(owed):
            action = actions.get(seat)
            if action is not None:
                RULES.play(script, owed[seat], action)
        self.board = script.board
        self.told = [written.event for written in script.written]

    def driver(self, seat: Seat) -> Driver:
        return next(each for each in self.board.drivers if each.seat == seat)

    def tell(self, kind: type, seat: Seat | None = None) -> list[Any]:
        """List the outcomes of one kind, of one seat if given."""
        found = [event for event in self.told if isinstance(event, kind)]
        return found if seat is None else [finding for finding in found if getattr(finding, "seat", None) == seat]

    def one(self, kind: type, seat: Seat | None = None) -> Any:
        (found,) = self.tell(kind, seat)
        return found


def script_on(on: Board) -> Script[Board, Any, Any]:
    chance = open_chance(GAME, derive_anchors(SECRET, RULES.link_chains), SECRET)
    return Script(evolve=RULES.evolve, board=on, chance=chance, respond=_nobody_is_asked)


def begun(*seats: Seat, options: Options | None = None) -> tuple[Board, list[Struct]]:
    """Set a game up as its rules do."""
    script = script_on(RULES.initial_board(seats, options or Options()))
    RULES.begin(script)
    return script.board, [written.event for written in script.written]


def _nobody_is_asked(_script: Script[Board, Any, Any], decision: Decision) -> NoReturn:
    raise AssertionError(f"{decision.id} interrupts a play")
