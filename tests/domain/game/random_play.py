"""Random play at a table: whole games of legal commands, with everything that can happen to a game.

A seed gives the same log on every machine: `digest` is the value that two processes, or two Pythons, compare.
"""

import random
from contextlib import suppress
from functools import cache
from hashlib import sha256
from typing import Any

import msgspec
from msgspec import UNSET

from domain.chance import Secret
from domain.game.clock import find_deadline_ms, waits_for_seat
from domain.game.consent import ABSENT_MS, PAUSE_MS_MAX, list_needed
from domain.game.events import HouseOffer, StandIn
from domain.game.rejections import AlreadyConsented
from domain.game.state import Owed, Sealed, held_seat
from domain.house import HOUSE
from domain.ids import DecisionId, Seat
from domain.log.actors import ByPlayer
from domain.log.own_links import LINKS_MIN
from domain.ruleset.decision import Decision
from tests.domain.game.fake_ruleset_mug import VALUE_MAX, Go, Parry, Value
from tests.domain.game.game_harness import ORGANISER, Table, mug_terms, with_clock
from tests.domain.rulesets.fake_ruleset_torches import Bid, Shield, Strike

# A random game of either ruleset ends long before; a longer one is stuck.
STEPS_MAX = 2_000


@cache
def play_game(seed: int) -> Table:
    """Play the game of a seed once in a process; no test plays on at its table."""
    return Chaos(seed).play()


class Chaos:
    """One random game. `table` is where it is played."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.rng = random.Random(seed)  # noqa: S311 # repeatable play, not a secret
        # In some games of Mug the links run out: they are few, the game is long, and no seat leaves.
        self.runs_dry = seed % 10 == 1
        links = LINKS_MIN if self.runs_dry else self.rng.choice((0, 1024))
        self.table = Table(links=links, **self._terms(seed))
        self.sealed: dict[DecisionId, Any] = {}

    def play(self) -> Table:
        self._sit_down()
        for _ in range(STEPS_MAX):
            if self.table.game.status != "running":
                return self.table
            self.table.now += self.rng.choice((0, 0, 1, 900, 15_000))
            self._step()
        raise AssertionError(f"{self.table.game.ruleset.name} is stuck: {self.table.game.owed}")

    def _terms(self, seed: int) -> dict[str, Any]:
        seats = self.rng.choice((2, 3))
        options: dict[str, Any] = {"rounds": 3, "lives": self.rng.choice((1, 3)), "omens": 0}
        clock = None if self.runs_dry else self.rng.choice((None, with_clock(20, 30), with_clock(20, 30, 5)))
        secret = Secret(sha256(b"secret of game %d" % seed).digest())
        terms: dict[str, Any] = {"options": options}
        if seed % 2:
            terms = mug_terms(rounds=30 if self.runs_dry else 2, opens_together=self.rng.random() < 0.4)
        stand_in = UNSET if clock is None else self.rng.choice((UNSET, StandIn(bot="any", after=1)))
        return {**terms, "seats": seats, "clock": clock, "secret": secret, "stand_in": stand_in}

    def _sit_down(self) -> None:
        table, seats = self.table, [Seat(place) for place in range(len(self.table.game.seats))]
        if self.rng.random() < 0.3:
            table.witness()
        if self.seed % 4 == 2:
            self._call_the_house(seats[-1])
        for seat in self.rng.sample(seats, len(seats)):
            table.take(seat)
        if self.rng.random() < 0.2:
            table.leave(seats[-1])
            table.take(seats[-1])
        if self.rng.random() < 0.2 and len(seats) > 2:
            table.remove(seats.pop())
        for seat in self.rng.sample(seats, len(seats)):
            table.ready(seat)
            if self.rng.random() < 0.02 and table.game.status == "open":
                leaving = next(seat for seat in seats if not held_seat(table.game, seat).is_ready)
                table.leave(leaving)
                return

    def _call_the_house(self, seat: int) -> None:
        """Call a house bot and send it away again."""
        self.table.offer(seat, HouseOffer(bot="any"))
        self.table.take(seat, actor=ByPlayer(player=HOUSE[seat]))
        self.table.offer(seat, None)

    def _step(self) -> None:
        game, roll = self.table.game, self.rng.random()
        seats = [Seat(place) for place in range(len(game.seats))]
        playing = [seat for seat in seats if getattr(game.seats[seat], "has_departed", True) is False]
        seat = self.rng.choice(playing)
        if self.runs_dry and roll < 0.04:
            return
        if roll < 0.005:
            self.table.abort(ORGANISER)
        elif roll < 0.02:
            self.table.resign(seat)
        elif roll < 0.03:
            self.table.remove(seat)
        elif roll < 0.04 and game.opened.clock is not None:
            self.table.extend(seat, ms=5_000)
        elif game.paused_ms is not None:
            self._wait_for_the_end_of_the_pause(seat)
        elif roll < 0.08 and not self.runs_dry:
            # The one draw decides this too.
            self.table.now += ABSENT_MS + 1 if game.opened.clock is None and roll < 0.05 else 0
            self._agree(seat)
        elif held_seat(game, seat).is_handed and self.rng.random() < 0.5:
            self.table.reclaim(seat)
        else:
            self._answer(self.rng.choice([owed for owed in game.owed if owed.decision.seat in playing]))

    def _agree(self, seat: Seat) -> None:
        """Agree as one seat, rarely as all, and change a mind."""
        game, to = self.table.game, "pause" if self.table.game.opened.clock is not None else "end"
        if to in held_seat(game, seat).consents:
            self.table.withdraw(seat, to)
            return
        asked = [seat for seat in list_needed(game, self.table.now) if not held_seat(game, seat).is_handed]
        for each in asked if self.rng.random() < 0.5 else asked[:1]:
            if self.table.game.status == "running" and self.table.game.paused_ms is None:
                with suppress(AlreadyConsented):
                    self.table.consent(each, to)
        if self.table.game.status == "running" and to in held_seat(self.table.game, seat).consents:
            self.table.withdraw(seat, to)

    def _wait_for_the_end_of_the_pause(self, seat: Seat) -> None:
        if self.rng.random() < 0.5:
            self.table.end_pause(seat)
        elif self.rng.random() < 0.5:
            self.table.now += PAUSE_MS_MAX + 1
            self.table.end_pause()

    def _answer(self, owed: Owed) -> None:
        game, decision = self.table.game, owed.decision
        deadline_ms = find_deadline_ms(game, owed)
        if deadline_ms is not None and self.table.now > deadline_ms:
            if waits_for_seat(game, owed):
                self.table.expire(decision.seat, decision.id)
            return
        match decision.kind:
            case "plain":
                self.table.play(decision.seat, decision.id, self.choose(decision), **self.table.driver(decision.seat))
            case "sealed":
                self._seal(decision)
            case "opening":
                self._reveal(decision)

    def _seal(self, decision: Decision) -> None:
        choice = self.table.game.choices.get(decision.id)
        if choice is not None and (not isinstance(choice, Sealed) or choice.count == 9 or self.rng.random() < 0.7):
            return
        action, roll, driver = self.choose(decision), self.rng.random(), self.table.driver(decision.seat)
        if roll < 0.4 or driver:
            self.table.entrust(decision.seat, action, decision=decision.id, **driver)
            return
        is_nonsense = roll < 0.45 and not self.runs_dry
        self.sealed[decision.id] = {"kind": "nonsense"} if is_nonsense else action
        self.table.seal(decision.seat, self.sealed[decision.id], decision=decision.id)

    def _reveal(self, decision: Decision) -> None:
        choice = self.table.game.choices.get(decision.id)
        if not isinstance(choice, Sealed) or choice.opening is not None:
            return
        if held_seat(self.table.game, decision.seat).is_handed:
            # The player sealed it, and its stand-in cannot open it.
            self.table.now += 25_000
            return
        # Where there is a clock some seats withhold their sealed actions until it runs out.
        if self.table.game.opened.clock is not None and self.rng.random() < 0.5:
            self.table.now += 25_000
            return
        self.table.reveal(decision.seat, self.sealed[decision.id], decision=decision.id)

    def choose(self, decision: Decision) -> Any:
        board = self.table.game.board
        if decision.id.startswith("m"):
            if decision.kind != "plain":
                # The highest may be illegal when it is opened, and a second forfeit retires the seat.
                return Value(value=self.rng.randint(0, VALUE_MAX - self.runs_dry))
            is_so = self.rng.random() < 0.6
            return Go(is_far=is_so) if decision.id.endswith("/go") else Parry(is_high=is_so)
        place = next(place for place in board.places if place.seat == decision.seat)
        if "/bid/" in decision.id:
            card, drop = self.rng.sample([card.number for card in place.hand], 2)
            return Bid(card=card, drop=self.rng.choice((drop, None)))
        if "/shield/" in decision.id:
            return Shield(is_raised=bool(place.shields) and self.rng.random() < 0.5)
        alive = [place.seat for place in board.places if place.lives and place.seat != decision.seat]
        return Strike(target=self.rng.choice((*alive, *alive, None)))


@cache
def digest(seeds: range) -> str:
    """Return the hash of the logs of random games."""
    whole = sha256()
    for seed in seeds:
        table = play_game(seed)
        whole.update(b"\n".join(table.raws))
        whole.update(msgspec.json.encode(table.game.ruleset.view(table.game.board, None), order="sorted"))
    return whole.hexdigest()
