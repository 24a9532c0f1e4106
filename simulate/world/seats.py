"""The load: games whose seats are played by bots of their rulesets, each through the same commands as a player."""

import asyncio
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from msgspec import Struct

from domain.canonical import Json, encode, parse
from domain.chance import Secret
from domain.game.commands import GameCommand, OpenGame
from domain.game.custody import seal_opening
from domain.game.events import (
    ActionPlayed,
    ActionRevealed,
    ClockTerms,
    InputEvent,
    SeatReadied,
    SeatTaken,
)
from domain.game.evolve import settle
from domain.game.state import Game, Held, Opening, Owed, Sealed, Vacant
from domain.ids import CommandId, DecisionId, GameId, PlayerId, Seat, StreamId
from domain.log.actors import ByPlayer
from domain.log.state import is_over
from domain.ruleset.catalogue import hash_components
from domain.ruleset.kit import Kit
from domain.ruleset.ruleset import AnyRuleset
from services.commands.arena import NoSuchGame
from simulate.world.clients import Clients
from simulate.world.node import ORIGIN

# Options with which a game of two is over within some dozens of commands.
SHORT: Mapping[str, Mapping[str, Json]] = {
    "charioteer": {"turns_max": 2},
    "chariot-race": {"rounds_max": 1},
    "chariotmaster": {"laps": 1, "turns_max": 1},
}


class GamePlan(Struct, frozen=True, kw_only=True):
    """A game to be opened; `own_custody` names the seats that open their seals themselves."""

    id: GameId
    kit: Kit
    ruleset: AnyRuleset
    seats: int
    clock: ClockTerms | None
    delay_s: int
    visibility: str
    own_custody: tuple[Seat, ...]


def name_player(number: int) -> PlayerId:
    return PlayerId(f"0199c0de-0000-7000-8000-00000000{number:04x}")


def draw_game(numbers: Random, rulesets: Mapping[str, tuple[Kit, AnyRuleset]], number: int) -> GamePlan:
    name = numbers.choices(sorted(rulesets), weights=[10, 10, 1])[0]
    kit, ruleset = rulesets[name]
    clock = ClockTerms(per_decision_ms=numbers.randint(3_000, 6_000), bank_ms=numbers.choice((0, 2_000)))
    return GamePlan(
        id=GameId(StreamId(f"0199c0de-0000-7000-8000-0000000001{number:02x}")),
        kit=kit,
        ruleset=ruleset,
        seats=2,
        clock=numbers.choice((clock, clock, None)),
        delay_s=numbers.choice((0, 0, 4)),
        visibility=numbers.choice(("public", "public", "private")),
        own_custody=tuple(seat for seat in (Seat(0), Seat(1)) if numbers.choice((True, False, False))),
    )


async def open_game(clients: Clients, plan: GamePlan) -> None:
    secret, leaf_key = Secret(clients.numbers.randbytes(32)), clients.numbers.randbytes(32).hex()

    def build(at_ms: int) -> OpenGame:
        return OpenGame(
            id=CommandId(plan.id),
            stream=plan.id,
            at_ms=at_ms,
            actor=ByPlayer(player=name_player(0)),
            ruleset=plan.ruleset.name,
            ruleset_version=plan.ruleset.version,
            components=hash_components(plan.ruleset),
            seats=plan.seats,
            options=dict(SHORT[plan.ruleset.name]),
            clock=plan.clock,
            visibility=plan.visibility,
            delay_s=plan.delay_s,
            demands=(),
            organisers={},
            ledger=ORIGIN,
            secret=secret,
            leaf_key=leaf_key,
        )

    await clients.send(build, lambda parts: parts.arena)


class SeatBot:
    """A player at one seat of a game, from sitting down to the end. It sleeps now and then, and loses time."""

    def __init__(self, clients: Clients, kit: Kit, game: GameId, seat: Seat, player: PlayerId, numbers: Random) -> None:
        self._clients = clients
        self._choose = kit.bots[numbers.choice(sorted(kit.bots))]
        self._game = game
        self._seat = seat
        self._player = player
        self._numbers = numbers
        self.has_own_custody = False
        # Those that it seals and keeps, by their decisions.
        self._kept: dict[DecisionId, Opening] = {}

    async def play(self, *, is_restless: Callable[[], bool]) -> None:
        """Play to the end; where it is restless, it answers at once."""
        while True:
            pause_s = 0.3 if is_restless() else self._numbers.choice((0.4, 1.0, 1.5, 2.0, 7.0))
            await asyncio.sleep(pause_s * self._numbers.uniform(0.5, 1.0))
            try:
                game: Game = await self._clients.read(lambda parts: parts.histories.read_newest(self._game, "secret"))
            except NoSuchGame:
                continue
            if is_over(game):
                return
            due = self._find_due(settle(game))
            if due is not None:
                event, entrusted = due
                await self._send(event, entrusted)

    def _find_due(self, game: Game) -> tuple[InputEvent, Opening | None] | None:
        held = game.seats[self._seat]
        if isinstance(held, Vacant):
            return SeatTaken(seat=self._seat, player=self._player, anchor=None, links=0, key=None), None
        if game.status == "open" and isinstance(held, Held) and not held.is_ready:
            return SeatReadied(seat=self._seat, nonce=None), None
        for owed in game.owed:
            if owed.decision.seat == self._seat and (answer := self._answer(game, owed)) is not None:
                return answer
        return None

    def _answer(self, game: Game, owed: Owed) -> tuple[InputEvent, Opening | None] | None:
        decision, choice = owed.decision, game.choices.get(owed.decision.id)
        if decision.kind == "opening":
            kept = self._kept.get(decision.id)
            if kept is None or not isinstance(choice, Sealed) or choice.opening is not None:
                return None
            revealed = ActionRevealed(
                seat=self._seat, decision=decision.id, action=parse(kept.action), salt=kept.salt, nonce=None
            )
            return revealed, None
        if choice is not None:
            return None
        rules = game.ruleset
        choices = rules.legal_actions(game.board, decision)
        action = encode(self._choose(rules.view(game.board, self._seat), choices, self._numbers))
        if decision.kind == "plain":
            played = ActionPlayed(seat=self._seat, decision=decision.id, action=parse(action), nonce=None)
            return played, None
        opening = Opening(seat=self._seat, action=action, salt=self._numbers.randbytes(32).hex(), link=None)
        sealed = seal_opening(self._game, decision.id, opening)
        if self.has_own_custody:
            self._kept[decision.id] = opening
            return sealed, None
        return sealed, opening

    async def _send(self, event: InputEvent, entrusted: Opening | None) -> None:
        command = CommandId(self._clients.new_id())

        def build(at_ms: int) -> GameCommand:
            actor: Any = ByPlayer(player=self._player)
            return GameCommand(
                id=command, stream=self._game, at_ms=at_ms, actor=actor, event=event, entrusted=entrusted
            )

        await self._clients.send(build, lambda parts: parts.arena)
